/** All of standard input, as text or as a file. */
import { join } from "node:path"
import { FileError } from "@transferkit/files/FileError"
import * as TextFile from "@transferkit/files/node/TextFile"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Stdio from "effect/Stdio"
import * as Stream from "effect/Stream"

const failed = (reason: string) => new FileError({ path: "standard input", reason })

/** Reads standard input to its end. Fails if it has more than a file may have. */
export const readStandardInput = Stdio.Stdio.use(({ stdin }) =>
  Effect.suspend(() => {
    let bytes = 0
    return stdin.pipe(
      Stream.mapError(() => failed("it cannot be read")),
      Stream.tap((chunk) => {
        bytes += chunk.length
        return bytes > TextFile.maxBytes ? Effect.fail(failed(TextFile.tooLong)) : Effect.void
      }),
      Stream.decodeText,
      Stream.mkString,
    )
  }),
)

/** A copy of standard input until the scope closes, for what must be read several times. Only its user can read it. */
export const standardInputFile = Effect.gen(function* () {
  const { stdin } = yield* Stdio.Stdio
  const files = yield* FileSystem.FileSystem
  const path = join(yield* files.makeTempDirectoryScoped({ prefix: "transfers-" }), "standard-input")
  yield* Stream.run(stdin, files.sink(path, { mode: 0o600 }))
  return path
}).pipe(Effect.mapError((error) => failed(`it cannot be read or kept: ${error.message}`)))
