/** Runs a user's program in a process of its own, which ends at once if it takes too long or a signal arrives. */
import { spawn } from "node:child_process"
import * as Effect from "effect/Effect"
import { megabytes } from "../commands/MemoryLimit.ts"
import * as ExitCode from "../ExitCode.ts"
import { OutOfMemory } from "../Failure.ts"
import * as OwnProcess from "../OwnProcess.ts"
import type { CommandLine } from "../Rerun.ts"
import { UsageError } from "../UsageError.ts"
import * as Jq from "./Jq.ts"
import * as UserProgram from "./UserProgram.ts"

/** What the program prints, which may be more than a text can hold. */
export const run = (
  { file, program }: CommandLine,
  given: UserProgram.UserProgram,
): Effect.Effect<ReadonlyArray<Buffer>, UsageError | OutOfMemory> =>
  Effect.callback((resume) => {
    const child = spawn(file, program, { env: OwnProcess.environment(), stdio: "pipe" })
    const printed: Array<Buffer> = []
    const said: Array<Buffer> = []
    child.stdout.on("data", (chunk) => printed.push(chunk))
    child.stderr.on("data", (chunk) => said.push(chunk))
    child.stdin.on("error", () => {}).end(UserProgram.encode(given))
    child.on("error", (error) => resume(Effect.die(error)))
    child.on("close", (code, signal) => {
      const message = Buffer.concat(said).toString().trim()
      if (signal === "SIGINT" || signal === "SIGTERM") process.exit(ExitCode.ofSignal[signal])
      if (code === ExitCode.done) return resume(Effect.succeed(printed))
      if (code === ExitCode.usage) return resume(Effect.fail(new UsageError({ message })))
      if (code === ExitCode.outOfMemory) return resume(Effect.fail(Jq.outOfMemory))
      // Node aborts, or the system ends it.
      resume(code === ExitCode.defect ? Effect.die(new Error(message)) : Effect.fail(new OutOfMemory({ megabytes })))
    })
    return Effect.sync(() => {
      child.removeAllListeners("close")
      child.kill("SIGKILL")
    })
  })
