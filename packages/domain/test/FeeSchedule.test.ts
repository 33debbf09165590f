/** P25: fees are compared with an agreed schedule, exactly; what no row or several rows fit is reported. */
import * as Result from "effect/Result"
import { describe, expect, test } from "vitest"
import * as CurrencyCode from "../src/CurrencyCode.ts"
import * as FeeSchedule from "../src/FeeSchedule.ts"
import * as Money from "../src/Money.ts"
import { integer, oneOf } from "./fixtures/arbitraries.ts"
import { law } from "./fixtures/law.ts"
import { transfer, transferWith } from "./fixtures/service.ts"

const usd = { fee: "service_fee", currency: CurrencyCode.parseUnsafe("fiat/USD") } as const
const share = { base: "source_subtotal", percent: "4", rounding: "half-even", fraction_digits: 2 } as const
const scheduleOf = (...rows: ReadonlyArray<FeeSchedule.Row>): FeeSchedule.FeeSchedule => ({ fee_schedule: 1, rows })
const codesOf = (rows: ReadonlyArray<FeeSchedule.Row>, changes: Readonly<Record<string, unknown>> = {}) =>
  FeeSchedule.findings(scheduleOf(...rows), transferWith(changes)).map(({ code, nearest }) => [code, nearest])

describe("P25: a transfer of 100.00 with a service fee of 4.00", () => {
  test.each<[string, ReadonlyArray<FeeSchedule.Row>, Readonly<Record<string, unknown>>, unknown]>([
    ["agrees with 4 %", [{ ...usd, ...share }], {}, []],
    ["agrees with 3.7 % + 0.30", [{ ...usd, ...share, percent: "3.7", fixed: "0.30" }], {}, []],
    ["agrees with a fixed fee", [{ ...usd, fixed: "4" }], {}, []],
    ["is off by a cent", [{ ...usd, fixed: "4.01" }], {}, [["fee_off_schedule", "4.01"]]],
    ["is within a cent", [{ ...usd, fixed: "4.01", tolerance: "0.01" }], {}, []],
    ["is within a cent, the other way", [{ ...usd, fixed: "3.99", tolerance: "0.01" }], {}, []],
    ["is off by two", [{ ...usd, fixed: "4.02", tolerance: "0.01" }], {}, [["fee_off_schedule", "4.02"]]],
    ["has the smallest fee", [{ ...usd, ...share, percent: "1", minimum: "4" }], {}, []],
    ["has the largest fee", [{ ...usd, ...share, percent: "9", maximum: "4.00" }], {}, []],
    [
      "fits the row of its kind",
      [
        { ...usd, kind: "cash_in", fixed: "4" },
        { ...usd, kind: "cash_out", fixed: "9" },
      ],
      {},
      [],
    ],
    ["fits the row of its method", [{ ...usd, payment_method: "card", fixed: "4" }], {}, []],
    [
      "fits no row of another method",
      [{ ...usd, payment_method: "sepa", fixed: "4" }],
      {},
      [["fee_not_in_schedule", undefined]],
    ],
    [
      "fits no row without a method",
      [{ ...usd, payment_method: "card", fixed: "4" }],
      { payment_method: null },
      [["fee_not_in_schedule", undefined]],
    ],
    [
      "fits no row of another kind",
      [{ ...usd, kind: "cash_in", fixed: "4" }],
      { kind: "refund" },
      [["fee_not_in_schedule", undefined]],
    ],
    [
      "fits two rows, though both agree",
      [
        { ...usd, fixed: "4" },
        { ...usd, kind: "cash_in", fixed: "4" },
      ],
      {},
      [["fee_in_several_rows", undefined]],
    ],
    ["lacks the base", [{ ...usd, ...share }], { source_subtotal: null }, [["fee_not_comparable", undefined]]],
    ["lacks the fee", [{ ...usd, ...share }], { service_fee: null }, [["fee_not_comparable", undefined]]],
    [
      "has a base in another currency",
      [{ ...usd, ...share, base: "destination_total" }],
      {},
      [["fee_not_comparable", undefined]],
    ],
    ["is not asked about network fees", [{ ...usd, fixed: "4" }], { network_fee: null }, []],
    ["is compared in dollars", [{ ...usd, ...share, fee: "service_fee_usd", base: "source_subtotal_usd" }], {}, []],
  ])("%s", (_, rows, changes, expected) => {
    expect(codesOf(rows, changes)).toEqual(expected)
  })

  test("says what was charged, what was agreed, and by which rows", () => {
    const messages = [
      [{ ...usd, fixed: "3", tolerance: "0.5" }],
      Array.from({ length: 2000 }, () => ({ ...usd, fixed: "4" })),
      [
        { ...usd, fixed: "4" },
        { ...usd, fixed: "4" },
      ],
    ].map((rows) => FeeSchedule.findings(scheduleOf(...rows), transfer).map(({ message }) => message))
    expect(messages).toEqual([
      ["service_fee is 4.00 fiat/USD, and 3 ± 0.5 fiat/USD by the schedule."],
      [
        "The rows 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 and 1,990 more of the schedule fit the service_fee of 4.00 fiat/USD. One may.",
      ],
      ["The rows 1, 2 of the schedule fit the service_fee of 4.00 fiat/USD. One may."],
    ])
  })
})

