/** Capabilities saved as JSON, to use instead of the service's. */
import * as Capabilities from "@transferkit/domain/Capabilities"
import * as JsonText from "@transferkit/domain/JsonText"
import { TransferSource } from "@transferkit/domain/TransferSource"
import { FileError } from "@transferkit/files/FileError"
import * as TextFile from "@transferkit/files/node/TextFile"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"

/** The file as a source that has no transfers. */
export const layer = (path: string) =>
  Layer.unwrap(Effect.map(read(path), (capabilities) => TransferSource.layerMemory({ transfers: [], capabilities })))

/** Reads a file that `transfers capabilities --output json` wrote. */
export const read = Effect.fnUntraced(function* (path: string) {
  const text = yield* TextFile.read(path)
  yield* Effect.fromResult(Result.mapError(JsonText.parse(text), (reason) => new FileError({ path, reason })))
  return yield* Effect.fromResult(
    Result.mapError(Capabilities.fromJson(text), ({ pointer, expected, actual }) => {
      const shape = `the value at ${pointer || "its top"} should be ${expected}, but is ${actual}`
      return new FileError({ path, reason: shape })
    }),
  )
})
