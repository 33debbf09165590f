/** The schema of {@link file://../CurrencyCode.ts}, apart from what a program that only reads codes has to load. */
import * as S from "effect/Schema"
import type { CurrencyCode } from "../CurrencyCode.ts"
import { currencyCodePattern } from "./grammar.ts"

/** The wire form: a string in the grammar. */
export const Schema = S.String.pipe(
  S.refine((text): text is CurrencyCode => currencyCodePattern.test(text), {
    identifier: "CurrencyCode",
    expected: "a currency code <network>/<ticker> or fiat/<code>",
  }),
)
