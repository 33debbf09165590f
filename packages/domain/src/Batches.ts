/**
 * Proposals for rows of a ledger that may be the sum of several transfers, made of what is left after matching. A
 * proposal is never a match: arithmetic cannot prove which transfers were paid out together.
 *
 * Two steps are tried: the sums of whole consecutive days, and the sums of all sets of few transfers. A step proposes
 * only if exactly one of its sums is the row's amount, and if its other sums make at most one in 1,000 of the amounts
 * within 10 % of it, which are at least 3,000. Sizes decide, never the time that it takes.
 */
import { isReadonlyArrayNonEmpty, type NonEmptyReadonlyArray } from "effect/Array"
import type * as DateTime from "effect/DateTime"
import * as Amount from "./Amount.ts"
import * as ComparedAmount from "./ComparedAmount.ts"
import * as Day from "./Day.ts"
import type { LedgerEntry } from "./internal/books/LedgerEntry.ts"
import * as SortedSums from "./internal/books/SortedSums.ts"
import type * as Money from "./Money.ts"
import type { Transfer } from "./Transfer.ts"

/** The most transfers whose sets are all tried: each further transfer doubles their number. */
export const mostOfSet = 18

/** The most days with transfers for which sums of whole days are tried. */
export const mostDays = 366

/** The most currencies in which sets are tried: all their sums are computed. */
export const mostCurrencies = 32

/** What was tried: whole consecutive days, or sets of transfers. */
export type Step = "days" | "sets"

/** Why a step proposes nothing. */
export type Refusal =
  /** None of the sums is the amount. */
  | { readonly _tag: "None"; readonly step: Step; readonly sums: number }
  | { readonly _tag: "Several"; readonly step: Step; readonly answers: number }
  /** Other sums make `made` of the `of` amounts that are near, so that one more proves nothing. */
  | { readonly _tag: "TooDense"; readonly step: Step; readonly made: number; readonly of: number }
  /** There are more transfers, or days with transfers, than are tried. */
  | { readonly _tag: "TooMany"; readonly step: Step; readonly found: number }
  /** Rows are left in more currencies, counted for each direction, than sets are tried in. */
  | { readonly _tag: "TooManyCurrencies"; readonly found: number }
  /** No transfer of the currency and the direction is left. */
  | { readonly _tag: "NoTransfer"; readonly currency: string }

/** The proposal for a row, or why there is none. */
export type Batch =
  | {
      readonly _tag: "Proposed"
      readonly step: Step
      readonly entry: LedgerEntry
      readonly transfers: NonEmptyReadonlyArray<Transfer>
    }
  | { readonly _tag: "Refused"; readonly entry: LedgerEntry; readonly why: NonEmptyReadonlyArray<Refusal> }

/** How amounts and days are taken. */
export interface Options {
  /** @default "source_total" */
  readonly amount?: ComparedAmount.ComparedAmount | undefined
  /** @default UTC */
  readonly timeZone?: DateTime.TimeZone | undefined
}

/**
 * Proposes transfers for each row that is left.
 *
 * @example
 * const other = { ...transfer, id: "tr_2", source_total: Money.parseUnsafe("1234.57", "fiat/USD") }
 * const entry = { reference: "line 2", key: "PAYOUT 7", amount: Money.parseUnsafe("1339.57", "fiat/USD") }
 * Batches.propose([entry], [transfer, other], {}).map(({ _tag }) => _tag) // => ["Proposed"]
 * Batches.propose([entry], [], {}).map(({ why }) => why) // => [[{ _tag: "NoTransfer", currency: "fiat/USD" }]]
 */
export const propose = (
  entries: ReadonlyArray<LedgerEntry>,
  transfers: ReadonlyArray<Transfer>,
  options: Options,
): ReadonlyArray<Batch> => {
  const scale = Math.max(0, ...entries.map(({ amount }) => Amount.scale(amount.text)))
  const pools = poolsOf(transfers, scale, options)
  const groups = Map.groupBy(entries.entries(), ([, { amount }]) => poolOf(amount))
  const found = [...groups.keys()].filter((name) => pools.has(name)).length
  const tooMany: Refusal | undefined = found > mostCurrencies ? { _tag: "TooManyCurrencies", found } : undefined
  // One pool after the other, so that the sums of one are held at a time.
  const batches = [...groups].flatMap(([name, rows]) => {
    const pool = pools.get(name)
    pools.delete(name)
    return rows.map(([index, entry]) => ({ index, batch: batchOf(entry, pool, tooMany) }))
  })
  return batches.toSorted((one, other) => one.index - other.index).map(({ batch }) => batch)
}

const batchOf = (entry: LedgerEntry, pool: Pool | undefined, tooMany: Refusal | undefined): Batch => {
  if (pool === undefined) {
    return { _tag: "Refused", entry, why: [{ _tag: "NoTransfer", currency: entry.amount.currency_code }] }
  }
  const target = unitsOf(entry.amount, pool.scale)
  const days = pool.days(target)
  if (!("_tag" in days)) return { _tag: "Proposed", step: "days", entry, transfers: days }
  const sets = tooMany ?? pool.sets(target)
  return "_tag" in sets
    ? { _tag: "Refused", entry, why: [days, sets] }
    : { _tag: "Proposed", step: "sets", entry, transfers: sets }
}

