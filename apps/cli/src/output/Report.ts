/** Prints the results of any command: as a table, CSV, NDJSON or JSON. */
import * as Amount from "@transferkit/domain/Amount"
import * as Csv from "@transferkit/files/formats/Csv"
import * as Workbook from "@transferkit/files/formats/Workbook"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import wrapAnsi from "wrap-ansi"
import type { Globals, Output } from "../flags/GlobalFlags.ts"
import { escapeControls } from "../terminal/Escape.ts"
import { Screen } from "../terminal/Screen.ts"
import * as Style from "../terminal/Style.ts"
import { UsageError } from "../UsageError.ts"
import * as Table from "./Table.ts"

/** The requested output; by default a table on a terminal and `otherwise` elsewhere. */
export const outputOf = Effect.fnUntraced(function* (globals: Globals, otherwise: Output) {
  const screen = yield* Screen
  if (globals.output === "xlsx" && screen.stdout.isTerminal) {
    return yield* new UsageError({ message: "--output xlsx writes a workbook: redirect it to a file, > NAME.xlsx." })
  }
  return globals.output ?? (screen.stdout.isTerminal ? "table" : otherwise)
})

/** The same for what is printed as it happens: a workbook has an end. */
export const streamedOutputOf = Effect.fnUntraced(function* (globals: Globals, otherwise: Exclude<Output, "xlsx">) {
  const output = yield* outputOf(globals, otherwise)
  if (output !== "xlsx") return output
  return yield* new UsageError({ message: "--output xlsx is for results with an end: use table, ndjson or csv." })
})

/** A table or a paragraph, with a title if there are several. */
export type Section = { readonly title?: string } & (
  | { readonly columns: ReadonlyArray<Table.Column>; readonly rows: ReadonlyArray<ReadonlyArray<string>> }
  | { readonly text: string }
)

/** The results of a command in every format. */
export interface Report {
  /** One valid document. */
  readonly json: unknown
  /** One value per line. */
  readonly records: ReadonlyArray<unknown>
  /** The header, then the rows. */
  readonly csv: ReadonlyArray<ReadonlyArray<string | undefined>>
  readonly table: (style: Style.Style) => ReadonlyArray<Section>
}

/** The columns with a decimal comma where the dialect of CSV has one. */
const amountsOf = ({ csv: [header = [], ...rows] }: Report): ReadonlyArray<number> =>
  header.flatMap((name, index) => {
    const cells = rows.map((row) => row[index] ?? "")
    const isAmount = /(?:^|_)amount$/.test(name ?? "") || cells.some((cell) => /^-?\d+\.\d+$/.test(cell))
    return isAmount && cells.every((cell) => cell === "" || Amount.isAmount(cell)) ? [index] : []
  })

/** Prints a report. */
export const print = Effect.fnUntraced(function* (report: Report, output: Output, csvDialect: Csv.Dialect = "rfc4180") {
  const screen = yield* Screen
  switch (output) {
    case "json":
      return yield* screen.print(`${JSON.stringify(report.json, undefined, 2)}\n`)
    case "ndjson":
      return yield* screen.print(report.records.map((record) => `${JSON.stringify(record)}\n`).join(""))
    case "csv":
      return yield* screen.print(
        Csv.forms[csvDialect].mark + Csv.lines(report.csv, false, { dialect: csvDialect, amounts: amountsOf(report) }),
      )
    case "xlsx": {
      const [header = [], ...rows] = report.csv
      const columns = Workbook.columnsOfRows(header, rows)
      return yield* Stream.runForEach(
        Workbook.bytes(columns, Stream.succeed(rows), "standard output"),
        screen.printBytes,
      )
    }
    case "table": {
      const style = Style.make(screen.stdout)
      const width = screen.stdout.columns
      const sections = report.table(style).map((section) => {
        const title = section.title === undefined ? "" : `${style.heading(section.title)}\n`
        if ("text" in section) {
          return { text: `${title}${wrapAnsi(escapeControls(section.text), Math.min(width, 100))}\n`, remark: "" }
        }
        const { columns, rows } = section
        if (rows.length === 0) return { text: "", remark: "" }
        return {
          text: title + Table.render(columns, rows, { width, heading: style.quiet }),
          remark: Table.remark(Table.layout(columns, rows, width)),
        }
      })
      yield* screen.draw(sections.flatMap(({ text }) => (text === "" ? [] : [text])).join("\n"))
      return yield* screen.note(sections.map(({ remark }) => remark).join(""))
    }
  }
})
