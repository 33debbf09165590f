/**
 * Amounts as people and spreadsheets write them: a decimal comma, thousands separators, `(28.49)`, `941.13 EUR`. A text
 * that can be read in two ways is never guessed.
 */
import * as Amount from "@transferkit/domain/Amount"
import * as Result from "effect/Result"

/** The sign before the fraction of an amount. */
export type Decimal = "." | ","

/** How the amounts of a ledger are written. */
export interface LedgerAmountFormat {
  readonly decimal: Decimal
  /** Any of `.`, `,`, `'` and blanks if absent, the same throughout an amount. */
  readonly thousands: string | undefined
}

/** An amount in the grammar of `Amount`, and the currency in its cell: a code such as `EUR`. */
export interface LedgerAmount {
  readonly text: string
  readonly currency: string | undefined
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
export const signOf = (cell: string): Decimal | "doubtful" | undefined => decimalOf(partsOf(cell)?.digits ?? "")

/** Which sign is the decimal one, if the digits show it. */
const decimalOf = (digits: string): Decimal | "doubtful" | undefined => {
  const [points, commas] = [digits.split(".").length - 1, digits.split(",").length - 1]
  if (points === 0 && commas === 0) return undefined
  const last: Decimal = digits.lastIndexOf(".") > digits.lastIndexOf(",") ? "." : ","
  if (points > 0 && commas > 0) return last
  if (points + commas > 1) return last === "." ? "," : "."
  const [whole = "", fraction = ""] = digits.split(last)
  const isGroup = fraction.length === 3 && /^[1-9][0-9]{0,2}$/.test(whole)
  return isGroup ? "doubtful" : last
}

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
  if (parts === undefined) return Result.fail(notAmount)
  if (parts.currency === "") return Result.fail(`${shown} has the sign of several currencies; use codes such as USD`)
  const { decimal, thousands } = format
  const other = decimal === "." ? "," : "."
  const [whole = "", fraction, ...rest] = parts.digits.split(decimal)
  if (rest.length > 0 || decimalOf(parts.digits) === other) {
    return Result.fail(
      `${shown} looks like it has a decimal ${other === "," ? "comma" : "point"}: try --decimal ${other}`,
    )
  }
  const [separator] = whole.replace(/[0-9]/g, "")
  const groups = separator === undefined ? [whole] : whole.split(separator)
  const isGrouped = groups.slice(1).every((group) => /^[0-9]{3}$/.test(group)) && /^[0-9]{1,3}$/.test(groups[0] ?? "")
  if (separator !== undefined && !(isGrouped && (thousands === undefined || thousands === separator))) {
    return Result.fail(`${shown} has other than groups of three digits with one thousands separator`)
  }
  const text = `${parts.isNegative ? "-" : ""}${groups.join("")}${fraction === undefined ? "" : `.${fraction}`}`
  if (!Amount.isAmount(text)) {
    return Result.fail(/^-?0[0-9]/.test(text) ? `${shown} has a leading zero` : notAmount)
  }
  return Result.succeed({ text, currency: parts.currency })
}

const signs: Readonly<Record<string, string>> = { "€": "EUR", "£": "GBP", $: "", "¥": "" }

interface Parts {
  readonly isNegative: boolean
  /** Digits and separators; begins and ends with a digit. */
  readonly digits: string
  /** Empty for the sign of several currencies. */
  readonly currency: string | undefined
}

const partsOf = (cell: string): Parts | undefined => {
  const text = cell.trim().replaceAll("\u2212", "-").replace(/\s+/g, " ")
  // (28.49 EUR), (28.49) EUR and EUR (28.49) are negative.
  const [, outer = "", inner, outerLast = ""] = bracketed.exec(text) ?? []
  const inBrackets = inner !== undefined
  const found = shape.exec(inBrackets ? `${outer}${inner.trim()}${outerLast}` : text)
  const { first = "", before = "", second = "", digits, after = "", last = "" } = found?.groups ?? {}
  const minuses = [first, second, last].filter((sign) => sign !== "")
  if (digits === undefined || minuses.length > (inBrackets ? 0 : 1) || (before !== "" && after !== "")) return undefined
  const code = before + after
  return {
    isNegative: inBrackets || minuses.includes("-"),
    digits,
    currency: code === "" ? undefined : (signs[code] ?? code),
  }
}

const bracketed = /^((?:[A-Z]{3}|[€£$¥])?) ?\(([^()]*)\) ?((?:[A-Z]{3}|[€£])?)$/

const shape =
  /^(?<first>[-+]?) ?(?<before>(?:[A-Z]{3}|[€£$¥])?) ?(?<second>[-+]?) ?(?<digits>[0-9](?:[0-9.,'’ ]*[0-9])?) ?(?<after>(?:[A-Z]{3}|[€£])?) ?(?<last>-?)$/
