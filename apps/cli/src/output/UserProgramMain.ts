/** The process of a user's program: the program in by standard input, what it prints out, or the reason why it is wrong. */
import { text } from "node:stream/consumers"
import * as Effect from "effect/Effect"
import * as ExitCode from "../ExitCode.ts"
import * as OwnProcess from "../OwnProcess.ts"
import * as UserProgram from "./UserProgram.ts"

OwnProcess.endAtOnce()
void Effect.runPromise(
  Effect.promise(() => text(process.stdin)).pipe(
    Effect.flatMap((given) => UserProgram.run(UserProgram.decode(given))),
    Effect.match({
      onSuccess: (printed) => void process.stdout.write(printed),
      onFailure: (failure) => {
        process.exitCode = ExitCode.of(failure)
        process.stderr.write(failure.message)
      },
    }),
  ),
)
