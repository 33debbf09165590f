/** The rows of a statement of a user in SQLite, which can make values of a gigabyte out of nothing. */
import type { DatabaseSync, SQLOutputValue, StatementSync } from "node:sqlite"
import * as ResultSize from "./ResultSize.ts"

const tooLarge = () =>
  new Error(
    "the result is too large: its texts and blobs may have 256 MiB, and so may each value on the way to it. Ask for fewer rows or columns, or parts of the values with substr",
  )

type Row = Record<string, SQLOutputValue>

/** All rows, or an error before they fill the memory. */
export const rows = (db: DatabaseSync, statement: StatementSync): ReadonlyArray<Row> =>
  withinLimit(db, () => {
    // Not `all`: Node returns nothing, and no error, for a result with a text that is too long for JavaScript.
    const cursor: { next: () => IteratorResult<Row> | undefined; return?: () => unknown } = statement.iterate()
    const found: Array<Row> = []
    let bytes = 0
    try {
      for (;;) {
        const next = cursor.next()
        if (next === undefined) throw tooLarge()
        if (next.done === true) return found
        bytes += ResultSize.of(next.value)
        if (bytes > ResultSize.mostBytes) throw tooLarge()
        found.push(next.value)
      }
    } catch (error) {
      throw error instanceof Error && "errcode" in error && error.errcode === tooBig ? tooLarge() : error
    } finally {
      // The statement would go on holding its locks.
      cursor.return?.()
    }
  })

/** SQLite's code of a value that is larger than its limit. */
const tooBig = 18

/** SQLite makes no larger value meanwhile. Its limit is lower than that of a statement of ours. */
const withinLimit = <A>(db: DatabaseSync, use: () => A): A => {
  // Node has it since 24.15; before, the rows are too large once they are there.
  const limits: unknown = Reflect.get(db, "limits")
  if (typeof limits !== "object" || limits === null) return use()
  const before: unknown = Reflect.get(limits, "length")
  Reflect.set(limits, "length", ResultSize.mostBytes)
  try {
    return use()
  } finally {
    Reflect.set(limits, "length", before)
  }
}
