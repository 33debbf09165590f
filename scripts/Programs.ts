/** The repository's programs as child processes, started by the scripts of package.json. */
import { type ChildProcess, spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import { join } from "node:path"
import { createInterface } from "node:readline"
import * as Repository from "./Repository.ts"

/** A program that a script of package.json starts. */
export type Program = "transfers" | "transfers-fake"

/** The data of the fake in the demo and in the documents' examples. */
export const sample = ["--transfers", "5000", "--seed", "2024", "--now", "2025-01-01"] as const

/** The Node that the repository brings, not the host's. */
const node = join(Repository.root, "node_modules/.bin/node")

/** The command of a program: the file to execute, and the arguments before its own. */
export const commandOf = (program: Program): readonly [file: string, ...args: ReadonlyArray<string>] => {
  const [runner, ...args] = (Repository.manifest(Repository.root).scripts?.[program] ?? "").split(" ")
  if (runner !== "node") throw new Error(`package.json has no script ${program} that starts with node`)
  return [node, ...args.map((arg) => (arg.includes("/") ? join(Repository.root, arg) : arg))]
}

/** The `--help` output of a program; `undefined` if it has no such command. */
export const helpOf = (program: Program, command: string | undefined): string | undefined => {
  const [file, ...args] = commandOf(program)
  const path = command?.split(" ") ?? []
  const { status, stdout } = spawnSync(file, [...args, ...path, "--help"], {
    encoding: "utf8",
    env: { ...process.env, NO_COLOR: "1" },
  })
  const isKnown = status === 0 && (command === undefined || stdout.includes(`${program} ${command}`))
  return isKnown ? stdout : undefined
}

/** A fake that listens. Disposing it ends its process. */
export interface RunningFake extends AsyncDisposable {
  readonly url: string
}

/** Starts the fake server on a free port and waits until it listens. `onSpawn` gets its process before that. */
export const startFake = async (
  flags: ReadonlyArray<string>,
  onSpawn: (child: ChildProcess) => void = () => {},
): Promise<RunningFake> => {
  const [file, ...args] = commandOf("transfers-fake")
  const child = spawn(file, [...args, "--port", "0", "--json", ...flags], { stdio: ["ignore", "pipe", "inherit"] })
  onSpawn(child)
  const stop = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return
    child.kill("SIGTERM")
    await once(child, "exit")
  }
  for await (const line of createInterface({ input: child.stdout })) {
    const event: unknown = JSON.parse(line)
    if (typeof event === "object" && event !== null && "url" in event && typeof event.url === "string") {
      child.stdout.resume()
      return { url: event.url, [Symbol.asyncDispose]: stop }
    }
  }
  throw new Error(`transfers-fake exited before it listened, with code ${child.exitCode}`)
}
