import { counted } from "@transferkit/domain/Quantity"
/** How a ledger was read, in words: what was detected is said before any result rests on it. */
import type * as Ledger from "@transferkit/files/ledgers/Ledger"
import * as LedgerColumns from "@transferkit/files/ledgers/LedgerColumns"

const delimiters: Readonly<Record<string, string>> = { ",": "commas", ";": "semicolons", "\t": "tabs", "|": "bars" }

/** A sentence, then what was detected and what was given. */
export const sentence = (reading: Ledger.Reading): string => {
  const { file, format, rows, outside = 0, pending = 0, numbers = 0, rounded = 0, detected } = reading
  const facts = factsOf(reading).flatMap(([name, text]) => (text === undefined ? [] : [[name, text] as const]))
  const told = (title: string, own: typeof facts): string =>
    own.length === 0 ? "" : ` ${title}: ${own.map(([, text]) => text).join(", ")}.`
  const [found, given] = [
    facts.filter(([name]) => detected.includes(name)),
    facts.filter(([name]) => !detected.includes(name)),
  ]
  const cut = rounded === 0 ? "" : `, ${rounded} of them rounded to the 15 digits that a spreadsheet keeps`
  const cells = numbers === 0 ? "" : ` ${counted(numbers, "amount")} stored as numbers${cut}.`
  const outer = outside === 0 ? "" : ` Left out ${counted(outside, "row")} outside the period.`
  const unbooked = pending === 0 ? "" : ` Left out ${counted(pending, "transaction")} not booked.`
  const kind = format === "csv" ? "" : ` as ${format}`
  return `Read ${counted(rows, "row")} of ${file}${kind}.${told("Detected", found)}${told("Given", given)}${cells}${outer}${unbooked}`
}

const factsOf = (reading: Ledger.Reading): ReadonlyArray<readonly [Ledger.Detail, string | undefined]> => {
  const { sheet, encoding, delimiter, decimal, date_order, columns } = reading
  return [
    ["sheet", sheet && `sheet ${JSON.stringify(sheet)}`],
    ["encoding", encoding],
    ["delimiter", delimiter && (delimiters[delimiter] ?? JSON.stringify(delimiter))],
    ["decimal", decimal && `decimal ${decimal === "." ? "point" : "comma"}`],
    ["date_order", date_order && dateOrders[date_order]],
    ...LedgerColumns.parts.map((part) => {
      const column = columns[part]
      return [part, column === undefined ? undefined : `${part} in ${JSON.stringify(column)}`] as const
    }),
  ]
}

const dateOrders = { ymd: "year first in dates", dmy: "day first in dates", mdy: "month first in dates" }
