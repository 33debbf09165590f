/** A statement of camt.053, on one page or several: what it says of its entries must be what was read. */
import { amountOf } from "./CamtFields.ts"
import * as Pages from "./Pages.ts"
import * as Statement from "./Statement.ts"
import type { StatementNumbers } from "./StatementNumbers.ts"
import { Succession } from "./Succession.ts"

/** The number and the sum of entries, in units of 10⁻¹⁸. */
interface Side {
  count: number
  sum: bigint
}

/** What was read: the entries of each side, booked or not. */
class Sums {
  readonly credit: Side = { count: 0, sum: 0n }
  readonly debit: Side = { count: 0, sum: 0n }

  add(units: bigint, isDebit: boolean): void {
    const side = isDebit ? this.debit : this.credit
    side.count++
    side.sum += units < 0n ? -units : units
  }

  addAll({ credit, debit }: Sums): void {
    for (const [own, other] of [
      [this.credit, credit],
      [this.debit, debit],
    ] as const) {
      own.count += other.count
      own.sum += other.sum
    }
  }

  get net(): bigint {
    return this.credit.sum - this.debit.sum
  }
}

/** What the bank says of the entries (TxsSummry), by path. */
type Summary = ReadonlyMap<string, string>

/** The figures of a summary: a path, and the values that it may have. */
const figures: ReadonlyArray<
  readonly [path: string, kind: "count" | "sum", of: (sums: Sums) => ReadonlyArray<bigint>]
> = [
  ["TtlNtries/NbOfNtries", "count", ({ credit, debit }) => [BigInt(credit.count + debit.count)]],
  // Some banks give the net of both sides.
  ["TtlNtries/Sum", "sum", ({ credit, debit, net }) => [credit.sum + debit.sum, net < 0n ? -net : net]],
  ["TtlNtries/TtlNetNtry/Amt", "sum", ({ net }) => [net < 0n ? -net : net]],
  ["TtlNtries/TtlNetNtryAmt", "sum", ({ net }) => [net < 0n ? -net : net]],
  ["TtlCdtNtries/NbOfNtries", "count", ({ credit }) => [BigInt(credit.count)]],
  ["TtlCdtNtries/Sum", "sum", ({ credit }) => [credit.sum]],
  ["TtlDbtNtries/NbOfNtries", "count", ({ debit }) => [BigInt(debit.count)]],
  ["TtlDbtNtries/Sum", "sum", ({ debit }) => [debit.sum]],
]

/** The paths below a summary that are held against the entries. */
export const figurePaths: ReadonlySet<string> = new Set(figures.map(([path]) => path))

/** Why a summary is not that of the entries, as a clause. It may count those that are not booked, or leave them out. */
const difference = (summary: Summary, booked: Sums, all: Sums): string | undefined => {
  for (const [path, kind, of] of figures) {
    const text = summary.get(path)?.trim()
    if (text === undefined) continue
    const stated =
      kind === "count"
        ? /^[0-9]{1,15}$/.test(text)
          ? BigInt(text)
          : undefined
        : Statement.units(amountOf(text), false)
    const found = [...of(booked), ...of(all)]
    if (stated !== undefined && found.includes(stated)) continue
    const [own = 0n] = found
    const read = kind === "count" ? String(own) : Statement.toText(own)
    return `its summary (TxsSummry/${path}) says ${JSON.stringify(text.slice(0, 64))}, and its entries give ${read}`
  }
  return undefined
}

/** A balance of a statement. */
export interface Balance {
  readonly units: bigint
  readonly currency: string | undefined
}

/** What one page says, and what was read from it. */
export class Page {
  readonly place: string
  readonly balances = new Map<string, Balance>()
  readonly booked = new Sums()
  readonly all = new Sums()
  /** The first entry of each of the first two currencies. */
  readonly currencies = new Map<string, string>()
  readonly summary = new Map<string, string>()
  account = ""
  id = ""
  /** The number of its statement, if it has one, and the day of its closing balance. */
  sequence = Number.NaN
  day = ""
  number = 1
  isLast = true

  constructor(place: string) {
    this.place = place
  }

