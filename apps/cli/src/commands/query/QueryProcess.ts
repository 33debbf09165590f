/** Runs a query of a SQLite file in a process of its own, with the same input and output. */
import { spawn } from "node:child_process"
import { constants } from "node:os"
import * as Effect from "effect/Effect"
import { OutOfMemory } from "../../Failure.ts"
import * as OwnProcess from "../../OwnProcess.ts"
import type { CommandLine } from "../../Rerun.ts"

/** What the process may use: SQLite sorts in memory, and rows of numbers are unbounded. */
export const megabytes = 2048

/** Runs the command line again. If that fails, it has said why, and this ends as it did. */
export const run = ({ file, program, args }: CommandLine): Effect.Effect<void, OutOfMemory> =>
  Effect.callback((resume) => {
    const child = spawn(file, [...program, ...args], { env: OwnProcess.environment(), stdio: "inherit" })
    child.on("error", (error) => resume(Effect.die(error)))
    child.on("close", (code, signal) => {
      // It has more than it may, or more than V8 or the system gives it.
      if (signal === "SIGKILL" || signal === "SIGABRT")
        return resume(Effect.fail(new OutOfMemory({ megabytes, what: "query" })))
      const ended = code ?? 128 + (signal === null ? 0 : constants.signals[signal])
      if (ended !== 0) process.exit(ended)
      resume(Effect.void)
    })
    return Effect.sync(() => {
      child.removeAllListeners("close")
      child.kill("SIGKILL")
    })
  })
