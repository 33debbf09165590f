/** A transfer as a row of the table on a terminal. */
import * as CurrencyCode from "@transferkit/domain/CurrencyCode"
import type * as Money from "@transferkit/domain/Money"
import * as Timestamp from "@transferkit/domain/Timestamp"
import type { Transfer } from "@transferkit/domain/Transfer"
import * as Style from "../terminal/Style.ts"
import type { Column } from "./Table.ts"

/** The columns. Identifiers may be truncated; on narrow terminals the least important columns are dropped. */
export const onTerminal = (style: Style.Style): ReadonlyArray<Column> => [
  { header: "CREATED (UTC)", dropOrder: 1 },
  { header: "ID", shrinkTo: 10, cut: "middle" },
  { header: "EXTERNAL ID", shrinkTo: 8, cut: "middle", dropOrder: 5 },
  { header: "KIND", dropOrder: 3 },
  { header: "STATUS", style: (cut, cell) => Style.ofStatus(style, cell)(cut) },
  { header: "SOURCE", align: "right" },
  { header: "DESTINATION", align: "right", dropOrder: 2 },
  { header: "FEE", align: "right", dropOrder: 6 },
  { header: "METHOD", dropOrder: 4 },
]

/** A time for people: UTC, to the second. */
export const terminalTime = (at: Timestamp.Timestamp): string => Timestamp.toUtc(at).text.slice(0, 19).replace("T", " ")

/** A transfer as the cells of {@link onTerminal}. */
export const toTerminalCells = (transfer: Transfer): ReadonlyArray<string> => [
  terminalTime(transfer.created_at),
  transfer.id,
  transfer.external_id ?? "",
  transfer.kind,
  transfer.status,
  money(transfer.source_total),
  money(transfer.destination_total),
  money(transfer.service_fee),
  transfer.payment_method ?? "",
]

/** Every digit, and the currency by its ticker: `fiat/USD` is USD to a reader, crypto keeps its network. */
export const money = (value: Money.Money | undefined): string => {
  if (value === undefined) return ""
  return `${value.text} ${CurrencyCode.isFiat(value.currency_code) ? CurrencyCode.ticker(value.currency_code) : value.currency_code}`
}
