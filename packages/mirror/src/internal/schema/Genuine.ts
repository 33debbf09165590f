/**
 * Whether what a SQLite file has under the names of a mirror is what this program makes. Whoever wrote the file may have
 * put a view in place of a table, or an expression that takes hours into a column, a constraint or an index, and nothing
 * ends a statement of SQLite that never returns.
 */
import * as Effect from "effect/Effect"
import type * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import * as Migrations from "./Migrations.ts"
import * as Views from "./Views.ts"

/** The text of a table around the columns that were added to it. */
interface Table {
  readonly start: string
  readonly end: string
}

const normalized = (text: string): string => text.replace(/\s+/g, " ").trim()

const tableOf = (statement: string): Table => {
  // SQLite writes an added column behind the last one, before the constraints of the table.
  const [end = ""] = /(?:,\n {2}(?:PRIMARY KEY|CHECK|UNIQUE) \(|\n\))[^]*/.exec(statement) ?? []
  const start = statement.slice(0, statement.length - end.length)
  return { start: normalized(start), end: normalized(`x${end}`).slice(1) }
}

const tables: ReadonlyMap<string, Table> = new Map([
  // That of Effect's migrator.
  [
    "mirror_migrations",
    tableOf(
      'CREATE TABLE "mirror_migrations" (\n  migration_id integer PRIMARY KEY NOT NULL,\n  created_at datetime NOT NULL DEFAULT current_timestamp,\n  name VARCHAR(255) NOT NULL\n)',
    ),
  ],
  ...Migrations.files.sqlite.flatMap(({ text }) =>
    [...text.matchAll(/^CREATE TABLE (\w+) [^;]*/gm)].map(
      ([statement, name = ""]) => [name, tableOf(statement)] as const,
    ),
  ),
])

/**
 * Columns that this program or another version of it added: computed ones, which take their value from the JSON of a
 * transfer, and stored ones, whose default is a literal.
 */
const added =
  /^(?:, \w+ (?:TEXT AS \((?:json_extract\(body, '\$\.[\w.]+'\)|nullif\(json_remove\(body(?:, '\$\.\w+')*\), '\{\}'\))\) VIRTUAL|(?:TEXT|INTEGER)(?: NOT NULL DEFAULT (?:\d+|'\w*'))?))*$/

/** An index of columns alone. Those that a user made are welcome. */
const index =
  /^CREATE (?:UNIQUE )?INDEX \w+ ON \w+ ?\(\w+(?: DESC)?(?:, ?\w+(?: DESC)?)*\)(?: WHERE \w+ (?:= \d+|IS NOT NULL)(?: OR \w+ (?:= \d+|IS NOT NULL))*)?$/

const isOurs = ({ start, end }: Table, text: string): boolean =>
  text.length >= start.length + end.length &&
  text.startsWith(start) &&
  text.endsWith(end) &&
  added.test(text.slice(start.length, text.length - end.length))

/** Those that our own statements read. What a query of a user reads can be stopped. */
const views: ReadonlyMap<string, string> = new Map(
  Views.stored("sqlite", { sums: false }).map(({ name, select }) => [name, `CREATE VIEW ${name} AS ${select}`]),
)

/** What is another, as a clause. Views are made anew by whoever writes, so only readers look at them. */
export const fault = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  { isReader }: { readonly isReader: boolean },
): Effect.fn.Return<string | undefined, SqlError> {
  const objects = yield* sql<{
    readonly name: string
    readonly type: string
    readonly of: string
    readonly text: string | null
  }>`SELECT name, type, tbl_name AS "of", sql AS text FROM sqlite_schema`
  for (const { name, type, of, text } of objects) {
    const lower = name.toLowerCase()
    if (type === "trigger") return `it has the trigger ${name}, which no mirror has`
    // That of a key has no text.
    if (type === "index" && tables.has(of.toLowerCase()) && text !== null && !index.test(normalized(text))) {
      return `its index ${name} has more than columns, which that of a mirror never has`
    }
    const table = type === "index" ? undefined : tables.get(lower)
    if (table !== undefined && (type !== "table" || !isOurs(table, normalized(text ?? "")))) {
      return `its ${name} is not the table of a mirror`
    }
    if (isReader && views.has(lower) && views.get(lower) !== text) {
      return `its view ${name} is not that of this program: run transfers sync, which makes it anew, unless somebody has changed it`
    }
  }
  return undefined
})
