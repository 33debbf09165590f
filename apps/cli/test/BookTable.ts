/**
 * A row of the tables of the month end: a booking is `KEY AMOUNT`, then its status and `@DAY` if it has them; a transfer is
 * the same with a status. Files are written into the working directory.
 */
import { writeFile } from "node:fs/promises"
import { run } from "./InProcess.ts"

const rowsOf = (text: string): ReadonlyArray<ReadonlyArray<string>> =>
  text === "" ? [] : text.split(", ").map((row) => row.split(" "))

const plainOf = (words: ReadonlyArray<string>) => {
  const [key = "", amount = "", ...rest] = words
  const day = rest.find((word) => word.startsWith("@"))?.slice(1)
  const status = rest.find((word) => !word.startsWith("@")) ?? ""
  return { key: key === "-" ? "" : key, amount, status, day: day === undefined ? "" : `2024-${day}` }
}

/** A ledger in euros. */
export const ledgerOf = (text: string): string => {
  const rows = rowsOf(text).map(plainOf)
  const hasStatus = rows.some(({ status }) => status !== "")
  const line = (key: string, amount: string, currency: string, status: string, day: string) =>
    [key, amount, currency, day, ...(hasStatus ? [status] : [])].join(",")
  return [
    line("external_id", "amount", "currency", "status", "date"),
    ...rows.map(({ key, amount, status, day }) => line(key, amount, "EUR", status, day)),
  ].join("\n")
}

/** Transfers in euros, as lines of JSON. */
export const transfersOf = (text: string): string =>
  rowsOf(text)
    .map(plainOf)
    .map(({ key, amount, status, day }, index) =>
      JSON.stringify({
        id: `tr_${index}`,
        external_id: key === "" ? null : key,
        kind: "cash_in",
        status,
        created_at: `${day === "" ? "2024-09-20" : day}T10:00:00Z`,
        source_total: { amount, currency_code: "fiat/EUR" },
      }),
    )
    .join("\n")

interface Line {
  readonly outcome: string
  readonly break: boolean
  readonly key: string
  readonly why: string
  readonly ledger?: { readonly amount: string }
  readonly service?: { readonly amount: string }
}

/** Reconciles a ledger and transfers, each given as the text of its file. */
export const command = async (ledger: string, transfers: string, ...args: ReadonlyArray<string>) => {
  await writeFile("ledger.csv", ledger)
  await writeFile("transfers.ndjson", transfers)
  const { code, stdout, stderr } = await run(
    ["reconcile", "ledger.csv", "--from", "transfers.ndjson", "--matched", ...args],
    {},
  )
  const json = stdout.startsWith("{") ? JSON.parse(stdout) : {}
  const lines: ReadonlyArray<Line> = json.outcomes ?? []
  return { code, stderr: stderr.replaceAll(/\s+/g, " "), json, lines }
}

/** A ledger without bookings is refused, so each has this one, which matches. */
const witness = { booked: "z 1", sent: "z 1 complete @09-20" }

const beside = (rows: string, one: string): string => (rows === "" ? one : `${rows}, ${one}`)

/** `Differs! a 100 200`: an exclamation mark is a break. */
export const said = ({ outcome, break: isBreak, key, ledger, service }: Line): string =>
  [`${outcome}${isBreak ? "!" : ""}`, key, ledger?.amount, service?.amount]
    .filter((part) => part !== undefined)
    .join(" ")

/** Reconciles bookings and transfers. */
export const reconcile = async (bookings: string, transfers: string, ...args: ReadonlyArray<string>) => {
  const hasDays = bookings === "" || bookings.includes("@")
  const ledger = ledgerOf(beside(bookings, hasDays ? `${witness.booked} @09-20` : witness.booked))
  const days = hasDays ? ["--map", "date=date"] : []
  const found = await command(ledger, transfersOf(beside(transfers, witness.sent)), ...days, ...args)
  const lines = found.lines.filter(({ key }) => key !== "z")
  return { ...found, said: lines.map(said), why: lines.map(({ why }) => why).filter((why) => why !== "") }
}
