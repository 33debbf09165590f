/**
 * Counts the instructions that a Node process executes, by Valgrind's callgrind. The count is the same on a busy machine
 * as on a quiet one, within a fraction of a per cent: no threads, no random seeds, no clock.
 */
import { spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { build } from "esbuild"
import type { Repeated } from "./Budget.ts"

const steady = ["--single-threaded", "--predictable", "--hash-seed=1", "--random-seed=1"]
const cache = join(import.meta.dirname, "../../.cache/budgets")

/** Whether this machine has what is needed. */
export const isInstalled = (): boolean => spawnSync("valgrind", ["--version"]).status === 0

/** A process under callgrind: resolves with its count once it has ended. */
const start = (
  args: ReadonlyArray<string>,
  options: { readonly countsAtStart: boolean; readonly env?: NodeJS.ProcessEnv; readonly cwd?: string },
) => {
  const folder = mkdtempSync(join(tmpdir(), "transferkit-callgrind-"))
  const log = join(folder, "log")
  const child = spawn(
    "valgrind",
    [
      "--tool=callgrind",
      `--instr-atstart=${options.countsAtStart ? "yes" : "no"}`,
      "--callgrind-out-file=/dev/null",
      `--log-file=${log}`,
      process.execPath,
      ...steady,
      ...args,
    ],
    { stdio: ["ignore", "ignore", "pipe"], env: { ...process.env, ...options.env }, cwd: options.cwd },
  )
  let errors = ""
  child.stderr.setEncoding("utf8").on("data", (text: string) => (errors += text))
  const ended = once(child, "close").then(([status, signal]) => {
    const count = /Collected : (\d+)/.exec(readFileSync(log, "utf8"))?.[1]
    rmSync(folder, { recursive: true })
    if (count === undefined || (status !== 0 && signal !== "SIGTERM")) {
      throw new Error(`${args.join(" ")} ended with ${status ?? signal}: ${errors.slice(0, 2000)}`)
    }
    return Number(count)
  })
  return { child, ended }
}

/**
 * The instructions of a process from its start to its end. It runs once before, to fill its compile cache: that takes a
 * fraction of the time if nothing is counted. Outside of Valgrind, V8 would see another processor and keep another cache.
 */
export const ofProcess = async (args: ReadonlyArray<string>, env: NodeJS.ProcessEnv = {}): Promise<number> => {
  await start(args, { countsAtStart: false, env }).ended
  return start(args, { countsAtStart: true, env }).ended
}

/** One bundle of the benchmarks' code: under callgrind, stripping types takes longer than all else. */
const bundled = (() => {
  let made: Promise<string> | undefined
  return () =>
    (made ??= (async () => {
      mkdirSync(cache, { recursive: true })
      await build({
        entryPoints: [join(import.meta.dirname, "repeat.ts")],
        bundle: true,
        splitting: true,
        format: "esm",
        platform: "node",
        target: "node22",
        outdir: cache,
        outExtension: { ".js": ".mjs" },
        external: ["@duckdb/*", "@mitata/*", "autocannon", "bun:*", "esbuild", "jsc"],
        define: { "import.meta.dirname": JSON.stringify(join(import.meta.dirname, "..")) },
        banner: { js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);' },
        logLevel: "error",
      })
      return join(cache, "repeat.mjs")
    })())
})()

/** The instructions of an operation, repeated. */
export const ofRepeated = async ({ bench, contestant, operation, warmUp, times }: Repeated): Promise<number> => {
  const args = [await bundled(), bench, contestant, operation, String(warmUp), String(times)]
  return (await start(args, { countsAtStart: false }).ended) / times
}

/** A server, and a client that requests a number of pages. */
export interface Served {
  readonly command: ReadonlyArray<string>
  readonly cwd: string
  readonly ask: (times: number) => Promise<void>
  readonly warmUp: number
  readonly times: number
}

/** The instructions of a server, a page. `ask` waits until it listens. */
export const ofServer = async ({ command, cwd, ask, warmUp, times }: Served): Promise<number> => {
  const { child, ended } = start(command, { countsAtStart: false, cwd })
  try {
    await ask(warmUp)
    control(child.pid, "on")
    await ask(times)
    control(child.pid, "off")
  } finally {
    child.kill("SIGTERM")
  }
  return (await ended) / times
}

const control = (pid: number | undefined, state: "on" | "off"): void => {
  const { status, stderr } = spawnSync("callgrind_control", ["-i", state, String(pid)], { encoding: "utf8" })
  if (status !== 0) throw new Error(`callgrind does not listen: ${stderr}`)
}
