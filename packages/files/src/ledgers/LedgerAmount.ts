/**
 * Amounts as people and spreadsheets write them: a decimal comma, thousands separators, `(28.49)`, `941.13 EUR`,
 * `1,234.56 CR`. A text that can be read in two ways is never guessed.
 */
import * as Amount from "@transferkit/domain/Amount"
import * as Result from "effect/Result"
import * as LedgerCurrency from "./LedgerCurrency.ts"
import * as SpreadsheetLoss from "./SpreadsheetLoss.ts"

/** The sign before the fraction of an amount. */
export type Decimal = "." | ","

/** How the amounts of a ledger are written. */
export interface LedgerAmountFormat {
  readonly decimal: Decimal
  /** Any of `.`, `,`, `'` and blanks if absent, the same throughout an amount. */
  readonly thousands: string | undefined
}

/** An amount in the grammar of `Amount`, and what else is in its cell. */
export interface LedgerAmount {
  readonly text: string
  /** A code such as `EUR`. */
  readonly currency: string | undefined
  /** The sign of several currencies, `$` or `¥`. */
  readonly sign?: string
  /** `CR`, `DR`, `H` or `S` behind the amount. */
  readonly marker?: string
}

/** A cell and its place, for an error. */
export interface Cell {
  readonly text: string
  readonly place: string
}

/**
 * The decimal sign of a column, if its cells leave no doubt; or, as a clause, what to ask about.
 *
 * @example
 * LedgerAmount.detect([{ text: "1.241", place: "line 2" }, { text: "28,49", place: "line 3" }]) // => Result.succeed(",")
 */
export const detect = (cells: Iterable<Cell>): Result.Result<Decimal, string> => {
  const proof: { [sign in Decimal]?: Cell } = {}
  let doubtful: Cell | undefined
  for (const cell of cells) {
    const sign = signOf(cell.text)
    if (sign === "doubtful") doubtful ??= cell
    else if (sign !== undefined) proof[sign] ??= cell
  }
  const [point, comma] = [proof["."], proof[","]]
  if (point !== undefined && comma !== undefined) {
    return Result.fail(
      `${point.place} has a decimal point (${point.text.trim()}), ${comma.place} a decimal comma (${comma.text.trim()}): write all alike`,
    )
  }
  if (comma !== undefined) return Result.succeed(",")
  if (point === undefined && doubtful !== undefined) {
    const { place, text } = doubtful
    const [whole = ""] = text.trim().split(/[.,]/)
    const other = text.trim().replace(/[.,]/, "")
    return Result.fail(
      `${place}: ${text.trim()} may be ${other} or ${whole} and a fraction: say which with --decimal . or --decimal ,`,
    )
  }
  return Result.succeed(".")
}

/** The decimal sign that a cell shows. */
export const signOf = (cell: string): Decimal | "doubtful" | undefined => {
  const parts = partsOf(cell)
  return parts === undefined ? undefined : (parts.dashes ?? decimalOf(parts.digits))
}

/** Which sign is the decimal one, if the digits show it. */
const decimalOf = (digits: string): Decimal | "doubtful" | undefined => {
  const [points, commas] = [digits.split(".").length - 1, digits.split(",").length - 1]
  if (points === 0 && commas === 0) return undefined
  const last: Decimal = digits.lastIndexOf(".") > digits.lastIndexOf(",") ? "." : ","
  if (points > 0 && commas > 0) return last
  if (points + commas > 1) return SpreadsheetLoss.isDate(digits) ? undefined : last === "." ? "," : "."
  const [whole = "", fraction = ""] = digits.split(last)
  const isGroup = fraction.length === 3 && /^[1-9][0-9]{0,2}$/.test(whole)
  return isGroup ? "doubtful" : last
}

/** Groups of three digits; or, in India, of two before the last three. */
export type Grouping = "thousands" | "lakh"

/**
 * How the digits of a cell are grouped, if it shows that: below 100,000 both look alike.
 *
 * @example
 * LedgerAmount.groupingOf("45,44,773.07") // => "lakh"
 * LedgerAmount.groupingOf("12,345") // => undefined
 */
export const groupingOf = (cell: string): Grouping | undefined => {
  if (!mayShowGroups.test(cell)) return undefined
  const digits = partsOf(cell)?.digits ?? ""
  const [separator] = digits.replace(/[0-9]/g, "")
  if (separator === undefined) return undefined
  const [first = "", ...groups] = digits.split(separator)
  const [last = "", fraction] = groups.pop()?.split(/[.,]/) ?? []
  if (last.length !== 3) return undefined
  if (groups.length === 0) return first.length === 3 && fraction !== undefined ? "thousands" : undefined
  if (first.length < 3 && groups.every((group) => group.length === 2)) return "lakh"
  return groups.every((group) => group.length === 3) ? "thousands" : undefined
}

/** Two separators: one alone may be the decimal sign. */
const mayShowGroups = /[0-9][.,'’\s][0-9]{2,3}[.,'’\s][0-9]/

