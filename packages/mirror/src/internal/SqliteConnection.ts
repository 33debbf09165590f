/** A connection of `effect/sql` over Node's SQLite. */
import { existsSync } from "node:fs"
import { basename, resolve } from "node:path"
import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite"
import { pathToFileURL } from "node:url"
import * as Effect from "effect/Effect"
import type { Connection } from "effect/sql/SqlConnection"
import { classifySqliteError, SqlError } from "effect/sql/SqlError"
import * as Stream from "effect/Stream"
import type * as QueryAnswer from "../QueryAnswer.ts"
import * as ColumnNames from "./ColumnNames.ts"
import * as DecimalSum from "./DecimalSum.ts"
import * as SqliteFiles from "./SqliteFiles.ts"
import * as SqliteGuard from "./SqliteGuard.ts"
import * as SqliteResult from "./SqliteResult.ts"
import * as SqlPlace from "./SqlPlace.ts"
import * as UnlockedFile from "./UnlockedFile.ts"

/** How long a statement waits for another process that writes. */
const busyMillis = 10_000

/** Milliseconds between two attempts to begin a transaction while another process writes. */
const pauseMillis = 20

/** Begins a transaction that writes. */
export const beginToWrite = "BEGIN IMMEDIATE"

/** The page of a new file. A body is a kilobyte: in pages of 4 KiB a load takes four microseconds more for a transfer. */
const pageBytes = 16_384

/** Statements kept prepared. */
const mostPrepared = 200

/** Codes of SQLite that are more than words: busy and locked. Node has them in a property of its own. */
const classes = new Set([5, 6])

const failed = (cause: unknown): SqlError => {
  if (isErrorWithCode(cause) && classes.has(cause.errcode & 0xff)) Object.assign(cause, { errno: cause.errcode })
  return new SqlError({ reason: classifySqliteError(cause) })
}

const isErrorWithCode = (error: unknown): error is Error & { readonly errcode: number } =>
  error instanceof Error && "errcode" in error && typeof error.errcode === "number"

const isBusy = (error: unknown): boolean => isErrorWithCode(error) && (error.errcode & 0xff) === 5

/** Waits for another process that writes. SQLite's own wait would block this thread, and every signal with it. */
const begin = (db: DatabaseSync, pauses = busyMillis / pauseMillis): Effect.Effect<void, SqlError> =>
  Effect.try({ try: () => beginAtOnce(db), catch: (error) => error }).pipe(
    Effect.catch((error) =>
      isBusy(error) && pauses > 0
        ? // Effect begins transactions uninterruptibly, and one that has begun must not be forgotten.
          Effect.andThen(Effect.interruptible(Effect.sleep(pauseMillis)), begin(db, pauses - 1))
        : Effect.fail(failed(error)),
    ),
  )

const beginAtOnce = (db: DatabaseSync): void => {
  db.exec("PRAGMA busy_timeout = 0")
  try {
    db.exec(beginToWrite)
  } finally {
    db.exec(`PRAGMA busy_timeout = ${busyMillis}`)
  }
}

/** A database that is open. */
export interface Opened {
  readonly db: DatabaseSync
  /** Runs what reads it. */
  readonly reading: UnlockedFile.Reading
}

export const open = (file: string, readOnly: boolean): Effect.Effect<Opened, SqlError> =>
  Effect.try({ try: () => openUnsafe(file, readOnly), catch: failed })

const openUnsafe = (file: string, readOnly: boolean): Opened => {
  const check = file === ":memory:" ? undefined : SqliteFiles.prepare(file, readOnly)
  const opened = readOnly ? openToRead(file) : locked(new DatabaseSync(nameOf(file), { timeout: busyMillis }))
  const { db } = opened
  try {
    if (!readOnly) {
      // Readers and one writer at a time, in several processes; a commit survives the end of a process at any moment.
      db.exec(`PRAGMA page_size = ${pageBytes}; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL`)
      // The first read opens the files beside it.
      db.prepare("SELECT 1 FROM sqlite_schema").get()
      check?.()
    }
    db.exec("PRAGMA temp_store = MEMORY; PRAGMA cache_size = -16384")
    DecimalSum.register(db)
    return opened
  } catch (error) {
    db.close()
    throw error
  }
}

/** SQLite would take a name such as `file:mirror.db` for a URI. */
const nameOf = (file: string): string => (file === ":memory:" ? file : resolve(file))

/** SQLite's locks keep what it reads together. */
const locked = (db: DatabaseSync): Opened => ({ db, reading: (read) => read() })

/**
 * SQLite reads a file in WAL mode by two files beside it. Where it cannot make them, it reads the file without locks, which
 * is right only until somebody writes to it.
 */
const openToRead = (file: string): Opened => {
  const db = new DatabaseSync(nameOf(file), { readOnly: true, timeout: busyMillis })
  try {
    db.prepare("SELECT 1 FROM sqlite_schema").get()
    return locked(db)
  } catch (error) {
    db.close()
    if (isRollback(error)) throw new Error(unfinished(file), { cause: error })
    if (file === ":memory:" || !isUnwritable(error) || existsSync(`${file}-wal`)) throw error
    const reading = UnlockedFile.reading(file)
    const url = pathToFileURL(file)
    url.searchParams.set("immutable", "1")
    return { db: new DatabaseSync(url, { readOnly: true }), reading }
  }
}

