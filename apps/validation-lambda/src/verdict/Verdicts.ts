/** The result of a request: a verdict on each proposal, and the capabilities it rests on. */
import * as Validation from "@transferkit/domain/Validation"
import * as Effect from "effect/Effect"
import * as Log from "../Log.ts"
import * as CapabilitiesCache from "../service/CapabilitiesCache.ts"
import { Settings } from "../Settings.ts"
import * as DuplicateCheck from "./DuplicateCheck.ts"

/** What the function returns, valid or not. */
export interface ValidationResult {
  /** Whether every proposal is valid. */
  readonly valid: boolean
  /** In the order of the request. */
  readonly results: ReadonlyArray<Validation.Verdict>
  readonly capabilities: CapabilitiesCache.CapabilitiesUsed
  /** Present if external_ids are looked up. */
  readonly duplicates?: DuplicateCheck.Coverage
}

/** Validates the proposals of a request against the capabilities in force. */
export const validate = Effect.fnUntraced(function* (proposals: ReadonlyArray<unknown>) {
  const snapshot = yield* (yield* CapabilitiesCache.CapabilitiesCache).current
  const verdicts = Validation.validateAll(proposals, snapshot.capabilities)
  const value = yield* resultOf(verdicts, yield* lookUp(verdicts), snapshot)
  const { results, capabilities, duplicates } = value
  return { value, entry: { ...Log.counts(results), capabilities, ...(duplicates === undefined ? {} : { duplicates }) } }
})

/** Looks up the external_ids, if the settings say so. */
export const lookUp = Effect.fnUntraced(function* (verdicts: ReadonlyArray<Validation.Verdict>) {
  const { mode, timeout } = (yield* Settings).duplicateCheck
  return mode === "off" ? undefined : yield* DuplicateCheck.lookUpAll(verdicts, timeout)
})

/** The result with the verdicts and what was looked up. Fails if something was not, and must be. */
export const resultOf = Effect.fnUntraced(function* (
  verdicts: ReadonlyArray<Validation.Verdict>,
  found: DuplicateCheck.LookUps | undefined,
  snapshot: CapabilitiesCache.Current,
) {
  const { mode } = (yield* Settings).duplicateCheck
  const coverage = found === undefined ? undefined : DuplicateCheck.coverageOf(verdicts, found)
  if (mode === "required" && found !== undefined && coverage !== undefined && coverage.unchecked > 0) {
    const { retryAfter } = found
    return yield* new DuplicateCheck.DuplicatesUnchecked({ ...coverage, ...(retryAfter && { retryAfter }) })
  }
  const results = found === undefined ? verdicts : DuplicateCheck.mark(verdicts, found)
  for (const { index, valid, violations } of results) {
    if (valid) continue
    const codes = violations.map(({ code }) => code)
    yield* Effect.annotateLogs(Effect.logDebug("proposal invalid"), { index, codes })
  }
  const value: ValidationResult = {
    valid: results.every(({ valid }) => valid),
    results,
    capabilities: CapabilitiesCache.used(snapshot),
    ...(coverage === undefined ? {} : { duplicates: coverage }),
  }
  return value
})
