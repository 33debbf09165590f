/** How a ledger was read, in words: what was detected is said before any result rests on it. */
import { counted } from "@transferkit/domain/Quantity"
import type * as Ledger from "@transferkit/files/ledgers/Ledger"
import * as LedgerColumns from "@transferkit/files/ledgers/LedgerColumns"
import type * as NoBooking from "@transferkit/files/ledgers/NoBooking"

const delimiters: Readonly<Record<string, string>> = { ",": "commas", ";": "semicolons", "\t": "tabs", "|": "bars" }

/** How a ledger was read, and the SHA-256 of its bytes. */
export type Hashed = Ledger.Reading & { readonly sha256: string }

/** A sentence, then what was detected and what was given. */
export const sentence = (reading: Ledger.Reading): string => {
  const { file, format, rows, outside = 0, pending = 0, numbers = 0, rounded = 0, balances = 0, detected } = reading
  const facts = factsOf(reading).flatMap(([name, text]) => (text === undefined ? [] : [[name, text] as const]))
  const listed = (title: string, own: typeof facts): string =>
    own.length === 0 ? "" : ` ${title}: ${own.map(([, text]) => text).join(", ")}.`
  const [found, given] = [
    facts.filter(([name]) => detected.includes(name)),
    facts.filter(([name]) => !detected.includes(name)),
  ]
  const cut = rounded === 0 ? "" : `, ${rounded} of them rounded to the 15 digits that a spreadsheet keeps`
  const cells = numbers === 0 ? "" : ` ${counted(numbers, "amount")} stored as numbers${cut}.`
  const outer = outside === 0 ? "" : ` Left out ${counted(outside, "row")} outside the period.`
  const unbooked = pending === 0 ? "" : ` Left out ${counted(pending, "transaction")} not booked.`
  const unseen =
    reading.hidden === undefined ? "" : ` The workbook hides ${reading.hidden} of the rows, which count, too.`
  const unproved = reading.unbalanced === undefined ? "" : withoutBalance(reading.unbalanced)
  const missing = (reading.gaps ?? []).slice(0, maxHints).map(missingStatement).join("")
  const again = (reading.repeated ?? []).slice(0, maxHints).map(repeatedReport).join("")
  const unequal = (reading.unequal ?? []).slice(0, maxHints).map(unequalReport).join("")
  const same =
    reading.same_as === undefined ? "" : ` It has the same bytes as ${reading.same_as}, and its rows count again.`
  const skipped = leftOut(reading)
  const balanced = balances === 0 ? "" : ` ${counted(balances, "balance")} followed from the one before.`
  const kind = format === "csv" ? "" : ` as ${format}`
  return `Read ${counted(rows, "row")} of ${file}${kind}.${listed("Detected", found)}${listed("Given", given)}${unseen}${cells}${balanced}${outer}${unbooked}${unproved}${missing}${again}${unequal}${same}${skipped}`
}

const withoutBalance = (statements: number): string =>
  ` ${counted(statements, "statement")} without an account (Acct), an opening (OPBD, PRCD) or a closing balance (CLBD), so that missing entries and statements are not noticed: is the file complete?`

/** Balances continue over a statement whose entries add up to zero. */
const missingStatement = ({ account, after, before }: Ledger.StatementGap): string => {
  const numbers = before - after === 2 ? `number ${after + 1} is` : `numbers ${after + 1} to ${before - 1} are`
  return ` Of the statements of ${JSON.stringify(account.slice(0, 64))}, ${numbers} missing, though the balances continue: is the file complete?`
}

const repeatedReport = ({ account, day, place }: Ledger.RepeatedReport): string =>
  ` The report of ${JSON.stringify(account.slice(0, 64))} of ${day} at ${place} has the transactions of one above, which count again: is it there twice?`

const unequalReport = ({ account, day, place, difference }: Ledger.UnequalReport): string =>
  ` The ledger balances (010, 015) of ${JSON.stringify(account.slice(0, 64))} of ${day} at ${place} leave ${difference} that none of its transactions explains: does the report have all of them?`

const kinds: Readonly<Record<NoBooking.Reason, readonly [one: string, many: string]>> = {
  title: ["title or footer", "titles or footers"],
  header: ["repeated header", "repeated headers"],
  total: ["total", "totals"],
  named: ["row named by --skip-row or the profile", "rows named by --skip-row or the profile"],
  account: ["row of another account", "rows of other accounts"],
}

/** Rows that are no bookings, with the first of their places; and those that may be none. */
const leftOut = ({ left_out = [], sums = [] }: Ledger.Reading): string => {
  const texts = left_out.map(({ reason, rows, places }) => {
    const shown = places.slice(0, maxPlaces).join(", ")
    return `${rows} ${kinds[reason][rows === 1 ? 0 : 1]} (${shown}${rows > maxPlaces ? ", …" : ""})`
  })
  const left = texts.length === 0 ? "" : ` Left out ${texts.join(", ")}.`
  const hints = sums.map(
    ({ place, key, rows }) =>
      ` The amount of ${place} equals the sum of the ${rows} rows above: a total? If so, leave it out with --skip-row ${JSON.stringify(key)}.`,
  )
  return `${left}${hints.slice(0, maxHints).join("")}`
}

const maxPlaces = 5
const maxHints = 3

const factsOf = (reading: Ledger.Reading): ReadonlyArray<readonly [Ledger.Detail, string | undefined]> => {
  const { sheet, encoding, delimiter, decimal, date_order, columns, header, markers } = reading
  const sides = markers && ` (in: ${markers.in.join(" ")}, out: ${markers.out.join(" ")})`
  return [
    ["header", header && `header in ${header}`],
    ["sheet", sheet && `sheet ${JSON.stringify(sheet)}`],
    ["encoding", encoding],
    ["delimiter", delimiter && (delimiters[delimiter] ?? JSON.stringify(delimiter))],
    ["decimal", decimal && `decimal ${decimal === "." ? "point" : "comma"}`],
    ["date_order", date_order && `${dateOrders[date_order]}${reading.utc_times ? ", times in UTC" : ""}`],
    ...LedgerColumns.parts.map((part) => {
      const column = columns[part]
      return [
        part,
        column === undefined
          ? undefined
          : `${names[part] ?? part} in ${JSON.stringify(column)}${part === "sign" ? (sides ?? "") : ""}`,
      ] as const
    }),
  ]
}

const names: Readonly<Partial<Record<LedgerColumns.Part, string>>> = {
  in: "money in",
  out: "money out",
  sign: "its side",
  balance: "running balance",
}

const dateOrders = { ymd: "year first in dates", dmy: "day first in dates", mdy: "month first in dates" }