describe("P25: rounding has no default, so a file that leaves it open is rejected", () => {
  const row = { fee: "service_fee", currency: "fiat/USD" }
  test.each<[unknown, RegExp]>([
    [{ fee_schedule: 1, rows: [] }, /it has no rows/],
    [
      { fee_schedule: 1, rows: Array.from({ length: 2001 }, () => ({ ...row, fixed: "1" })) },
      /it has 2,001 rows, and may have 2,000/,
    ],
    [{ fee_schedule: 2, rows: [row] }, /no fee schedule/],
    [{ fee_schedule: 1, rows: [row] }, /row 1: give percent, fixed, or both/],
    [
      {
        fee_schedule: 1,
        rows: [
          { ...row, fixed: "1" },
          { ...row, percent: "1", base: "source_total", fraction_digits: 2 },
        ],
      },
      /row 2: percent needs base, rounding and fraction_digits/,
    ],
    [{ fee_schedule: 1, rows: [{ ...row, ...share, base: "service_fee" }] }, /the fee itself/],
    [{ fee_schedule: 1, rows: [{ ...row, ...share, fixed: "0.301" }] }, /fixed has more than 2 fraction digits/],
    [{ fee_schedule: 1, rows: [{ ...row, ...share, percent: "-1" }] }, /percent is below zero/],
    [{ fee_schedule: 1, rows: [{ ...row, ...share, minimum: "2", maximum: "1" }] }, /minimum is above maximum/],
    [{ fee_schedule: 1, rows: [{ ...row, fixed: "1", base: "source_total" }] }, /base needs percent/],
    [{ fee_schedule: 1, rows: [{ ...row, fixed: 1 }] }, /no fee schedule/],
    [{ fee_schedule: 1, rows: [{ ...row, fixed: "1", precent: "1" }] }, /no fee schedule/],
  ])("%j", (value, expected) => {
    expect(FeeSchedule.parse(JSON.stringify(value))).toMatchObject({ _tag: "Failure" })
    expect(String(Result.flip(FeeSchedule.parse(JSON.stringify(value))))).toMatch(expected)
  })

  test("and a text that is no JSON, too", () => {
    expect(FeeSchedule.parse("fees")).toMatchObject({
      failure: expect.stringMatching(
        /^it is no fee schedule: it is not JSON: line 1, column 1: expected a value, found fees$/,
      ),
    })
  })
})

/** By whole numbers: the share in units of its last digit, times 10 to the digits that are rounded off. */
const slow = (base: bigint, percent: bigint, mode: "down" | "up" | "half-up" | "half-even"): bigint => {
  const exact = base * percent
  const [cents, rest] = [exact / 10_000n, exact % 10_000n]
  const isUp = {
    down: false,
    up: rest > 0n,
    "half-up": rest >= 5000n,
    "half-even": rest > 5000n || (rest === 5000n && cents % 2n === 1n),
  }
  return cents + (isUp[mode] ? 1n : 0n)
}

law(
  "P25: a fee equals that of a slow model, for any base, percentage and rounding",
  {
    base: integer(0, 1_000_000),
    percent: integer(0, 500),
    mode: oneOf(["down", "up", "half-up", "half-even"] as const),
  },
  ({ base, percent, mode }) => {
    const row = {
      ...usd,
      ...share,
      percent: `${Math.floor(percent / 100)}.${String(percent % 100).padStart(2, "0")}`,
      rounding: mode,
    }
    const money = Money.parseUnsafe(`${Math.floor(base / 100)}.${String(base % 100).padStart(2, "0")}`, "fiat/USD")
    const fee = Result.getOrThrow(FeeSchedule.expectedOf(row, money))
    expect(BigInt(fee.text.replace(".", ""))).toBe(slow(BigInt(base), BigInt(percent), mode))
  },
)
