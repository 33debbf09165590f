/** P25: a fake that charges by a schedule charges exactly that, so that an audit by it can be tested. */
import * as FeeSchedule from "@transferkit/domain/FeeSchedule"
import * as Money from "@transferkit/domain/Money"
import * as TransferModule from "@transferkit/domain/Transfer"
import * as TransferGenerator from "@transferkit/in-memory/TransferGenerator"
import * as Result from "effect/Result"
import { expect, test } from "vitest"
import { cryptoAssets, fiatAssets } from "../src/internal/generator/Assets.ts"

/** A row for each currency: of the subtotal where both are in it, else of what the destination gets. */
const rows = [
  ...fiatAssets.flatMap(({ currency_code }) => [
    {
      fee: "service_fee",
      currency: currency_code,
      kind: "cash_in",
      base: "source_subtotal",
      percent: "1.5",
      fixed: "0.30",
      rounding: "half-even",
      fraction_digits: 2,
    },
    {
      fee: "service_fee",
      currency: currency_code,
      kind: "cash_out",
      base: "destination_total",
      percent: "2",
      minimum: "1.00",
      maximum: "20.00",
      rounding: "up",
      fraction_digits: 2,
    },
    { fee: "network_fee", currency: currency_code, fixed: "1.25" },
  ]),
  ...cryptoAssets.flatMap(({ currency_code, decimals }) => [
    {
      fee: "service_fee",
      currency: currency_code,
      base: "source_subtotal",
      percent: "1.25",
      rounding: "down",
      fraction_digits: decimals,
    },
    {
      fee: "network_fee",
      currency: currency_code,
      base: "source_subtotal",
      percent: "0.1",
      rounding: "half-up",
      fraction_digits: decimals,
    },
  ]),
]
const parsed = (value: unknown) =>
  Result.getOrThrow(FeeSchedule.parse(JSON.stringify({ fee_schedule: 1, rows: value })))
const schedule = parsed(rows)
const generated = (count: number, of: FeeSchedule.FeeSchedule | undefined) => {
  const generator = TransferGenerator.make({ count, charge: of && FeeSchedule.charge(of) })
  return Array.from({ length: count }, (_, index) =>
    Result.getOrThrow(TransferModule.fromJson(TransferGenerator.json(generator, index))),
  )
}

test("each fee is that of the schedule, and totals still add up", () => {
  const transfers = generated(1500, schedule)
  let inFiat = 0
  for (const transfer of transfers) {
    expect(FeeSchedule.findings(schedule, transfer)).toEqual([])
    const { source_total, source_subtotal, service_fee, network_fee } = transfer
    if (
      source_total === undefined ||
      source_subtotal === undefined ||
      service_fee === undefined ||
      network_fee === undefined
    )
      throw new Error("a generated transfer has its amounts")
    if (service_fee.currency_code !== source_total.currency_code) inFiat++
    const own = service_fee.currency_code === source_total.currency_code ? [service_fee] : []
    expect(Money.equals(Result.getOrThrow(Money.sum([source_subtotal, network_fee, ...own])), source_total)).toBe(true)
  }
  // A payout that pays its service fee in the fiat that it receives.
  expect(inFiat).toBeGreaterThan(100)
})

test("a schedule that differs by a hundredth of a percent finds most of them", () => {
  const other = parsed(
    rows.map((row) => ({
      ...row,
      ...(row.percent === undefined ? {} : { percent: `${row.percent}${row.percent.includes(".") ? "" : "."}1` }),
    })),
  )
  const off = generated(300, schedule).filter((transfer) => FeeSchedule.findings(other, transfer).length > 0)
  expect(off.length).toBeGreaterThan(200)
})

test("fees that no row fits stay random, and everything else stays as it is", () => {
  const plain = generated(200, undefined)
  const euros = generated(200, parsed(rows.filter(({ currency }) => currency === "fiat/EUR")))
  for (const [index, transfer] of euros.entries()) {
    const before = plain[index]
    expect(transfer).toMatchObject({ id: before?.id, status: before?.status, source_subtotal: before?.source_subtotal })
    const isEuro = [transfer.service_fee, transfer.network_fee].some((fee) => fee?.currency_code === "fiat/EUR")
    if (!isEuro) expect(JSON.stringify(transfer)).toBe(JSON.stringify(before))
  }
})
