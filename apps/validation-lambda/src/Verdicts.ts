/** The answer to a request: a verdict on each proposal, and the capabilities it was judged by. */
import * as Validation from "@transferkit/domain/Validation"
import * as Effect from "effect/Effect"
import { CapabilitiesCache, type Current } from "./CapabilitiesCache.ts"
import * as Log from "./Log.ts"

/** What the function answers, valid or not. */
export interface Answer {
  /** Whether every proposal is valid. */
  readonly valid: boolean
  /** In the order of the request. */
  readonly results: ReadonlyArray<Validation.Verdict>
  readonly capabilities: CapabilitiesUsed
}

/** Which capabilities a verdict rests on: with a copy of them it can be given again. */
export interface CapabilitiesUsed {
  readonly hash: string
  readonly age_seconds: number
  /** There where the service failed and these are past their time. */
  readonly stale?: true
}

/** Judges proposals by the capabilities in force. */
export const judge = Effect.fnUntraced(function* (proposals: ReadonlyArray<unknown>) {
  const snapshot = yield* (yield* CapabilitiesCache).current
  const results = Validation.validateAll(proposals, snapshot.capabilities)
  const capabilities = used(snapshot)
  const answer: Answer = { valid: results.every(({ valid }) => valid), results, capabilities }
  return { value: answer, entry: { ...Log.counts(results), capabilities } }
})

/** Which capabilities these are. */
export const used = (snapshot: Current): CapabilitiesUsed => ({
  hash: snapshot.hash,
  age_seconds: snapshot.age_seconds,
  ...(snapshot.stale ? { stale: true } : {}),
})
