/** Loads the transfers of a file into a store: one JSON object a line, or one array. Streamed, of any size. */
import * as fs from "node:fs"
import * as JsonBounds from "@transferkit/domain/JsonBounds"
import * as JsonSyntax from "@transferkit/domain/JsonSyntax"
import * as JsonValue from "@transferkit/domain/JsonValue"
import * as TransferStore from "@transferkit/in-memory/TransferStore"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { jsonTexts } from "./JsonTexts.ts"

/** The file cannot be read as transfers. */
export class UnreadableData extends Data.TaggedError("UnreadableData")<{
  readonly path: string
  readonly reason: string
}> {
  override get message(): string {
    return `Cannot read transfers from ${this.path}: ${this.reason}`
  }
}

/** Inserts the transfers of a file, each with its text unchanged; those over several lines are joined into one. */
export const load = Effect.fn("DataFile.load")(function* (path: string, store: TransferStore.TransferStore) {
  const failure = yield* Effect.tryPromise({
    try: () => insertAll(path, store),
    catch: (error) => new UnreadableData({ path, reason: `${error instanceof Error ? error.message : error}.` }),
  })
  if (failure === undefined) return
  return yield* new UnreadableData({ path, reason: `${failure} ${accepted}` })
})

const accepted = "Give a JSON array of transfers, or one transfer a line."

/** The error of the first transfer that cannot be inserted. */
const insertAll = async (path: string, store: TransferStore.TransferStore): Promise<string | undefined> => {
  for await (const texts of jsonTexts(fs.createReadStream(path, { highWaterMark: 1 << 20 }))) {
    for (const { text, line, isUnclosed } of texts) {
      if (isUnclosed === true) return `line ${line}: the array is not closed by a ].`
      const plain = onOneLine(text)
      // What JSON.stringify would write has each name once.
      const repeat = plain === text ? undefined : JsonSyntax.repeatOf(text, line)
      if (repeat !== undefined) return `${repeat}.`
      const inserted = TransferStore.insertJson(store, text.includes("\n") ? plain : text)
      if (Result.isFailure(inserted)) return `line ${line}: ${inserted.failure.message}`
    }
  }
  return undefined
}

const onOneLine = (text: string): string => {
  // Rejected where it is inserted.
  if (JsonBounds.isExceeded(text)) return text
  try {
    return JSON.stringify(JsonValue.parse(text))
  } catch {
    return text
  }
}
