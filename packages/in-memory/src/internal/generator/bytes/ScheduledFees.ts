/** Fees by an agreed schedule, exactly. Those that no row, or several rows, fit stay as they were drawn. */
import * as Amount from "@transferkit/domain/Amount"
import * as CurrencyCode from "@transferkit/domain/CurrencyCode"
import type * as FeeSchedule from "@transferkit/domain/FeeSchedule"
import * as Money from "@transferkit/domain/Money"
import * as Result from "effect/Result"
import type { Units } from "./ByteWriters.ts"

/** The fees of a service. A type only: to read a schedule needs more code than to generate transfers. */
export type Charge = ReturnType<typeof FeeSchedule.charge>

/** An amount, as the writer has it. */
export interface Asset {
  readonly units: Units
  readonly decimals: number
  readonly currency_code: string
}

/** The transfer that is charged. */
export interface Charged {
  readonly kind: string
  readonly payment_method: string
  /** Amounts that do not depend on the fees. */
  readonly source_subtotal: Asset
  readonly destination_total: Asset
}

/** A fee in the currency and of the size of the one that was drawn. */
export const feeOf = (
  charge: Charge,
  fee: "service_fee" | "network_fee",
  drawn: Asset,
  { kind, payment_method, source_subtotal, destination_total }: Charged,
): Units => {
  const charged = charge(
    { fee, currency: drawn.currency_code, kind, payment_method },
    { source_subtotal: moneyOf(source_subtotal), destination_total: moneyOf(destination_total) },
  )
  const { decimals } = drawn
  if (charged === undefined || Amount.scale(charged.text) > decimals || Money.isNegative(charged)) return drawn.units
  const units = Amount.toUnits(charged.text, decimals)
  const beyond = 10n ** BigInt(Math.max(0, decimals - 9))
  return { high: Number(units / beyond), low: Number(units % beyond) }
}

const moneyOf = ({ units, decimals, currency_code }: Asset): Money.Money => {
  const beyond = 10n ** BigInt(Math.max(0, decimals - 9))
  const text = Amount.fromUnits(BigInt(units.high) * beyond + BigInt(units.low), decimals)
  return Money.parseUnsafe(text, Result.getOrThrow(CurrencyCode.parse(currency_code)))
}
