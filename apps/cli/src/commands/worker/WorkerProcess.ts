/** A process of this program that runs `transfers worker`. */
import { type ChildProcess, spawn, type StdioOptions } from "node:child_process"
import type { Globals } from "../../flags/GlobalFlags.ts"

/** The flags that say whose transfers to read. None of them is a secret. */
export const flagsOf = ({ profile, baseUrl, partnerId, secretKeyFile, sandbox }: Globals): ReadonlyArray<string> => [
  ...Object.entries({
    profile,
    "base-url": baseUrl,
    "partner-id": partnerId,
    "secret-key-file": secretKeyFile,
  }).flatMap(([name, value]) => (value === undefined ? [] : [`--${name}`, value])),
  ...(sandbox ? ["--sandbox"] : []),
]

/** Starts one for a mirror. Its address may hold a password, so it is no argument. */
export const start = (args: ReadonlyArray<string>, to: string, stdio: StdioOptions): ChildProcess => {
  const [, program = ""] = process.argv
  return spawn(process.execPath, [...process.execArgv, program, "worker", ...args], {
    env: { ...process.env, TRANSFERS_MIRROR: to },
    stdio,
  })
}

/** How a process ended, unless it did as it should. */
export const early = (code: number | null, signal: string | null): string | undefined =>
  code === 0 ? undefined : (signal ?? `exit code ${code}`)
