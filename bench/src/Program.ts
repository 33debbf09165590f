/** A program that runs to its end, and what that takes. */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { join } from "node:path"
import { performance } from "node:perf_hooks"
import * as ServerProcess from "./ServerProcess.ts"

/** The file to execute and its arguments. */
export type Command = readonly [file: string, ...args: ReadonlyArray<string>]

/** The program `transfers`, built. */
export const transfers = (...args: ReadonlyArray<string>): Command => [
  process.execPath,
  join(import.meta.dirname, "../../apps/cli/dist/transfers.cjs"),
  ...args,
]

/** Seconds, CPU seconds of the process and of those that it started, and its own peak memory in MB. */
export interface Cost {
  readonly wall: number
  readonly cpu: number
  readonly memory: number
}

/** Runs a command, and throws if it ends with another code. */
export const run = async (
  [file, ...args]: Command,
  env: NodeJS.ProcessEnv,
  codes: ReadonlyArray<number> = [0],
): Promise<Cost> => {
  const [start, before] = [performance.now(), ServerProcess.endedCpuSeconds()]
  const child = spawn(file, args, { env: { ...process.env, ...env }, stdio: ["ignore", "ignore", "inherit"] })
  const { cost } = ServerProcess.running(child, "")
  let memory = 0
  const watch = setInterval(() => {
    memory = Math.max(memory, cost().memory || 0)
  }, 20)
  const [code] = await once(child, "exit")
  clearInterval(watch)
  if (!codes.includes(code)) throw new Error(`${file} ${args.join(" ")} ended with ${code}`)
  const wall = (performance.now() - start) / 1000
  return { wall, cpu: ServerProcess.endedCpuSeconds() - before, memory }
}
