/** Which transfers to return: by filters of the service, and by filters that the service lacks and we apply. */
import * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as ComparedAmount from "./ComparedAmount.ts"
import type { Question } from "./Coverage.ts"
import * as CreatedAt from "./CreatedAt.ts"
import * as CurrencyCode from "./CurrencyCode.ts"
import * as Dialect from "./Dialect.ts"
import { InvalidFilter } from "./InvalidFilter.ts"
import * as Selection from "./Selection.ts"
import * as TimeSpan from "./TimeSpan.ts"
import type * as Timestamp from "./Timestamp.ts"
import { moneyFields, type Transfer } from "./Transfer.ts"
import type { TransferQuery } from "./TransferQuery.ts"

/** The filters as text. Those with several values match any of them, which may also be separated by commas. */
export interface Filters {
  readonly external_id?: string | undefined
  /** In the service's own words, such as `gte:2024-09-01T00:00:00Z`. */
  readonly created_at?: ReadonlyArray<string> | undefined
  readonly since?: string | undefined
  readonly until?: string | undefined
  readonly time_zone?: string | undefined
  /** An age: older than this, and still open. */
  readonly stuck?: string | undefined
  readonly status?: ReadonlyArray<string> | undefined
  readonly kind?: ReadonlyArray<string> | undefined
  readonly currency?: ReadonlyArray<string> | undefined
  readonly payment_method?: ReadonlyArray<string> | undefined
  /**
   * The amounts whose currency `currency` asks for.
   * @default all but the valuations in dollars
   */
  readonly currency_of?: ReadonlyArray<ComparedAmount.ComparedAmount> | undefined
}

/** The query for the service, and which of its transfers to keep. */
export interface TransferFilter {
  readonly query: TransferQuery
  /** The same as a question, which a source answers as far as it has what is named. */
  readonly question: Question
  readonly keeps: (transfer: Transfer) => boolean
  /** The same by the status alone, if the status decides. */
  readonly keepsStatus: ((status: string) => boolean) | undefined
  /** The time zone of days and of shown times, unless it is UTC. */
  readonly timeZone: DateTime.TimeZone | undefined
  /** Whether some filters are our own. */
  readonly isPartial: boolean
}

/**
 * Reads filters. Relative times count from `now`. The settlement says which transfers may be stuck: those that are open.
 *
 * @example
 * const now = Timestamp.parseUnsafe("2024-09-15T12:30:00Z")
 * const filter = Result.getOrThrow(TransferFilter.parse({ since: "2024-09", status: ["complete"] }, now))
 * filter.isPartial // => true
 * filter.keepsStatus?.("declined") // => false
 * Result.isFailure(TransferFilter.parse({ currency: ["usd"] }, now)) // => true
 */
export const parse = (
  filters: Filters,
  now: Timestamp.Timestamp,
  settlement: Dialect.Settlement = Dialect.standard,
): Result.Result<TransferFilter, InvalidFilter> =>
  Result.gen(function* () {
    const { external_id, created_at = [], status = [], kind = [], currency = [], payment_method = [] } = filters
    const { currency_of = usualAmounts } = filters
    const timeZone = yield* timeZoneOf(filters.time_zone)
    const span = yield* TimeSpan.toFilter(filters, { now, zone: timeZone })
    const params = yield* Result.mapError(CreatedAt.fromParams(created_at), invalid("created_at"))
    for (const [name, example] of examples) {
      if (!valuesOf(filters[name] ?? []).includes("")) continue
      // An empty variable of a shell would ask for the transfers whose value is empty.
      const reason = `a value is empty. Expected one or more values, separated by commas, such as ${example}.`
      return yield* Result.fail(new InvalidFilter({ name, reason }))
    }
    if (external_id === "") {
      return yield* Result.fail(
        new InvalidFilter({ name: "external_id", reason: "it is empty. Give an identifier, such as order-1001." }),
      )
    }
    const statuses = valuesOf(status)
    // Before the age is read: another age would not help.
    if (
      filters.stuck !== undefined &&
      statuses.length > 0 &&
      !statuses.some((one) => Dialect.isOpen(settlement, one))
    ) {
      const reason = `only open transfers are stuck, and none of these statuses is open: ${statuses.join(", ")}. Remove one of the two filters.`
      return yield* Result.fail(new InvalidFilter({ name: "stuck", reason }))
    }
    const stuck = filters.stuck === undefined ? undefined : yield* TimeSpan.age(filters.stuck, { now, name: "stuck" })
    const currencyCodes = yield* Result.all(
      // Otherwise `usd` would silently match nothing.
      valuesOf(currency).map((text) => Result.mapError(CurrencyCode.parse(text), invalid("currency"))),
    )
    const byStatus = oneOf(status, (transfer: Pick<Transfer, "status">) => [transfer.status])
    const others = [
      oneOf(kind, (transfer: Transfer) => [transfer.kind]),
      oneOf(payment_method, (transfer: Transfer) => [transfer.payment_method]),
      oneOf(currencyCodes, (transfer: Transfer) =>
        currency_of.map((amount) => ComparedAmount.of(transfer, amount)?.currency_code),
      ),
      stuck === undefined ? undefined : ({ status: own }: Transfer) => Dialect.isOpen(settlement, own),
    ].filter((test) => test !== undefined)
    const tests = byStatus === undefined ? others : [byStatus, ...others]
    const only = Selection.restrict({
      external_id: external_id === undefined ? [] : [external_id],
      status: statuses,
      kind: valuesOf(kind),
      currency: currencyCodes,
      payment_method: valuesOf(payment_method),
      not_status: stuck === undefined ? [] : Dialect.finalStatuses(settlement),
    })
    const isNamed = created_at.length > 0 || filters.since !== undefined || filters.until !== undefined
    return {
      question: {
        ...(isNamed ? { period: CreatedAt.and(span, params) } : {}),
        ...(stuck === undefined ? {} : { within: CreatedAt.lt(stuck) }),
        only,
      },
      query: {
        ...(external_id === undefined ? {} : { external_id }),
        created_at: [span, params, stuck === undefined ? CreatedAt.all : CreatedAt.lt(stuck)].reduce(CreatedAt.and),
      },
      keeps: (transfer) => tests.every((test) => test(transfer)),
      keepsStatus: others.length > 0 ? undefined : (given) => byStatus?.({ status: given }) !== false,
      timeZone,
      isPartial: tests.length > 0,
    }
  })

