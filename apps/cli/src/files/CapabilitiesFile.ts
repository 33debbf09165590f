/** Capabilities saved as JSON, to use instead of the service's. */
import * as Capabilities from "@transferkit/domain/Capabilities"
import { FileError } from "@transferkit/files/FileError"
import * as TextFile from "@transferkit/files/node/TextFile"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"

/** Reads a file that `transfers capabilities --output json` wrote. */
export const read = Effect.fnUntraced(function* (path: string) {
  return yield* Effect.fromResult(
    Result.mapError(
      Capabilities.fromJson(yield* TextFile.read(path)),
      (error) =>
        new FileError({
          path,
          reason: `the value at ${error.pointer || "its top"} should be ${error.expected}, but is ${error.actual}`,
        }),
    ),
  )
})
