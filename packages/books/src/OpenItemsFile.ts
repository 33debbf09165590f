/** A file of open items: what `--write-open` writes and `--carry` reads. */
import * as FileError from "@transferkit/files/FileError"
import * as AtomicFile from "@transferkit/files/node/AtomicFile"
import * as TextFile from "@transferkit/files/node/TextFile"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type * as BookSettings from "./BookSettings.ts"
import * as OpenItems from "./OpenItems.ts"

/** Reads a file for books of these settings. Those that compare other fields are rejected. */
export const read = Effect.fn("OpenItemsFile.read")(function* (
  path: string,
  settings: Pick<BookSettings.BookSettings, "key" | "amount">,
) {
  const text = yield* TextFile.read(path)
  const fail = (reason: string) => new FileError.FileError({ path, reason })
  const items = yield* Effect.fromResult(Result.mapError(OpenItems.parse(text), fail))
  for (const field of ["key", "amount"] as const) {
    if (items[field] === settings[field]) continue
    return yield* fail(
      `it was made with --${field} ${items[field]}, and these books compare ${settings[field]}: give --${field} ${items[field]}`,
    )
  }
  return items
})

/** Writes a file, in place of none but an earlier one of open items. */
export const write = (path: string, parts: Iterable<string>) =>
  Effect.andThen(
    AtomicFile.spare(path, '{"open_items"'),
    AtomicFile.write(path, (append) => Effect.forEach(parts, (part) => append(part), { discard: true })),
  )
