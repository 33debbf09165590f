/** Proposals as rows of a CSV file, a column for each of their fields. */
import * as Csv from "@transferkit/files/formats/Csv"
import * as LedgerText from "@transferkit/files/ledgers/LedgerText"
import * as TextLines from "@transferkit/files/ledgers/TextLines"
import { parse as parseCsv } from "csv-parse/sync"
import * as Result from "effect/Result"

/** The columns of a proposal's fields. */
const columns: Readonly<Record<string, string>> = {
  "/external_id": "external_id",
  "/country_code": "country_code",
  "/payment_method": "payment_method",
  "/source": "source_amount",
  "/source/amount": "source_amount",
  "/source/currency_code": "source_currency_code",
  "/destination_currency_code": "destination_currency_code",
}

const names: ReadonlyArray<string> = [...new Set(Object.values(columns))]

/** Only this column may be absent. */
const optionalName = "external_id"

/** The column of a field, by its JSON Pointer. */
export const columnOf = (path: string): string => columns[path] ?? path

/** A proposal and the line on which its row begins. */
export interface Row {
  readonly line: number
  readonly proposal: Readonly<Record<string, unknown>>
}

/** Whether a text is a table: its first line names a column. */
export const isTable = (text: string): boolean => {
  const [header = ""] = withoutMark(text).split(/[\r\n]/, 1)
  return !/^\s*[[{]/.test(header) && names.some((name) => header.toLowerCase().includes(name))
}

const withoutMark = (text: string): string => text.replace(/^\ufeff/, "")

/** The proposals of a table, or what is wrong with it. Cells stay texts; empty ones are absent. */
export const parse = (text: string): Result.Result<ReadonlyArray<Row>, string> => {
  const separator = LedgerText.separatorOf(withoutMark(text))
  const body = separator?.rest ?? withoutMark(text)
  const delimiter = separator?.delimiter ?? LedgerText.likelyDelimiter(body) ?? ","
  const lines = new Csv.LineCounter(separator === undefined ? 0 : 1)
  return Result.gen(function* () {
    const records: Array<{ readonly cells: ReadonlyArray<string>; readonly line: number }> = []
    yield* Result.try({
      try: () =>
        parseCsv(body, {
          delimiter,
          // It would take the first one in the file for all of them.
          record_delimiter: [...TextLines.lineBreaks],
          skip_empty_lines: true,
          skip_records_with_empty_values: true,
          on_record: (cells, info) => {
            records.push({ cells, line: lines.firstOf(cells, info.lines, info.empty_lines) })
            return cells
          },
        }),
      catch: (error) => {
        lines.correct(error)
        return Csv.reasonOf(error)
      },
    })
    const [first, ...rest] = records
    const header = (first?.cells ?? []).map((name) => name.trim().toLowerCase())
    const wrong = problemOf(header)
    if (wrong !== undefined) return yield* Result.fail(wrong)
    if (rest.length === 0) return yield* Result.fail("it has a header, but no rows")
    return yield* Result.all(rest.map(({ cells, line }) => rowOf(header, cells, line)))
  })
}

const problemOf = (header: ReadonlyArray<string>): string | undefined => {
  const twice = header.find((name, index) => header.indexOf(name) < index)
  if (twice !== undefined) return `it has several columns ${JSON.stringify(twice)}`
  const expected = `its columns should be ${names.join(", ")}`
  const unknown = header.find((name) => !names.includes(name))
  if (unknown !== undefined)
    return `it has a column ${JSON.stringify(unknown)}, which proposals do not have; ${expected}`
  const missing = names.find((name) => name !== optionalName && !header.includes(name))
  return missing === undefined ? undefined : `it has no column ${missing}; ${expected}`
}

const rowOf = (
  header: ReadonlyArray<string>,
  cells: ReadonlyArray<string>,
  line: number,
): Result.Result<Row, string> => {
  const row: { [name: string]: string } = {}
  for (const [index, name] of header.entries()) {
    const cell = cells[index]?.trim() ?? ""
    if (/[\ufffd\0]/.test(cell)) {
      return Result.fail(`line ${line}, column ${name}: a character was lost. Save the file as UTF-8`)
    }
    if (cell !== "") row[name] = cell
  }
  const { source_amount: amount, source_currency_code: currency_code, ...others } = row
  const source = {
    ...(amount === undefined ? {} : { amount }),
    ...(currency_code === undefined ? {} : { currency_code }),
  }
  return Result.succeed({ line, proposal: { ...others, source } })
}
