/** The rows below a ledger's header, one after another: bookings, and rows that are left out. */
import type { LedgerEntry } from "@transferkit/domain/Reconciliation"
import * as Result from "effect/Result"
import * as CsvRows from "../formats/CsvRows.ts"
import * as Booking from "./Booking.ts"
import * as Direction from "./Direction.ts"
import type { KeyOf } from "./KeyPattern.ts"
import type * as Ledger from "./Ledger.ts"
import * as LedgerAmount from "./LedgerAmount.ts"
import type * as LedgerColumns from "./LedgerColumns.ts"
import type { LedgerLayout } from "./LedgerLayout.ts"
import * as NoBooking from "./NoBooking.ts"
import { RunningBalance, unitsOf } from "./RunningBalance.ts"

const orThrow: <A>(result: Result.Result<A, string>) => A = Result.getOrThrowWith((reason) => new Error(reason))

const maxSums = 20

/** Many more than there are of countries and the tokens of a service: totals are kept for each. */
const maxCurrencies = 1000

/** Reads rows. Throws an `Error` that names the first that it cannot read. */
export class LedgerRows {
  readonly #layout: LedgerLayout
  readonly #options: Ledger.LedgerOptions
  readonly #isRectangular: boolean
  /** Whether a row may be a total, or look like one. The balances of a statement prove that each of its rows is a booking. */
  readonly #mayHaveTotals: boolean
  readonly #sums: NoBooking.Sums
  readonly #parts: ReadonlySet<number | undefined>
  readonly #skip: ReadonlyArray<NoBooking.SkipRow & { readonly index: number | undefined }>
  readonly #isProof: boolean
  readonly #keyOf: KeyOf | undefined
  readonly #account: { readonly number: string; readonly own: number; readonly contra: number } | undefined
  readonly #currencies = new Set<string>()
  readonly #grouping: { [Shown in LedgerAmount.Grouping]?: LedgerAmount.Cell } = {}
  readonly #directions: { marker?: LedgerAmount.Cell; none?: LedgerAmount.Cell } = {}
  readonly balance = new RunningBalance()
  readonly leftOut = new NoBooking.Tally()
  readonly sums: Array<Ledger.Sum> = []
  rows = 0
  numbers = 0
  rounded = 0
  hasKey = false

