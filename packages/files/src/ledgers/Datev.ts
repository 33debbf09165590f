/**
 * DATEV's Buchungsstapel as a table: its first line holds the period and the currency of all rows, and their days have no
 * year. Assumed: `Belegdatum` is `DDMM`, and its year is the one that puts it into the period of fields 15 and 16.
 */
import type { Table, TableRow } from "./Ledger.ts"

/** Whether a row is the first of such a file. */
export const isFirst = ({ cells }: TableRow): boolean =>
  /^"?(?:EXTF|DTVF)"?$/.test(cells[0]?.trim() ?? "") && cells.length > 20

const day = /^([0-9]{1,2})([0-9]{2})$/

/** The table with whole days, and with the file's currency in rows that have none. */
export const complete = (table: Table): Table => ({
  ...table,
  rows: async function* () {
    let period: { readonly from: string; readonly to: string; readonly currency: string } | undefined
    let columns: { readonly date: number; readonly currency: number } | undefined
    for await (const rows of table.rows()) {
      yield rows.map((row): TableRow => {
        if (period === undefined) {
          const { cells } = row
          period = { from: cells[14]?.trim() ?? "", to: cells[15]?.trim() ?? "", currency: cells[21]?.trim() ?? "" }
          return row
        }
        if (columns === undefined) {
          const names = row.cells.map((cell) => cell?.trim())
          columns = { date: names.indexOf("Belegdatum"), currency: names.indexOf("WKZ Umsatz") }
          return row
        }
        const { date, currency } = columns
        const { from, to, currency: whole } = period
        const cells = row.cells.map((cell, index) =>
          index === date ? dayOf(cell, from, to) : index === currency && (cell ?? "").trim() === "" ? whole : cell,
        )
        return { ...row, cells }
      })
    }
  },
})

/** A day within a period, which may end in the next year. A cell that is no day stays as it is. */
const dayOf = (cell: string | undefined, from: string, to: string): string | undefined => {
  const [, first = "", month = ""] = day.exec(cell?.trim() ?? "") ?? []
  if (first === "") return cell
  const days = [from, to].map((end) => `${end.slice(0, 4)}${month}${first.padStart(2, "0")}`)
  return days.find((one) => one >= from && one <= to) ?? cell
}
