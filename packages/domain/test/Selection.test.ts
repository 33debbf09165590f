import * as Result from "effect/Result"
import * as S from "effect/Schema"
import { describe, expect, test } from "vitest"
import * as CreatedAt from "../src/CreatedAt.ts"
import * as Selection from "../src/Selection.ts"
import * as Timestamp from "../src/Timestamp.ts"
import * as Transfer from "../src/Transfer.ts"
import { filter } from "./fixtures/arbitraries.ts"
import { law } from "./fixtures/law.ts"

const transferOf = (fields: object) =>
  Result.getOrThrow(
    Transfer.fromJson(
      JSON.stringify({ id: "t", kind: "cash_in", status: "executing", created_at: "2024-09-01T00:00:00Z", ...fields }),
    ),
  )

describe("keeps", () => {
  const usd = { amount: "1", currency_code: "fiat/USD" }
  test.each<[Selection.Only, object, boolean]>([
    [{}, {}, true],
    [{ status: ["Executing"] }, {}, true],
    [{ status: ["complete", "executing"] }, {}, true],
    [{ status: ["complete"] }, {}, false],
    [{ status: ["executing"], kind: ["cash_out"] }, {}, false],
    [{ external_id: ["Order-1"] }, { external_id: "order-1" }, false],
    [{ external_id: ["Order-1"] }, { external_id: "Order-1" }, true],
    [{ payment_method: ["card"] }, {}, false],
    [{ payment_method: ["card"] }, { payment_method: "CARD" }, true],
    [{ currency: ["fiat/usd"] }, { source_total: usd }, true],
    // A valuation in dollars is not an amount in dollars.
    [{ currency: ["fiat/usd"] }, { source_total_usd: usd }, false],
    [{ not_status: ["declined"] }, {}, true],
    [{ not_status: ["complete", "declined"] }, { status: "declined" }, false],
    // Statuses are compared as the books do.
    [{ not_status: ["complete"] }, { status: "Complete" }, true],
  ])("%j of %j: %j", (only, fields, expected) => {
    expect(Selection.keeps(only)(transferOf(fields))).toBe(expected)
  })

  test("creation times and properties both have to match", () => {
    const at = Timestamp.parseUnsafe("2024-09-01T00:00:00Z")
    const only = { status: ["executing"] }
    expect(Selection.matcher({ created_at: CreatedAt.lte(at), only })(transferOf({}))).toBe(true)
    expect(Selection.matcher({ created_at: CreatedAt.lt(at), only })(transferOf({}))).toBe(false)
    expect(Selection.matcher({ created_at: CreatedAt.all, only: { status: ["x"] } })(transferOf({}))).toBe(false)
  })
})

test("a property that is not named goes beyond one that is", () => {
  expect(Selection.beyond({}, { status: ["complete"] })).toEqual(["status"])
  expect(Selection.beyond({ status: ["COMPLETE"] }, { status: ["complete"] })).toEqual([])
  expect(Selection.beyond({ external_id: ["A"] }, { external_id: ["a"] })).toEqual(["external_id"])
  expect(Selection.beyond({}, { not_status: ["complete"] })).toEqual(["not_status"])
  expect(Selection.beyond({ not_status: ["paid", "complete"] }, { not_status: ["complete"] })).toEqual([])
  const open = { not_status: ["complete", "declined"] }
  expect(Selection.beyond({ status: ["executing"] }, open)).toEqual([])
  expect(Selection.beyond({ status: ["executing", "COMPLETE"] }, open)).toEqual(["not_status"])
  expect(Selection.beyond({ status: ["complete"], not_status: ["complete"] }, open)).toEqual([])
  expect(Selection.leftOut({ status: ["executing", "COMPLETE"] }, open)).toEqual(["complete"])
})

test("restrictions of a property that there is not are rejected by name", () => {
  const decode = S.decodeUnknownResult(Selection.OnlySchema)
  expect(Result.isSuccess(decode({ status: ["complete"] }))).toBe(true)
  expect(String(decode({ colour: ["red"] }))).toContain("restrictions of external_id, status")
})

law("creation times survive a file", { filter }, ({ filter: times }) => {
  const text = JSON.stringify(Selection.timesToWire(times))
  return CreatedAt.equals(Result.getOrThrow(Selection.timesFromWire(JSON.parse(text))), times)
})
