/** Prints the results of any command: as a table, CSV, NDJSON or JSON. */
import * as Amount from "@transferkit/domain/Amount"
import { escapeControls } from "@transferkit/domain/SafeText"
import * as FileError from "@transferkit/files/FileError"
import * as Csv from "@transferkit/files/formats/Csv"
import * as Workbook from "@transferkit/files/formats/Workbook"
import * as Table from "@transferkit/report/TextTable"
import * as Effect from "effect/Effect"
import * as Iterable from "effect/Iterable"
import * as Stream from "effect/Stream"
import wrapAnsi from "wrap-ansi"
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

/** A table or a paragraph, with a title if there are several. */
export type Section = { readonly title?: string } & (
  | { readonly columns: ReadonlyArray<Table.Column>; readonly rows: Iterable<ReadonlyArray<string>> }
  | { readonly text: string }
)

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
  readonly table: (style: Style.Style) => ReadonlyArray<Section>
}

/** The columns with a decimal comma where the dialect of CSV has one. */
const amountsOf = (csv: Report["csv"]): ReadonlyArray<number> => {
  const [header = []] = csv
  const columns = header.map((name = "") => ({ hasAmount: /(?:^|_)amount$/.test(name), hasOther: false }))
  for (const row of Iterable.drop(csv, 1)) {
    for (const [index, column] of columns.entries()) {
      const cell = row[index] ?? ""
      column.hasAmount ||= /^-?\d+\.\d+$/.test(cell)
      column.hasOther ||= cell !== "" && !Amount.isAmount(cell)
    }
  }
  return columns.flatMap(({ hasAmount, hasOther }, index) => (hasAmount && !hasOther ? [index] : []))
}

/** So many rows are written at once: the writer takes longer to start than for a row. */
const csvRows = 200

/** Prints a report. */
export const print = Effect.fnUntraced(function* (report: Report, output: Output, csvDialect: Csv.Dialect = "rfc4180") {
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
      const { mark, comma } = Csv.forms[csvDialect]
      // Which columns hold amounts shows when all rows are known.
      const amounts = comma ? yield* FileError.attempt(() => amountsOf(report.csv)) : []
      const lines = Iterable.map(Iterable.chunksOf(report.csv, csvRows), (rows) =>
        Csv.lines(rows, false, { dialect: csvDialect, amounts }),
      )
      return yield* Pieces.write(Iterable.prepend(lines, mark), screen.print)
    }
    case "xlsx": {
      const [header = [], ...rows] = yield* FileError.attempt(() => [...report.csv])
      const columns = Workbook.columnsOfRows(header, rows)
      return yield* Stream.runForEach(
        Workbook.bytes(columns, Stream.succeed(rows), "standard output"),
        screen.printBytes,
      )
    }
    case "table": {
      const style = Style.make(screen.stdout)
      const width = screen.stdout.columns
      let gap = ""
      let remarks = ""
      for (const section of report.table(style)) {
        const title = section.title === undefined ? "" : `${style.heading(section.title)}\n`
        if ("text" in section) {
          yield* screen.draw(`${gap}${title}${wrapAnsi(escapeControls(section.text), Math.min(width, 100))}\n`)
        } else {
          const { columns, rows } = section
          const layout = yield* FileError.attempt(() => Table.layout(columns, rows, width))
          if (layout.isEmpty) continue
          const table = Table.lines(layout, columns, rows, { width, heading: style.quiet })
          yield* Pieces.write(Iterable.prepend(table, gap + title), screen.draw)
          remarks += Table.remark(layout)
        }
        gap = "\n"
      }
      return yield* screen.note(remarks)
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
