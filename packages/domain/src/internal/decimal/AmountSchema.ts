/** The wire form of {@link file://../Amount.ts}. Separate, so that programs that only read amounts load no schema. */
import * as S from "effect/Schema"
import { amountMaxLength, amountPattern } from "./Grammar.ts"

/** A string in the grammar. */
export const AmountSchema = S.String.check(
  S.isPattern(amountPattern, { expected: "a plain decimal number" }),
  S.isMaxLength(amountMaxLength),
).annotate({ identifier: "Amount" })
