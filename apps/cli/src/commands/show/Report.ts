/** Every field of a transfer, and its history as a timeline; or the chosen columns of it. */
import * as Timestamp from "@transferkit/domain/Timestamp"
import type { Found } from "@transferkit/domain/TransferSource"
import * as TransferColumns from "@transferkit/files/formats/TransferColumns"
import { fieldText } from "@transferkit/report/FieldText"
import type { Section } from "@transferkit/report/TextReport"
import * as DateTime from "effect/DateTime"
import type { Report } from "../../output/Report.ts"
import * as TransferTable from "../../output/TransferTable.ts"

/** Which columns to show; and the time zone of the times in tables, if it was chosen. */
export interface Options {
  readonly columns: ReadonlyArray<TransferColumns.TransferColumn> | undefined
  readonly timeZone: DateTime.TimeZone | undefined
}

/** The report of some transfers. */
export const make = (found: ReadonlyArray<Found>, { columns, timeZone }: Options): Report => {
  const records =
    columns === undefined ? found : found.map(({ transfer }) => TransferColumns.toRecord(transfer, columns))
  return {
    json: records.length === 1 ? records[0] : records,
    records,
    csv: [
      (columns ?? TransferColumns.flat).map(({ name }) => name),
      ...found.map(({ transfer }) => TransferColumns.toCells(transfer, columns)),
    ],
    table: () =>
      found.flatMap((shown) =>
        columns === undefined
          ? [fieldsOf(shown, timeZone), ...historyOf(shown, timeZone)]
          : [columnsOf(shown, columns, timeZone)],
      ),
  }
}

const columnsOf = (
  { transfer }: Found,
  columns: ReadonlyArray<TransferColumns.TransferColumn>,
  timeZone: Options["timeZone"],
): Section => ({
  ...fieldTable,
  title: transfer.id,
  rows: columns.map(({ name, kind, read }) => {
    const text = read(transfer)
    return [name, text !== undefined && kind === "timestamp" ? inZone(text, timeZone) : (text ?? "(none)")]
  }),
})

const fieldTable = { columns: [{ header: "FIELD" }, { header: "VALUE", shrinkTo: 20, wrap: true }] }

/** Every digit of an instant, by the clocks of a time zone. */
const inZone = (text: string, timeZone: Options["timeZone"]): string =>
  timeZone === undefined ? text : Timestamp.toZone(Timestamp.parseUnsafe(text), timeZone).text

const fieldsOf = ({ transfer }: Found, timeZone: Options["timeZone"]): Section => ({
  ...fieldTable,
  title: transfer.id,
  rows: Object.entries(transfer).map(([name, value]) => [
    name,
    Timestamp.isTimestamp(value) ? inZone(value.text, timeZone) : fieldText(value),
  ]),
})

const historyOf = (
  { first_seen_at, vanished_at, changes }: Found,
  timeZone: Options["timeZone"],
): ReadonlyArray<Section> => {
  if (first_seen_at === undefined || changes === undefined) return []
  const timeOf = (instant: string) => TransferTable.terminalTime(Timestamp.parseUnsafe(instant), timeZone)
  const zone = timeZone === undefined ? "UTC" : DateTime.zoneToString(timeZone)
  return [
    {
      title: vanished_at === undefined ? "History" : "History: the service does not have it any more",
      columns: [{ header: `SEEN (${zone})` }, { header: "EVENT" }, { header: "CHANGES", shrinkTo: 20, wrap: true }],
      rows: [
        [timeOf(first_seen_at), "first seen", ""],
        ...changes.map(({ event, seen_at, changed }) => [
          timeOf(seen_at),
          event,
          Object.entries(changed)
            .map(([name, { from, to }]) => `${name}: ${fieldText(from)} → ${fieldText(to)}`)
            .join("; "),
        ]),
      ],
    },
  ]
}
