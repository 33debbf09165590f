/**
 * Runs a query of a SQLite file in a process of its own. SQLite cannot be interrupted from JavaScript while it runs a
 * statement, but a process can be ended at once.
 */
import { spawn } from "node:child_process"
import { constants } from "node:os"
import * as Effect from "effect/Effect"
import type { CommandLine } from "../../Rerun.ts"

const variable = "TRANSFERS_QUERY_PROCESS"

/** Whether this is that process. */
export const isHere = (): boolean => process.env[variable] === "1"

/** A listener would keep signals from ending a statement. */
export const leaveSignalsToTheSystem = (): void => {
  for (const signal of ["SIGINT", "SIGTERM"]) process.removeAllListeners(signal)
}

/** Runs the command line again, with the same input and output. If that fails, it has said why, and this ends as it did. */
export const run = ({ file, args }: CommandLine): Effect.Effect<void> =>
  Effect.callback((resume) => {
    const child = spawn(file, args, { env: { ...process.env, [variable]: "1" }, stdio: "inherit" })
    child.on("error", (error) => resume(Effect.die(error)))
    child.on("close", (code, signal) => {
      const ended = code ?? 128 + (signal === null ? 0 : constants.signals[signal])
      if (ended !== 0) process.exit(ended)
      resume(Effect.void)
    })
    return Effect.sync(() => {
      child.removeAllListeners("close")
      child.kill("SIGKILL")
    })
  })
