/** A transfer as a row of the table on a terminal. */
import * as Amount from "@transferkit/domain/Amount"
import * as CurrencyCode from "@transferkit/domain/CurrencyCode"
import * as Money from "@transferkit/domain/Money"
import * as Timestamp from "@transferkit/domain/Timestamp"
import type { Transfer } from "@transferkit/domain/Transfer"
import type { TransferColumn } from "@transferkit/files/formats/TransferColumns"
import type { Column } from "@transferkit/report/TextTable"
import * as DateTime from "effect/DateTime"
import * as Result from "effect/Result"
import * as Style from "../terminal/Style.ts"

/** A table of transfers. */
export interface TransferTable {
  readonly columns: ReadonlyArray<Column>
  readonly toCells: (transfer: Transfer) => ReadonlyArray<string>
}

/** The table of the chosen columns; without them, of those that people need most. */
export const make = (
  style: Style.Style,
  { chosen, timeZone }: { readonly chosen: ReadonlyArray<TransferColumn> | undefined; readonly timeZone: TimeZone },
): TransferTable => {
  const zone = timeZone === undefined ? "UTC" : DateTime.zoneToString(timeZone)
  return chosen === undefined
    ? { columns: onTerminal(style, zone), toCells: (transfer) => toTerminalCells(transfer, timeZone) }
    : {
        columns: chosen.map((column, index) => chosenColumn(style, column, index, zone)),
        toCells: (transfer) => chosen.map((column) => textOf(column, transfer, timeZone)),
      }
}

type TimeZone = DateTime.TimeZone | undefined

/** Of columns that someone chose, the last ones are dropped first, and the first one stays. */
const chosenColumn = (style: Style.Style, { name, kind }: TransferColumn, index: number, zone: string): Column => {
  const header = `${name.toUpperCase().replaceAll("_", " ")}${kind === "timestamp" ? ` (${zone})` : ""}`
  if (isIdentifier(name)) return { header, id: true }
  return {
    header,
    ...(index === 0 ? {} : { dropOrder: index }),
    ...(kind === "amount" ? { align: "right" } : {}),
    ...(kind === "json" ? { shrinkTo: 20 } : {}),
    ...(kind === "text" && !name.endsWith("_currency_code") ? { shrinkTo: 10 } : {}),
    ...(name === "status" ? { style: (cut, cell) => Style.ofStatus(style, cell)(cut) } : {}),
  }
}

/** Whether the column holds what other commands find a transfer by. */
export const isIdentifier = (name: string): boolean => name === "id" || name === "external_id"

const textOf = ({ kind, read }: TransferColumn, transfer: Transfer, timeZone: TimeZone): string => {
  const text = read(transfer)
  return text !== undefined && kind === "timestamp" ? terminalTime(Timestamp.parseUnsafe(text), timeZone) : (text ?? "")
}

/** The columns, what other commands find a transfer by first. On narrow terminals the least important are dropped. */
const onTerminal = (style: Style.Style, zone: string): ReadonlyArray<Column> => [
  { header: "EXTERNAL ID", id: true },
  { header: "ID", id: true },
  { header: `CREATED (${zone})`, dropOrder: 1 },
  { header: "KIND", dropOrder: 3 },
  { header: "STATUS", style: (cut, cell) => Style.ofStatus(style, cell)(cut) },
  { header: "SOURCE", align: "right" },
  { header: "DESTINATION", align: "right", dropOrder: 2 },
  { header: "FEE", align: "right", dropOrder: 4 },
  { header: "METHOD", dropOrder: 5 },
]

/** A time for people: UTC or a time zone, to the second. */
export const terminalTime = (at: Timestamp.Timestamp, timeZone?: TimeZone): string =>
  (timeZone === undefined ? Timestamp.toUtc(at) : Timestamp.toZone(at, timeZone)).text.slice(0, 19).replace("T", " ")

/** A transfer as the cells of {@link onTerminal}. */
const toTerminalCells = (transfer: Transfer, timeZone: TimeZone): ReadonlyArray<string> => [
  transfer.external_id ?? "",
  transfer.id,
  terminalTime(transfer.created_at, timeZone),
  transfer.kind,
  transfer.status,
  money(transfer.source_total),
  money(transfer.destination_total),
  money(transfer.service_fee),
  transfer.payment_method ?? "",
]

/** An amount, if there is one. */
export const money = (value: Money.Money | undefined): string => (value === undefined ? "" : Money.label(value))

/** Whether a cell holds an amount, a currency or both, of which nothing may be cut. */
export const isMoney = (cell: string): boolean =>
  cell.split(" ").every((part) => Amount.isAmount(part) || Result.isSuccess(CurrencyCode.parse(part)))
