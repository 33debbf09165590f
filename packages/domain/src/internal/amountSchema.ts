/** The schema of {@link file://../Amount.ts}, apart from what a program that only reads amounts has to load. */
import * as S from "effect/Schema"
import { amountMaxLength, amountPattern } from "./grammar.ts"

/** The wire form: a string in the grammar. */
export const Schema = S.String.check(
  S.isPattern(amountPattern, { expected: "a plain decimal number" }),
  S.isMaxLength(amountMaxLength),
).annotate({ identifier: "Amount" })
