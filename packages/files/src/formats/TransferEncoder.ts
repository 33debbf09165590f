/** Encodes transfers as text, a batch at a time. */
import type { Transfer } from "@transferkit/domain/Transfer"
import * as Csv from "./Csv.ts"
import * as CsvDialect from "./CsvDialect.ts"
import * as TransferColumns from "./TransferColumns.ts"
import type { TextFormat } from "./TransferFormat.ts"

/** A document is `open`, the batches in order, and `close`, or `truncated` instead if batches are missing. */
export interface TransferEncoder {
  readonly open: string
  readonly batch: (transfers: ReadonlyArray<Transfer>, isFirst: boolean) => string
  /** The same from the JSON texts of transfers, joined by line breaks: only if the format holds them as they are. */
  readonly ofTexts?: (texts: string, isFirst: boolean) => string
  /** The same from the cells of transfers: only if the format has columns. */
  readonly ofCells?: (rows: ReadonlyArray<TransferColumns.Cells>) => string
  readonly close: string
  readonly truncated: string
}

/** How to encode. */
export interface EncoderOptions {
  /** Whether CSV cells that look like formulas are not escaped. */
  readonly csvRaw: boolean
  readonly csvDialect?: CsvDialect.CsvDialect | undefined
  /** Only these columns, in this order. JSON then has a flat object of texts for each transfer. */
  readonly columns?: ReadonlyArray<TransferColumns.TransferColumn> | undefined
}

/** The encoder of a format. */
export const make = (
  format: TextFormat,
  { csvRaw, csvDialect = "rfc4180", columns }: EncoderOptions,
): TransferEncoder => {
  if (format === "csv") return csv(csvRaw, csvDialect, columns ?? TransferColumns.flat)
  const ofTexts = format === "json" ? jsonOf : ndjsonOf
  const textOf = (transfer: Transfer): string =>
    JSON.stringify(columns === undefined ? transfer : TransferColumns.toRecord(transfer, columns))
  return {
    ...(format === "json" ? json : ndjson),
    batch: (transfers, isFirst) => (transfers.length === 0 ? "" : ofTexts(transfers.map(textOf).join("\n"), isFirst)),
    ...(columns === undefined ? { ofTexts } : {}),
  }
}

const ndjson = { open: "", close: "", truncated: "" }

const ndjsonOf = (texts: string): string => `${texts}\n`

const json = {
  open: `{"results":[`,
  close: `\n],"page_info":{"has_next_page":false}}\n`,
  truncated: `\n],"page_info":{"has_next_page":true}}\n`,
}

const jsonOf = (texts: string, isFirst: boolean): string => `${isFirst ? "" : ","}\n${texts.replaceAll("\n", ",\n")}`

const csv = (
  raw: boolean,
  dialect: CsvDialect.CsvDialect,
  columns: ReadonlyArray<TransferColumns.TransferColumn>,
): TransferEncoder => {
  const amounts = Array.from(columns.entries())
    .filter(([, { kind }]) => kind === "amount")
    .map(([index]) => index)
  const written = { dialect, amounts, quotesEmpty: true }
  const header = Csv.lines([columns.map((column) => column.name)], true, { dialect })
  const chosen = TransferColumns.choose(columns)
  return {
    open: CsvDialect.forms[dialect].mark + header,
    batch: (transfers) => {
      const rows = transfers.map((transfer) => TransferColumns.toCells(transfer, columns))
      return Csv.lines(rows, raw, written)
    },
    ofCells: (rows) => Csv.lines(columns === TransferColumns.flat ? rows : rows.map(chosen), raw, written),
    close: "",
    truncated: "",
  }
}
