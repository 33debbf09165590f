/** What users may ask: anything that reads, and nothing that changes, on any database. */
import { existsSync } from "node:fs"
import * as Timestamp from "@transferkit/domain/Timestamp"
import * as TransferStore from "@transferkit/in-memory/TransferStore"
import * as Effect from "effect/Effect"
import { describe, expect, test } from "vitest"
import { TransferMirror, type Options } from "../../src/TransferMirror.ts"
import type { Database } from "../Database.ts"
import * as Lab from "../Lab.ts"

/** The tests own their cluster, so their role is one that a query rejects. */
const ask = (lab: Lab.Lab, text: string, options: Options = { readOnly: true }) =>
  Lab.run(
    lab,
    Effect.flatMap(TransferMirror, ({ query }) =>
      Effect.map(query(text, { allowSuperuser: true }), ({ rows }) => rows),
    ),
    options,
  )

const common = [
  "DELETE FROM mirrored_transfers",
  "UPDATE sync_state SET value = ''",
  "INSERT INTO sync_state VALUES ('a', 'b', 'c')",
  "DROP VIEW transfers",
  "CREATE TABLE mine (id TEXT)",
  "WITH gone AS (SELECT 1) DELETE FROM sync_runs",
]

const ofDialect = {
  SQLite: [
    "ATTACH DATABASE 'other.db' AS other",
    "VACUUM",
    "VACUUM INTO 'stolen.db'",
    "BEGIN IMMEDIATE",
    "CREATE TEMP TABLE mine (id TEXT)",
    "PRAGMA writable_schema = 1",
    "PRAGMA journal_mode = DELETE",
    "PRAGMA user_version = 3",
    "SELECT load_extension('evil')",
    "REINDEX",
    "ANALYZE",
  ],
  PostgreSQL: [
    "COMMIT",
    "ROLLBACK",
    "END",
    "ABORT",
    "BEGIN",
    "/* read */ abort and chain",
    "PREPARE mine AS SELECT 1",
    "DEALLOCATE ALL",
    "SET TRANSACTION READ WRITE",
    "SELECT set_config('transaction_read_only', 'off', true)",
    "DO $$ BEGIN DELETE FROM mirrored_transfers; END $$",
    "DO $$ BEGIN COMMIT; DELETE FROM mirrored_transfers; END $$",
    "SELECT nextval(pg_get_serial_sequence('sync_runs', 'run_id'))",
    "SELECT 1; DELETE FROM mirrored_transfers",
    "TRUNCATE mirrored_transfers",
    "CREATE TEMP VIEW mine AS SELECT 1",
  ],
}

const allowed = {
  SQLite: [
    "PRAGMA table_info('transfers')",
    "SELECT value FROM json_each('[1]')",
    "EXPLAIN QUERY PLAN SELECT * FROM transfers",
  ],
  PostgreSQL: ["EXPLAIN SELECT * FROM transfers", "SHOW server_version", "VALUES (1)"],
}

