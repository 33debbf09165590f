/** The transfers a command selects: by filters of the service, and by filters of our own that the service lacks. */
import * as CreatedAt from "@transferkit/domain/CreatedAt"
import * as CurrencyCode from "@transferkit/domain/CurrencyCode"
import * as Dialect from "@transferkit/domain/Dialect"
import type * as Timestamp from "@transferkit/domain/Timestamp"
import { knownKinds, knownStatuses, moneyFields, type Transfer } from "@transferkit/domain/Transfer"
import type { TransferQuery } from "@transferkit/domain/TransferQuery"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import { isForScript } from "../flags/Globals.ts"
import { Screen } from "../terminal/Screen.ts"
import { UsageError } from "../UsageError.ts"
import { now as currentTime } from "./Now.ts"
import * as Span from "./TimeSpan.ts"

/** The filters as they are written on the command line. */
export interface FilterFlags {
  readonly external_id: string | undefined
  readonly created_at: ReadonlyArray<string>
  readonly since: string | undefined
  readonly until: string | undefined
  readonly time_zone: string | undefined
  readonly stuck: string | undefined
  readonly status: ReadonlyArray<string>
  readonly kind: ReadonlyArray<string>
  readonly currency: ReadonlyArray<string>
  readonly payment_method: ReadonlyArray<string>
}

/** The query for the service, and which of its transfers to keep. */
export interface TransferFilter {
  readonly query: TransferQuery
  readonly keeps: (transfer: Transfer) => boolean
  /** The same by the status alone, if the status decides. */
  readonly keepsStatus: ((status: string) => boolean) | undefined
  /** The time zone of days and of shown times, unless it is UTC. */
  readonly timeZone: DateTime.TimeZone | undefined
  /** Whether some filters are our own. */
  readonly isPartial: boolean
}

/** Fails if the filters cannot be read. */
export const check = Effect.fnUntraced(function* (flags: FilterFlags) {
  yield* Effect.fromResult(parse(flags, yield* currentTime))
})

/** Reads the filters, and names values that are probably misspelt: they are allowed, but find nothing. */
export const read = Effect.fnUntraced(function* (flags: FilterFlags) {
  const filter = yield* Effect.fromResult(parse(flags, yield* currentTime))
  const screen = yield* Screen
  if (!(yield* isForScript)) yield* screen.warn(unknownValues(flags))
  return filter
})

const unknownValues = ({ status, kind }: FilterFlags): string =>
  [[status, "status", knownStatuses] as const, [kind, "kind", knownKinds] as const]
    .flatMap(([given, what, known]) =>
      valuesOf(given)
        .filter((value) => !known.some((name) => name === value.toLowerCase()))
        .map((value) => `warning: ${JSON.stringify(value)} is not a known ${what}: ${known.join(", ")}\n`),
    )
    .join("")

/** Parses the filters. Relative times count from `now`. */
export const parse = (flags: FilterFlags, now: Timestamp.Timestamp): Result.Result<TransferFilter, UsageError> =>
  Result.gen(function* () {
    const timeZone = yield* timeZoneOf(flags.time_zone)
    const span = yield* Span.toFilter(flags, now, timeZone)
    const params = yield* Result.mapError(
      CreatedAt.fromParams(flags.created_at),
      (error) => new UsageError({ message: `--created-at: ${error.message}` }),
    )
    const stuck = flags.stuck === undefined ? undefined : yield* Span.age("--stuck", flags.stuck, now)
    const created_at = [span, params, stuck === undefined ? CreatedAt.all : CreatedAt.lt(stuck)].reduce(CreatedAt.and)
    const currency = yield* Result.all(valuesOf(flags.currency).map(checkCurrency))
    const byStatus = oneOf(flags.status, (transfer: Pick<Transfer, "status">) => [transfer.status])
    const others = [
      oneOf(flags.kind, (transfer: Transfer) => [transfer.kind]),
      oneOf(flags.payment_method, (transfer: Transfer) => [transfer.payment_method]),
      oneOf(currency, currencies),
      stuck === undefined ? undefined : isOpen,
    ].filter((test) => test !== undefined)
    const tests = byStatus === undefined ? others : [byStatus, ...others]
    return {
      query: { ...(flags.external_id === undefined ? {} : { external_id: flags.external_id }), created_at },
      keeps: (transfer) => tests.every((test) => test(transfer)),
      keepsStatus: others.length > 0 ? undefined : (status) => byStatus?.({ status }) !== false,
      timeZone,
      isPartial: tests.length > 0,
    }
  })

/** Reads `--time-zone`; undefined for UTC. */
export const timeZoneOf = (time_zone: string | undefined): Result.Result<DateTime.TimeZone | undefined, UsageError> => {
  if (time_zone === undefined || /^(?:utc|z)$/i.test(time_zone)) return Result.succeed(undefined)
  const zone = DateTime.zoneFromString(time_zone)
  return Option.isSome(zone)
    ? Result.succeed(zone.value)
    : Result.fail(
        new UsageError({
          message: `--time-zone: no time zone ${JSON.stringify(time_zone)}. Expected a name such as Europe/Berlin, or an offset such as +02:00.`,
        }),
      )
}

/** The currencies of `--currency`, in lower case. */
export const currenciesOf = ({ currency }: Pick<FilterFlags, "currency">): ReadonlyArray<string> =>
  valuesOf(currency).map((code) => code.toLowerCase())

/** The given filters by the names of their flags: equal text for equal filters. */
export const toRecord = (flags: FilterFlags): Readonly<Record<string, ReadonlyArray<string>>> =>
  Object.fromEntries(
    names.flatMap((name) => {
      const given = [flags[name] ?? []].flat()
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
] as const satisfies ReadonlyArray<keyof FilterFlags>

/** Values come from repeated flags and from commas; a transfer matches any of them. */
const valuesOf = (given: ReadonlyArray<string>): ReadonlyArray<string> =>
  given.flatMap((value) => value.split(",")).map((value) => value.trim())

const oneOf = <A>(
  given: ReadonlyArray<string>,
  fieldsOf: (transfer: A) => ReadonlyArray<string | undefined>,
): ((transfer: A) => boolean) | undefined => {
  const wanted = new Set(valuesOf(given).map((value) => value.toLowerCase()))
  if (wanted.size === 0) return undefined
  return (transfer) => fieldsOf(transfer).some((value) => value !== undefined && wanted.has(value.toLowerCase()))
}

/** Whether a transfer may still change: the same rule as a mirror's `open_transfers`. */
export const isOpen = ({ status }: Pick<Transfer, "status">): boolean =>
  !Dialect.standard.terminalStatuses.includes(status)

/** Otherwise `usd` would silently match nothing. */
const checkCurrency = (text: string): Result.Result<string, UsageError> =>
  Result.mapError(CurrencyCode.parse(text), (error) => new UsageError({ message: `--currency: ${error.message}` }))

/** A transfer is in a currency if one of its amounts is; a valuation in dollars does not count. */
const currencies = (transfer: Transfer): ReadonlyArray<string | undefined> =>
  moneyFields.filter((field) => !field.endsWith("_usd")).map((field) => transfer[field]?.currency_code)
