/**
 * A selection of transfers: creation times, and values that some of their properties may have. It says what a source
 * holds and what a question asks for, so that the two can be compared.
 */
import * as Result from "effect/Result"
import * as CreatedAt from "./CreatedAt.ts"
import { properties } from "./internal/wire/OnlySchema.ts"
import { moneyFields, type Transfer } from "./Transfer.ts"

export { Only as OnlySchema, properties } from "./internal/wire/OnlySchema.ts"

/** A property that a selection can restrict. A transfer has none of the values of `not_status`, so open ones can be named. */
export type Property = (typeof properties)[number]

/** Values that properties may have, or must not have. One that is absent may have any. */
export type Only = { readonly [P in Property]?: ReadonlyArray<string> }

/** Of each property that `only` names, a transfer has one of the values. */
export interface Selection {
  readonly created_at: CreatedAt.CreatedAt
  readonly only: Only
}

/** Every transfer. */
export const all: Selection = { created_at: CreatedAt.all, only: {} }

/**
 * Restrictions in their normal form: equal for equal ones. Properties without a value are left out. The values of all
 * but `external_id` and `not_status` are compared without regard to upper and lower case.
 *
 * @example
 * Selection.restrict({ status: ["Complete", "approved", "complete"], kind: [] }) // => { status: ["approved", "complete"] }
 */
export const restrict = (given: Only): Only =>
  Object.fromEntries(
    names(given).map((property) => {
      const values = (given[property] ?? []).map((value) => normal(property, value))
      return [property, [...new Set(values)].toSorted()]
    }),
  )

/**
 * The restricted properties.
 *
 * @example
 * Selection.names({ status: ["complete"] }) // => ["status"]
 */
export const names = (only: Only): ReadonlyArray<Property> =>
  properties.filter((property) => (only[property] ?? []).length > 0)

/**
 * The properties in which `inner` admits a value that `outer` does not.
 *
 * @example
 * Selection.beyond({ status: ["complete", "approved"] }, { status: ["complete"] }) // => ["status"]
 * Selection.beyond({ status: ["complete"], kind: ["cash_in"] }, { status: ["complete"] }) // => []
 * Selection.beyond({ not_status: ["complete"] }, { not_status: ["complete", "declined"] }) // => ["not_status"]
 * Selection.beyond({ status: ["executing"] }, { not_status: ["complete", "declined"] }) // => []
 */
export const beyond = (inner: Only, outer: Only): ReadonlyArray<Property> =>
  names(outer).filter((property) => {
    if (property === "not_status") return leftOut(inner, outer).length > 0
    const admitted = new Set(outer[property]?.map((value) => normal(property, value)))
    const given = inner[property] ?? []
    return given.length === 0 || given.some((value) => !admitted.has(normal(property, value)))
  })

/**
 * The statuses that `outer` rules out and `inner` admits.
 *
 * @example
 * Selection.leftOut({ status: ["Complete", "executing"] }, { not_status: ["complete", "declined"] }) // => ["complete"]
 * Selection.leftOut({ not_status: ["complete"] }, { not_status: ["complete", "declined"] }) // => ["declined"]
 */
export const leftOut = ({ status = [], not_status = [] }: Only, outer: Only): ReadonlyArray<string> => {
  const named = new Set(status.map((one) => one.toLowerCase()))
  return (outer.not_status ?? []).filter(
    (one) => !not_status.includes(one) && (named.size === 0 || named.has(one.toLowerCase())),
  )
}

/**
 * What is in both: a property that both restrict keeps the values that both admit. If they admit none in common, nothing
 * matches.
 *
 * @example
 * Selection.and({ created_at: CreatedAt.all, only: { status: ["complete", "approved"] } }, { created_at: CreatedAt.none, only: { status: ["approved"] } }).only // => { status: ["approved"] }
 */
