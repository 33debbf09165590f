/** How books are kept: what is compared, over which period, as of when. Stored, so that a result can be repeated. */
import * as ComparedAmount from "@transferkit/domain/ComparedAmount"
import type * as Coverage from "@transferkit/domain/Coverage"
import * as CreatedAt from "@transferkit/domain/CreatedAt"
import * as CurrencyCode from "@transferkit/domain/CurrencyCode"
import * as Day from "@transferkit/domain/Day"
import * as Dialect from "@transferkit/domain/Dialect"
import * as Money from "@transferkit/domain/Money"
import * as Reconciliation from "@transferkit/domain/Reconciliation"
import * as StoredCoverage from "@transferkit/files/exports/StoredCoverage"
import * as LedgerProfile from "@transferkit/files/ledgers/LedgerProfile"
import * as LedgerFile from "@transferkit/files/node/LedgerFile"
import * as LedgerProfileFile from "@transferkit/files/node/LedgerProfileFile"
import * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as S from "effect/Schema"

/** The settings, after defaults. */
export interface BookSettings {
  readonly key: Reconciliation.KeyField
  readonly amount: ComparedAmount.ComparedAmount
  readonly tolerance: ReadonlyArray<Money.Money>
  /** Whether the ledger's rows of a key are added before they are compared. */
  readonly group: boolean
  readonly settlement: Dialect.Settlement
  readonly period: CreatedAt.CreatedAt
  readonly timeZone: DateTime.TimeZone
  /** The day as of which rows are in transit, aged, and acceptances hold. */
  readonly asOfDay: string | undefined
  readonly graceDays: number
  /** How many keys to look up outside the period, at most. */
  readonly lookUps: number
  /** Whether to propose transfers that may add up to a row. */
  readonly batches: boolean
  /** How to read the ledgers. */
  readonly ledger: LedgerFile.LedgerFileOptions
}

/** The period, and the days of grace beyond its ends. */
export const searched = ({
  period,
  graceDays,
  timeZone,
}: Pick<BookSettings, "period" | "graceDays" | "timeZone">): CreatedAt.CreatedAt =>
  graceDays === 0 ? period : Day.widen(period, { days: graceDays, zone: timeZone })

/**
 * What the books ask of a source: all transfers of their period, and of the days of grace beyond its ends, by their
 * settlement.
 */
export const question = (
  { period, ...rest }: Coverage.Question,
  settings: Pick<BookSettings, "period" | "graceDays" | "timeZone" | "settlement">,
): Coverage.Question => {
  const all = { ...rest, only: {}, final: Dialect.finalStatuses(settings.settlement) }
  if (period === undefined) return all
  return { ...all, period: settings.graceDays === 0 ? period : searched(settings) }
}

/** The options of the domain. */
export const toOptions = (self: BookSettings): Reconciliation.ReconciliationOptions => {
  const { key, amount, tolerance, group, settlement, period, timeZone, graceDays, asOfDay } = self
  const options = { key, amount, tolerance, group, settlement, period, timeZone, graceDays }
  return asOfDay === undefined ? options : { ...options, asOfDay }
}

/** The settings as JSON. */
export const Stored = S.Struct({
  created_at: StoredCoverage.Times,
  time_zone: S.String,
  key: S.Literals(Reconciliation.keyFields),
  amount: S.Literals(ComparedAmount.comparedAmounts),
  /** Such as `0.01:fiat/EUR`. */
  tolerance: S.Array(S.String),
  group: S.Boolean,
  settled: S.Array(S.String),
  failed: S.Array(S.String),
  grace_days: S.Int.check(S.isBetween({ minimum: 0, maximum: 366 })),
  as_of_day: S.optionalKey(S.String),
  look_ups: S.Int.check(S.isBetween({ minimum: 0, maximum: 10_000 })),
  batches: S.Boolean,
  /** How the ledgers are read: what is given. The rest is detected. */
  ledger: LedgerProfile.LedgerProfile,
})

/** See the schema. */
export type Stored = typeof Stored.Type

/** As stored. */
export const toStored = (self: BookSettings): Stored => ({
  created_at: CreatedAt.ranges(self.period).flatMap(CreatedAt.printRange),
  time_zone: DateTime.zoneToString(self.timeZone),
  key: self.key,
  amount: self.amount,
  tolerance: self.tolerance.map(({ text, currency_code }) => `${text}:${currency_code}`),
  group: self.group,
  settled: self.settlement.settledStatuses,
  failed: self.settlement.failedStatuses,
  grace_days: self.graceDays,
  ...(self.asOfDay === undefined ? {} : { as_of_day: self.asOfDay }),
  look_ups: self.lookUps,
  batches: self.batches,
  ledger: LedgerProfileFile.fromOptions(self.ledger),
})

/** What was stored; or, as a clause, what is wrong with it. */
export const fromStored = (stored: Stored): Result.Result<BookSettings, string> =>
  Result.gen(function* () {
    const period = yield* named("created_at", CreatedAt.fromParams(stored.created_at))
    const timeZone = zoneOf(stored.time_zone)
    if (timeZone === undefined) return yield* Result.fail(`time_zone: no time zone ${JSON.stringify(stored.time_zone)}`)
    const tolerance = yield* named("tolerance", Result.all(stored.tolerance.map(toleranceOf)))
    const statuses = { settledStatuses: stored.settled, failedStatuses: stored.failed }
    const settlement = yield* named("settled", Dialect.make({ ...Dialect.standard, ...statuses }))
    if (stored.as_of_day !== undefined) yield* named("as_of_day", CreatedAt.day(stored.as_of_day, timeZone))
    const own = { period, graceDays: stored.grace_days, timeZone }
    const detected = { ...LedgerFile.detectAll, period: searched(own), timeZone }
    return {
      ...own,
      key: stored.key,
      amount: stored.amount,
      tolerance,
      group: stored.group,
      settlement,
      asOfDay: stored.as_of_day,
      lookUps: stored.look_ups,
      batches: stored.batches,
      ledger: yield* LedgerProfileFile.toOptions(stored.ledger, detected, undefined),
    }
  })

const named = <A>(name: string, result: Result.Result<A, { readonly message: string }>): Result.Result<A, string> =>
  Result.mapError(result, ({ message }) => `${name}: ${message}`)

const zoneOf = (text: string): DateTime.TimeZone | undefined =>
  text === DateTime.zoneToString(Day.utc) ? Day.utc : Option.getOrUndefined(DateTime.zoneFromString(text))

const toleranceOf = (text: string) => {
  const at = text.indexOf(":")
  return Result.flatMap(CurrencyCode.parse(text.slice(at + 1)), (code) =>
    Money.parse(text.slice(0, Math.max(0, at)), code),
  )
}
