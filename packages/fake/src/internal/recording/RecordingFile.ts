/** Reads a recording from its file. */
import * as fs from "node:fs/promises"
import * as Utf8 from "@transferkit/domain/Utf8"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Take from "./Take.ts"

/** The takes of a recording, in their order. */
export const read = (path: string): Effect.Effect<ReadonlyArray<Take.Take>, Take.UnreadableRecording> =>
  Effect.tryPromise({
    try: async () => Result.getOrThrowWith(Utf8.decode(await fs.readFile(path)), Error),
    catch: (error) =>
      new Take.UnreadableRecording({ path, reason: error instanceof Error ? error.message : String(error) }),
  }).pipe(Effect.flatMap((text) => Effect.fromResult(Take.parse(text, path))))
