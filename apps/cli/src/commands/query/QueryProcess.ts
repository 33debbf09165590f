/** Runs a query of a SQLite file in a process of its own, with the same input and output. */
import { spawn } from "node:child_process"
import { constants } from "node:os"
import * as Effect from "effect/Effect"
import * as OwnProcess from "../../OwnProcess.ts"
import type { CommandLine } from "../../Rerun.ts"

/** Runs the command line again. If that fails, it has said why, and this ends as it did. */
export const run = ({ file, program, args }: CommandLine): Effect.Effect<void> =>
  Effect.callback((resume) => {
    const child = spawn(file, [...program, ...args], { env: OwnProcess.environment(), stdio: "inherit" })
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
