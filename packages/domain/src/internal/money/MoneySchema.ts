/** The schemas of {@link file://../../Money.ts}. Separate, so that programs that only read money load no schema. */
import * as S from "effect/Schema"
import * as SchemaTransformation from "effect/SchemaTransformation"
import { AmountSchema } from "../decimal/AmountSchema.ts"
import { CurrencyCodeSchema } from "./CurrencyCodeSchema.ts"
import { isMoney, Money } from "./MoneyValue.ts"

/** The wire form of Money: `{ "amount": "1.10", "currency_code": "fiat/USD" }`. */
export const Wire = S.Struct({ amount: AmountSchema, currency_code: CurrencyCodeSchema }).annotate({
  identifier: "Money",
})

/**
 * Decodes the wire form, and encodes it again without changing a digit.
 *
 * @example
 * Result.map(S.decodeUnknownResult(Money.Schema)({ amount: "1.10", currency_code: "fiat/USD" }), String) // => Result.succeed("1.10 fiat/USD")
 */
export const Schema = Wire.pipe(
  S.decodeTo(
    S.declare(isMoney, { identifier: "MoneyValue", expected: "Money" }),
    SchemaTransformation.transform({
      decode: (wire): Money => new Money(wire.amount, wire.currency_code),
      encode: (money) => ({ amount: money.text, currency_code: money.currency_code }),
    }),
  ),
)
