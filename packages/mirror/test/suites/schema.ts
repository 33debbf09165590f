/** Tables, views and their upgrades in a real database. */
import * as Effect from "effect/Effect"
import type * as SqlClient from "effect/sql/SqlClient"
import { describe, expect, test } from "vitest"
import * as Columns from "../../src/internal/Columns.ts"
import * as Driver from "../../src/internal/Driver.ts"
import * as Objects from "../../src/internal/schema/Objects.ts"
import * as Schema from "../../src/internal/schema/Schema.ts"
import { TransferMirror } from "../../src/TransferMirror.ts"
import type { Database } from "../Database.ts"
import * as Lab from "../Lab.ts"

export const schemaSuite = (database: Database) =>
  describe(`the schema in ${database.name}`, () => {
    const columnsOf = (sql: SqlClient.SqlClient, table: string) =>
      Effect.map(
        sql.onDialectOrElse({
          pg: () =>
            sql<{ readonly name: string }>`SELECT column_name AS name FROM information_schema.columns
              WHERE table_schema = current_schema() AND table_name = ${table}`,
          orElse: () => sql<{ readonly name: string }>`SELECT name FROM pragma_table_xinfo(${table})`,
        }),
        (rows) => rows.map(({ name }) => name),
      )
    const fresh = async () => Lab.make(await database.fresh(), { count: 0 })
    const inMirror = <A>(lab: Lab.Lab, use: (sql: SqlClient.SqlClient) => Effect.Effect<A, unknown>): Promise<A> =>
      Lab.run(
        lab,
        Effect.flatMap(TransferMirror, (mirror) => use(Driver.of(mirror).sql)),
      )

    test("has a column for each field of a transfer, by the files and what is computed", async () => {
      const lab = await fresh()
      const expected = [...Columns.own, ...Columns.derived.map(({ name }) => name)].toSorted()
      const found = await inMirror(lab, (sql) => columnsOf(sql, "mirrored_transfers"))
      expect(found.toSorted()).toEqual(expected)
      expect((await inMirror(lab, (sql) => columnsOf(sql, "transfers"))).toSorted()).toEqual(
        expected.filter((name) => name !== "vanished_at"),
      )
    })

    test("is not there for a reader before a writer has made it", async () => {
      const lab = await fresh()
      // SQLite says so when it opens the file.
      await expect(Lab.query(lab, "SELECT 1")).rejects.toThrow(/there is no mirror|there is no such file/)
    })

    test("is not touched if it is of a newer version, which is named", async () => {
      const lab = await fresh()
      await inMirror(lab, (sql) => sql`INSERT INTO mirror_migrations (migration_id, name) VALUES (99, 'later')`)
      const text = /it has version 99, and this program knows versions up to \d+: update the program/
      await expect(Lab.query(lab, "SELECT 1")).rejects.toThrow(text)
      await expect(Lab.query(lab, "SELECT 1", {})).rejects.toThrow(text)
    })

    test("is not upgraded by a reader, and is by a writer", async () => {
      const lab = await fresh()
      const change = (text: string) => inMirror(lab, (sql) => sql.unsafe(text))
      await change("UPDATE mirror_objects SET hash = 'old' WHERE name = 'views'")
      await Lab.query(lab, "SELECT 1")
      const stale = (options: { readonly readOnly?: boolean }) =>
        Lab.run(
          lab,
          Effect.flatMap(TransferMirror, (mirror) =>
            Objects.stale(Driver.of(mirror).sql, Objects.all(Schema.dialectOf(Driver.of(mirror).sql), { sums: true })),
          ),
          options,
        )
      expect((await stale({ readOnly: true })).map(({ name }) => name)).toEqual(["views"])
      expect(await stale({})).toEqual([])
    })

    test("makes views anew whose text has changed, with the rights that were granted on them", async () => {
      const lab = await fresh()
      const isPostgres = database.name === "PostgreSQL"
      const role = `reader_${Math.trunc(performance.now() * 1000)}`
      await inMirror(lab, (sql) =>
        Effect.gen(function* () {
          yield* sql.unsafe("DROP VIEW open_transfers").raw
          yield* sql.unsafe("CREATE VIEW open_transfers AS SELECT 1 AS colour").raw
          yield* sql`UPDATE mirror_objects SET hash = 'old' WHERE name = 'views'`
          if (!isPostgres) return
          yield* sql.unsafe(`CREATE ROLE ${role}`).raw
          yield* sql.unsafe(`GRANT SELECT ON open_transfers TO ${role} WITH GRANT OPTION`).raw
          yield* sql.unsafe("GRANT SELECT, DELETE ON transfers TO PUBLIC").raw
        }),
      )
      const found = await inMirror(lab, (sql) => columnsOf(sql, "open_transfers"))
      expect(found).toContain("external_id")
      if (!isPostgres) return
      const acl = await Lab.query(
        lab,
        "SELECT relname, CAST(unnest(relacl) AS text) AS acl FROM pg_class WHERE relname IN ('transfers', 'open_transfers') ORDER BY 1, 2",
      )
      expect(acl.filter((row) => /^(?:=|reader_)/.test(String(row["acl"])))).toEqual([
        { relname: "open_transfers", acl: expect.stringMatching(`^${role}=r\\*/`) },
        { relname: "transfers", acl: expect.stringMatching("^=rd/") },
      ])
      await inMirror(lab, (sql) => sql.unsafe(`DROP OWNED BY ${role}; `).raw)
      await inMirror(lab, (sql) => sql.unsafe(`DROP ROLE ${role}`).raw)
    })

    test("keeps the views of others that use its own, as long as the columns stay", async () => {
      const lab = await fresh()
      await inMirror(lab, (sql) =>
        Effect.gen(function* () {
          yield* sql.unsafe("CREATE VIEW theirs AS SELECT id FROM transfers").raw
          yield* sql`UPDATE mirror_objects SET hash = 'old' WHERE name = 'views'`
        }),
      )
      expect(await inMirror(lab, (sql) => columnsOf(sql, "theirs"))).toEqual(["id"])
    })

    if (database.name === "SQLite") {
      test("computes a column anew whose text has changed, and one that is missing", async () => {
        const lab = Lab.make(await database.fresh(), { count: 20 })
        await Lab.sync(lab)
        const before = await Lab.query(lab, "SELECT id, kind, extra FROM transfers ORDER BY id")
        await inMirror(lab, (sql) =>
          Effect.gen(function* () {
            for (const name of [
              "daily_totals",
              "fees_by_currency",
              "open_transfers",
              "vanished_transfers",
              "transfers",
            ])
              yield* sql.unsafe(`DROP VIEW ${name}`).raw
            yield* sql.unsafe("ALTER TABLE mirrored_transfers DROP COLUMN kind").raw
            yield* sql.unsafe("ALTER TABLE mirrored_transfers DROP COLUMN extra").raw
            yield* sql.unsafe(
              "ALTER TABLE mirrored_transfers ADD COLUMN extra TEXT AS (json_extract(body, '$.old')) VIRTUAL",
            ).raw
            yield* sql`UPDATE mirror_objects SET hash = 'old' WHERE name IN ('column kind', 'column extra')`
          }),
        )
        await inMirror(lab, () => Effect.void)
        expect(await Lab.query(lab, "SELECT id, kind, extra FROM transfers ORDER BY id")).toEqual(before)
      })
    }

    test("is made once by several who come at the same time", async () => {
      const lab = await fresh()
      await Promise.all(Array.from({ length: 4 }, () => inMirror(lab, () => Effect.void)))
      const made = await Lab.query(lab, "SELECT migration_id FROM mirror_migrations")
      const dialect = await inMirror(lab, (sql) => Effect.succeed(Schema.dialectOf(sql)))
      expect(made).toHaveLength(Schema.version(dialect))
    })
  })
