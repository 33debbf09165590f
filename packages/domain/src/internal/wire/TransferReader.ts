/**
 * Reads transfers from the values of `JSON.parse` and writes them back. The schema explains what is wrong with a
 * transfer; this reader only detects it, in a fraction of the time, and builds the transfer in the same pass. A
 * differential test checks that the two agree.
 */
import * as Amount from "../../Amount.ts"
import * as CurrencyCode from "../../CurrencyCode.ts"
import * as JsonDepth from "../../JsonDepth.ts"
import * as Timestamp from "../../Timestamp.ts"
import { Money } from "../decimal/MoneyValue.ts"
import { Timestamp as TimestampClass } from "../time/TimestampText.ts"
import { fields as contract, fieldsOf, type Transfer } from "./TransferFields.ts"

type Fields = Record<string, unknown>

const requiredTextFields = fieldsOf("id", "kind", "status")
const optionalTextFields = fieldsOf("text")
const optionalInstants = fieldsOf("instant")
const moneyFields = fieldsOf("money")
const known: ReadonlySet<string> = new Set(Object.keys(contract))

/** The transfer of a value from the wire, or `undefined` if its schema would reject it. */
export const readTransfer = (value: unknown): Transfer | undefined => {
  if (!isObject(value)) return undefined
  const fields: Fields = { ...value }
  for (const name of requiredTextFields) if (typeof fields[name] !== "string") return undefined
  if (fields["id"] === "") return undefined
  for (const name of optionalTextFields) {
    const text = fields[name]
    if (text === null) delete fields[name]
    else if (text !== undefined && typeof text !== "string") return undefined
  }
  if (!readTimestamp(fields, "created_at") || fields["created_at"] === undefined) return undefined
  for (const name of optionalInstants) if (!readTimestamp(fields, name)) return undefined
  for (const name of moneyFields) if (!readMoney(fields, name)) return undefined
  for (const name in value) if (!known.has(name) && isDeep(fields[name])) return undefined
  // Every field has been read above, by name, which the type of a record of fields cannot say.
  return fields as unknown as Transfer
}

const isDeep = (value: unknown): boolean =>
  typeof value === "object" && value !== null && JsonDepth.findDeeper(value) !== undefined

const isObject = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const readTimestamp = (fields: Fields, name: string): boolean => {
  const text = fields[name]
  if (typeof text === "string" && Timestamp.isText(text)) {
    fields[name] = new TimestampClass(text)
    return true
  }
  return dropNull(fields, name, text)
}

const readMoney = (fields: Fields, name: string): boolean => {
  const money = fields[name]
  if (isObject(money)) {
    const { amount, currency_code } = money
    if (typeof amount !== "string" || !Amount.isAmount(amount)) return false
    if (typeof currency_code !== "string" || !CurrencyCode.isCurrencyCode(currency_code)) return false
    fields[name] = new Money(amount, currency_code)
    return true
  }
  return dropNull(fields, name, money)
}

const dropNull = (fields: Fields, name: string, value: unknown): boolean => {
  if (value === null) delete fields[name]
  return value === null || value === undefined
}
