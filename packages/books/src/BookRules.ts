/** The rules of books as text: from the flags of a command, or the fields of a request. */
import type { ComparedAmount } from "@transferkit/domain/ComparedAmount"
import * as CreatedAt from "@transferkit/domain/CreatedAt"
import * as Day from "@transferkit/domain/Day"
import * as Dialect from "@transferkit/domain/Dialect"
import { InvalidFilter } from "@transferkit/domain/InvalidFilter"
import type { KeyField } from "@transferkit/domain/Reconciliation"
import type * as Timestamp from "@transferkit/domain/Timestamp"
import * as TransferFilter from "@transferkit/domain/TransferFilter"
import * as LedgerCurrency from "@transferkit/files/ledgers/LedgerCurrency"
import type * as DateTime from "effect/DateTime"
import * as Result from "effect/Result"
import type { BookSettings } from "./BookSettings.ts"

/** The rules as they are given. Of files, only whether there is one counts here. */
export interface Given {
  readonly key: KeyField
  readonly amount: ComparedAmount
  /** Such as `0.01:fiat/EUR`. */
  readonly tolerance: ReadonlyArray<string>
  readonly group: boolean
  /** Statuses, which may also be separated by commas; without one, those of the dialect. */
  readonly settled: ReadonlyArray<string>
  readonly failed: ReadonlyArray<string>
  /** In days. */
  readonly grace: number
  readonly as_of_day: string | undefined
  readonly look_ups: number
  readonly batches: boolean
  readonly accepted: string | undefined
  readonly carry: string | undefined
  readonly write_open: string | undefined
}

/** What the rules are applied to. */
export interface Context {
  readonly period: CreatedAt.CreatedAt
  readonly timeZone: DateTime.TimeZone
  readonly dialect: Dialect.Dialect
  /** The instant as of which the transfers are shown, if there is one. */
  readonly asOf: Timestamp.Timestamp | undefined
}

/** The settings of books but for the reading of their ledgers. */
export type BookRules = Omit<BookSettings, "ledger">

/** Reads the rules. Fails with the name of the first that cannot be read. */
export const parse = (given: Given, context: Context): Result.Result<BookRules, InvalidFilter> =>
  Result.gen(function* () {
    const { period, timeZone, dialect } = context
    const { settled, failed, grace, key, amount, group, batches } = given
    const settlement = yield* Result.mapError(
      Dialect.make({
        ...dialect,
        ...(settled.length === 0 ? {} : { settledStatuses: TransferFilter.valuesOf(settled) }),
        ...(failed.length === 0 ? {} : { failedStatuses: TransferFilter.valuesOf(failed) }),
      }),
      ({ message }) => new InvalidFilter({ name: settled.length === 0 ? "failed" : "settled", reason: message }),
    )
    const asOfDay = yield* asOfDayOf(given, context)
    const name =
      grace > 0 ? "grace" : (["accepted", "carry", "write_open"] as const).find((one) => given[one] !== undefined)
    if (name !== undefined && asOfDay === undefined) {
      const reason = "it compares days with a day: give --as-of-day 2024-09-30, or a period that ends."
      return yield* Result.fail(new InvalidFilter({ name, reason }))
    }
    const tolerance = yield* Result.mapError(
      Result.all(given.tolerance.map(LedgerCurrency.parseSize)),
      (reason) => new InvalidFilter({ name: "tolerance", reason }),
    )
    const twice = tolerance.find(({ currency_code }, at) =>
      tolerance.slice(0, at).some((earlier) => earlier.currency_code === currency_code),
    )
    if (twice !== undefined) {
      return yield* Result.fail(
        new InvalidFilter({ name: "tolerance", reason: `${twice.currency_code} has two: give one.` }),
      )
    }
    const [graceDays, lookUps] = [grace, given.look_ups]
    return { period, timeZone, key, amount, tolerance, group, settlement, asOfDay, graceDays, lookUps, batches }
  })

/** Never the clock, so that a result can be repeated. */
const asOfDayOf = ({ as_of_day }: Given, { period, timeZone, asOf }: Context) =>
  as_of_day === undefined
    ? Result.succeed(asOf === undefined ? Day.last(period, timeZone) : Day.of(asOf, timeZone))
    : Result.mapBoth(CreatedAt.day(as_of_day, timeZone), {
        onSuccess: () => as_of_day,
        onFailure: ({ message }) => new InvalidFilter({ name: "as_of_day", reason: message }),
      })
