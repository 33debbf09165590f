/**
 * The wire form of {@link file://../CurrencyCode.ts}. Separate, so that programs that only read codes load no schema.
 */
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