  /** Takes a booked entry. */
  add(entry: { readonly units: bigint; readonly isDebit: boolean; readonly currency: string; readonly place: string }) {
    this.booked.add(entry.units, entry.isDebit)
    this.all.add(entry.units, entry.isDebit)
    const { currency, place } = entry
    if (this.currencies.size < 2 && !this.currencies.has(currency)) this.currencies.set(currency, place)
  }

  /** Takes an entry that is not booked, and may lack an amount. */
  addPending(units: bigint | undefined, isDebit: boolean | undefined): void {
    this.all.add(units ?? 0n, isDebit ?? false)
  }
}

interface Started {
  opening: Balance | undefined
  readonly place: string
  readonly booked: Sums
  readonly all: Sums
  /** The summaries that are not those of their own page: they must be those of the whole statement. */
  readonly whole: Array<{ readonly summary: Summary; readonly place: string }>
}

const complete = "Is the statement complete? Export it again"

/** The statements of a file. */
export class CamtStatements {
  readonly #pages = new Pages.Pages()
  readonly #started = new Map<string, Started>()
  readonly #succession = new Succession()
  readonly #numbers: StatementNumbers
  readonly #unbalanced: () => void

  /** `unbalanced` is called for each statement that is not held to its balances, and to those of the one before it. */
  constructor(numbers: StatementNumbers, unbalanced: () => void) {
    this.#numbers = numbers
    this.#unbalanced = unbalanced
  }

  /** Takes a page of a message. */
  message(page: Pages.Page, place: string): void {
    this.#pages.turn("message", page, place)
  }

  /** Takes a page that was read to its end. Throws an `Error` if it is another than its statement says. */
  end(page: Page): void {
    const { place, account, number, isLast, summary } = page
    const key = `account ${account}`
    const isPart = this.#pages.has(key) || !isLast || number !== 1
    if (isPart) this.#pages.turn(key, { number, isLast }, place)
    const { balances, booked, all } = page
    checkCurrencies(page)
    const started = this.#started.get(key) ?? {
      opening: balances.get("OPBD") ?? balances.get("PRCD"),
      place,
      booked: new Sums(),
      all: new Sums(),
      whole: [],
    }
    started.booked.addAll(booked)
    started.all.addAll(all)
    const reason = difference(summary, booked, all)
    if (reason !== undefined && !isPart) throw new Error(`${place}: ${reason}. ${complete}`)
    if (reason !== undefined) started.whole.push({ summary, place })
    if (isPart && !isLast) {
      this.#started.set(key, started)
      return
    }
    this.#started.delete(key)
    for (const { summary: own, place: where } of started.whole) {
      const other = difference(own, started.booked, started.all)
      if (other !== undefined) throw new Error(`${where}: ${other}. ${complete}`)
    }
    if (account !== "") this.#numbers.add(account, page.sequence, page.day)
    this.#checkBalances(page, started)
  }

  #checkBalances({ account, id, day, balances, place }: Page, started: Started): void {
    const [{ opening, booked }, closing] = [started, balances.get("CLBD")]
    if (opening === undefined || closing === undefined) return this.#unbalanced()
    if (opening.currency !== closing.currency) throw new Error(`${place}: its balances have two currencies`)
    const reason = Statement.imbalance(opening.units, booked.net, closing.units)
    if (reason !== undefined) throw new Error(`${place}: ${reason}`)
    if (account === "") return this.#unbalanced()
    const gap = this.#succession.add(`${account} ${closing.currency}`, {
      opening: opening.units,
      closing: closing.units,
      name: id === "" || booked.credit.count + booked.debit.count === 0 ? undefined : `${id} ${day}`,
    })
    if (gap !== undefined) throw new Error(`${started.place}: ${gap}`)
  }

  /** Throws an `Error` if a message or a statement goes on. */
  finish(): void {
    this.#pages.end()
  }
}

/** The entries of a statement are in the currency of its balances. */
const checkCurrencies = ({ balances, currencies }: Page): void => {
  const stated = [...balances.values()].find(({ currency }) => currency !== undefined)?.currency
  for (const [currency, place] of currencies) {
    if (stated !== undefined && currency !== stated) {
      throw new Error(
        `${place}: it is in ${currency.slice(0, 64)}, and the balances of its statement are in ${stated.slice(0, 64)}. Export the account of each currency by itself`,
      )
    }
  }
}
