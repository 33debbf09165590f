/** Reads a recording from its file. */
import * as fs from "node:fs/promises"
import * as Effect from "effect/Effect"
import * as Take from "./Take.ts"

/** The takes of a recording, in their order. */
export const read = (path: string): Effect.Effect<ReadonlyArray<Take.Take>, Take.UnreadableRecording> =>
  Effect.tryPromise({
    try: () => fs.readFile(path, "utf8"),
    catch: (error) =>
      new Take.UnreadableRecording({ path, reason: error instanceof Error ? error.message : String(error) }),
  }).pipe(Effect.flatMap((text) => Effect.fromResult(Take.parse(text, path))))
