/** Every statement of docs/sql.md gives what it says, on any database. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import * as Summary from "@transferkit/domain/Summary"
import * as Transfer from "@transferkit/domain/Transfer"
import * as TransferStore from "@transferkit/in-memory/TransferStore"
import { describe, expect, test } from "vitest"
import type { Database } from "../Database.ts"
import * as Lab from "../Lab.ts"
import { plain } from "./laws.ts"

const page = readFileSync(join(import.meta.dirname, "../../../../docs/sql.md"), "utf8")
const recipes = [...page.matchAll(/^## ([^\n]*)\n[^#]*?```sql\n([^`]*)```/gm)].map(([, title = "", sql = ""]) => ({
  title,
  sql,
}))

type Rows = ReadonlyArray<Readonly<Record<string, unknown>>>
type Expectation = (rows: Rows, transfers: ReadonlyArray<Transfer.Transfer>) => void

const inMonth = (month: string) => (transfer: Transfer.Transfer) => transfer.created_at.text.startsWith(month)
const text = (value: unknown): string | null => (value === null ? null : plain(String(value)))

const expectations: Readonly<Record<string, Expectation>> = {
  "Fees by month": (rows, transfers) => {
    const { groups } = Summary.summarize(transfers, { by: ["month", "status"] })
    const fees = groups.flatMap(({ key, totals }) =>
      key.status === "complete"
        ? (totals.service_fee ?? []).map((fee) => `${key.month} ${fee.currency_code} ${plain(fee.text)}`)
        : [],
    )
    const found = rows.filter(({ service_fee }) => service_fee !== null)
    expect(found.map((row) => `${row["created_month"]} ${row["currency_code"]} ${text(row["service_fee"])}`)).toEqual(
      fees.toSorted(),
    )
    expect(fees.length).toBeGreaterThan(50)
  },
  "Open for longer than a day": (rows, transfers) => {
    const open = transfers.filter(({ status, created_at }) => !Lab.terminal(status) && created_at.text < "2024-12-31")
    expect(rows.map(({ id }) => id).toSorted()).toEqual(open.map(({ id }) => id).toSorted())
    expect(open.length).toBeGreaterThan(3)
  },
  "What changed on a day": (rows) =>
    expect(rows).toMatchObject([
      { event: "changed", status: "complete", seen_at: expect.stringMatching(/^2025-01-01T00:01:00\.0\d\dZ$/) },
    ]),
  "Month-end cut-off": (rows, transfers) => {
    const { groups } = Summary.summarize(transfers.filter(inMonth("2024-09")), { by: ["status"] })
    const totals = groups.find(({ key }) => key.status === "complete")?.totals.source_total ?? []
    expect(rows.map((row) => `${row["currency_code"]} ${text(row["source_total"])}`)).toEqual(
      totals.map((total) => `${total.currency_code} ${plain(total.text)}`),
    )
    expect(totals.length).toBeGreaterThan(3)
  },
  Reconciliation: (rows) =>
    expect(rows.map((row) => [row["external_id"], text(row["difference"])])).toEqual([
      ["order-nowhere", "-3"],
      ["order-other", "0.25"],
    ]),
  "Fields that the contract does not name": (rows) =>
    expect(rows.map(({ id, extra }) => [id, JSON.parse(String(extra))])).toEqual([["tr_odd", { colour: "red" }]]),
}

export const recipeSuite = (database: Database) =>
  describe(`docs/sql.md in ${database.name}`, () => {
    test("has an expectation for every statement", () => {
      expect(recipes.map(({ title }) => title)).toEqual(Object.keys(expectations))
    })

    test("returns for each statement what the page shows", async () => {
      const lab = Lab.make(await database.fresh(), { count: 1500 })
      const wire = { kind: "cash_in", status: "complete", created_at: "2025-01-01T00:00:00Z" }
      const dollars = (amount: string) => ({ amount, currency_code: "fiat/USD" })
      Lab.ok(
        TransferStore.insert(lab.store, {
          ...wire,
          id: "tr_equal",
          external_id: "order-equal",
          source_total: dollars("12.0"),
        }),
      )
      Lab.ok(
        TransferStore.insert(lab.store, {
          ...wire,
          id: "tr_other",
          external_id: "order-other",
          source_total: dollars("7.75"),
        }),
      )
      Lab.ok(TransferStore.insert(lab.store, { ...wire, id: "tr_odd", colour: "red" }))
      await Lab.sync(lab)
      const open = [...Lab.served(lab).values()]
        .map((body) => JSON.parse(body))
        .find(({ status }) => !Lab.terminal(status))
      Lab.ok(TransferStore.change(lab.store, open.id, { status: "complete" }))
      lab.now += 60_000
      await Lab.sync(lab)
      const transfers = [...Lab.served(lab).values()].map((body) => Lab.ok(Transfer.fromJson(body)))
      for (const { title, sql } of recipes) expectations[title]?.(await Lab.query(lab, sql), transfers)
      expect.assertions(9)
    })
  })
