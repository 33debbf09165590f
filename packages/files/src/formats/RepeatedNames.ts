/**
 * Whether an object in the JSON text of a transfer has a name twice. Of such a text only the last values are read, and other
 * programs read the first. Files have millions of texts: the length of most, or their colons, show that they have none.
 */
import * as JsonSyntax from "@transferkit/domain/JsonSyntax"
import * as JsonValue from "@transferkit/domain/JsonValue"
import * as Money from "@transferkit/domain/Money"
import * as Timestamp from "@transferkit/domain/Timestamp"
import * as Transfer from "@transferkit/domain/Transfer"

/** The first one, as a clause with its line; nothing if there is none. The transfer is what was read of the text. */
export const find = (text: string, transfer: Transfer.Transfer, line: number): string | undefined =>
  shortestOf(transfer) === text.length || namesIn(transfer) === colonsIn(text)
    ? undefined
    : JsonSyntax.repeatOf(text, line)

/** The length of the shortest text of a transfer. A text with a name twice is longer. */
const shortestOf = <T extends Transfer.Transfer>(transfer: T): number => {
  let length = 1
  for (const name in transfer) length += name.length + lengthOf(transfer, name) + '"":,'.length
  return length
}

const lengthOf = <T extends Transfer.Transfer>(transfer: T, name: Extract<keyof T, string>): number => {
  const value = transfer[name]
  if (typeof value === "string") return value.length + 2
  if (isMoney(name)) {
    const { text = "", currency_code = "" } = transfer[name] ?? {}
    return text.length + currency_code.length + '{"amount":"","currency_code":""}'.length
  }
  return isInstant(name) ? (transfer[name]?.text.length ?? 0) + 2 : JSON.stringify(value).length
}

const moneyFields: ReadonlySet<string> = new Set(Transfer.moneyFields)
const isMoney = (name: string): name is Transfer.MoneyField => moneyFields.has(name)
const isInstant = (name: string): name is "created_at" | "updated_at" => name === "created_at" || name === "updated_at"

/** How many names objects have, within others too. */
const namesIn = (value: unknown): number => {
  if (typeof value !== "object" || value === null || Timestamp.isTimestamp(value) || JsonValue.isNumberText(value))
    return 0
  if (Money.isMoney(value)) return 2
  const own = Array.isArray(value) ? 0 : Object.keys(value).length
  return Object.values(value).reduce((sum: number, child) => sum + namesIn(child), own)
}

/** How many colons follow a quote: one for each name of a text, and more if strings look like names. */
const colonsIn = (text: string): number => {
  let count = 0
  for (colon.lastIndex = 0; colon.test(text);) count++
  return count
}

const colon = /"[ \t\n\r]*:/g
