/** How rows are paired and compared: the options of a reconciliation, ready to use. */
import type * as DateTime from "effect/DateTime"
import * as ComparedAmount from "../../ComparedAmount.ts"
import * as CreatedAt from "../../CreatedAt.ts"
import * as Day from "../../Day.ts"
import * as Dialect from "../../Dialect.ts"
import type { KeyField } from "../../FieldNames.ts"
import type * as Money from "../../Money.ts"
import type { Timestamp } from "../../Timestamp.ts"
import type { Transfer } from "../../Transfer.ts"
import type { LedgerEntry } from "./LedgerEntry.ts"
import { type KnownPayout, Payouts } from "./Payouts.ts"

/** How to pair and compare. */
export interface ReconciliationOptions {
  /**
   * The field of the transfer that holds the ledger's key.
   * @default "external_id"
   */
  readonly key?: KeyField
  /**
   * The amount of the transfer that the ledger's is compared with: a field, or the signed one of its fiat side.
   * @default "source_total"
   */
  readonly amount?: ComparedAmount.ComparedAmount
  /**
   * The largest difference to accept in each currency, in either direction. A currency that is not listed has none.
   * @default []
   */
  readonly tolerance?: ReadonlyArray<Money.Money>
  /**
   * Whether the ledger's rows of a key are added before they are compared, as fees that are booked apart need.
   * @default false
   */
  readonly group?: boolean
  /**
   * Which statuses are settled, and which have failed. All others are open.
   * @default Dialect.standard
   */
  readonly settlement?: Dialect.Settlement
  /**
   * Which settled transfers must be booked. The others are paired, too, but are no break if they are not booked.
   * @default () => true
   */
  readonly isRequired?: (transfer: Transfer) => boolean
  /**
   * The period of the books. Rows outside of it are counterparts of rows within, and nothing else. A row of the ledger is
   * within if its instant or the first instant of its day is, or if it has neither.
   * @default CreatedAt.all
   */
  readonly period?: CreatedAt.CreatedAt
  /** What the books of an earlier period left, if these follow some. They have settled all else before this period. */
  readonly earlier?: EarlierBooks
  /**
   * The time zone of the ledger's days.
   * @default UTC
   */
  readonly timeZone?: DateTime.TimeZone
  /** The day as of which rows are in transit, `YYYY-MM-DD`. Without it, none is. */
  readonly asOfDay?: string
  /**
   * How many days a row may be in transit.
   * @default 0
   */
  readonly graceDays?: number
  /**
   * Whether a key without a transfer was looked up in everything that the source holds.
   * @default () => false
   */
  readonly isEverywhere?: (key: string) => boolean
  /**
   * The payouts that rows of the ledger name, if it was taken in before.
   * @default those of the ledger
   */
  readonly payouts?: Payouts
}

/** What earlier books left of the transfers before the period. */
export interface EarlierBooks {
  /** Whether a transfer was left open. It is within any period. */
  readonly isOpen: (transfer: Transfer) => boolean
  /** Whether a transfer needed no booking then: it may have one now. */
  readonly isUnused: (transfer: Transfer) => boolean
  /** How many rows like one before the period those books had: these are settled, or carried over. */
  readonly seen: (entry: LedgerEntry) => number
  /** How many of these they counted for the payout that the row names. */
  readonly named: (entry: LedgerEntry) => number
  /** The payouts that their rows name, by id. */
  readonly payouts: ReadonlyMap<string, KnownPayout>
}

/** Where a row is: within the period, or on which side of it. */
export type Part = "earlier" | "within" | "later"

/** The options, ready to use. */
export interface Rules {
  readonly key: KeyField
  readonly amountOf: (transfer: Transfer) => Money.Money | undefined
  readonly tolerance: ReadonlyMap<string, Money.Money>
  readonly isGrouped: boolean
  readonly classOf: (transfer: Transfer) => Dialect.StatusClass
  readonly isSettledStatus: (status: string) => boolean
  readonly isRequired: (transfer: Transfer) => boolean
  readonly partOf: {
    readonly entry: (entry: LedgerEntry) => Part
    readonly transfer: (transfer: Transfer) => Part
  }
  readonly isWithin: {
    readonly entry: (entry: LedgerEntry) => boolean
    readonly transfer: (transfer: Transfer) => boolean
  }
  readonly earlier: EarlierBooks | undefined
  /** Whether earlier books have settled a transfer: it is the counterpart of no row of these. */
  readonly isUsed: (transfer: Transfer) => boolean
  readonly timeZone: DateTime.TimeZone
  readonly asOfDay: string | undefined
  readonly graceDays: number
  readonly isEverywhere: (key: string) => boolean
  readonly payouts: Payouts
}

/** The rules of some options. */
export const make = (options: ReconciliationOptions): Rules => {
  const { settlement = Dialect.standard, period = CreatedAt.all, timeZone = Day.utc, tolerance = [] } = options
  const { earlier } = options
  const partOf = partsOf(period, timeZone, earlier)
  const classes = new Map<string, Dialect.StatusClass>()
  const classOf = (status: string): Dialect.StatusClass => {
    const known = classes.get(status) ?? Dialect.classOf(settlement, status)
    classes.set(status, known)
    return known
  }
  return {
    key: options.key ?? "external_id",
    amountOf: (transfer) => ComparedAmount.of(transfer, options.amount ?? "source_total"),
    tolerance: new Map(tolerance.map((money) => [money.currency_code, money])),
    isGrouped: options.group ?? false,
    classOf: ({ status }) => classOf(status),
    isSettledStatus: (status) => classOf(status) === "settled",
    isRequired: options.isRequired ?? (() => true),
    partOf,
    isWithin: {
      entry: (entry) => partOf.entry(entry) === "within",
      transfer: (transfer) => partOf.transfer(transfer) === "within",
    },
    earlier,
    isUsed: (transfer) =>
      earlier !== undefined && partOf.transfer(transfer) === "earlier" && !earlier.isUnused(transfer),
    timeZone,
    asOfDay: options.asOfDay,
    graceDays: options.graceDays ?? 0,
    isEverywhere: options.isEverywhere ?? (() => false),
    payouts: options.payouts ?? new Payouts(earlier?.payouts),
  }
}

const partsOf = (
  period: CreatedAt.CreatedAt,
  zone: DateTime.TimeZone,
  earlier: EarlierBooks | undefined,
): Rules["partOf"] => {
  if (period === CreatedAt.all) return { entry: () => "within", transfer: () => "within" }
  const start = CreatedAt.intervals(period)[0]?.first
  const partAt = (at: Timestamp): Part => {
    if (CreatedAt.matches(period, at)) return "within"
    return start !== undefined && at.epochNanoseconds < start ? "earlier" : "later"
  }
  const days = new Map<string, Part>()
  const partOfDay = (day: string): Part => {
    const known = days.get(day) ?? partAt(Day.startOf(day, zone))
    days.set(day, known)
    return known
  }
  return {
    entry: ({ at, date, carried, isLate = false }) => {
      if (carried !== undefined || isLate) return "within"
      if (at !== undefined) return partAt(at)
      return date === undefined ? "within" : partOfDay(date)
    },
    transfer: (transfer) => (earlier?.isOpen(transfer) === true ? "within" : partAt(transfer.created_at)),
  }
}
