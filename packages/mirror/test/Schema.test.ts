/** The tables and views, statement by statement: a mirror that exists keeps those it was made with. */
import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"
import { expect, test } from "vitest"
import * as Schema from "../src/internal/Schema.ts"
import { statementsOf } from "./Statements.ts"

const dialects = ["sqlite", "pg"] as const

test.each(dialects)(
  "a new mirror in %s is made by the statements of the golden file: others need a migration",
  async (dialect) => {
    const made = await statementsOf(dialect, Schema.migrate)
    const own = made.filter(
      (statement) => /^(?:CREATE|INSERT|DROP)/.test(statement) && !statement.includes("mirror_migrations"),
    )
    await expect(own.map((statement) => `${statement};\n`).join("\n")).toMatchFileSnapshot(
      `golden/schema.${dialect}.sql`,
    )
  },
)

test.each(dialects)(
  "the views of an instant in %s are those of the golden file, and live as long as their connection",
  async (dialect) => {
    const views = Schema.views(dialect, "CREATE TEMP VIEW", Schema.asOf(dialect, "2025-01-01T00:00:00.000Z"))
    expect(views.map((view) => view.slice(0, 17))).toEqual(views.map(() => "CREATE TEMP VIEW "))
    await expect(views.map((view) => `${view};\n`).join("\n")).toMatchFileSnapshot(`golden/views.${dialect}.sql`)
  },
)

test("the dialect is that of the client", async () => {
  for (const dialect of dialects) {
    await statementsOf(
      dialect,
      Effect.gen(function* () {
        expect(Schema.dialectOf(yield* SqlClient.SqlClient)).toBe(dialect)
      }),
    )
  }
  expect.assertions(2)
})
