/**
 * Rows of a ledger that are no bookings: titles, repeats of the header, and totals. They are left out only with proof:
 * a title has neither a key nor an amount, and a total is the exact sum of the rows above. What only looks like one is
 * asked about.
 */
import { ColumnSum } from "./ColumnSum.ts"

/** Why a row was left out. */
export const reasons = ["title", "header", "total", "named", "account"] as const

/** One of {@link reasons}: `named` rows were named by a person, those of `account` are of another account. */
export type Reason = (typeof reasons)[number]

/** Rows that were left out. */
export interface LeftOut {
  readonly reason: Reason
  readonly rows: number
  /** The places of the first of them. */
  readonly places: ReadonlyArray<string>
}

const maxPlaces = 20

/** Counts rows that were left out, with the places of the first. */
export class Tally {
  readonly #counts = new Map<Reason, { rows: number; readonly places: Array<string> }>()

  add(reason: Reason, place: string): void {
    const found = this.#counts.get(reason) ?? { rows: 0, places: [] }
    this.#counts.set(reason, found)
    found.rows++
    if (found.places.length < maxPlaces) found.places.push(place)
  }

  get counts(): ReadonlyArray<LeftOut> {
    return reasons.flatMap((reason) => {
      const found = this.#counts.get(reason)
      return found === undefined ? [] : [{ reason, ...found }]
    })
  }

  reset(): void {
    this.#counts.clear()
  }
}

/** A row to leave out: one of its cells, or the one of a column, has a text. `*` at its end stands for any text. */
export interface SkipRow {
  readonly column?: string
  readonly text: string
  /** Whether only a row without a day is left out: a booking may have the text in what its payer wrote. */
  readonly undated?: boolean
}

/** `column=text` is the text of a column, if the ledger has one of this name. */
export const inColumn = (skip: SkipRow, header: ReadonlyArray<string>): SkipRow => {
  const at = skip.text.indexOf("=")
  const name = skip.text.slice(0, Math.max(0, at)).trim().toLowerCase()
  if (skip.column !== undefined || name === "") return skip
  const column = header.find((one) => one.trim().toLowerCase() === name)
  return column === undefined ? skip : { column, text: skip.text.slice(at + 1) }
}

/** The answer that rows that look like totals or balances are bookings. */
export const skipNone = "none"

/** Whether a cell has the text of rows to leave out. */
export const isSkipped = (cell: string | undefined, { text }: SkipRow): boolean => {
  const found = cell?.trim() ?? ""
  if (found === "") return false
  return text.endsWith("*") ? found.startsWith(text.slice(0, -1).trimStart()) : found === text.trim()
}

const total =
  /^(?:(?:grand |sub-?)?totals?|sum|summe|gesamt(?:summe|betrag)?|zwischensumme|endsumme|somme|sous-total|total g[eé]n[eé]ral|suma|net movement)(?:[ :]|$)/i

const balance =
  /^(?:(?:opening|closing|starting|ending|beginning) balance|balance (?:brought|carried|b\/f|c\/f)|(?:brought|carried) forward|anfangs(?:saldo|bestand)|end(?:saldo|bestand)|schluss(?:saldo|bestand)|saldovortrag|(?:neuer|alter) saldo|solde (?:initial|final|pr[eé]c[eé]dent|d'ouverture|de cl[oô]ture)|saldo (?:inicial|final|anterior))/i

/** A cell that names a total or a balance, in a row without a key. */
export const wordOf = (cells: ReadonlyArray<string | undefined>): string | undefined =>
  cells.find((cell) => cell !== undefined && isLike(cell.trim()))?.trim()

const isLike = (text: string): boolean => total.test(text) || balance.test(text)

/** Whether a key is only the word for a total or a balance. */
export const isWord = (key: string): boolean => {
  const [word] = total.exec(key) ?? balance.exec(key) ?? []
  return word !== undefined && word.trim().replace(/:$/, "").length === key.replace(/:$/, "").length
}

/** What to ask about a row that looks like a total or a balance. */
export const question = (place: string, text: string): string => {
  const shown = JSON.stringify(text.slice(0, 64))
  return `${place}: ${shown} looks like a total or a balance, not like a booking, and no sum proves it. Leave such rows out with --skip-row ${shown}; if they are bookings, say --skip-row none`
}

/** The sums of the bookings since the header and since the last total, to know totals by. */
export class Sums {
  readonly #all: ReadonlyArray<ColumnSum>
  readonly #since: ReadonlyArray<ColumnSum>
  #bookings = 0
  #bookingsSince = 0
  #currency: string | undefined
  #isMixed = false
  /** The columns that every booking fills, by index. */
  #filled: Set<number> | undefined

  /** `columns` is the number of columns of amounts. */
  constructor(columns: number) {
    this.#all = Array.from({ length: columns }, () => new ColumnSum())
    this.#since = Array.from({ length: columns }, () => new ColumnSum())
  }

  /** Takes a booking into account: the amounts of its columns, and all of its cells. */
  add(
    amounts: ReadonlyArray<string | undefined>,
    cells: ReadonlyArray<string | undefined>,
    currency: string | undefined,
  ): void {
    this.#bookings++
    this.#bookingsSince++
    amounts.forEach((amount, index) => {
      if (amount === undefined) return
      this.#all[index]?.add(amount)
      this.#since[index]?.add(amount)
    })
    if (this.#bookings === 1) this.#currency = currency
    else if (this.#currency !== currency) this.#isMixed = true
    this.#filled ??= new Set(cells.keys())
    if (this.#filled.size === 0) return
    for (const index of this.#filled) if (isBlank(cells[index])) this.#filled.delete(index)
  }

  /** How many bookings add up to the amounts of a row, if exactly at least two of them do. */
  equal(amounts: ReadonlyArray<string | undefined>): number | undefined {
    if (this.#isMixed) return undefined
    const isSum = (sums: ReadonlyArray<ColumnSum>) =>
      amounts.every((amount, index) => sums[index]?.equals(amount ?? "0"))
    if (this.#bookingsSince > 1 && isSum(this.#since)) return this.#bookingsSince
    return this.#bookings > 1 && isSum(this.#all) ? this.#bookings : undefined
  }

  /**
   * Whether a row lacks a cell that every booking fills. If the bookings fill nothing but the given columns, no more can
   * be asked of a total.
   */
  lacks(cells: ReadonlyArray<string | undefined>, columns: ReadonlySet<number | undefined>): boolean {
    const others = [...(this.#filled ?? [])].filter((index) => !columns.has(index))
    return others.length === 0 || others.some((index) => isBlank(cells[index]))
  }

  /** Begins a new group below a total. */
  endGroup(): void {
    this.#bookingsSince = 0
    for (const sum of this.#since) sum.reset()
  }
}

const isBlank = (cell: string | undefined): boolean => cell === undefined || cell.trim() === ""
