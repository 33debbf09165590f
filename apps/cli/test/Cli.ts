/** Runs the command as a person would: a process of its own, with its own streams, files and environment. */
import { spawn } from "node:child_process"
import { dirname, join } from "node:path"
import * as BuiltOnce from "../../../scripts/test/BuiltOnce.ts"

/** What a run left behind. */
export interface Run {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** How a run is set up. Nothing of this process's environment but `PATH` is passed on. */
export interface RunOptions {
  readonly env?: Readonly<Record<string, string>>
  readonly stdin?: string | Uint8Array
  /** A program that starts the command, with its own arguments. */
  readonly through?: ReadonlyArray<string>
}

/** The bundle that people get. */
export const dist = await BuiltOnce.folder("cli", async (folder) => {
  const { bundle } = await import("../scripts/bundle.ts")
  await bundle(folder)
})
export const bin = join(dist, "transfers.cjs")

/** Where it keeps its compiled code, so that every start but the first is fast. */
export const cache = join(dirname(dist), "cache")

/** Starts the command without waiting for it. */
export const start = (args: ReadonlyArray<string>, options: RunOptions = {}) => {
  const [program = process.execPath, ...rest] = [...(options.through ?? []), process.execPath, bin, ...args]
  return spawn(program, rest, {
    env: { PATH: process.env["PATH"], HOME: "/nonexistent", XDG_CACHE_HOME: cache, ...options.env },
    stdio: ["pipe", "pipe", "pipe"],
  })
}

/** Runs the command to its end. */
export const run = async (args: ReadonlyArray<string>, options: RunOptions = {}): Promise<Run> => {
  const child = start(args, options)
  let stdout = ""
  let stderr = ""
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => (stdout += chunk))
  child.stderr.setEncoding("utf8").on("data", (chunk: string) => (stderr += chunk))
  child.stdin.on("error", () => {}).end(options.stdin ?? "")
  const code = await new Promise<number | null>((resolve) => child.on("close", resolve))
  return { code, stdout, stderr }
}

/** The environment in which the fake's partner `demo` calls a service. */
export const demo = (url: string): Readonly<Record<string, string>> => ({
  TRANSFERS_BASE_URL: url,
  TRANSFERS_PARTNER_ID: "demo",
  TRANSFERS_SECRET_KEY: "demo-secret",
})
