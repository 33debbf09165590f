/** What a user needs to correct a query that the database rejects: its place, and the names that the mirror has. */
import * as Effect from "effect/Effect"
import type * as SqlClient from "effect/sql/SqlClient"
import { closestMatch } from "leven"
import { MirrorError } from "../MirrorError.ts"
import * as Views from "./schema/Views.ts"

/** A column, and the table or view that it is of. */
export interface KnownColumn {
  readonly relation: string
  readonly name: string
}

/** The columns of all of them. */
export const columns = (sql: SqlClient.SqlClient) =>
  sql.onDialectOrElse({
    pg: () =>
      sql<KnownColumn>`SELECT table_name AS relation, column_name AS name FROM information_schema.columns WHERE table_schema = ANY (current_schemas(false)) ORDER BY ordinal_position`,
    orElse: () =>
      sql<KnownColumn>`SELECT found.name AS relation, own.name AS name FROM sqlite_schema AS found, pragma_table_info(found.name) AS own`,
  })

/** The table or the column that SQLite or PostgreSQL does not know. */
const unknownIn = (reason: string): { readonly what: "table" | "column"; readonly name: string } | undefined => {
  const [, what, quoted] =
    /^no such (table|column): (.+)$/.exec(reason) ?? /^(relation|column) (.+) does not exist$/.exec(reason) ?? []
  const name = quoted?.replaceAll('"', "").split(".").at(-1)
  return name === undefined ? undefined : { what: what === "column" ? "column" : "table", name }
}

/** The name with the fewest typing errors, or some that have all its words. */
const nearest = (given: string, known: ReadonlyArray<string>): string => {
  const name = given.toLowerCase()
  const closest = closestMatch(name, known, { maxDistance: 1 + Math.floor(name.length / 4) })
  const words = name.split("_")
  const longer = known
    .filter((each) => words.every((word) => each.split("_").includes(word)))
    .toSorted((a, b) => a.split("_").length - b.split("_").length)
  const found = closest === undefined ? longer.slice(0, 3) : [closest]
  const last = found.length > 1 ? ` or ${found.at(-1)}` : ""
  return found.length === 0
    ? ""
    : `Did you mean ${last === "" ? found.join("") : found.slice(0, -1).join(", ") + last}?`
}

const tablesFor = (name: string): ReadonlyArray<string> => [
  [nearest(name, Views.asked), `The tables are ${Views.asked.join(", ")}.`].filter((text) => text !== "").join(" "),
]

const columnsFor = (name: string, known: ReadonlyArray<KnownColumn>): ReadonlyArray<string> => {
  const [first] = known
  if (first === undefined) return tablesFor("")
  const meant = nearest(name, [...new Set(known.map((column) => column.name))])
  if (meant !== "") return [`${meant} SELECT * FROM ${first.relation} LIMIT 1 shows all columns.`]
  const relations = [...new Set(known.map(({ relation }) => relation))]
  return relations.map((relation) => {
    const own = known.filter((column) => column.relation === relation).map((column) => column.name)
    return `The columns of ${relation} are ${own.join(", ")}.`
  })
}

/** The error with the place of the mistake, and with the names that the mirror has if the query names another. */
export const explain = Effect.fnUntraced(function* <R>(
  error: MirrorError,
  {
    sql,
    place,
    columns,
  }: {
    readonly sql: string
    readonly place: string | undefined
    readonly columns: Effect.Effect<ReadonlyArray<KnownColumn>, MirrorError, R>
  },
) {
  const unknown = unknownIn(error.reason)
  const hint =
    unknown === undefined
      ? []
      : unknown.what === "table"
        ? tablesFor(unknown.name)
        : columnsFor(
            unknown.name,
            // Of the tables that the query names.
            (yield* Effect.orElseSucceed(columns, () => [])).filter(
              ({ relation }) => Views.asked.includes(relation) && sql.toLowerCase().split(/\W+/).includes(relation),
            ),
          )
  const details = [...(place === undefined ? [] : [place]), ...hint]
  return details.length === 0 ? error : new MirrorError({ ...error, details: details.join("\n") })
})
