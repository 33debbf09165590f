/** Prints a list of transfers, batch after batch. */
import { fields, type Transfer } from "@transferkit/domain/Transfer"
import type * as Csv from "@transferkit/files/formats/Csv"
import * as DecimalWidth from "@transferkit/files/formats/DecimalWidth"
import * as TransferColumns from "@transferkit/files/formats/TransferColumns"
import * as TransferEncoder from "@transferkit/files/formats/TransferEncoder"
import * as Workbook from "@transferkit/files/formats/Workbook"
import * as Table from "@transferkit/report/TextTable"
import * as Arr from "effect/Array"
import type * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { Output } from "../flags/Globals.ts"
import { Screen } from "../terminal/Screen.ts"
import * as Style from "../terminal/Style.ts"
import * as Projection from "./Projection.ts"
import * as TransferTable from "./TransferTable.ts"

/** The names of all fields of a transfer. */
export const fieldNames = Object.keys(fields)

/** How to print. */
export interface Printing {
  readonly output: Output
  /** A form that scripts chose; then all transfers are held in memory. */
  readonly projection: Projection.Projection | undefined
  /** The chosen columns; without them, those of the terminal, or all. */
  readonly columns: ReadonlyArray<TransferColumns.TransferColumn> | undefined
  /** The time zone of the times in a table; UTC without one. */
  readonly timeZone: DateTime.TimeZone | undefined
  readonly csvDialect: Csv.Dialect | undefined
  readonly csvRaw: boolean
  /** The message if there is nothing to print. */
  readonly nothing: string
}

/** Prints batches as they arrive, so that memory is bounded and output starts at once. */
export const print = Effect.fnUntraced(function* <E, R>(
  batches: Stream.Stream<ReadonlyArray<Transfer>, E, R>,
  { output, projection, columns, timeZone, csvDialect, csvRaw, nothing }: Printing,
) {
  const screen = yield* Screen
  if (projection !== undefined) {
    const records = (yield* Stream.runCollect(batches)).flat()
    return yield* Projection.print(projection, { records, known: fieldNames, isEach: false })
  }
  const filled = batches.pipe(Stream.filter((batch) => batch.length > 0))
  if (output === "table") return yield* printTable(filled, { chosen: columns, timeZone }, nothing)
  if (output === "xlsx") {
    const transfers = (yield* Stream.runCollect(batches)).flat()
    return yield* Stream.runForEach(workbookOf(transfers, columns), screen.printBytes)
  }
  const encoder = TransferEncoder.make(output, { csvRaw, csvDialect, columns })
  let isFirst = true
  const printed = Stream.runForEach(filled, (batch) => {
    const text = `${isFirst ? encoder.open : ""}${encoder.batch(batch, isFirst)}`
    isFirst = false
    return screen.print(text)
  })
  // A document that was begun is closed even after an error, so that it can be parsed.
  yield* Effect.onError(printed, () => (isFirst ? Effect.void : Effect.ignore(screen.print(encoder.truncated))))
  yield* screen.print(`${isFirst ? encoder.open : ""}${encoder.close}`)
})

/** Whether amounts are numbers is known when all of them are. */
const workbookOf = (transfers: ReadonlyArray<Transfer>, columns = TransferColumns.flat) => {
  const widths = new Map<string, DecimalWidth.DecimalWidth>()
  DecimalWidth.widen(widths, transfers)
  const rows = transfers.map((transfer) => TransferColumns.toCells(transfer, columns))
  return Workbook.bytes(
    Workbook.columnsOf(columns, widths),
    Stream.fromIterable(Arr.chunksOf(rows, 500)),
    "standard output",
  )
}

/**
 * A batch decides the widths of the columns, so that it is printed while the next one is read. If a later batch has an
 * amount that does not fit, the table begins anew.
 */
const printTable = Effect.fnUntraced(function* <E, R>(
  batches: Stream.Stream<ReadonlyArray<Transfer>, E, R>,
  options: Parameters<typeof TransferTable.make>[1],
  nothing: string,
) {
  const screen = yield* Screen
  const style = Style.make(screen.stdout)
  const width = screen.stdout.columns
  const { columns, toCells } = TransferTable.make(style, options)
  let layout: Table.Layout | undefined
  const hidden = new Set<string>()
  yield* Stream.runForEach(batches, (batch) => {
    const rows = batch.map(toCells)
    const before = layout
    const fitted =
      before !== undefined && (before.isTooWide || Table.fits(before, rows))
        ? before
        : Table.layout(columns, rows, width)
    layout = fitted
    if (!fitted.isTooWide) for (const header of fitted.hidden) hidden.add(header)
    const [isNew, gap] = [fitted !== before, before === undefined ? "" : "\n"]
    if (fitted.isTooWide) {
      return screen.draw(`${gap}${Table.stacked(columns, rows, { width, heading: style.quiet })}`)
    }
    const lines = rows.map((row) => Table.line(fitted, row))
    return screen.draw(
      [...(isNew ? [gap + Table.header(fitted, style.quiet)] : []), ...lines].map((line) => `${line}\n`).join(""),
    )
  })
  yield* screen.note(layout === undefined ? `${nothing}\n` : Table.remark({ hidden: [...hidden], isTooWide: false }))
})
