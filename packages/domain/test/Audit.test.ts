/** The audit reports each code at the right path, and nothing for a correct transfer. */
import { describe, expect, test } from "vitest"
import * as Audit from "../src/Audit.ts"
import { capabilities, transfer, transferWith } from "./fixtures/service.ts"

const audit = (changes: Record<string, unknown>) =>
  Audit.audit(transferWith(changes), capabilities).map(({ message: _, ...rest }) => rest)
const usd = (amount: string) => ({ amount, currency_code: "fiat/USD" })

test("finds nothing in the transfer of the contract", () => {
  expect(Audit.audit(transfer, capabilities)).toEqual([])
})

test("finds nothing if the fields it compares are absent", () => {
  const changes = Object.fromEntries(
    Object.keys(transfer)
      .slice(4)
      .map((name) => [name, undefined]),
  )
  expect(audit({ ...changes, status: "approved", created_at: "2024-09-01T00:00:00Z" })).toEqual([])
})

describe("finds", () => {
  test.each([
    [
      "updated_before_created",
      { updated_at: "2024-09-01T10:00:00.119Z" },
      [
        {
          code: "updated_before_created",
          path: "/updated_at",
          actual: "2024-09-01T10:00:00.119Z",
          limit: "2024-09-01T10:00:00.120Z",
        },
      ],
    ],
    [
      "missing_network_transaction_id",
      { network_transaction_id: null },
      [{ code: "missing_network_transaction_id", path: "/network_transaction_id" }],
    ],
    [
      "unsupported_payment_method",
      { payment_method: "cash" },
      [{ code: "unsupported_payment_method", path: "/payment_method", actual: "cash" }],
    ],
    [
      "negative_amount",
      { destination_total: { amount: "-0.1", currency_code: "ethereum/ETH" } },
      [{ code: "negative_amount", path: "/destination_total/amount", actual: "-0.1" }],
    ],
    [
      "usd_not_in_usd",
      { service_fee_usd: { amount: "4.00", currency_code: "fiat/EUR" } },
      [{ code: "usd_not_in_usd", path: "/service_fee_usd/currency_code", actual: "fiat/EUR", nearest: "fiat/USD" }],
    ],
    [
      "unsupported_currency",
      { destination_total: { amount: "1", currency_code: "bitcoin/BTC" } },
      [{ code: "unsupported_currency", path: "/destination_total/currency_code", actual: "bitcoin/BTC" }],
    ],
    [
      "total_not_sum_of_parts, to the last digit",
      { service_fee: usd("4.000000000000000000000001") },
      [
        {
          code: "total_not_sum_of_parts",
          path: "/source_total/amount",
          actual: "105.00",
          nearest: "105.000000000000000000000001",
        },
      ],
    ],
    [
      "below_minimum",
      { source_total: usd("4.99"), source_subtotal: null },
      [{ code: "below_minimum", path: "/source_total/amount", actual: "4.99", limit: "5.00" }],
    ],
    [
      "above_maximum of a fiat destination",
      { source_total: { amount: "1", currency_code: "ethereum/ETH" }, destination_total: usd("2500.01") },
      [{ code: "above_maximum", path: "/destination_total/amount", actual: "2500.01", limit: "2500.00" }],
    ],
  ])("%s", (_, changes, findings) => {
    expect(audit(changes)).toEqual(findings)
  })
})

test("does not add amounts in different currencies", () => {
  expect(audit({ network_fee: { amount: "9", currency_code: "ethereum/ETH" } })).toEqual([])
})

test("an unknown status needs no network transaction", () => {
  expect(audit({ status: "frozen", network_transaction_id: null })).toEqual([])
})

test("an update at the instant of the creation is no finding, however it is written", () => {
  expect(audit({ updated_at: "2024-09-01T12:00:00.120+02:00" })).toEqual([])
})

test.each(["source_total", "source_subtotal", "service_fee", "network_fee"])(
  "does not add up a transfer without its %s",
  (field) => {
    // Nothing adds up here, whichever part is taken for nothing.
    const parts = { source_total: usd("100"), source_subtotal: usd("7"), service_fee: usd("8"), network_fee: usd("9") }
    expect(audit({ ...parts, [field]: null }).map(({ code }) => code)).toEqual([])
    expect(audit(parts).map(({ code }) => code)).toEqual(["total_not_sum_of_parts"])
  },
)

test("does not compare a total with parts in another currency", () => {
  expect(audit({ source_total: { amount: "106.00", currency_code: "fiat/EUR" } })).toEqual([])
})

test("checks the limits of the first side that is fiat, and of neither if there are none", () => {
  const eth = (amount: string) => ({ amount, currency_code: "ethereum/ETH" })
  const limited = (changes: Record<string, unknown>) => audit({ source_subtotal: null, ...changes })
  expect(limited({ source_total: usd("2500.00") })).toEqual([])
  expect(limited({ source_total: usd("5.00") })).toEqual([])
  expect(limited({ source_total: eth("1"), destination_total: usd("1.00") }).map(({ path }) => path)).toEqual([
    "/destination_total/amount",
  ])
  expect(limited({ source_total: usd("100"), destination_total: usd("1.00") })).toEqual([])
  expect(limited({ source_total: null, destination_total: null })).toEqual([])
  expect(limited({ source_total: eth("1"), destination_total: eth("1") })).toEqual([])
  expect(limited({ source_total: { amount: "1", currency_code: "fiat/GBP" } })).toEqual([])
})

test("a complete transfer must name a transaction that is not empty", () => {
  expect(audit({ network_transaction_id: "" }).map(({ code }) => code)).toEqual(["missing_network_transaction_id"])
  expect(audit({ status: "approved", network_transaction_id: "" })).toEqual([])
})
