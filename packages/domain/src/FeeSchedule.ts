/**
 * The fees that were agreed, as a file, and whether a transfer's fees are those. A row of the schedule fits a fee by its
 * field and its currency, and by the kind and the payment method of the transfer. No row is preferred to another: a fee
 * that no row or several rows fit is reported.
 */
import * as Result from "effect/Result"
import * as S from "effect/Schema"
import * as Amount from "./Amount.ts"
import type { Code as AuditCode } from "./Audit.ts"
import type { Finding as AnyFinding } from "./Finding.ts"
import { AmountSchema } from "./internal/decimal/AmountSchema.ts"
import { CurrencyCodeSchema } from "./internal/money/CurrencyCodeSchema.ts"
import * as JsonDocument from "./JsonDocument.ts"
import * as Money from "./Money.ts"
import { grouped } from "./Quantity.ts"
import { type MoneyField, moneyFields, type Transfer } from "./Transfer.ts"

/** The fields that hold fees. */
export const feeFields = ["service_fee", "service_fee_usd", "network_fee", "network_fee_usd"] as const

/** One of {@link feeFields}. */
export type FeeField = (typeof feeFields)[number]

const roundingModes = [
  "up",
  "down",
  "ceiling",
  "floor",
  "half-up",
  "half-down",
  "half-even",
] as const satisfies ReadonlyArray<Money.RoundingMode>

const described = <A extends S.Top>(schema: A, description: string) => schema.annotate({ description })
const optional = <A extends S.Top>(schema: A, description: string) => S.optionalKey(described(schema, description))

/** A row of a schedule. */
export const Row = S.Struct({
  fee: described(S.Literals(feeFields), "The fee that the row is about"),
  currency: described(CurrencyCodeSchema, "The currency of the fee, such as fiat/EUR"),
  kind: optional(S.NonEmptyString, "The kind of the transfers; any if it is absent"),
  payment_method: optional(S.NonEmptyString, "Their payment method; any if it is absent"),
  base: optional(S.Literals(moneyFields), "The amount of which the fee is a percentage. It is in the fee's currency"),
  percent: optional(AmountSchema, "The percentage, such as 1.5"),
  fixed: optional(AmountSchema, "What is added to the percentage, or the whole fee"),
  minimum: optional(AmountSchema, "The smallest fee"),
  maximum: optional(AmountSchema, "The largest fee"),
  rounding: optional(S.Literals(roundingModes), "How the percentage is rounded: there is no default"),
  fraction_digits: optional(S.Int.check(S.isBetween({ minimum: 0, maximum: 36 })), "To how many fraction digits"),
  tolerance: optional(AmountSchema, "The largest difference to accept, in either direction; none if it is absent"),
}).annotate({ identifier: "FeeRow" })

/** See the schema. */
export type Row = typeof Row.Type

/** The content of a file. */
export const FeeSchedule = S.Struct({
  $schema: S.optionalKey(S.String),
  fee_schedule: described(S.Literal(1), "The version of the format"),
  rows: S.Array(Row),
}).annotate({ title: "Fee schedule", description: "The agreed fees, for transfers audit --fees" })

/** See the schema. */
export type FeeSchedule = typeof FeeSchedule.Type

/** Each fee of each transfer is compared with every row. */
const mostRows = 2000

const read = JsonDocument.reader(FeeSchedule, { onExcessProperty: "error" })

/**
 * Reads the text of a schedule; or says, as a clause, why it cannot.
 *
 * @example
 * Result.map(FeeSchedule.parse('{"fee_schedule":1,"rows":[{"fee":"service_fee","currency":"fiat/EUR","fixed":"0.30"}]}'), ({ rows }) => rows.length) // => Result.succeed(1)
 * Result.isFailure(FeeSchedule.parse('{"fee_schedule":1,"rows":[{"fee":"service_fee","currency":"fiat/EUR"}]}')) // => true
 */
export const parse = (text: string): Result.Result<FeeSchedule, string> =>
  Result.flatMap(
    Result.mapError(read(text), (reason) => `it is no fee schedule: ${reason}`),
    (schedule) => {
      const fault = faultOf(schedule)
      return fault === undefined ? Result.succeed(schedule) : Result.fail(fault)
    },
  )

/**
 * What is wrong with a schedule, as a clause, such as a percentage without a base. {@link parse} rejects it.
 *
 * @example
 * FeeSchedule.faultOf({ fee_schedule: 1, rows: [] }) // => "it has no rows"
 */
export const faultOf = ({ rows }: FeeSchedule): string | undefined => {
  if (rows.length === 0) return "it has no rows"
  if (rows.length > mostRows) return `it has ${grouped(rows.length)} rows, and may have ${grouped(mostRows)}`
  for (const [index, row] of rows.entries()) {
    const fault = faultOfRow(row)
    if (fault !== undefined) return `row ${index + 1}: ${fault}`
  }
  return undefined
}

