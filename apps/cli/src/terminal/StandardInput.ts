/** All of standard input, as text or as a file. */
import * as ByteParts from "@transferkit/domain/ByteParts"
import * as Utf8 from "@transferkit/domain/Utf8"
import * as FileError from "@transferkit/files/FileError"
import * as NamelessFile from "@transferkit/files/node/NamelessFile"
import * as TextFile from "@transferkit/files/node/TextFile"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Stdio from "effect/Stdio"
import * as Stream from "effect/Stream"

const failed = (reason: string) => new FileError.FileError({ path: "standard input", reason })

/** Reads standard input to its end. Fails if it has more than a file may have. */
export const readStandardInput = Stdio.Stdio.use(({ stdin }) =>
  Effect.suspend(() => {
    const parts = ByteParts.make(TextFile.maxBytes)
    return stdin.pipe(
      Stream.mapError(() => failed("it cannot be read")),
      Stream.runForEach((part) => (parts.add(part) ? Effect.void : Effect.fail(failed(TextFile.tooLong)))),
      Effect.flatMap(() => Effect.fromResult(Result.mapError(Utf8.decode(parts.whole()), failed))),
    )
  }),
)

/** A copy of standard input until the scope closes, for what must be read several times. */
export const standardInputFile = Stdio.Stdio.use(({ stdin }) => NamelessFile.of(stdin)).pipe(
  Effect.mapError((error) => failed(`it cannot be read or kept: ${FileError.reasonOf(error)}`)),
)
