/**
 * Lets one process at a time sync a mirror. The lock is the database's own, so the system releases it when a process
 * ends, however it ends.
 */
import { DatabaseSync } from "node:sqlite"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type * as SqlClient from "effect/sql/SqlClient"
import { classifySqliteError, SqlError } from "effect/sql/SqlError"
import type { MirrorAddress } from "../MirrorAddress.ts"

export const hold = (
  sql: SqlClient.SqlClient,
  address: MirrorAddress,
): Effect.Effect<void, "Busy" | SqlError, Scope.Scope> =>
  address._tag === "Postgres" ? advisoryLock(sql) : address.file === ":memory:" ? Effect.void : lockFile(address.file)

/** The name of the lock is that of the schema that holds the tables. */
const advisoryLock = Effect.fnUntraced(function* (sql: SqlClient.SqlClient) {
  const connection = yield* sql.reserve
  const key = "hashtextextended('transferkit mirror ' || current_schema(), 0)"
  const [row] = yield* connection.execute(`SELECT pg_try_advisory_lock(${key}) AS is_held`, [], undefined)
  if (row?.is_held !== true) return yield* Effect.fail("Busy" as const)
  yield* Effect.addFinalizer(() =>
    Effect.ignore(connection.execute(`SELECT pg_advisory_unlock(${key})`, [], undefined)),
  )
})

/** SQLITE_BUSY */
const sqliteBusy = 5

/** A database of its own, so that a lock that is held for hours keeps no reader or writer of the mirror waiting. */
const lockFile = (file: string) =>
  Effect.asVoid(
    Effect.acquireRelease(
      Effect.try({
        try: () => {
          const db = new DatabaseSync(`${file}.sync-lock`, { timeout: 0 })
          try {
            db.exec("BEGIN EXCLUSIVE")
          } catch (error) {
            db.close()
            throw error
          }
          return db
        },
        catch: (cause) => {
          // Node's errors carry SQLite's code in a property of their own.
          const isLocked = Reflect.get(Object(cause), "errcode") === sqliteBusy
          return isLocked ? ("Busy" as const) : new SqlError({ reason: classifySqliteError(cause) })
        },
      }),
      (db) => Effect.sync(() => db.close()),
    ),
  )
