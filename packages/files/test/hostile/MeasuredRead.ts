/** Reads files in processes of their own, and holds each to a bound on time and memory. */
import { execFile } from "node:child_process"
import { join } from "node:path"
import { promisify } from "node:util"
import { expect } from "vitest"

/** Twice what the longest takes on an idle machine. Starting Node and loading the readers is 0.5 s and 90 MB of it. */
export const most = { cpuSeconds: 12, megabytes: 420 }

/** After so many milliseconds a reader never ends. */
const longest = 60_000

const program = join(import.meta.dirname, "read.ts")

/** What came of a file, and the bounds that it exceeded. */
export const read = async (reader: string, path: string) => {
  const options = { timeout: longest, killSignal: "SIGKILL" } as const
  const { stdout } = await promisify(execFile)(process.execPath, [program, reader, path], options)
  const found: { readonly message?: string } & Record<keyof typeof most, number> = JSON.parse(stdout)
  const exceeded = (["cpuSeconds", "megabytes"] as const).filter((cost) => found[cost] >= most[cost])
  return { ...found, exceeded: exceeded.map((cost) => `${cost}: ${found[cost]}`) }
}

/** The outcome of a file that is rejected in time, in words of a readable length. */
export const rejected = (reason: RegExp) => ({
  _tag: "FileError",
  message: expect.stringMatching(new RegExp(`^(?=[^]{1,2000}$)(?=[^]*(?:${reason.source}))`)),
  exceeded: [],
})
