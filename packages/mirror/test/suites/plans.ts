/** How the databases answer the documented questions: by an index or by totals, never by reading every transfer. */
import { readFileSync } from "node:fs"
import * as Effect from "effect/Effect"
import { describe, expect, test } from "vitest"
import * as Driver from "../../src/internal/Driver.ts"
import * as PendingDeliveries from "../../src/internal/PendingDeliveries.ts"
import * as Schema from "../../src/internal/schema/Schema.ts"
import * as Totals from "../../src/internal/Totals.ts"
import { TransferMirror } from "../../src/TransferMirror.ts"
import type { Database } from "../Database.ts"
import * as Lab from "../Lab.ts"

/** The statements of the page, by their headings. */
const page = readFileSync(new URL("../../../../docs/sql.md", import.meta.url), "utf8")
const recipes = Object.fromEntries(
  [...page.matchAll(/^## ([^\n]*)\n[^#]*?```sql\n([^`]*)```/gm)].map(([, title = "", sql = ""]) => [title, sql]),
)

/** What no index can answer: any transfer may have such a field. */
const readsAll = ["Fields that the contract does not name"]

/** A plan that reads every transfer. The index of those that are open has few of them. */
const all =
  /Seq Scan on mirrored_transfers|Scan using (?!transfers_open)\w+ on mirrored_transfers.*\n(?! *Index Cond)|SCAN mirrored_transfers(?! USING INDEX transfers_open)/

const questions = {
  ...recipes,
  "month-end totals":
    "SELECT * FROM daily_totals WHERE partner_id = 'demo' AND created_day >= '2024-10-01' AND created_day < '2024-11-01'",
  "fees of a month": "SELECT * FROM fees_by_currency WHERE partner_id = 'demo' AND created_month = '2024-10'",
  "the transfers of a day": "SELECT * FROM transfers WHERE partner_id = 'demo' AND created_day = '2024-10-01'",
  "what is open": "SELECT * FROM open_transfers WHERE partner_id = 'demo' ORDER BY created_ns",
  "a wallet": "SELECT * FROM transfers WHERE wallet_address = 'x'",
  "a transaction hash": "SELECT * FROM transfers WHERE network_transaction_id = 'x'",
  "an external id": "SELECT * FROM transfers WHERE external_id = 'x'",
  "an id": "SELECT * FROM transfers WHERE id = 'x'",
}

const planOf = async (lab: Lab.Lab, text: string): Promise<string> => {
  const lines = await Lab.run(
    lab,
    Effect.flatMap(Effect.map(TransferMirror, Driver.of), ({ transaction, sql }) =>
      transaction(
        sql.onDialectOrElse({
          // So few rows are read at once where that is allowed.
          pg: () =>
            Effect.andThen(sql`SET LOCAL enable_seqscan = off`, sql.unsafe<Record<string, string>>(`EXPLAIN ${text}`)),
          orElse: () => sql.unsafe<Record<string, string>>(`EXPLAIN QUERY PLAN ${text}`),
        }),
      ),
    ),
  )
  return lines.map((row) => row["QUERY PLAN"] ?? row["detail"] ?? "").join("\n")
}

export const planSuite = (database: Database) =>
  describe(`a question to a mirror in ${database.name}`, () => {
    test("that is documented does not read every transfer", async () => {
      const lab = Lab.make(await database.fresh(), { count: 300 })
      await Lab.sync(lab)
      const reading: Array<string> = []
      for (const [name, text] of Object.entries(questions)) {
        const plan = await planOf(lab, text)
        expect(plan, name).not.toBe("")
        // By another index it reads every transfer of the partner.
        if (name === "the transfers of a day") expect(plan).toContain("transfers_by_day")
        // A database in rows reads the fees of other months, too, where it has no such index.
        if (database.name === "PostgreSQL" && name === "fees of a month") expect(plan).toContain("totals_by_month")
        if (all.test(plan)) reading.push(name)
      }
      expect(reading).toEqual(readsAll)
    })

    test("of a pass, for the totals of some days, does not read all of them for each", async () => {
      const lab = Lab.make(await database.fresh(), { count: 300 })
      await Lab.sync(lab)
      const dialect = await Lab.run(
        lab,
        Effect.map(TransferMirror, (mirror) => Schema.dialectOf(Driver.of(mirror).sql)),
      )
      const text = Totals.lookup(dialect).replace("?", `'[["2024-10-01","complete"]]'`).replace("?", "'demo'")
      expect(await planOf(lab, text)).toMatch(
        /transfer_totals USING INDEX \w+ \(partner_id=\? AND created_day=\? AND status=\?\)|Index Cond: \(+partner_id = /,
      )
    })

    test("about what is to be delivered next reads it by the index of that order, from its place on", async () => {
      const lab = Lab.make(await database.fresh(), { count: 300 })
      await Lab.sync(lab)
      for (const place of ["first", "after"] as const) {
        const values = ["'demo'", "1", "'tr_1'", "1"]
        const plan = await planOf(
          lab,
          PendingDeliveries.text(place, 500).replaceAll("?", () => values.shift() ?? ""),
        )
        const condition =
          database.name === "SQLite"
            ? /SEARCH d USING COVERING INDEX \w+ (\(partner_id=.*)/.exec(plan)?.[1]
            : /Scan (?:using|on) pending_deliveries_pkey.*\n *Index Cond: (.*)/.exec(plan)?.[1]
        expect(condition, place).toContain("partner_id")
        if (place === "after") expect(condition).toContain("created_ns")
        // A few rows PostgreSQL sorts all the same.
        if (database.name === "SQLite") expect(plan).not.toContain("TEMP B-TREE")
      }
    })

    test("about totals has no answer rather than a part while they are incomplete", async () => {
      const lab = Lab.make(await database.fresh(), { count: 300 })
      await Lab.sync(lab)
      const views = ["daily_totals", "fees_by_currency"]
      for (const view of views) expect((await Lab.query(lab, `SELECT * FROM ${view}`)).length).toBeGreaterThan(10)
      await Lab.query(lab, "UPDATE sync_state SET value = 'incomplete' WHERE name = 'totals'", {})
      for (const view of views) expect(await Lab.query(lab, `SELECT * FROM ${view}`)).toEqual([])
    })
  })