/**
 * Reads a cell, or says as a clause why it is not an amount.
 *
 * @example
 * LedgerAmount.read("(1.241,50 EUR)", { decimal: ",", thousands: undefined }) // => Result.succeed({ text: "-1241.50", currency: "EUR" })
 */
export const read = (cell: string, format: LedgerAmountFormat): Result.Result<LedgerAmount, string> => {
  // Most cells, at a tenth of the work.
  if (format.decimal === "." && Amount.isAmount(cell)) return Result.succeed({ text: cell, currency: undefined })
  const shown = JSON.stringify(cell.trim().slice(0, 64))
  if (cell.trim() === "") return Result.fail("the amount is empty")
  const parts = partsOf(cell)
  const notAmount = `Not an amount: ${shown}. Write it like 1234${format.decimal}50`
  if (parts === undefined || SpreadsheetLoss.isDate(parts.digits)) {
    const loss = SpreadsheetLoss.ofAmount(cell)
    return Result.fail(loss === undefined ? notAmount : `${shown} ${loss}`)
  }
  const { decimal, thousands } = format
  const other = decimal === "." ? "," : "."
  const [whole = "", fraction, ...rest] = parts.digits.split(decimal)
  if (rest.length > 0 || (parts.dashes ?? decimalOf(parts.digits)) === other) {
    return Result.fail(
      `${shown} looks like it has a decimal ${other === "," ? "comma" : "point"}: try --decimal ${other}`,
    )
  }
  if (parts.dashes !== undefined && fraction !== undefined) return Result.fail(notAmount)
  const [separator] = whole.replace(/[0-9]/g, "")
  const groups = separator === undefined ? [whole] : whole.split(separator)
  const isGrouped = separator === undefined || threes.test(groups.join()) || lakhs.test(groups.join())
  if (!isGrouped || (separator !== undefined && thousands !== undefined && thousands !== separator)) {
    return Result.fail(
      `${shown} has other than groups of three digits with one thousands separator. If it has cells of two amounts, or a delimiter in a cell, correct it`,
    )
  }
  const text = `${parts.isNegative ? "-" : ""}${groups.join("")}${fraction === undefined ? "" : `.${fraction}`}`
  if (!Amount.isAmount(text)) {
    return Result.fail(/^-?0[0-9]/.test(text) ? `${shown} has a leading zero` : notAmount)
  }
  const { currency, sign, marker } = parts
  return Result.succeed({
    text,
    currency,
    ...(sign === undefined ? {} : { sign }),
    ...(marker === undefined ? {} : { marker }),
  })
}

const threes = /^[0-9]{1,3}(?:,[0-9]{3})+$/
const lakhs = /^[0-9]{1,2}(?:,[0-9]{2})+,[0-9]{3}$/

interface Parts {
  readonly isNegative: boolean
  /** Digits and separators; begins and ends with a digit. */
  readonly digits: string
  /** The sign before dashes that stand for a fraction of zero. */
  readonly dashes: Decimal | undefined
  readonly currency: string | undefined
  /** The sign of several currencies. */
  readonly sign: string | undefined
  readonly marker: string | undefined
}

const partsOf = (cell: string): Parts | undefined => {
  const text = cell.trim().replaceAll("\u2212", "-").replace(/\s+/g, " ")
  // (28.49 EUR), (28.49) EUR and EUR (28.49) are negative.
  const [, outer = "", inner, outerLast = ""] = bracketed.exec(text) ?? []
  const inBrackets = inner !== undefined
  const found = shape.exec(inBrackets ? `${outer}${inner.trim()}${outerLast}` : text)
  const { first = "", before = "", second = "", digits, dashes, after = "", last = "", marker } = found?.groups ?? {}
  const minuses = [first, second, last].filter((sign) => sign !== "")
  if (digits === undefined || minuses.length > (inBrackets ? 0 : 1) || (before !== "" && after !== "")) return undefined
  // A side and a sign of its own would say the direction twice.
  if (marker !== undefined && (inBrackets || minuses.length > 0)) return undefined
  const currency = LedgerCurrency.ofMark(before + after)
  if (currency === undefined) return undefined
  return {
    isNegative: inBrackets || minuses.includes("-"),
    digits,
    dashes: dashes?.startsWith(",") ? "," : dashes?.startsWith(".") ? "." : undefined,
    marker: marker?.toUpperCase(),
    ...currency,
  }
}

const bracketed = /^((?:[A-Za-z]{3}|[€£$¥₹])?) ?\(([^()]*)\) ?((?:[A-Za-z]{3}|[€£$¥₹])?)$/

const shape =
  /^(?<first>[-+]?) ?(?<before>(?:[A-Za-z]{3}|[€£$¥₹])?) ?(?<second>[-+]?) ?(?<digits>[0-9](?:[0-9.,'’ ]*[0-9])?)(?<dashes>[.,](?:--?|–|—))? ?(?<after>(?:[A-Za-z]{3}|[€£$¥₹])?) ?(?<last>-?)(?: ?(?<marker>CR|DR|Cr|Dr|cr|dr|H|S))?$/
