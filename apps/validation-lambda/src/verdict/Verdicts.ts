/** The answer to a request: a verdict on each proposal, and the capabilities it was judged by. */
import * as Validation from "@transferkit/domain/Validation"
import * as Effect from "effect/Effect"
import * as Log from "../Log.ts"
import * as CapabilitiesCache from "../service/CapabilitiesCache.ts"
import type * as DuplicateCheck from "./DuplicateCheck.ts"

/** What the function answers, valid or not. */
export interface Answer {
  /** Whether every proposal is valid. */
  readonly valid: boolean
  /** In the order of the request. */
  readonly results: ReadonlyArray<Validation.Verdict>
  readonly capabilities: CapabilitiesCache.CapabilitiesUsed
  /** There where external_ids are looked up. */
  readonly duplicates?: DuplicateCheck.Coverage
}

/** Judges proposals by the capabilities in force. */
export const judge = Effect.fnUntraced(function* (
  proposals: ReadonlyArray<unknown>,
  check: DuplicateCheck.DuplicateCheck,
) {
  const snapshot = yield* (yield* CapabilitiesCache.CapabilitiesCache).current
  const { verdicts: results, coverage } = yield* judgeBy(proposals, snapshot, check)
  const capabilities = CapabilitiesCache.used(snapshot)
  const duplicates = coverage === undefined ? {} : { duplicates: coverage }
  const answer: Answer = { valid: results.every(({ valid }) => valid), results, capabilities, ...duplicates }
  return { value: answer, entry: { ...Log.counts(results), capabilities, ...duplicates } }
})

/** The verdicts by certain capabilities. */
export const judgeBy = Effect.fnUntraced(function* (
  proposals: ReadonlyArray<unknown>,
  snapshot: CapabilitiesCache.Current,
  check: DuplicateCheck.DuplicateCheck,
) {
  const verdicts = Validation.validateAll(proposals, snapshot.capabilities)
  if (check.mode === "off") return { verdicts, coverage: undefined }
  const { markDuplicates } = yield* Effect.promise(() => import("../Searching.ts"))
  return yield* markDuplicates(verdicts, check)
})
