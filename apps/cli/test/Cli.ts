/** Runs the command as a person would: a process of its own, with its own streams, files and environment. */
import { spawn } from "node:child_process"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, vi } from "vitest"
import { bundle } from "../scripts/bundle.ts"

/** What a run left behind. */
export interface Run {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** How a run is set up. Nothing of this process's environment but `PATH` is passed on. */
export interface RunOptions {
  readonly env?: Readonly<Record<string, string>>
  readonly stdin?: string
  /** A program that starts the command, with its own arguments. */
  readonly through?: ReadonlyArray<string>
}

// Real processes take their time where several test files run at once.
vi.setConfig({ testTimeout: 30_000, hookTimeout: 30_000 })

const folder = await mkdtemp(join(tmpdir(), "transfers-bundle-"))
afterAll(() => rm(folder, { recursive: true }))

/** The bundle that people get, in a folder of its own. */
export const dist = join(folder, "dist")
export const bin = join(dist, "transfers.cjs")
await bundle(dist)

/** Starts the command without waiting for it. */
export const start = (args: ReadonlyArray<string>, options: RunOptions = {}) => {
  const [program = process.execPath, ...rest] = [...(options.through ?? []), process.execPath, bin, ...args]
  return spawn(program, rest, {
    env: { PATH: process.env["PATH"], HOME: "/nonexistent", XDG_CACHE_HOME: join(folder, "cache"), ...options.env },
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
