/**
 * DATEV's Buchungsstapel as a table: its first line holds the period and the currency of all rows, and their days have no
 * year. Assumed: `Belegdatum` is `DDMM`, and its year is the one that puts it into the period of fields 15 and 16. A row whose
 * `Generalumkehr (GU)` is 1 cancels a booking: its amount is on the other side.
 */
import * as Record from "effect/Record"
import type { Table, TableRow } from "./Ledger.ts"

/** Whether a row is the first of such a file. */
export const isFirst = ({ cells }: TableRow): boolean =>
  /^"?(?:EXTF|DTVF)"?$/.test(cells[0]?.trim() ?? "") && cells.length > 20

const day = /^([0-9]{1,2})([0-9]{2})$/

const names = {
  date: "Belegdatum",
  currency: "WKZ Umsatz",
  side: "Soll/Haben-Kennzeichen",
  reversal: "Generalumkehr (GU)",
  key: "BU-Schlüssel",
} as const

/** The table with whole days, with the file's currency in rows that have none, and with the side of what is cancelled turned. */
export const complete = (table: Table): Table => ({
  ...table,
  rows: async function* () {
    let period: { readonly from: string; readonly to: string; readonly currency: string } | undefined
    let columns: Record<keyof typeof names, number> | undefined
    for await (const rows of table.rows()) {
      yield rows.map((row): TableRow => {
        if (period === undefined) {
          const { cells } = row
          period = { from: cells[14]?.trim() ?? "", to: cells[15]?.trim() ?? "", currency: cells[21]?.trim() ?? "" }
          return row
        }
        if (columns === undefined) {
          const header = row.cells.map((cell) => cell?.trim())
          columns = Record.map(names, (name) => header.indexOf(name))
          return row
        }
        const { date, currency, side } = columns
        const turns = isReversal(row, columns)
        const { from, to, currency: whole } = period
        const cells = row.cells.map((cell, index) => {
          if (index === date) return dayOf(cell, from, to)
          if (index === side && turns) return otherSide(cell)
          return index === currency && (cell ?? "").trim() === "" ? whole : cell
        })
        return { ...row, cells }
      })
    }
  },
})

const otherSide = (cell: string | undefined): string | undefined =>
  ({ S: "H", H: "S" })[cell?.trim().toUpperCase() ?? ""] ?? cell

/** Whether a row cancels a booking. Older files say so by the first of two digits of another column, which also has taxes. */
const isReversal = ({ place, cells }: TableRow, columns: Record<keyof typeof names, number>): boolean => {
  const text = cells[columns.reversal]?.trim() ?? ""
  if (text === "1" || text === "G") return true
  if (text === "0") return false
  const key = cells[columns.key]?.trim() ?? ""
  if (text === "" && !/^[278][0-9]$/.test(key)) return false
  throw new Error(
    text === ""
      ? `${place}: its ${names.key} ${key} may be that of a Generalumkehr: enter 1 or 0 in the column ${names.reversal}`
      : `${place}: its ${names.reversal} is ${JSON.stringify(text.slice(0, 64))}, expected 1, G or 0`,
  )
}

/** A day within a period, which may end in the next year. A cell that is no day stays as it is. */
const dayOf = (cell: string | undefined, from: string, to: string): string | undefined => {
  const [, first = "", month = ""] = day.exec(cell?.trim() ?? "") ?? []
  if (first === "") return cell
  const days = [from, to].map((end) => `${end.slice(0, 4)}${month}${first.padStart(2, "0")}`)
  return days.find((one) => one >= from && one <= to) ?? cell
}
