/** What an answer reveals of masked fields: a total, a group or a filter reveals a value as the field itself does. */
import { fields, moneyFields } from "@transferkit/domain/Transfer"
import * as Effect from "effect/Effect"
import * as Mask from "../Mask.ts"
import { Masked } from "./Refusals.ts"

/** The fields that the groups of a dimension, or the matches of a filter, reveal. */
export const by = (name: string): ReadonlyArray<string> => {
  if (name === "currency") return moneyFields
  return Object.hasOwn(fields, name) ? [name] : ["created_at"]
}

/** Fails if one of the fields is masked: an answer would reveal it, at once or by one question after the other. */
export const check = (mask: Mask.Mask, names: ReadonlyArray<string>): Effect.Effect<void, Masked> => {
  const hidden = names.find((name) => Mask.hides(mask, name))
  const reason = `${hidden} is masked, and the answer would tell it. Ask without it.`
  return hidden === undefined ? Effect.void : Effect.fail(new Masked({ reason }))
}