export const and = (self: Selection, that: Selection): Selection => {
  const [left, right] = [restrict(self.only), restrict(that.only)]
  const both = names(left).filter((property) => property !== "not_status" && right[property] !== undefined)
  const shared = Object.fromEntries(
    both.map((property) => [property, left[property]?.filter((value) => right[property]?.includes(value)) ?? []]),
  )
  const { not_status } = restrict({ not_status: [...(left.not_status ?? []), ...(right.not_status ?? [])] })
  const isVoid = Object.values(shared).some((values) => values.length === 0)
  return {
    created_at: isVoid ? CreatedAt.none : CreatedAt.and(self.created_at, that.created_at),
    only: { ...left, ...right, ...shared, ...(not_status && { not_status }) },
  }
}

/**
 * The test for the properties alone. A transfer is in a currency if one of its amounts is; a valuation in dollars does
 * not count.
 *
 * @example
 * Selection.keeps({ status: ["complete"], currency: ["fiat/USD"] })(transfer) // => true
 * Selection.keeps({ not_status: ["complete"] })(transfer) // => false
 */
export const keeps = (only: Only): ((transfer: Transfer) => boolean) => {
  const tests = names(only).map((property) => {
    const wanted = new Set(only[property]?.map((value) => normal(property, value)))
    if (property === "not_status") return ({ status }: Transfer) => !wanted.has(status)
    const valuesOf = readers[property]
    return (transfer: Transfer) =>
      valuesOf(transfer).some((value) => value !== undefined && wanted.has(normal(property, value)))
  })
  return (transfer) => tests.every((test) => test(transfer))
}

/**
 * The test for a transfer.
 *
 * @example
 * Selection.matcher({ created_at: CreatedAt.none, only: {} })(transfer) // => false
 */
export const matcher = ({ created_at, only }: Selection): ((transfer: Transfer) => boolean) => {
  const keepsProperties = keeps(only)
  if (created_at === CreatedAt.all) return keepsProperties
  return (transfer) => CreatedAt.matches(created_at, transfer.created_at) && keepsProperties(transfer)
}

// ---------------------------------------------------------------------------------------------------- stored

/**
 * Creation times as text: for each range the values of `created_at` that mean it.
 *
 * @example
 * Selection.timesToWire(CreatedAt.none) // => []
 */
export const timesToWire = (created_at: CreatedAt.CreatedAt): ReadonlyArray<ReadonlyArray<string>> =>
  CreatedAt.ranges(created_at).map(CreatedAt.printRange)

/**
 * Reads what {@link timesToWire} wrote.
 *
 * @example
 * Result.map(Selection.timesFromWire([["lt:2024-09-01T00:00:00Z"], ["gte:2024-10-01T00:00:00Z"]]), String) // => Result.succeed("CreatedAt(lt:2024-09-01T00:00:00Z or gte:2024-10-01T00:00:00Z)")
 */
export const timesFromWire = (
  ranges: ReadonlyArray<ReadonlyArray<string>>,
): Result.Result<CreatedAt.CreatedAt, CreatedAt.InvalidCreatedAt> =>
  Result.map(Result.all(ranges.map((values) => CreatedAt.fromParams(values))), (filters) =>
    filters.reduce(CreatedAt.or, CreatedAt.none),
  )

// ---------------------------------------------------------------------------------------------------- properties

type Values = (transfer: Transfer) => ReadonlyArray<string | undefined>

const readers: Readonly<Record<Exclude<Property, "not_status">, Values>> = {
  external_id: ({ external_id }) => [external_id],
  status: ({ status }) => [status],
  kind: ({ kind }) => [kind],
  currency: (transfer) => currencyFields.map((field) => transfer[field]?.currency_code),
  payment_method: ({ payment_method }) => [payment_method],
}

const currencyFields = moneyFields.filter((field) => !field.endsWith("_usd"))

const normal = (property: Property, value: string): string =>
  property === "external_id" || property === "not_status" ? value : value.toLowerCase()
