/** Transfers as text in one of the formats of standard output and of files, a batch at a time. */
import type { Transfer } from "@transferkit/domain/Transfer"
import { stringify } from "csv-stringify/sync"
import { neutraliseFormula } from "../terminal/Escape.ts"
import * as TransferColumns from "./TransferColumns.ts"

/** The formats that are text. */
export const formats = ["ndjson", "csv", "json"] as const

/** One of {@link formats}. */
export type Format = (typeof formats)[number]

/** Put `open`, the batches in order, and `close` one after the other; `cutOff` instead where not all batches came. */
export interface TransferEncoder {
  readonly open: string
  readonly batch: (transfers: ReadonlyArray<Transfer>, isFirst: boolean) => string
  readonly close: string
  readonly cutOff: string
}

/** The encoder of a format. */
export const make = (format: Format, options: { readonly csvRaw: boolean }): TransferEncoder => {
  if (format === "csv") return csv(options.csvRaw)
  return format === "json" ? json : ndjson
}

const ndjson: TransferEncoder = {
  open: "",
  batch: (transfers) => transfers.map((transfer) => `${JSON.stringify(transfer)}\n`).join(""),
  close: "",
  cutOff: "",
}

const json: TransferEncoder = {
  open: `{"results":[`,
  batch: (transfers, isFirst) =>
    transfers.map((transfer, index) => `${isFirst && index === 0 ? "" : ","}\n${JSON.stringify(transfer)}`).join(""),
  close: `\n],"page_info":{"has_next_page":false}}\n`,
  cutOff: `\n],"page_info":{"has_next_page":true}}\n`,
}

const csv = (raw: boolean): TransferEncoder => ({
  open: lines([TransferColumns.flat.map((column) => column.name)], true),
  batch: (transfers) => lines(transfers.map(TransferColumns.toCells), raw),
  close: "",
  cutOff: "",
})

/** Rows of cells as CSV (RFC 4180, but for the line break). Formulas are neutralised unless `raw`. */
export const lines = (rows: ReadonlyArray<ReadonlyArray<string | undefined>>, raw: boolean): string =>
  rows.length === 0
    ? ""
    : stringify(
        rows.map((row) => (raw ? [...row] : row.map(safe))),
        { record_delimiter: "unix" },
      )

const safe = (cell: string | undefined): string | undefined =>
  cell === undefined ? undefined : neutraliseFormula(cell)
