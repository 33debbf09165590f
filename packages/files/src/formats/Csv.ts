/** CSV as it is written: rows as text, formulas escaped. */
import * as Amount from "@transferkit/domain/Amount"
import { type CsvDialect, forms } from "./CsvDialect.ts"

/**
 * Rows of cells as CSV, by default as of RFC 4180 with LF line breaks. Formulas are neutralised unless `raw`. `amounts`
 * are the indices of the columns that have a decimal comma where the dialect has one. With `quotesEmpty`, an empty text is
 * quoted and an absent cell is not, as databases read them. The mark is the caller's.
 *
 * @example
 * lines([["a", undefined, 'say "x"'], ["=1", "b,c", ""]], false) // => 'a,,"say ""x"""\n\'=1,"b,c",\n'
 * lines([["", undefined]], false, { quotesEmpty: true }) // => '"",\n'
 */
export const lines = (
  rows: ReadonlyArray<ReadonlyArray<string | null | undefined>>,
  raw: boolean,
  {
    dialect = "rfc4180",
    amounts = [],
    quotesEmpty = false,
  }: {
    readonly dialect?: CsvDialect
    readonly amounts?: ReadonlyArray<number>
    readonly quotesEmpty?: boolean
  } = {},
): string => {
  const { delimiter, lineBreak, comma } = forms[dialect]
  const isCommaAt = new Set(comma ? amounts : [])
  let text = ""
  for (const row of rows) {
    for (let index = 0; index < row.length; index++) {
      const cell = row[index] ?? ""
      const isEmptyText = quotesEmpty && row[index] === ""
      const plain = isEmptyText ? '""' : cell
      const written = isPlain(cell) ? plain : quoted(raw ? cell : neutraliseFormula(cell, delimiter), delimiter)
      text += `${index === 0 ? "" : delimiter}${isCommaAt.has(index) ? written.replace(".", ",") : written}`
    }
    text += lineBreak
  }
  return text
}

/** Most cells need no quotes and hold no formula, which one test finds. */
const isPlain = (cell: string): boolean => !special.test(cell)

// What any dialect quotes, what starts a cell within a cell, and what may be or precede a formula at the start.
const special = /[",;\t\r\n]|^['\s=+\-@\uff1d\uff0b\uff0d\uff20]/

const quoted = (cell: string, delimiter: string): string =>
  cell.includes(delimiter) || /["\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell

// A cell may start after any separator of lists but the file's own comma, which is quoted, and after a line break,
// whatever the quotes; blanks and quotes may precede a formula.
const formulas = {
  comma: /(^|[;\t\r\n])('*(?:"|[^\S\t\r\n])*[=+\-@\uff1d\uff0b\uff0d\uff20])/g,
  another: /(^|[,;\t\r\n])('*(?:"|[^\S\t\r\n])*[=+\-@\uff1d\uff0b\uff0d\uff20])/g,
}
const neutralised = {
  comma: /(^|[;\t\r\n])'('*(?:"|[^\S\t\r\n])*[=+\-@\uff1d\uff0b\uff0d\uff20])/g,
  another: /(^|[,;\t\r\n])'('*(?:"|[^\S\t\r\n])*[=+\-@\uff1d\uff0b\uff0d\uff20])/g,
}

/**
 * Puts a quote before each part of a CSV cell that a spreadsheet would run as a formula, whatever separates its lists.
 * Amounts are numbers and stay. A part that already looks quoted gets another quote, so that {@link restoreFormula}
 * returns the original. `delimiter` is that of the file: a comma inside of a cell of such a file separates nothing.
 *
 * @example
 * neutraliseFormula("=1+1", ",") // => "'=1+1"
 * neutraliseFormula("x;=1+1", ",") // => "x;'=1+1"
 * neutraliseFormula("x,=1+1", ";") // => "x,'=1+1"
 * neutraliseFormula("-1.50", ",") // => "-1.50"
 */
export const neutraliseFormula = (cell: string, delimiter: string): string =>
  Amount.isAmount(cell) ? cell : cell.replace(formulas[delimiter === "," ? "comma" : "another"], "$1'$2")

/**
 * The inverse of {@link neutraliseFormula}, for a file of the same delimiter.
 *
 * @example
 * restoreFormula("'=1+1", ",") // => "=1+1"
 */
export const restoreFormula = (cell: string, delimiter: string): string =>
  cell.replace(neutralised[delimiter === "," ? "comma" : "another"], "$1$2")

/**
 * Whether a cell is another text if its file was written raw, or with another delimiter than it has now.
 *
 * @example
 * isAmbiguous("'=1+1") // => true
 * isAmbiguous("x,'=1+1") // => true
 * isAmbiguous("it's = 1") // => false
 */
export const isAmbiguous = (cell: string): boolean => restoreFormula(cell, ";") !== cell