const faultOfRow = (row: Row): string | undefined => {
  const { base, percent, fixed, minimum, maximum, rounding, fraction_digits, tolerance } = row
  if (percent === undefined && fixed === undefined) return "give percent, fixed, or both"
  const isIncomplete = base === undefined || rounding === undefined || fraction_digits === undefined
  if (percent !== undefined && isIncomplete) return "percent needs base, rounding and fraction_digits"
  if (percent === undefined && base !== undefined) return "base needs percent"
  if (base === row.fee) return "base is the fee itself"
  if (minimum !== undefined && maximum !== undefined && Amount.compare(minimum, maximum) > 0)
    return "minimum is above maximum"
  for (const [name, amount] of Object.entries({ percent, tolerance })) {
    if (amount !== undefined && Amount.compare(amount, "0") < 0) return `${name} is below zero`
  }
  // Else the order of rounding, adding and limiting would matter, and no row says it.
  for (const [name, amount] of Object.entries({ fixed, minimum, maximum })) {
    if (amount !== undefined && fraction_digits !== undefined && Amount.scale(amount) > fraction_digits)
      return `${name} has more than ${fraction_digits} fraction digits`
  }
  return undefined
}

/** What a schedule says of one fee of a transfer. */
export type Verdict =
  | {
      readonly _tag: "Agrees" | "Differs"
      readonly fee: FeeField
      readonly charged: Money.Money
      readonly expected: Money.Money
      readonly tolerance: string
    }
  | { readonly _tag: "NoRow"; readonly fee: FeeField; readonly charged: Money.Money }
  /** `rows` counts from 1. */
  | {
      readonly _tag: "SeveralRows"
      readonly fee: FeeField
      readonly charged: Money.Money
      readonly rows: ReadonlyArray<number>
    }
  /** `why` is a clause. */
  | { readonly _tag: "NotComparable"; readonly fee: FeeField; readonly why: string }

/**
 * What a schedule says of a transfer: a verdict for each fee that it has rows for.
 *
 * @example
 * FeeSchedule.verdicts({ fee_schedule: 1, rows: [{ fee: "service_fee", currency: CurrencyCode.parseUnsafe("fiat/USD"), fixed: "4" }] }, transfer).map(({ _tag }) => _tag) // => ["Agrees"]
 */
export const verdicts = (self: FeeSchedule, transfer: Transfer): ReadonlyArray<Verdict> =>
  feeFields
    .filter((fee) => self.rows.some((row) => row.fee === fee))
    .map((fee) => {
      const charged = transfer[fee]
      if (charged === undefined) return { _tag: "NotComparable", fee, why: `it has no ${fee}` }
      const fitting = rowsOf(self, { ...transfer, fee, currency: charged.currency_code })
      const [row] = fitting
      if (row === undefined) return { _tag: "NoRow", fee, charged }
      if (fitting.length > 1)
        return { _tag: "SeveralRows", fee, charged, rows: fitting.map((one) => self.rows.indexOf(one) + 1) }
      const expected = expectedOf(row, row.base && transfer[row.base])
      if (Result.isFailure(expected)) return { _tag: "NotComparable", fee, why: expected.failure }
      const { tolerance = "0" } = row
      const difference = Money.subtract(charged, expected.success)
      const isNear = Result.isSuccess(difference) && Amount.compare(Money.abs(difference.success).text, tolerance) <= 0
      return { _tag: isNear ? "Agrees" : "Differs", fee, charged, expected: expected.success, tolerance }
    })

/** What a row is chosen by. */
export interface Case {
  readonly fee: FeeField
  readonly currency: string
  readonly kind: string
  readonly payment_method?: string | undefined
}

/**
 * The rows that fit a fee.
 *
 * @example
 * FeeSchedule.rowsOf({ fee_schedule: 1, rows: [] }, { fee: "service_fee", currency: "fiat/USD", kind: "cash_in" }) // => []
 */
export const rowsOf = ({ rows }: FeeSchedule, { fee, currency, kind, payment_method }: Case): ReadonlyArray<Row> =>
  rows.filter(
    (row) =>
      row.fee === fee &&
      row.currency === currency &&
      (row.kind === undefined || row.kind === kind) &&
      (row.payment_method === undefined || row.payment_method === payment_method),
  )

/**
 * The fee of a row for an amount of its base; or, as a clause, why there is none.
 *
 * @example
 * const row = { fee: "service_fee", currency: CurrencyCode.parseUnsafe("fiat/EUR"), base: "source_subtotal", percent: "1.5", fixed: "0.30", rounding: "half-even", fraction_digits: 2 }
 * Result.map(FeeSchedule.expectedOf(row, Money.parseUnsafe("103.00", "fiat/EUR")), String) // => Result.succeed("1.84 fiat/EUR")
 */
