/** Encodes transfers as text, a batch at a time. */
import type { Transfer } from "@transferkit/domain/Transfer"
import * as Csv from "./Csv.ts"
import * as TransferColumns from "./TransferColumns.ts"

/** The formats that are text. */
export const formats = ["ndjson", "csv", "json"] as const

/** One of {@link formats}. */
export type Format = (typeof formats)[number]

/** A document is `open`, the batches in order, and `close`, or `truncated` instead if batches are missing. */
export interface TransferEncoder {
  readonly open: string
  readonly batch: (transfers: ReadonlyArray<Transfer>, isFirst: boolean) => string
  readonly close: string
  readonly truncated: string
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
  truncated: "",
}

const json: TransferEncoder = {
  open: `{"results":[`,
  batch: (transfers, isFirst) =>
    transfers.map((transfer, index) => `${isFirst && index === 0 ? "" : ","}\n${JSON.stringify(transfer)}`).join(""),
  close: `\n],"page_info":{"has_next_page":false}}\n`,
  truncated: `\n],"page_info":{"has_next_page":true}}\n`,
}

const csv = (raw: boolean): TransferEncoder => ({
  open: Csv.lines([TransferColumns.flat.map((column) => column.name)], true),
  batch: (transfers) => Csv.lines(transfers.map(TransferColumns.toCells), raw),
  close: "",
  truncated: "",
})
