/** A file of open items: what `--write-open` writes and `--carry` reads. */
import * as FileError from "@transferkit/files/FileError"
import * as AtomicFile from "@transferkit/files/node/AtomicFile"
import * as TextFile from "@transferkit/files/node/TextFile"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as BookBase from "./BookBase.ts"
import * as OpenItems from "./OpenItems.ts"

/** Reads a file for books that follow those that left it. One of another base is rejected. */
export const read = Effect.fn("OpenItemsFile.read")(function* (path: string, next: BookBase.BookBase) {
  const text = yield* TextFile.read(path)
  const fail = (reason: string) => new FileError.FileError({ path, reason })
  const items = yield* Effect.fromResult(Result.mapError(OpenItems.parse(text), fail))
  const other = BookBase.difference(items.base, next)
  if (other !== undefined) return yield* fail(other)
  return items
})

/** Writes a file, in place of none but an earlier one of open items. */
export const write = (path: string, parts: Iterable<string>) =>
  Effect.andThen(
    AtomicFile.spare(path, '{"open_items"'),
    AtomicFile.write(path, (append) => Effect.forEach(parts, (part) => append(part), { discard: true })),
  )