type Answer = NonEmptyReadonlyArray<Transfer> | Refusal

/** The transfers of a currency and a direction. Their sums are made once, when a row asks for them. */
interface Pool {
  readonly scale: number
  readonly days: (target: bigint) => Answer
  readonly sets: (target: bigint) => Answer
}

const poolOf = ({ text, currency_code }: Money.Money): string => `${text.startsWith("-") ? "-" : "+"}${currency_code}`

const unitsOf = ({ text }: Money.Money, scale: number): bigint => {
  const units = Amount.toUnits(text, scale)
  return units < 0n ? -units : units
}

interface Candidate {
  readonly transfer: Transfer
  readonly money: Money.Money
}

const poolsOf = (
  transfers: ReadonlyArray<Transfer>,
  least: number,
  { amount = "source_total", timeZone = Day.utc }: Options,
): Map<string, Pool> => {
  const candidates = transfers.flatMap((transfer): ReadonlyArray<Candidate> => {
    const money = ComparedAmount.of(transfer, amount)
    return money === undefined || /^-?[0.]*$/.test(money.text) ? [] : [{ transfer, money }]
  })
  const pools = new Map<string, Pool>()
  for (const [name, own] of Map.groupBy(candidates, ({ money }) => poolOf(money))) {
    const scale = Math.max(least, ...own.map(({ money }) => Amount.scale(money.text)))
    const units = own.map(({ money }) => unitsOf(money, scale))
    const unit = units.reduce(gcd, 0n)
    const of = (indexes: ReadonlyArray<number>) => indexes.flatMap((index) => own[index]?.transfer ?? [])
    const days = once(() =>
      daysOf(
        own.map(({ transfer }) => Day.of(transfer.created_at, timeZone)),
        units,
      ),
    )
    const sets = once(() => SortedSums.ofSets(units))
    pools.set(name, {
      scale,
      days: (target) => {
        const { sums, indexesOf, count } = days()
        if (count > mostDays) return { _tag: "TooMany", step: "days", found: count }
        return answerOf("days", { sums, target, unit }, (index) => of(indexesOf(index)))
      },
      sets: (target) => {
        if (own.length > mostOfSet) return { _tag: "TooMany", step: "sets", found: own.length }
        const isIn = (mask: number, index: number) => (mask & (1 << index)) !== 0
        return answerOf("sets", { sums: sets(), target, unit }, (mask) =>
          of(own.flatMap((_, index) => (isIn(mask, index) ? [index] : []))),
        )
      },
    })
  }
  return pools
}

const answerOf = (
  step: Step,
  { sums, target, unit }: { readonly sums: SortedSums.SortedSums; readonly target: bigint; readonly unit: bigint },
  transfersOf: (index: number) => ReadonlyArray<Transfer>,
): Answer => {
  const answers = SortedSums.count(sums, target, target)
  // The empty set does not count.
  const none: Refusal = { _tag: "None", step, sums: step === "sets" ? sums.all.length - 1 : sums.all.length }
  if (answers === 0) return none
  if (answers > 1) return { _tag: "Several", step, answers }
  const [from, to] = [(9n * target + 9n) / 10n, (11n * target) / 10n]
  const made = SortedSums.countDistinct(sums, from, to) - 1
  const of = Number(to / unit - (from + unit - 1n) / unit + 1n)
  if (of < leastNear || made * oneIn > of) return { _tag: "TooDense", step, made, of }
  const transfers = transfersOf(SortedSums.indexOf(sums, target))
  return isReadonlyArrayNonEmpty(transfers) ? transfers : none
}

/** Measured: with these, at most 0.1 % of the amounts of unknown transfers get a proposal of whole days. */
const leastNear = 3000
const oneIn = 1000

/** The sums of runs of days; days without a transfer are skipped, as weekends are. */
const daysOf = (dayOf: ReadonlyArray<string>, units: ReadonlyArray<bigint>) => {
  const names = [...new Set(dayOf)].toSorted()
  const runs: Array<readonly [first: number, last: number]> = []
  const all: Array<bigint> = []
  if (names.length <= mostDays) {
    const totals = names.map((name) => units.reduce((sum, one, index) => (dayOf[index] === name ? sum + one : sum), 0n))
    for (let first = 0; first < names.length; first++) {
      let sum = 0n
      for (let last = first; last < names.length; last++) {
        sum += totals[last] ?? 0n
        runs.push([first, last])
        all.push(sum)
      }
    }
  }
  const indexesOf = (run: number): ReadonlyArray<number> => {
    const [first = 0, last = 0] = runs[run] ?? []
    const [from = "", to = ""] = [names[first], names[last]]
    return dayOf.flatMap((day, index) => (day >= from && day <= to ? [index] : []))
  }
  return { sums: SortedSums.make(all), indexesOf, count: names.length }
}

const gcd = (a: bigint, b: bigint): bigint => (b === 0n ? a : gcd(b, a % b))

const once = <A>(make: () => A): (() => A) => {
  let made: { readonly value: A } | undefined
  return () => (made ??= { value: make() }).value
}