const examples = [
  ["status", "complete,declined"],
  ["kind", "cash_in"],
  ["payment_method", "ach,wire"],
] as const

const invalid =
  (name: keyof Filters) =>
  ({ message }: { readonly message: string }): InvalidFilter =>
    new InvalidFilter({ name, reason: message })

/**
 * Reads the name or the offset of a time zone; undefined for UTC.
 *
 * @example
 * TransferFilter.timeZoneOf("UTC") // => Result.succeed(undefined)
 * Result.isSuccess(TransferFilter.timeZoneOf("Europe/Berlin")) // => true
 * Result.isFailure(TransferFilter.timeZoneOf("Mars")) // => true
 */
export const timeZoneOf = (
  time_zone: string | undefined,
): Result.Result<DateTime.TimeZone | undefined, InvalidFilter> => {
  if (time_zone === undefined || /^(?:utc|z)$/i.test(time_zone)) return Result.succeed(undefined)
  const zone = DateTime.zoneFromString(time_zone)
  if (Option.isSome(zone)) return Result.succeed(zone.value)
  const reason = `no time zone ${JSON.stringify(time_zone)}. Expected a name such as Europe/Berlin, or an offset such as +02:00.`
  return Result.fail(new InvalidFilter({ name: "time_zone", reason }))
}

/**
 * The values of a filter that has several.
 *
 * @example
 * TransferFilter.valuesOf(["complete, declined", "approved"]) // => ["complete", "declined", "approved"]
 */
export const valuesOf = (given: ReadonlyArray<string>): ReadonlyArray<string> =>
  given.flatMap((value) => value.split(",")).map((value) => value.trim())

/**
 * The given filters by their names: equal for equal filters.
 *
 * @example
 * TransferFilter.toRecord({ since: "2024-09", status: [] }) // => { since: ["2024-09"] }
 */
export const toRecord = (filters: Filters): Readonly<Record<string, ReadonlyArray<string>>> =>
  Object.fromEntries(
    names.flatMap((name) => {
      const given = [filters[name] ?? []].flat()
      return given.length === 0 ? [] : [[name, given]]
    }),
  )

const names = [
  "external_id",
  "created_at",
  "since",
  "until",
  "time_zone",
  "stuck",
  "status",
  "kind",
  "currency",
  "payment_method",
] as const satisfies ReadonlyArray<keyof Filters>

const oneOf = <A>(
  given: ReadonlyArray<string>,
  fieldsOf: (transfer: A) => ReadonlyArray<string | undefined>,
): ((transfer: A) => boolean) | undefined => {
  const wanted = new Set(valuesOf(given).map((value) => value.toLowerCase()))
  if (wanted.size === 0) return undefined
  return (transfer) => fieldsOf(transfer).some((value) => value !== undefined && wanted.has(value.toLowerCase()))
}

/** A transfer is in a currency if one of its amounts is; a valuation in dollars does not count. */
const usualAmounts = moneyFields.filter((field) => !field.endsWith("_usd"))
