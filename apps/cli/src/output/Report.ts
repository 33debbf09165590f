/** Prints the results of any command: as a table, CSV, NDJSON or JSON. */
import * as FileError from "@transferkit/files/FileError"
import * as CsvDialect from "@transferkit/files/formats/CsvDialect"
import * as NumberColumns from "@transferkit/files/formats/NumberColumns"
import * as TextReport from "@transferkit/report/TextReport"
import * as Effect from "effect/Effect"
import * as Iterable from "effect/Iterable"
import * as Stream from "effect/Stream"
import { Globals, type Output } from "../flags/Globals.ts"
import { Screen } from "../terminal/Screen.ts"
import * as Style from "../terminal/Style.ts"
import { UsageError } from "../UsageError.ts"
import * as Pieces from "./Pieces.ts"

/** The requested output; by default a table on a terminal and `otherwise` elsewhere. */
export const outputOf = Effect.fnUntraced(function* (otherwise: Output) {
  const { output } = yield* Globals
  const screen = yield* Screen
  if (output === "xlsx" && screen.stdout.isTerminal) {
    return yield* new UsageError({ message: "--output xlsx writes a workbook: redirect it to a file, > NAME.xlsx." })
  }
  return output ?? (screen.stdout.isTerminal ? "table" : otherwise)
})

/** The same for what is printed as it happens: a workbook has an end. */
export const streamedOutputOf = Effect.fnUntraced(function* (otherwise: Exclude<Output, "xlsx">) {
  const output = yield* outputOf(otherwise)
  if (output !== "xlsx") return output
  return yield* new UsageError({ message: "--output xlsx is for results with an end: use table, ndjson or csv." })
})

/** The results of a command in every format. Iterables may hold more than fits in memory, and throw a `FileError`. */
export interface Report {
  /** One valid document. */
  readonly json: unknown
  /** The last field of the document, if it is a list of any length. */
  readonly list?: { readonly name: string; readonly items: Iterable<unknown> }
  /** One value per line. */
  readonly records: Iterable<unknown>
  /** The header, then the rows. */
  readonly csv: Iterable<ReadonlyArray<string | undefined>>
  /** Its columns that hold numbers, beside those whose names are those of amounts. Other cells are texts in spreadsheets. */
  readonly numbers?: ReadonlySet<string>
  /** Further sheets of a workbook, whose first sheet has the rows of CSV. */
  readonly sheets?: ReadonlyArray<{ readonly name: string } & Pick<Report, "csv" | "numbers">>
  readonly table: (style: Style.Style) => ReadonlyArray<TextReport.Section>
  /** A flag that also shows all rows of a table that ends early on a terminal. */
  readonly page?: string
}

/** Where all rows are of a table that ends early. */
export const whole = (page?: string): string =>
  `All of them: add --output xlsx > ALL.xlsx${page === undefined ? "" : `, or ${page}`}.`

/** So many rows are written at once: the writer takes longer to start than for a row. */
const csvRows = 200

/** Prints a report. */
export const print = Effect.fnUntraced(function* (
  report: Report,
  output: Output,
  csvDialect: CsvDialect.CsvDialect = "rfc4180",
) {
  const screen = yield* Screen
  switch (output) {
    case "json":
      return yield* Pieces.write(jsonTexts(report), screen.print)
    case "ndjson":
      return yield* Pieces.write(
        Iterable.map(report.records, (record) => `${JSON.stringify(record)}\n`),
        screen.print,
      )
    case "csv": {
      const Csv = yield* Effect.promise(() => import("@transferkit/files/formats/Csv"))
      const { mark, comma } = CsvDialect.forms[csvDialect]
      // Which columns hold amounts shows when all rows are known.
      const amounts = comma ? yield* FileError.attempt(() => NumberColumns.indices(report.csv, report.numbers)) : []
      const lines = Iterable.map(Iterable.chunksOf(report.csv, csvRows), (rows) =>
        Csv.lines(rows, false, { dialect: csvDialect, amounts }),
      )
      return yield* Pieces.write(Iterable.prepend(lines, mark), screen.print)
    }
    case "xlsx": {
      const Workbook = yield* Effect.promise(() => import("@transferkit/files/formats/Workbook"))
      const sheets = yield* Effect.forEach([{ ...report, name: "Results" }, ...(report.sheets ?? [])], (sheet) =>
        FileError.attempt(() => {
          const [header = [], ...rows] = sheet.csv
          const columns = Workbook.columnsOfRows(header, rows, sheet.numbers)
          return { name: sheet.name, columns, rows: Stream.succeed(rows) }
        }),
      )
      return yield* Stream.runForEach(Workbook.bytes(sheets, "standard output"), screen.printBytes)
    }
    case "table": {
      const style = Style.make(screen.stdout)
      const { texts, remark } = TextReport.make(report.table(style), {
        width: screen.stdout.columns,
        title: style.heading,
        heading: style.quiet,
        whole: whole(report.page),
      })
      yield* Pieces.write(texts, screen.draw)
      return yield* screen.note(remark())
    }
  }
})

function* jsonTexts({ json, list }: Report): Generator<string> {
  const text = JSON.stringify(json, undefined, 2)
  if (list === undefined) return yield `${text}\n`
  yield `${text.slice(0, -2)},\n  ${JSON.stringify(list.name)}: [`
  let before = "\n"
  for (const item of list.items) {
    yield `${before}    ${JSON.stringify(item, undefined, 2).replaceAll("\n", "\n    ")}`
    before = ",\n"
  }
  yield `${before === "\n" ? "" : "\n  "}]\n}\n`
}
