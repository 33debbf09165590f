/**
 * The names of a transfer's fields, by what they are for: what flags and forms offer. The modules of these concepts export
 * them, too; a program that only offers them starts without the code that reads transfers and computes with amounts.
 */
import { type FieldOf, fieldsOf } from "./internal/wire/TransferFields.ts"

/** The name of a field that holds money. */
export type MoneyField = Extract<FieldOf<"money">, string>

/** The fields that hold money, in the order of partner-api.md. */
export const moneyFields: ReadonlyArray<MoneyField> = fieldsOf("money")

/** The fields of a transfer that can identify it. */
export const keyFields = ["external_id", "id", "network_transaction_id", "wallet_address"] as const

/** One of {@link keyFields}. */
export type KeyField = (typeof keyFields)[number]

/** What a ledger can be compared with: a field, or `fiat`, the source's total if the source alone is fiat, less the destination's if that alone is. */
export type ComparedAmount = MoneyField | "fiat"

/** All of them. */
export const comparedAmounts: ReadonlyArray<ComparedAmount> = [...moneyFields, "fiat"]

/** The dimensions of `created_at`. Weeks are those of ISO 8601, which begin on Mondays. */
export const calendarDimensions = ["day", "week", "month", "quarter", "year"] as const

/** The dimensions that a summary can group by. */
export const dimensions = [...calendarDimensions, "status", "kind", "payment_method", "currency"] as const

/** One of {@link dimensions}. */
export type Dimension = (typeof dimensions)[number]

/** The amounts that a summary shows unless others are asked for. */
export const usualFields = [
  "source_total",
  "destination_total",
  "service_fee",
] as const satisfies ReadonlyArray<MoneyField>
