/** The answer to a request: a verdict on each proposal, and the capabilities it was judged by. */
import * as Validation from "@transferkit/domain/Validation"
import * as Effect from "effect/Effect"
import { CapabilitiesCache, type Current } from "./CapabilitiesCache.ts"
import * as DuplicateCheck from "./DuplicateCheck.ts"
import * as Log from "./Log.ts"

/** What the function answers, valid or not. */
export interface Answer {
  /** Whether every proposal is valid. */
  readonly valid: boolean
  /** In the order of the request. */
  readonly results: ReadonlyArray<Validation.Verdict>
  readonly capabilities: CapabilitiesUsed
  /** There where external_ids are looked up. */
  readonly duplicates?: DuplicateCheck.Coverage
}

/** Which capabilities a verdict rests on: with a copy of them it can be given again. */
export interface CapabilitiesUsed {
  readonly hash: string
  readonly age_seconds: number
  /** There where the service failed and these are past their time. */
  readonly stale?: true
}

/** Judges proposals by the capabilities in force. */
export const judge = Effect.fnUntraced(function* (
  proposals: ReadonlyArray<unknown>,
  check: DuplicateCheck.DuplicateCheck,
) {
  const snapshot = yield* (yield* CapabilitiesCache).current
  const { verdicts: results, coverage } = yield* judgeBy(proposals, snapshot, check)
  const capabilities = used(snapshot)
  const duplicates = coverage === undefined ? {} : { duplicates: coverage }
  const answer: Answer = { valid: results.every(({ valid }) => valid), results, capabilities, ...duplicates }
  return { value: answer, entry: { ...Log.counts(results), capabilities, ...duplicates } }
})

/** The verdicts by certain capabilities. */
export const judgeBy = (proposals: ReadonlyArray<unknown>, snapshot: Current, check: DuplicateCheck.DuplicateCheck) =>
  DuplicateCheck.apply(Validation.validateAll(proposals, snapshot.capabilities), check)

/** Which capabilities these are. */
export const used = (snapshot: Current): CapabilitiesUsed => ({
  hash: snapshot.hash,
  age_seconds: snapshot.age_seconds,
  ...(snapshot.stale ? { stale: true } : {}),
})
