/**
 * Reads transfers from the values of `JSON.parse` and writes them back. The schema explains what is wrong with a
 * transfer; this reader only detects it, in a fraction of the time, and builds the transfer in the same pass. A
 * differential test checks that the two agree.
 */
import * as Predicate from "effect/Predicate"
import * as Amount from "../../Amount.ts"
import * as CurrencyCode from "../../CurrencyCode.ts"
import * as JsonDepth from "../../JsonDepth.ts"
import * as Timestamp from "../../Timestamp.ts"
import { Money } from "../money/MoneyValue.ts"
import { Timestamp as TimestampClass } from "../time/TimestampText.ts"
import { fields as contract, type Transfer } from "./TransferFields.ts"

type Fields = Record<string, unknown>

/** Reads a value, and notes whether it may keep numbers. */
export type Read<A> = (value: unknown, found: { numbers: boolean }) => A | undefined

/** The type of each known field. One pass over a transfer's own names takes less time than a lookup of every known name. */
const types = new Map<string, (typeof contract)[keyof typeof contract]>(Object.entries(contract))

/** The transfer of a value from the wire, or `undefined` if its schema would reject it. */
export const readTransfer: Read<Transfer> = (value, found) => {
  if (!Predicate.isReadonlyObject(value)) return undefined
  const fields: Fields = { ...value }
  for (const name in value) {
    const field = value[name]
    switch (types.get(name)) {
      case "id":
      case "kind":
      case "status":
        if (typeof field !== "string") return undefined
        break
      case "text":
        if (field === null) delete fields[name]
        else if (typeof field !== "string") return undefined
        break
      case "created":
      case "instant":
        if (field === null) delete fields[name]
        else if (typeof field !== "string" || !Timestamp.isText(field)) return undefined
        else fields[name] = new TimestampClass(field)
        break
      case "money": {
        if (field === null) delete fields[name]
        else {
          const money = readMoney(field)
          if (money === undefined) return undefined
          fields[name] = money
        }
        break
      }
      default:
        if (typeof field === "number") found.numbers = true
        else if (typeof field === "object" && field !== null) {
          if (JsonDepth.findDeeper(field) !== undefined) return undefined
          found.numbers = true
        }
    }
  }
  const { id, kind, status, created_at } = fields
  if (id === undefined || id === "" || kind === undefined || status === undefined || created_at === undefined) {
    return undefined
  }
  // Every field has been read above, by its type, which the type of a record of fields cannot say.
  return fields as unknown as Transfer
}

const readMoney = (value: unknown): Money | undefined => {
  if (!Predicate.isReadonlyObject(value)) return undefined
  const { amount, currency_code } = value
  if (typeof amount !== "string" || !Amount.isAmount(amount)) return undefined
  if (typeof currency_code !== "string" || !CurrencyCode.isCurrencyCode(currency_code)) return undefined
  return new Money(amount, currency_code)
}
