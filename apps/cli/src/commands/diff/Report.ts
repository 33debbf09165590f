/** The differences of two exports, a row per changed field. */
import * as Timestamp from "@transferkit/domain/Timestamp"
import type { Comparison, Difference } from "@transferkit/files/exports/ExportDiff"
import * as Iterable from "effect/Iterable"
import type { Report } from "../../output/Report.ts"
import * as TransferTable from "../../output/TransferTable.ts"

const csvHeader = ["kind", "id", "external_id", "created_at", "field", "from", "to"]

/** The report of a comparison. `source` says what each side is. */
export const make = ({ differences, same, notCompared }: Comparison, source: object): Report => {
  return {
    json: { same, not_compared: notCompared, source },
    list: { name: "differences", items: differences },
    records: differences,
    csv: Iterable.prepend(Iterable.flatMap(differences, lines), csvHeader),
    table: (style) => {
      // Transfers that were only added or removed have no fields to show.
      const hasChange = Iterable.some(differences, ({ kind }) => kind === "changed")
      const changeColumns = [
        { header: "FIELD" },
        { header: "FROM", shrinkTo: 10, keeps: TransferTable.isMoney },
        { header: "TO", shrinkTo: 10, keeps: TransferTable.isMoney },
      ]
      return [
        {
          columns: [
            { header: "ID", id: true },
            { header: "EXTERNAL ID", id: true },
            {
              header: "CHANGE",
              style: (cut, cell) =>
                cell === "added" ? style.good(cut) : cell === "removed" ? style.bad(cut) : style.warn(cut),
            },
            { header: "CREATED (UTC)", dropOrder: 1 },
            ...(hasChange ? changeColumns : []),
          ],
          rows: Iterable.map(
            Iterable.flatMap(differences, lines),
            ([kind = "", id = "", external_id = "", created_at = "", ...change]) => [
              id,
              external_id,
              kind,
              TransferTable.terminalTime(Timestamp.parseUnsafe(created_at)),
              ...(hasChange ? change.map((cell) => cell ?? "") : []),
            ],
          ),
        },
      ]
    },
  }
}

const lines = (difference: Difference): ReadonlyArray<ReadonlyArray<string | undefined>> => {
  const { kind, id, external_id, created_at } = difference
  const head = [kind, id, external_id, created_at]
  return difference.kind === "changed"
    ? difference.changes.map(({ field, from, to }) => [...head, field, from, to])
    : [[...head, undefined, undefined, undefined]]
}
