/** Every field of a transfer, and its history as a timeline; or the chosen columns of it. */
import type { Transfer } from "@transferkit/domain/Transfer"
import * as TransferColumns from "@transferkit/files/formats/TransferColumns"
import type { TransferHistory } from "@transferkit/mirror/TransferHistory"
import { fieldText } from "../../output/FieldText.ts"
import type { Report, Section } from "../../output/Report.ts"

/** A transfer; one of a mirror has a history. */
export type Shown = { readonly transfer: Transfer } & Partial<Omit<TransferHistory, "transfer">>

/** The report of some transfers. */
export const make = (
  found: ReadonlyArray<Shown>,
  columns: ReadonlyArray<TransferColumns.TransferColumn> | undefined,
): Report => {
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
        columns === undefined ? [fieldsOf(shown), ...historyOf(shown)] : [columnsOf(shown, columns)],
      ),
  }
}

const columnsOf = ({ transfer }: Shown, columns: ReadonlyArray<TransferColumns.TransferColumn>): Section => ({
  ...fieldTable,
  title: transfer.id,
  rows: columns.map(({ name, read }) => [name, read(transfer) ?? "(none)"]),
})

const fieldTable = { columns: [{ header: "FIELD" }, { header: "VALUE", shrinkTo: 20, wrap: true }] }

const fieldsOf = ({ transfer }: Shown): Section => ({
  ...fieldTable,
  title: transfer.id,
  rows: Object.entries(transfer).map(([name, value]) => [name, fieldText(value)]),
})

const historyOf = ({ first_seen_at, vanished_at, changes }: Shown): ReadonlyArray<Section> => {
  if (first_seen_at === undefined || changes === undefined) return []
  return [
    {
      title: vanished_at === undefined ? "History" : "History: the service does not have it any more",
      columns: [{ header: "SEEN (UTC)" }, { header: "EVENT" }, { header: "CHANGES", shrinkTo: 20, wrap: true }],
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

const timeOf = (instant: string): string => instant.slice(0, 19).replace("T", " ")
