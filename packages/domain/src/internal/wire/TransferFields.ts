/**
 * Transfers from and to the values of `JSON.parse`. A schema explains what is wrong with a transfer; this reader only
 * says that something is, in a fraction of the time, and builds the transfer in the same pass. A differential test
 * holds the two to the same answers.
 */
import * as Amount from "../../Amount.ts"
import * as CurrencyCode from "../../CurrencyCode.ts"
import * as Timestamp from "../../Timestamp.ts"
import type { Transfer, Wire } from "../../Transfer.ts"
import { Money } from "../decimal/MoneyValue.ts"
import { Timestamp as TimestampClass } from "../time/TimestampText.ts"

type Fields = Record<string, unknown>

/** The fields that hold money, in the order of partner-api.md. */
export const moneyFields = [
  "source_total",
  "source_total_usd",
  "source_subtotal",
  "source_subtotal_usd",
  "destination_total",
  "destination_total_usd",
  "service_fee",
  "service_fee_usd",
  "network_fee",
  "network_fee_usd",
] as const

const requiredTextFields = ["id", "kind", "status"] as const
const optionalTextFields = ["external_id", "network_transaction_id", "wallet_address", "payment_method"] as const

/** The transfer of a value from the wire, or `undefined` where its schema would refuse it. */
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
  if (!readTimestamp(fields, "updated_at")) return undefined
  for (const name of moneyFields) if (!readMoney(fields, name)) return undefined
  return fields as unknown as Transfer
}

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

/** The transfer of a wire object that its schema has accepted. */
export const fromWire = (wire: typeof Wire.Type): Transfer => {
  const transfer = readTransfer(wire)
  if (transfer === undefined) throw new Error("the schema of a transfer accepted what its reader refuses")
  return transfer
}

/** The wire object of a transfer, in the order of its fields. */
export const toWire = (transfer: Transfer): typeof Wire.Type & Fields => {
  const wire: Fields = { ...transfer }
  for (const name in wire) {
    const value = wire[name]
    if (value instanceof Money) wire[name] = value.toJSON()
    else if (value instanceof TimestampClass) wire[name] = value.text
  }
  return wire as typeof Wire.Type & Fields
}
