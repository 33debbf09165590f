/** How transfers become rows of either database, and which ones cannot. */
import * as Transfer from "@transferkit/domain/Transfer"
import * as TransferGenerator from "@transferkit/in-memory/TransferGenerator"
import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"
import { expect, test } from "vitest"
import * as Columns from "../src/internal/Columns.ts"
import * as Rows from "../src/internal/Rows.ts"
import { ok } from "./Lab.ts"
import { statementsOf } from "./Statements.ts"

const dialects = ["sqlite", "pg"] as const
const wire = { id: "tr_1", kind: "cash_in", status: "complete", created_at: "2024-06-01T23:30:00-02:00" }
const transferOf = (more: Readonly<Record<string, unknown>>) =>
  ok(Transfer.fromJson(JSON.stringify({ ...wire, ...more })))
const dollars = (amount: string) => ({ amount, currency_code: "fiat/USD" })

const rowOf = (dialect: Columns.Dialect, transfer: Transfer.Transfer, isOpen = false) => {
  const { stored, values } = Rows.ofTransfer(dialect, {
    partner_id: "demo",
    transfer,
    body: JSON.stringify(transfer),
    first_seen_at: "a",
    seen_at: "b",
    isOpen: () => isOpen,
  })
  const row = Object.fromEntries(Rows.columnsOf(dialect).map((column, index) => [column, values[index]]))
  expect(row).toMatchObject(stored)
  return row
}

test("a row has what the mirror needs to find a transfer again, by its day in UTC", () => {
  for (const dialect of dialects) {
    expect(rowOf(dialect, transferOf({ external_id: "order-1" }), true)).toMatchObject({
      partner_id: "demo",
      id: "tr_1",
      external_id: "order-1",
      status: "complete",
      created_ns: 1717291800000000000n,
      created_day: "2024-06-02",
      is_open: 1n,
      first_seen_at: "a",
      seen_at: "b",
      vanished_at: null,
    })
  }
  expect(rowOf("pg", transferOf({}))["is_open"]).toBe(0n)
})

test.each([
  ["2016-12-31T23:59:59Z", "2016-12-31"],
  ["2016-12-31T23:59:60Z", "2017-01-01"],
  ["2016-12-31t23:59:60z", "2017-01-01"],
  ["2016-12-31T20:30:00-04:00", "2017-01-01"],
])("%s is of the day %s", (created_at, day) => {
  expect(Rows.dayOf(transferOf({ created_at }))).toBe(day)
})

test("a row in PostgreSQL has each field of the contract in a column, and the others as JSON", () => {
  const text = TransferGenerator.json(TransferGenerator.make({ count: 10, seed: 3 }), 4)
  const given = { ...JSON.parse(text), colour: "red", nested: { a: [1] } }
  const transfer = ok(Transfer.fromJson(JSON.stringify(given)))
  const row = rowOf("pg", transfer)
  for (const [name, value] of Object.entries<unknown>(JSON.parse(text))) {
    if (typeof value === "object") {
      const money = Object(value)
      expect(row[`${name}_amount`]).toBe(money.amount)
      expect(row[`${name}_currency_code`]).toBe(money.currency_code)
    } else expect(row[name]).toBe(value)
  }
  expect(row["extra"]).toBe('{"colour":"red","nested":{"a":[1]}}')
  expect(rowOf("pg", transferOf({}))).toMatchObject({ extra: null, updated_at: null, source_total_amount: null })
})

test("a row in SQLite has only the columns that its indexes need: the database computes the others", () => {
  const names = Object.keys(rowOf("sqlite", transferOf({ colour: "red", source_total: dollars("1") })))
  const indexed = ["id", "external_id", "status", "network_transaction_id", "wallet_address"]
  expect(names.toSorted()).toEqual([...Columns.own, ...indexed].toSorted())
})

test.each(["sqlite", "pg"] as const)("a text that a database cannot hold is stored as an escape in %s", (dialect) => {
  for (const [text, stored] of [
    ["a\ud800", "a\\ud800"],
    ["a\0b", "a\\u0000b"],
    ["a\\ud800", "a\\\\ud800"],
  ] as const) {
    const transfer = transferOf({ id: text, external_id: text, status: text })
    expect(rowOf(dialect, transfer)).toMatchObject({ id: stored, external_id: stored, status: stored })
    const kept = { id: stored, body: Rows.toBody(transfer) }
    expect(Effect.runSync(Rows.withTransfers([kept]))).toEqual([{ ...kept, transfer }])
    expect(JSON.parse(Rows.toBody(transfer))).toMatchObject({ id: stored, external_id: stored, status: stored })
  }
})

test("an amount is rejected with the first digit too many, unless there are no sums", () => {
  const rejected = (amount: string, sums = true) =>
    Rows.rejection(transferOf({ service_fee: dollars(amount) }), { sums, dialect: "sqlite" })
  const [whole, fraction] = ["9".repeat(18), "1".repeat(27)]
  for (const amount of [`${whole}.${fraction}`, `-${whole}.${fraction}`, whole, `-${whole}`, `0.${fraction}`]) {
    expect(rejected(amount)).toBeUndefined()
  }
  for (const amount of [`1${whole}`, `-1${whole}`, `1${whole}.5`, `0.${fraction}1`, `-0.${fraction}1`]) {
    expect(rejected(amount)).toBe(
      `transfer tr_1 has the service_fee ${amount}, and a mirror adds amounts of up to 18 digits before the point and 27 after it exactly`,
    )
    expect(rejected(amount, false)).toBeUndefined()
  }
})

test("a creation outside the years 1678 to 2262 is rejected", () => {
  const rejected = (created_at: string) => Rows.rejection(transferOf({ created_at }), { sums: true, dialect: "sqlite" })
  expect(rejected("1678-01-01T00:00:00Z")).toBeUndefined()
  expect(rejected("2262-01-01T00:00:00Z")).toBeUndefined()
  for (const created_at of ["1677-01-01T00:00:00Z", "2263-01-01T00:00:00Z"]) {
    expect(rejected(created_at)).toBe(
      `transfer tr_1 was created at ${created_at}, and a mirror holds the years 1678 to 2262`,
    )
  }
})

const upserts = (rows: ReadonlyArray<Rows.Row>, key: ReadonlyArray<string>, adds: ReadonlyArray<string> = []) =>
  statementsOf(
    "pg",
    Effect.flatMap(SqlClient.SqlClient, (sql) => Rows.upsert(sql, "sums", key, rows, { adds })),
  )

test("rows replace those of the same key, or add to them, 64 to a statement", async () => {
  const row = { name: "a", amounts: 1n }
  expect(await upserts([], ["name"])).toEqual([])
  expect(await upserts([row], [])).toEqual(["INSERT INTO sums (name, amounts) VALUES ($1, $2)"])
  expect(await upserts([row, row], ["name"])).toEqual([
    "INSERT INTO sums (name, amounts) VALUES ($1, $2), ($3, $4) ON CONFLICT (name) DO UPDATE SET amounts = excluded.amounts",
  ])
  expect(await upserts([row], ["name"], ["amounts"])).toEqual([
    "INSERT INTO sums (name, amounts) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET amounts = sums.amounts + excluded.amounts",
  ])
  const counts = async (length: number) => {
    const statements = await upserts(
      Array.from({ length }, () => row),
      ["name"],
    )
    return statements.map((statement) => statement.match(/\(\$/g)?.length)
  }
  expect(await counts(64)).toEqual([64])
  expect(await counts(65)).toEqual([64, 1])
  expect(await counts(130)).toEqual([64, 64, 2])
})