export const expectedOf = (row: Row, base: Money.Money | undefined): Result.Result<Money.Money, string> =>
  Result.gen(function* () {
    const { currency, percent, fixed = "0", minimum, maximum } = row
    const money = (text: string) => Money.parseUnsafe(text, currency)
    let fee = money(fixed)
    if (percent !== undefined) {
      if (base === undefined) return yield* Result.fail(`it has no ${row.base}`)
      if (base.currency_code !== currency)
        return yield* Result.fail(`its ${row.base} is in ${base.currency_code}, and the fee in ${currency}`)
      fee = yield* Result.mapError(shareOf(row, base, percent, fee), ({ message }) => message)
    }
    if (minimum !== undefined && Amount.compare(fee.text, minimum) < 0) return money(minimum)
    if (maximum !== undefined && Amount.compare(fee.text, maximum) > 0) return money(maximum)
    return fee
  })

/**
 * What a service that charges by the schedule would charge: the fee of the only row that fits; none if there is no such
 * row, or the row's base is not among `bases`.
 *
 * @example
 * const schedule = Result.getOrThrow(FeeSchedule.parse('{"fee_schedule":1,"rows":[{"fee":"service_fee","currency":"fiat/USD","fixed":"3"}]}'))
 * String(FeeSchedule.charge(schedule)({ fee: "service_fee", currency: "fiat/USD", kind: "cash_in" }, {})) // => "3 fiat/USD"
 */
export const charge =
  (self: FeeSchedule) =>
  (of: Case, bases: Partial<Pick<Transfer, MoneyField>>): Money.Money | undefined => {
    const [row, another] = rowsOf(self, of)
    if (row === undefined || another !== undefined) return undefined
    return Result.getOrUndefined(expectedOf(row, row.base && bases[row.base]))
  }

const shareOf = (
  { fraction_digits: scale = 0, rounding = "half-even" }: Row,
  base: Money.Money,
  percent: string,
  fixed: Money.Money,
) =>
  Money.multiply(base, percent).pipe(
    Result.flatMap((product) => Money.divide(product, "100", { scale, rounding })),
    Result.flatMap((share) => Money.add(share, fixed)),
  )

/** The codes of findings on fees. */
export type Code = Extract<AuditCode, `fee_${string}`>

/**
 * The findings on a transfer. An empty list means that its fees are those of the schedule.
 *
 * @example
 * FeeSchedule.findings({ fee_schedule: 1, rows: [{ fee: "service_fee", currency: CurrencyCode.parseUnsafe("fiat/USD"), fixed: "2.50" }] }, transfer).map(({ code, nearest }) => [code, nearest]) // => [["fee_off_schedule", "2.50"]]
 */
export const findings = (self: FeeSchedule, transfer: Transfer): ReadonlyArray<AnyFinding<Code>> =>
  verdicts(self, transfer).flatMap((verdict) => findingOf(verdict, transfer))

/** Rows that a message names. */
const mostNamed = 10

const findingOf = (verdict: Verdict, { kind, payment_method = "none" }: Transfer): ReadonlyArray<AnyFinding<Code>> => {
  const { fee } = verdict
  switch (verdict._tag) {
    case "Agrees":
      return []
    case "Differs": {
      const { charged, expected, tolerance } = verdict
      const range = Amount.compare(tolerance, "0") === 0 ? expected.text : `${expected.text} ± ${tolerance}`
      const message = `${fee} is ${charged}, and ${range} ${expected.currency_code} by the schedule.`
      const [path, actual, nearest] = [`/${fee}/amount`, charged.text, expected.text]
      return [{ code: "fee_off_schedule", path, message, actual, nearest }]
    }
    case "NoRow": {
      const message = `No row fits the ${fee} of ${verdict.charged}, kind ${kind}, method ${payment_method}.`
      return [{ code: "fee_not_in_schedule", path: `/${fee}`, message, actual: verdict.charged.text }]
    }
    case "SeveralRows": {
      const [first, more] = [verdict.rows.slice(0, mostNamed), verdict.rows.length - mostNamed]
      const rows = `${first.join(", ")}${more > 0 ? ` and ${grouped(more)} more` : ""}`
      const message = `The rows ${rows} of the schedule fit the ${fee} of ${verdict.charged}. One may.`
      return [{ code: "fee_in_several_rows", path: `/${fee}`, message, actual: verdict.charged.text }]
    }
    case "NotComparable":
      return [{ code: "fee_not_comparable", path: `/${fee}`, message: `${fee} cannot be compared: ${verdict.why}.` }]
  }
}