/** That the files beside a database can be neither opened nor made. What is locked is another error. */
const isUnwritable = (error: unknown): boolean => isErrorWithCode(error) && [8, 14].includes(error.errcode & 0xff)

/** That a reader would have to undo what another process had not finished. */
const isRollback = (error: unknown): boolean => isErrorWithCode(error) && error.errcode === 776

const unfinished = (file: string): string =>
  `a program that wrote to it ended before it had finished, and a reader cannot undo that: open it once to write, as with sqlite3 ${basename(file)} "PRAGMA user_version"`

/** Runs one statement of a user, which may only read. */
export const ask = ({ db, reading }: Opened, text: string): Effect.Effect<QueryAnswer.QueryAnswer, SqlError> =>
  Effect.try({
    try: () =>
      reading(() =>
        SqliteGuard.reading(db, () => {
          const statement = prepareAsked(db, text)
          const columns = statement.columns().map(({ name }) => name)
          const twice = ColumnNames.fault(columns)
          if (twice !== undefined) throw new Error(twice)
          return { columns, rows: SqliteResult.rows(db, statement) }
        }),
      ),
    catch: (cause) =>
      failed(isErrorWithCode(cause) && cause.errcode === unauthorized ? new Error(onlyReads, { cause }) : cause),
  })

/** The same of a statement whose mistake has a place, which is an error's `position` as in PostgreSQL. */
const prepareAsked = (db: DatabaseSync, sql: string): StatementSync => {
  try {
    return prepareOne(db, sql)
  } catch (error) {
    const at = error instanceof Error ? SqlPlace.ofSqlite(sql, error.message, (part) => mistakeOf(db, part)) : undefined
    throw at === undefined
      ? error
      : Object.assign(error as Error, { position: Array.from(sql.slice(0, at)).length + 1 })
  }
}

const mistakeOf = (db: DatabaseSync, sql: string): string | undefined => {
  try {
    db.prepare(sql)
    return undefined
  } catch (error) {
    return error instanceof Error ? error.message : undefined
  }
}

const unauthorized = 23
const onlyReads =
  "not authorized: a query can only read, with SELECT or WITH. It can neither change nor attach nor load anything"

/** Node compiles the first statement and ignores what follows it. */
const prepareOne = (db: DatabaseSync, sql: string): StatementSync => {
  const statement = db.prepare(sql)
  const others = sql
    .slice(statement.sourceSQL.length)
    .replace(/--[^\n]*/g, "")
    .split(";")
  if (others.some((other) => other.trim() !== "")) {
    throw new Error("one statement at a time: something follows the first")
  }
  statement.setReadBigInts(true)
  return statement
}

export const make = ({ db, reading }: Opened): Connection => {
  const prepared = new Map<string, StatementSync>()
  const prepare = (sql: string): StatementSync => {
    const known = prepared.get(sql)
    if (known !== undefined) return known
    if (prepared.size >= mostPrepared) prepared.clear()
    const statement = prepareOne(db, sql)
    prepared.set(sql, statement)
    return statement
  }
  const run = <A>(sql: string, use: (statement: StatementSync) => A): Effect.Effect<A, SqlError> =>
    Effect.try({ try: () => reading(() => use(prepare(sql))), catch: failed })
  const bind = (params: ReadonlyArray<unknown>) => params as ReadonlyArray<SQLInputValue>
  const execute: Connection["execute"] = (sql, params, transformRows) =>
    run(sql, (statement) => {
      statement.setReturnArrays(false)
      const rows = statement.all(...bind(params))
      return transformRows === undefined ? rows : transformRows(rows)
    })
  const executeValues: Connection["executeValues"] = (sql, params) =>
    run(sql, (statement) => {
      statement.setReturnArrays(true)
      // Node's types know rows as objects only.
      return statement.all(...bind(params)) as unknown as ReadonlyArray<ReadonlyArray<unknown>>
    })
  return {
    execute,
    executeUnprepared: (sql, params, transformRows) =>
      sql === beginToWrite ? Effect.as(begin(db), []) : execute(sql, params, transformRows),
    executeValues,
    executeValuesUnprepared: executeValues,
    executeRaw: (sql, params) =>
      run(sql, (statement) => {
        statement.setReturnArrays(false)
        return statement.run(...bind(params))
      }),
    executeStream: (sql, params) =>
      Stream.suspend(() => {
        // Not from the cache: another use would start it over.
        const statement = reading(() => db.prepare(sql))
        statement.setReadBigInts(true)
        return Stream.fromIterable(readEach(statement.iterate(...bind(params)), reading))
      }),
  }
}

const readEach = function* <A>(rows: Iterator<A>, reading: UnlockedFile.Reading): Generator<A> {
  try {
    for (let row = reading(() => rows.next()); row.done !== true; row = reading(() => rows.next())) yield row.value
  } finally {
    // One that was left half-way would hold its transaction.
    rows.return?.()
  }
}
