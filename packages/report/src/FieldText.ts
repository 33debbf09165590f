/** The value of any field of a transfer as text. */
import * as JsonValue from "@transferkit/domain/JsonValue"

/**
 * Amounts with their currency, everything else as in JSON.
 *
 * @example
 * FieldText.fieldText({ amount: "1.50", currency_code: "fiat/USD" }) // => "1.50 fiat/USD"
 */
export const fieldText = (value: unknown): string => {
  if (value === undefined) return "(none)"
  if (typeof value === "string") return value
  const wire = JsonValue.of(value)
  if (typeof wire === "string") return wire
  const { amount, currency_code } = Object(wire)
  return typeof amount === "string" && typeof currency_code === "string"
    ? `${amount} ${currency_code}`
    : JSON.stringify(wire)
}
