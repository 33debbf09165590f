/**
 * The numbers that banks give the statements of an account: one is missing if a statement is, even if its entries add up to
 * zero. They begin again each year, and some banks repeat them.
 */
import type { StatementGap } from "../ledgers/Ledger.ts"

/** The numbers of one account in one year. */
interface Year {
  readonly account: string
  readonly numbers: Set<number>
  /** Whether each number so far is that of its day, so that days without a statement leave gaps. */
  isByDay: boolean
}

const mostNumbers = 100_000
const mostGaps = 20

/** Remembers the numbers of each account. */
export class StatementNumbers {
  readonly #years = new Map<string, Year>()
  #count = 0

  /** Takes the number of a statement, and the day of its closing balance: `2024-09-30`. */
  add(account: string, number: number, day: string): void {
    if (!Number.isSafeInteger(number) || ++this.#count > mostNumbers) return
    const key = `${day.slice(0, 4)} ${account}`
    const year = this.#years.get(key) ?? { account, numbers: new Set(), isByDay: true }
    this.#years.set(key, year)
    year.numbers.add(number)
    year.isByDay &&= number % 1000 === dayOfYear(day)
  }

  /** Where numbers are missing among those that follow one another otherwise. */
  gaps(): ReadonlyArray<StatementGap> {
    if (this.#count > mostNumbers) return []
    return [...this.#years.values()].flatMap(gapsOf).slice(0, mostGaps)
  }
}

const dayOfYear = (day: string): number => {
  const [at, from] = [day, `${day.slice(0, 4)}-01-01`].map((one) => Date.parse(`${one}T00:00:00Z`))
  return at === undefined || from === undefined ? Number.NaN : (at - from) / 86_400_000 + 1
}

const gapsOf = ({ account, numbers, isByDay }: Year): ReadonlyArray<StatementGap> => {
  if (isByDay) return []
  const sorted = [...numbers].toSorted((a, b) => a - b)
  const steps = sorted.slice(1).map((before, index) => ({ account, after: sorted[index] ?? before, before }))
  const gaps = steps.filter(({ after, before }) => before - after > 1)
  const missing = gaps.reduce((sum, { after, before }) => sum + before - after - 1, 0)
  // Of numbers that count something else, more are missing.
  return missing > Math.max(1, steps.length - gaps.length) ? [] : gaps
}
