/** All of standard input, as text. */
import { FileError } from "@transferkit/files/FileError"
import * as Effect from "effect/Effect"
import * as Stdio from "effect/Stdio"
import * as Stream from "effect/Stream"

/** Reads standard input to its end. */
export const readStandardInput = Stdio.Stdio.use(({ stdin }) =>
  stdin.pipe(
    Stream.decodeText,
    Stream.mkString,
    Effect.mapError(() => new FileError({ path: "standard input", reason: "it cannot be read" })),
  ),
)
