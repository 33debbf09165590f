/** Mirrors that somebody else made: what no statement of ours could end is found before it runs. */
import { copyFile, mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { afterAll, beforeAll, expect, test } from "vitest"
import { run } from "../Cli.ts"

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "transfers-mirrors-"))
  expect(await run(["sync", "--sandbox", "--to", join(folder, "good.db")])).toMatchObject({ code: 0 })
  change("good.db", "PRAGMA journal_mode = DELETE")
})
afterAll(() => rm(folder, { recursive: true }))

const change = (name: string, ...statements: ReadonlyArray<string>): void => {
  const db = new DatabaseSync(join(folder, name), { defensive: false })
  for (const statement of statements) db.exec(statement)
  db.close()
}

const endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT t.* FROM t, n WHERE i < 0"
const views = ["daily_totals", "fees_by_currency", "open_transfers", "vanished_transfers", "transfers"]
const dropped = views.map((name) => `DROP VIEW ${name}`)

/** Of other sizes it takes hours, and SQLite looks at no signal meanwhile. */
const slow = "instr(zeroblob(10), zeroblob(5) || x'01')"

/** With another text of its table of transfers, as whoever has the file can write it. */
const rewritten = (from: string, to: string) => [
  "PRAGMA writable_schema = ON",
  `UPDATE sqlite_schema SET sql = replace(sql, '${from.replaceAll("'", "''")}', '${to.replaceAll("'", "''")}') WHERE name = 'mirrored_transfers'`,
]
const isOther = /its mirrored_transfers is not the table of a mirror/

test.each<[string, ReadonlyArray<string>, RegExp]>([
  [
    "a view in place of its table",
    [...dropped, "ALTER TABLE mirrored_transfers RENAME TO t", `CREATE VIEW mirrored_transfers AS ${endless}`],
    /its mirrored_transfers is not the table of a mirror/,
  ],
  [
    "a view in place of its versions",
    ["ALTER TABLE mirror_migrations RENAME TO t", `CREATE VIEW mirror_migrations AS ${endless}`],
    /its mirror_migrations is not the table/,
  ],
  [
    "a view that never ends",
    ["DROP VIEW open_transfers", `CREATE VIEW open_transfers AS ${endless.replaceAll(" t,", " transfers t,")}`],
    /its view open_transfers is not that of this program/,
  ],
  ["a body that is computed", rewritten("body TEXT NOT NULL", `body TEXT AS ('x' || ${slow}) VIRTUAL`), isOther],
  ["a computed column", [`ALTER TABLE mirrored_transfers ADD COLUMN x TEXT AS (${slow}) VIRTUAL`], isOther],
  ["a computed column in place of its own", rewritten("json_extract(body, '$.kind')", `('x' || ${slow})`), isOther],
  ["a constraint", rewritten("PRIMARY KEY", `CHECK (${slow} = 0), PRIMARY KEY`), isOther],
  ["a default", rewritten("external_id TEXT,", `external_id TEXT DEFAULT (${slow}),`), isOther],
  [
    "a partial index",
    [`CREATE INDEX x ON mirrored_transfers (id) WHERE ${slow} = 0`],
    /its index x has more than columns/,
  ],
  [
    "an index of an expression",
    ["CREATE INDEX x ON sync_state (instr(value, 'x'))"],
    /its index x has more than columns/,
  ],
  [
    "a trigger",
    ["CREATE TRIGGER x AFTER INSERT ON mirrored_transfers BEGIN DELETE FROM mirrored_transfers; END"],
    /it has the trigger x/,
  ],
])("%s is found at once, by whoever reads and writes", async (_, statements, reason) => {
  await copyFile(join(folder, "good.db"), join(folder, "hostile.db"))
  change("hostile.db", ...statements)
  const from = ["--from", join(folder, "hostile.db")]
  const runs = await Promise.all([
    run(["search", "--limit", "1", ...from]),
    run(["doctor", ...from]),
    run(["sync", "--status", "--sandbox", "--to", join(folder, "hostile.db")]),
  ])
  for (const { stdout, stderr } of runs) expect(stdout + stderr).toMatch(reason)
})

test("indexes of columns that a user made are no attack", async () => {
  await copyFile(join(folder, "good.db"), join(folder, "indexed.db"))
  change("indexed.db", "CREATE INDEX mine ON mirrored_transfers (kind, created_at DESC) WHERE vanished_at IS NOT NULL")
  expect(await run(["search", "--limit", "1", "--from", join(folder, "indexed.db")])).toMatchObject({ code: 0 })
})