  /** `isProof` tries a sign: a broken balance is no error then. */
  constructor(
    layout: LedgerLayout,
    options: Ledger.LedgerOptions,
    table: Ledger.Table,
    { isProof = false, keyOf }: { readonly isProof?: boolean; readonly keyOf?: KeyOf | undefined } = {},
  ) {
    this.#keyOf = keyOf
    this.#layout = layout
    this.#options = options
    this.#isRectangular = table.isRectangular === true
    this.#mayHaveTotals =
      table.keyQuestion === undefined && options.skipRows.every(({ text }) => text !== NoBooking.skipNone)
    this.#isProof = isProof
    const { columns, sign } = layout
    this.#sums = new NoBooking.Sums(sign._tag === "Columns" ? 2 : 1)
    const amounts = sign._tag === "Columns" ? [sign.in, sign.out] : [columns.amount]
    this.#parts = new Set([columns.key, columns.currency, ...amounts])
    this.#skip = options.skipRows
      .map((skip) => NoBooking.inColumn(skip, layout.header))
      .map((skip) => ({
        ...skip,
        index: skip.column === undefined ? undefined : indexOf(layout.header, skip.column),
      }))
    const { account } = options
    this.#account = account && {
      number: account.number.trim(),
      own: indexOf(layout.header, account.own),
      contra: indexOf(layout.header, account.contra),
    }
  }

  /** The booking of a row, if it is one. */
  read(tableRow: Ledger.TableRow): LedgerEntry | undefined {
    const { columns, header } = this.#layout
    const { place, cells } = tableRow
    if (this.#isSkipped(cells)) return this.#leave("named", tableRow)
    if (this.#isRectangular && cells.length !== header.length) {
      if (isTitle(cells, columns)) return this.#leave("title", tableRow)
      throw new Error(`${CsvRows.otherWidth(place, cells.length)}${skipAdvice(cells)}`)
    }
    const found = Booking.fromRow(tableRow, columns)
    const row = this.#keyOf === undefined ? found : { ...found, key: this.#keyIn(found, this.#keyOf) }
    const hasKey = row.key !== undefined && row.key.trim() !== ""
    if (hasKey && found.key === header[columns.key ?? -1] && isSame(cells, header))
      return this.#leave("header", tableRow)
    if (!hasKey && this.#amountCells(cells).every((cell) => cell === undefined || !/[\p{L}\p{N}]/u.test(cell))) {
      return this.#leave("title", tableRow)
    }
    if (!hasKey && this.#mayHaveTotals && this.#isTotal(row, found.key, tableRow)) {
      this.#sums.endGroup()
      return this.#leave("total", tableRow)
    }
    const word = hasKey ? (NoBooking.isWord(row.key?.trim() ?? "") ? row.key : undefined) : NoBooking.wordOf(cells)
    if (this.#mayHaveTotals && word !== undefined) throw new Error(NoBooking.question(place, word.trim()))
    const account = this.#accountOf(cells)
    if (account === "other") return this.#leave("account", tableRow)
    return this.#booking(row, tableRow, account === "contra")
  }

  /** Checks what only the end can show. */
  end(): void {
    if (this.balance.broken !== undefined && !this.#isProof) throw new Error(this.balance.broken)
  }

  /** Where one's own account stands in a row of a journal. */
  #accountOf(cells: ReadonlyArray<string | undefined>): "own" | "contra" | "other" {
    if (this.#account === undefined) return "own"
    const { number, own, contra } = this.#account
    if (cells[own]?.trim() === number) return "own"
    return cells[contra]?.trim() === number ? "contra" : "other"
  }

  #booking(unsigned: Booking.Booking, tableRow: Ledger.TableRow, turns: boolean): LedgerEntry {
    const signed = orThrow(Booking.withSign(unsigned, tableRow, this.#layout.sign))
    const row = turns ? { ...signed, isOut: signed.isOut !== true } : signed
    const { amount: kind } = row.numbers
    this.rows++
    if (kind === "rounded") this.rounded++
    if (kind === "rounded" || kind === "exact") this.numbers++
    const entry = this.#entryOf(row, tableRow.cells)
    if (this.#currencies.add(entry.amount.currency_code).size > maxCurrencies) {
      const which = "Which column has the currency? Name it with --map currency=COLUMN"
      throw new Error(`${row.place}: the ledger has more than ${maxCurrencies} currencies. ${which}`)
    }
    const key = entry.key
    this.hasKey ||= key !== ""
    const text = this.#options.flipSign ? negated(entry.amount.text) : entry.amount.text
    this.#addBalance(tableRow, text)
    const amounts =
      this.#layout.sign._tag !== "Columns" ? [text] : row.isOut ? [undefined, negated(text)] : [text, undefined]
    if (key !== "" && this.#mayHaveTotals && this.sums.length < maxSums) {
      const rows = this.#sums.equal(amounts)
      if (rows !== undefined) this.sums.push({ place: row.place, key, rows })
    }
    this.#sums.add(amounts, tableRow.cells, row.currency?.trim())
    return entry
  }

  /** An entry. If its amount contradicts the detected decimal sign, both cells are named. */
  #entryOf(row: Booking.Booking, cells: ReadonlyArray<string | undefined>): LedgerEntry {
    const { decimalShownBy } = this.#layout
    const isText = row.numbers.amount === undefined
    if (decimalShownBy === undefined && isText && this.#options.decimal === undefined) {
      const shown = JSON.stringify(row.amount?.slice(0, 64) ?? "")
      throw new Error(`${row.place}: the amount ${shown} is a text among numbers. Name its decimal sign with --decimal`)
    }
    const entry = Booking.toEntry(row, this.#layout, this.#options)
    const proof = decimalShownBy?.proof
    if (Result.isFailure(entry) && proof !== undefined && isText) {
      orThrow(LedgerAmount.detect([proof, { text: row.amount ?? "", place: row.place }]))
    }
    if (isText && Result.isSuccess(entry)) {
      const cell = { text: row.amount ?? "", place: row.place }
      this.#checkGrouping(cell)
      if (row.isOut === undefined) this.#checkDirection(cell)
    }
    const isKeyless = (row.key ?? "").trim() === ""
    return orThrow(Result.mapError(entry, (reason) => (isKeyless ? `${reason}${skipAdvice(cells)}` : reason)))
  }

  #checkGrouping(cell: LedgerAmount.Cell): void {
    const grouping = LedgerAmount.groupingOf(cell.text)
    if (grouping === undefined) return
    this.#grouping[grouping] ??= cell
    const { lakh, thousands } = this.#grouping
    if (lakh === undefined || thousands === undefined) return
    throw new Error(
      `${thousands.place} has groups of three digits (${thousands.text.trim().slice(0, 64)}), ${lakh.place} groups of two (${lakh.text.trim().slice(0, 64)}): write all alike`,
    )
  }

  /** Beside amounts with a marker, one without is money in or out: that depends on the account. */
  #checkDirection(cell: LedgerAmount.Cell): void {
    const direction = Direction.shownBy(cell.text)
    if (direction === "marker") this.#directions.marker ??= cell
    if (direction === "none") this.#directions.none ??= cell
    const { marker, none } = this.#directions
    if (marker === undefined || none === undefined || Direction.isIn("", this.#options.markers) !== undefined) return
    const [own, other] = [none, marker].map(({ text }) => JSON.stringify(text.trim().slice(0, 64)))
    throw new Error(
      `${none.place} has an amount without a marker (${own}), and ${marker.place} one with a marker (${other}): which side those without are on depends on the account. Say --marker-in "" or --marker-out ""`,
    )
  }

  #keyIn({ place, key }: Booking.Booking, keyOf: KeyOf): string {
    return Result.getOrThrowWith(keyOf(key ?? ""), (reason) => new Error(`${place}: ${reason}`))
  }

  #isSkipped(cells: ReadonlyArray<string | undefined>): boolean {
    const day = cells[this.#layout.columns.date ?? -1]?.trim() ?? ""
    return this.#skip.some((skip) => {
      if (skip.undated === true && day !== "" && !NoBooking.isSkipped(day, skip)) return false
      if (skip.column !== undefined) return NoBooking.isSkipped(cells[skip.index ?? -1], skip)
      return cells.some((cell) => NoBooking.isSkipped(cell, skip))
    })
  }

  /** What a person leaves out may move money: the balance begins anew. No other row does, so that its balance is the last. */
  #leave(reason: NoBooking.Reason, { place, cells, numbers }: Ledger.TableRow): undefined {
    this.leftOut.add(reason, place)
    const { balance } = this.#layout.columns
    if (balance === undefined) return undefined
    const cell = cells[balance]
    const text =
      cell === undefined || cell.trim() === "" ? undefined : numbers?.has(balance) ? cell : this.#textOf(cell)
    const units = text === undefined ? undefined : unitsOf(text)
    if (reason === "named" || reason === "account") this.balance.restart(units)
    else if (units !== undefined) this.balance.add(place, 0n, units)
    return undefined
  }

  #addBalance({ place, cells, numbers }: Ledger.TableRow, amount: string): void {
    const { balance } = this.#layout.columns
    if (balance === undefined) return
    const cell = cells[balance]
    const units = unitsOf(amount)
    if (units === undefined) return this.balance.restart()
    if (cell === undefined || cell.trim() === "") return this.balance.add(place, units, undefined)
    const text = numbers?.has(balance) ? cell : this.#textOf(cell)
    if (text === undefined)
      throw new Error(`${place}: its balance ${JSON.stringify(cell.trim().slice(0, 64))} is not an amount`)
    this.balance.add(place, units, unitsOf(text))
  }

  /** The text of an amount of another column, with the sign of its marker. */
  #textOf(cell: string): string | undefined {
    const { decimal } = this.#layout
    const { thousands, markers } = this.#options
    const read = LedgerAmount.read(cell, { decimal, thousands })
    if (Result.isFailure(read)) return undefined
    const { text, marker } = read.success
    const isIn = marker === undefined ? true : Direction.isIn(marker, markers)
    return isIn === undefined ? undefined : isIn ? text : negated(text)
  }

  #amountCells(cells: ReadonlyArray<string | undefined>): ReadonlyArray<string | undefined> {
    const { sign, columns } = this.#layout
    return sign._tag === "Columns" ? [cells[sign.in], cells[sign.out]] : [cells[columns.amount ?? -1]]
  }

  /** Whether a row without a key is the exact sum of the rows above. */
  #isTotal(row: Booking.Booking, keyText: string | undefined, tableRow: Ledger.TableRow): boolean {
    const { cells, numbers } = tableRow
    const { sign } = this.#layout
    // A text without a key in it is that of a booking.
    const lacks = (keyText ?? "").trim() === "" && this.#sums.lacks(cells, this.#parts)
    if (NoBooking.wordOf(cells) === undefined && !lacks) return false
    if (sign._tag === "Columns") {
      const texts = [sign.in, sign.out].map((index) => {
        const cell = cells[index]
        return Direction.isNothing(cell) ? "0" : numbers?.has(index) ? cell : this.#textOf(cell ?? "")
      })
      return this.#isSum(texts, tableRow)
    }
    const signed = Booking.withSign(row, tableRow, sign)
    const amount = Result.flatMap(signed, (found) => Booking.amountOf(found, this.#layout, this.#options))
    return Result.isSuccess(amount) && this.#isSum([amount.success.text], tableRow)
  }

  /** Whether amounts are the sums of those above, and no running balance has them as those of a booking. */
  #isSum(amounts: ReadonlyArray<string | undefined>, { cells, numbers }: Ledger.TableRow): boolean {
    if (amounts.includes(undefined) || this.#sums.equal(amounts) === undefined) return false
    const { balance: index } = this.#layout.columns
    const cell = index === undefined ? undefined : cells[index]
    if (index === undefined || cell === undefined || cell.trim() === "") return true
    const [balance, into, out = 0n] = [numbers?.has(index) ? cell : this.#textOf(cell), ...amounts].map((text) =>
      unitsOf(text ?? ""),
    )
    return balance === undefined || into === undefined || !this.balance.follows(into - out, balance)
  }
}

