/** The wire form of {@link file://../CurrencyCode.ts}. It is not there, so that a program that only reads codes loads no schema. */
import * as S from "effect/Schema"
import type { CurrencyCode } from "../../CurrencyCode.ts"
import { currencyCodePattern } from "../decimal/Grammar.ts"

/** A string in the grammar. */
export const CurrencyCodeSchema = S.String.pipe(
  S.refine((text): text is CurrencyCode => currencyCodePattern.test(text), {
    identifier: "CurrencyCode",
    expected: "a currency code <network>/<ticker> or fiat/<code>",
  }),
)
