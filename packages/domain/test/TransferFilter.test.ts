import * as Result from "effect/Result"
import { describe, expect, test } from "vitest"
import * as Timestamp from "../src/Timestamp.ts"
import * as Transfer from "../src/Transfer.ts"
import * as TransferFilter from "../src/TransferFilter.ts"

const now = Timestamp.parseUnsafe("2024-09-15T12:30:00Z")

const transfer = Result.getOrThrow(
  Transfer.fromJson(
    JSON.stringify({
      id: "tr_1",
      kind: "cash_in",
      status: "executing",
      payment_method: "SEPA",
      created_at: "2024-09-14T12:29:59Z",
      source_total: { amount: "1.00", currency_code: "fiat/EUR" },
      source_total_usd: { amount: "1.10", currency_code: "fiat/USD" },
    }),
  ),
)

const parsed = (filters: TransferFilter.Filters) => Result.getOrThrow(TransferFilter.parse(filters, now))

describe("keeps", () => {
  test.each<readonly [TransferFilter.Filters, boolean]>([
    [{}, true],
    [{ status: ["complete"] }, false],
    [{ status: ["complete,EXECUTING"] }, true],
    [{ status: ["complete", "executing"], kind: ["cash_out"] }, false],
    [{ kind: [" cash_in "] }, true],
    [{ payment_method: ["sepa"] }, true],
    [{ payment_method: ["ach"] }, false],
    [{ currency: ["fiat/eur"] }, true],
    // A valuation in dollars does not count.
    [{ currency: ["fiat/USD"] }, false],
    [{ stuck: "24h" }, true],
  ])("%j: %s", (filters, expected) => {
    expect(parsed(filters).keeps(transfer)).toBe(expected)
  })

  test("only what may still change is stuck, and only what is older than its age is asked for", () => {
    const { keeps, query } = parsed({ stuck: "24h" })
    expect(keeps({ ...transfer, status: "complete" })).toBe(false)
    expect(String(query.created_at)).toBe("CreatedAt(lt:2024-09-14T12:30:00Z)")
  })
})

test("what is stuck is open, so statuses that are not open contradict it", () => {
  const failure = { _tag: "Failure", failure: { name: "stuck", reason: expect.stringContaining("complete, declined") } }
  for (const stuck of ["24h", "soon"])
    expect(TransferFilter.parse({ stuck, status: ["complete,declined"] }, now)).toMatchObject(failure)
  expect(parsed({ stuck: "24h", status: ["complete", "on_hold"] }).keeps({ ...transfer, status: "on_hold" })).toBe(true)
})

test("the status decides alone unless another filter of ours is given", () => {
  expect(parsed({ status: ["complete"] }).keepsStatus?.("complete")).toBe(true)
  expect(parsed({ external_id: "a" }).keepsStatus?.("any")).toBe(true)
  expect(parsed({ status: ["complete"], kind: ["cash_in"] }).keepsStatus).toBeUndefined()
})

test("a filter is partial if the service cannot apply all of it", () => {
  expect(parsed({ since: "2024-09", external_id: "a", created_at: ["lt:2024-10-01T00:00:00Z"] }).isPartial).toBe(false)
  for (const filter of [{ status: ["complete"] }, { stuck: "24h" }, { currency: ["fiat/EUR"] }]) {
    expect(parsed(filter).isPartial).toBe(true)
  }
})

test.each<readonly [TransferFilter.Filters, string]>([
  [{ currency: ["usd"] }, 'currency: Not a currency code: "usd".'],
  [{ created_at: ["after:2024"] }, "created_at: "],
  [{ stuck: "yesterday" }, "stuck: expected an age, such as 24h, 7d or 2w"],
  [{ time_zone: "Mars" }, 'time_zone: no time zone "Mars".'],
  [{ since: "2024-10", until: "2024-09" }, "since: 2024-10 does not come before the end of until, 2024-09"],
  [{ payment_method: [" "] }, "payment_method: a value is empty. Expected one or more values"],
  [{ status: ["complete,"] }, "status: a value is empty. Expected one or more values"],
  [{ external_id: "" }, "external_id: it is empty. Give an identifier"],
  [{ kind: [""] }, "kind: a value is empty. Expected one or more values"],
])("%j is rejected by its name", (filters, message) => {
  expect(Result.getFailure(TransferFilter.parse(filters, now))).toMatchObject({
    value: { _tag: "InvalidFilter", message: expect.stringContaining(message) },
  })
})

test("equal filters have equal records, and time expressions stay as they are written", () => {
  expect(TransferFilter.toRecord({ kind: ["cash_in"], since: "today", until: undefined, status: [] })).toEqual({
    since: ["today"],
    kind: ["cash_in"],
  })
})
