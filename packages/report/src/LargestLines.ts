/** The largest of any number of breaks, for a page that cannot show them all. */
import * as Money from "@transferkit/domain/Money"
import * as ReconciliationLines from "./ReconciliationLines.ts"

/** Some lines, in the order of the report. */
export interface LargestLines {
  readonly lines: ReadonlyArray<ReconciliationLines.Line>
  /** How many smaller ones were left out. */
  readonly omitted: number
}

interface Candidate {
  readonly line: ReconciliationLines.Line
  readonly index: number
  readonly size: Money.Money | undefined
}

/**
 * Picks the largest lines, by their value in US dollars, or else by their difference or amount. Two of three are lines
 * with a value, if there are that many. Currencies have no common scale: so of the others the largest of each currency
 * come first, then the second largest of each, and so on.
 */
export const of = (lines: Iterable<ReconciliationLines.Line>, most: number): LargestLines => {
  let candidates: ReadonlyArray<Candidate> = []
  let waiting: Array<Candidate> = []
  let count = 0
  for (const line of lines) {
    const money = line.usd ?? ReconciliationLines.sizeOf(line)
    waiting.push({ line, index: count++, size: money && Money.abs(money) })
    if (waiting.length < most) continue
    candidates = largest([...candidates, ...waiting], most)
    waiting = []
  }
  candidates = largest([...candidates, ...waiting], most)
  const kept = candidates.toSorted((a, b) => a.index - b.index).map(({ line }) => line)
  return { lines: kept, omitted: count - kept.length }
}

const largest = (candidates: ReadonlyArray<Candidate>, most: number): ReadonlyArray<Candidate> => {
  if (candidates.length <= most) return candidates
  const valued = candidates.filter(({ line }) => line.usd !== undefined).toSorted(bySize)
  const others = candidates.length - valued.length
  const own = valued.slice(0, Math.max(Math.ceil((most * 2) / 3), most - others))
  return [
    ...own,
    ...ofEachCurrency(candidates.filter(({ line }) => line.usd === undefined)).slice(0, most - own.length),
  ]
}

/** The largest of each currency, then the second largest, and so on. */
const ofEachCurrency = (candidates: ReadonlyArray<Candidate>): ReadonlyArray<Candidate> => {
  const ranked = [...Map.groupBy(candidates, ({ size }) => size?.currency_code ?? "")].flatMap(([code, own]) =>
    own.toSorted(bySize).map((candidate, rank) => ({ candidate, code, rank })),
  )
  return ranked.toSorted((a, b) => a.rank - b.rank || (a.code < b.code ? -1 : 1)).map(({ candidate }) => candidate)
}

const bySize = (a: Candidate, b: Candidate): number => {
  const order = a.size === undefined || b.size === undefined ? 0 : Money.Order(b.size, a.size)
  return order || a.index - b.index
}