const indexOf = (header: ReadonlyArray<string>, column: string): number => {
  const index = header.findIndex((name) => name.trim().toLowerCase() === column.trim().toLowerCase())
  if (index === -1) throw new Error(`it has no column ${JSON.stringify(column)}, which says what rows to leave out`)
  return index
}

const negated = (text: string): string =>
  text.startsWith("-") ? text.slice(1) : /[1-9]/.test(text) ? `-${text}` : text

const isSame = (cells: ReadonlyArray<string | undefined>, header: ReadonlyArray<string>): boolean =>
  header.every((name, index) => name.trim() === (cells[index]?.trim() ?? ""))

const filledOf = (cells: ReadonlyArray<string | undefined>) =>
  cells.flatMap((cell, index) => (cell === undefined || cell.trim() === "" ? [] : [{ text: cell.trim(), index }]))

/**
 * A row of one text, at its beginning, which is neither a key nor an amount: its other cells are empty, or not written.
 * A line break in a cell cuts a row in two, but never so that its key or its amount stands in such a row.
 */
const isTitle = (cells: ReadonlyArray<string | undefined>, columns: LedgerColumns.Columns): boolean => {
  const [only, ...others] = filledOf(cells)
  if (only === undefined || others.length > 0 || only.index !== 0 || columns.key === 0) return false
  return !/^[-+(]?[0-9.,' ]+\)?$/.test(only.text)
}

const skipAdvice = (cells: ReadonlyArray<string | undefined>): string => {
  const [first] = filledOf(cells)
  const text = JSON.stringify(first?.text.slice(0, 64) ?? "")
  return `. If it is no booking, leave it out with --skip-row ${text}`
}
