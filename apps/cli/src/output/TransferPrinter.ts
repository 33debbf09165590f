/** Prints a list of transfers, batch after batch. */
import { fields, type Transfer } from "@transferkit/domain/Transfer"
import type * as CsvDialect from "@transferkit/files/formats/CsvDialect"
import type * as TransferColumns from "@transferkit/files/formats/TransferColumns"
import * as TransferEncoder from "@transferkit/files/formats/TransferEncoder"
import { StreamedTable } from "@transferkit/report/StreamedTable"
import * as Cause from "effect/Cause"
import type * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { Output } from "../flags/Globals.ts"
import { Screen } from "../terminal/Screen.ts"
import * as Style from "../terminal/Style.ts"
import * as Projection from "./Projection.ts"
import * as Report from "./Report.ts"
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
  readonly csvDialect: CsvDialect.CsvDialect | undefined
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
    const TransferWorkbook = yield* Effect.promise(() => import("@transferkit/files/formats/TransferWorkbook"))
    return yield* Stream.runForEach(TransferWorkbook.bytes(transfers, columns), screen.printBytes)
  }
  const encoder = TransferEncoder.make(output, { csvRaw, csvDialect, columns })
  let isFirst = true
  const printed = Stream.runForEach(filled, (batch) => {
    const text = `${isFirst ? encoder.open : ""}${encoder.batch(batch, isFirst)}`
    isFirst = false
    return screen.print(text)
  })
  // A document that was begun is closed even after an error, so that it can be parsed. A signal waits for its reader a second.
  const end = screen.print(encoder.truncated)
  const endInTime = Effect.timeout(Effect.interruptible(end), "1 second")
  yield* Effect.onError(printed, (cause) =>
    isFirst ? Effect.void : Effect.ignore(Cause.hasInterrupts(cause) ? endInTime : end),
  )
  yield* screen.print(`${isFirst ? encoder.open : ""}${encoder.close}`)
})

/** Prints rows as they come; a table that ends early is not read on for. */
const printTable = Effect.fnUntraced(function* <E, R>(
  batches: Stream.Stream<ReadonlyArray<Transfer>, E, R>,
  options: Parameters<typeof TransferTable.make>[1],
  nothing: string,
) {
  const screen = yield* Screen
  const style = Style.make(screen.stdout)
  const { columns, toCells } = TransferTable.make(style, options)
  const table = new StreamedTable(columns, {
    width: screen.stdout.columns,
    heading: style.quiet,
    whole: Report.whole(),
  })
  const printed = Stream.tap(batches, (batch) => screen.draw(table.add(batch.map(toCells))))
  yield* Stream.runDrain(Stream.takeUntil(printed, () => table.isCut))
  yield* screen.note(table.isEmpty ? `${nothing}\n` : table.remark)
})