export const querySuite = (database: Database) =>
  describe(`a query of a mirror in ${database.name}`, () => {
    const synced = async () => {
      const lab = Lab.make(await database.fresh(), { count: 60 })
      await Lab.sync(lab)
      return lab
    }

    test("cannot change anything, nor leave its transaction", async () => {
      const lab = await synced()
      const state = await Lab.query(lab, "SELECT * FROM sync_state ORDER BY name")
      const asOf = Timestamp.fromDate(new Date(lab.now + 1000))
      for (const options of [{ readOnly: true }, { asOf }, {}]) {
        for (const statement of [...common, ...ofDialect[database.name]]) {
          await expect(ask(lab, statement, options), statement).rejects.toMatchObject({
            _tag: "MirrorError",
            kind: "rejected",
          })
        }
      }
      expect(await Lab.mirrored(lab)).toEqual(Lab.served(lab))
      expect(await Lab.query(lab, "SELECT * FROM sync_state ORDER BY name")).toEqual(state)
      expect(["stolen.db", "other.db"].filter((file) => existsSync(file))).toEqual([])
    })

    test("shows no result that has two columns of a name, one of which would be lost", async () => {
      const lab = await synced()
      for (const statement of [
        "SELECT 1 AS a, 2 AS a",
        "SELECT * FROM (SELECT 1 AS a) AS x, (SELECT 2 AS a) AS y",
        "SELECT 1 AS a, 2 AS a WHERE 1 = 2",
      ]) {
        await expect(ask(lab, statement), statement).rejects.toMatchObject({
          kind: "rejected",
          reason: 'two columns have the name "a": give each its own with AS',
        })
      }
      expect(await ask(lab, "SELECT 'x' AS a, 'y' AS \"A\"")).toEqual([{ a: "x", A: "y" }])
    })

    test("names its columns, with or without a row", async () => {
      const lab = await synced()
      for (const where of ["1 = 0", "1 = 1"]) {
        const query = `SELECT id, status AS "1" FROM transfers WHERE ${where} LIMIT 1`
        const { columns } = await Lab.run(
          lab,
          Effect.flatMap(TransferMirror, (mirror) => mirror.query(query, { allowSuperuser: true })),
          { readOnly: true },
        )
        expect(columns).toEqual(["id", "1"])
      }
    })

    test("can read everything, in any form", async () => {
      const lab = await synced()
      for (const statement of [
        "SELECT id, ROW_NUMBER() OVER (ORDER BY created_ns) AS place FROM transfers LIMIT 3",
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3) SELECT i FROM n",
        "SELECT status, decimal_sum(source_total_amount) AS total FROM transfers GROUP BY status",
        "SELECT * FROM daily_totals",
        "SELECT * FROM sync_runs",
        ...allowed[database.name],
      ]) {
        expect((await ask(lab, statement)).length, statement).toBeGreaterThan(0)
      }
      // A library may query the mirror that it writes.
      expect(await ask(lab, "SELECT COUNT(*) AS n FROM transfers", {})).toEqual([{ n: 60n }])
      const before = Timestamp.parseUnsafe("2024-12-31T00:00:00Z")
      expect(await ask(lab, "SELECT COUNT(*) AS n FROM transfers", { asOf: before })).toEqual([{ n: 0n }])
    })

    test("is answered as of an instant, or not at all", async () => {
      const lab = await synced()
      const [body = ""] = Lab.served(lab).values()
      const { id } = JSON.parse(body)
      const instants: Array<Timestamp.Timestamp> = []
      const next = async (change: () => unknown) => {
        instants.push(Timestamp.fromDate(new Date(lab.now + 30_000)))
        lab.now += 60_000
        change()
        await Lab.verify(lab)
      }
      await next(() => Lab.ok(TransferStore.remove(lab.store, id)))
      await next(() => Lab.ok(TransferStore.insertJson(lab.store, body)))
      instants.push(Timestamp.fromDate(new Date(lab.now + 30_000)))
      const of = (statement: string) =>
        Promise.all(instants.map(async (asOf) => Object.values((await ask(lab, statement, { asOf }))[0] ?? {})))
      expect(await of("SELECT COUNT(*) AS n FROM transfers")).toEqual([[60n], [59n], [60n]])
      expect(await of("SELECT COUNT(*) AS n FROM vanished_transfers")).toEqual([[0n], [1n], [0n]])
      expect(await of("SELECT id, status FROM vanished_transfers")).toEqual([[], [id, JSON.parse(body).status], []])
      expect(await of("SELECT COUNT(*) AS n FROM transfer_changes")).toEqual([[0n], [1n], [2n]])
      for (const name of ["transfer_totals", "sync_runs", "sync_windows", '"mirrored_transfers"']) {
        await expect(ask(lab, `SELECT * FROM ${name}`, { asOf: instants[0] })).rejects.toMatchObject({
          kind: "rejected",
          reason: expect.stringContaining("shows the mirror as it is now. As of an instant, ask transfers, "),
        })
      }
    })

    test.each([
      [
        "SELECT colour FROM transfers",
        /colour.*\.\n {2}SELECT colour FROM transfers\n {9}\^\nThe columns of transfers are partner_id, id, /,
      ],
      [
        "SELECT stats FROM open_transfers",
        /\n {9}\^\nDid you mean status\? SELECT \* FROM open_transfers LIMIT 1 shows all columns\.$/,
      ],
      ["SELECT currency FROM daily_totals", /\nDid you mean currency_code\? /],
      [
        "SELECT amount FROM transfers",
        /\nDid you mean source_total_amount, source_subtotal_amount or destination_total_amount\? /,
      ],
      ["SELECT 1 FROM transfer", /\n {16}\^\nDid you mean transfers\? The tables are transfers, open_transfers, /],
      [
        "SELECT status, COUNT(*) FRM transfers, transfers",
        /near "?transfers.*\n {2}SELECT status, COUNT\(\*\) FRM transfers, transfers\n {30}\^$/,
      ],
      ["SELECT '日本', status\nFROM transfers\nGRUP BY status", /\n {2}line 3: GRUP BY status\n {10,15}\^$/],
    ])("says where %s is wrong, and what to write", async (statement, expected) => {
      const lab = await synced()
      const { message } = await ask(lab, statement).then(
        () => expect.unreachable(),
        (error: Error) => error,
      )
      expect(message).toMatch(expected)
    })
  })
