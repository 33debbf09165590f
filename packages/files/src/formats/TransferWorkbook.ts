/** Transfers as a workbook. */
import type { Transfer } from "@transferkit/domain/Transfer"
import * as Arr from "effect/Array"
import * as Stream from "effect/Stream"
import * as DecimalWidth from "./DecimalWidth.ts"
import * as TransferColumns from "./TransferColumns.ts"
import * as Workbook from "./Workbook.ts"

/** Whether amounts are numbers is known when all of them are. */
export const bytes = (transfers: ReadonlyArray<Transfer>, columns = TransferColumns.flat) => {
  const widths = new Map<string, DecimalWidth.DecimalWidth>()
  const cells = transfers.map((transfer) => TransferColumns.toCells(transfer))
  DecimalWidth.widen(widths, cells)
  const rows = cells.map(TransferColumns.choose(columns))
  const sheet = { columns: Workbook.columnsOf(columns, widths), rows: Stream.fromIterable(Arr.chunksOf(rows, 500)) }
  return Workbook.bytes([{ name: "Transfers", ...sheet }], "standard output")
}
