/** The migrations and views, statement by statement: a mirror that exists keeps the tables it was made with. */
import { createHash } from "node:crypto"
import { readdirSync, readFileSync } from "node:fs"
import { expect, test } from "vitest"
import * as Migrations from "../src/internal/schema/Migrations.ts"
import * as Schema from "../src/internal/schema/Schema.ts"
import * as Views from "../src/internal/schema/Views.ts"

const dialects = ["sqlite", "pg"] as const
const folder = new URL("../sql/", import.meta.url)
const names = readdirSync(folder)
  .filter((name) => /^\d/.test(name))
  .toSorted()
const textOf = (name: string) => readFileSync(new URL(name, folder), "utf8")

/** A released file never changes. A new column is a new file, which gets a line here when it is released. */
const frozen: Readonly<Record<string, string>> = {
  "0001.postgres.sql": "e910fb6d5a32420c518954544ac2274589ad80af13f73a4f4ce612ff3eeab282",
  "0001.sqlite.sql": "5c78d7989ceccd7cdfb842268bd44af04c026f5bf572ffd3730a8ef241f39895",
}

test("migrations are frozen", () => {
  const hashes = names.map((name) => [name, createHash("sha256").update(textOf(name)).digest("hex")])
  expect(Object.fromEntries(hashes)).toMatchObject(frozen)
})

test.each(dialects)("each statement of a migration in %s is found", (dialect) => {
  for (const { text } of Migrations.files[dialect]) {
    const found = Schema.statementsOf(text)
    expect(
      found.filter(
        (statement) => !/^(?:(?:CREATE|ALTER) TABLE|CREATE INDEX|INSERT INTO|UPDATE|DELETE FROM) /.test(statement),
      ),
    ).toEqual([])
    expect(found).toHaveLength(text.match(/^(?:CREATE|ALTER|INSERT|UPDATE|DELETE)/gm)?.length ?? 0)
  }
})

test.each(dialects)("the views in %s are those of the golden file, for good and for an instant", async (dialect) => {
  const stored = Views.stored(dialect, { sums: true }).map(({ name, select }) => `CREATE VIEW ${name} AS ${select}`)
  const temporary = Views.temporary(dialect, "2025-01-01T00:00:00.000Z")
  expect(temporary.map((view) => view.slice(0, 17))).toEqual(temporary.map(() => "CREATE TEMP VIEW "))
  const text = [...stored, ...temporary].map((view) => `${view};\n`).join("\n")
  await expect(text).toMatchFileSnapshot(`golden/views.${dialect}.sql`)
})
