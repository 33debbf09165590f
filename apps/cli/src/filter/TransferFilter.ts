/** Which transfers a command is about: what the service filters, and what is filtered here because it cannot. */
import * as CreatedAt from "@transferkit/domain/CreatedAt"
import * as CurrencyCode from "@transferkit/domain/CurrencyCode"
import type * as Timestamp from "@transferkit/domain/Timestamp"
import { moneyFields, type Transfer } from "@transferkit/domain/Transfer"
import type { TransferQuery } from "@transferkit/domain/TransferQuery"
import * as Result from "effect/Result"
import { UsageError } from "../UsageError.ts"
import * as Span from "./TimeSpan.ts"

/** The filters as they are written on the command line. */
export interface FilterFlags {
  readonly external_id: string | undefined
  readonly created_at: ReadonlyArray<string>
  readonly since: string | undefined
  readonly until: string | undefined
  readonly status: ReadonlyArray<string>
  readonly kind: ReadonlyArray<string>
  readonly currency: ReadonlyArray<string>
  readonly payment_method: ReadonlyArray<string>
}

/** What to ask the service for, and which of its transfers to keep. */
export interface TransferFilter {
  readonly query: TransferQuery
  readonly keeps: (transfer: Transfer) => boolean
  /** Whether anything is filtered here. */
  readonly isPartial: boolean
}

/** Reads the filters. `now` is what relative times count from. */
export const parse = (flags: FilterFlags, now: Timestamp.Timestamp): Result.Result<TransferFilter, UsageError> =>
  Result.gen(function* () {
    const span = yield* Span.toFilter(flags, now)
    const params = yield* Result.mapError(
      CreatedAt.fromParams(flags.created_at),
      (error) => new UsageError({ message: `--created-at: ${error.message}` }),
    )
    const created_at = CreatedAt.and(span, params)
    const currency = yield* Result.all(valuesOf(flags.currency).map(checkCurrency))
    const tests = [
      oneOf(flags.status, (transfer) => [transfer.status]),
      oneOf(flags.kind, (transfer) => [transfer.kind]),
      oneOf(flags.payment_method, (transfer) => [transfer.payment_method]),
      oneOf(currency, currencies),
    ].filter((test) => test !== undefined)
    return {
      query: { ...(flags.external_id === undefined ? {} : { external_id: flags.external_id }), created_at },
      keeps: (transfer) => tests.every((test) => test(transfer)),
      isPartial: tests.length > 0,
    }
  })

/** The filters that were given, by the names of their flags: the same text for the same filters. */
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
  "status",
  "kind",
  "currency",
  "payment_method",
] as const satisfies ReadonlyArray<keyof FilterFlags>

type Test = (transfer: Transfer) => boolean

/** Values may be repeated flags or one flag with commas; any of them will do. */
const valuesOf = (given: ReadonlyArray<string>): ReadonlyArray<string> =>
  given.flatMap((value) => value.split(",")).map((value) => value.trim())

const oneOf = (
  given: ReadonlyArray<string>,
  fieldsOf: (transfer: Transfer) => ReadonlyArray<string | undefined>,
): Test | undefined => {
  const wanted = new Set(valuesOf(given).map((value) => value.toLowerCase()))
  if (wanted.size === 0) return undefined
  return (transfer) => fieldsOf(transfer).some((value) => value !== undefined && wanted.has(value.toLowerCase()))
}

/** `usd` alone would match nothing and say nothing. */
const checkCurrency = (text: string): Result.Result<string, UsageError> =>
  Result.mapError(CurrencyCode.parse(text), (error) => new UsageError({ message: `--currency: ${error.message}` }))

/** A transfer is in a currency when one of its amounts is; a dollar valuation is not an amount of its own. */
const currencies = (transfer: Transfer): ReadonlyArray<string | undefined> =>
  moneyFields.filter((field) => !field.endsWith("_usd")).map((field) => transfer[field]?.currency_code)
