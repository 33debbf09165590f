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

/** Validates proposals against the capabilities in force. */
export const validate = Effect.fnUntraced(function* (proposals: ReadonlyArray<unknown>) {
  const snapshot = yield* (yield* CapabilitiesCache.CapabilitiesCache).current
  const value = yield* validateAgainst(proposals, snapshot)
  const { results, capabilities, duplicates } = value
  return { value, entry: { ...Log.counts(results), capabilities, ...(duplicates === undefined ? {} : { duplicates }) } }
})

/** Validates proposals against certain capabilities. */
export const validateAgainst = Effect.fnUntraced(function* (
  proposals: ReadonlyArray<unknown>,
  snapshot: CapabilitiesCache.Current,
) {
  const { duplicateCheck } = yield* Settings
  const verdicts = Validation.validateAll(proposals, snapshot.capabilities)
  const checked =
    duplicateCheck.mode === "off"
      ? { verdicts, coverage: undefined }
      : yield* DuplicateCheck.apply(verdicts, duplicateCheck)
  for (const { index, valid, violations } of checked.verdicts) {
    if (valid) continue
    const codes = violations.map(({ code }) => code)
    yield* Effect.annotateLogs(Effect.logDebug("proposal invalid"), { index, codes })
  }
  const value: ValidationResult = {
    valid: checked.verdicts.every(({ valid }) => valid),
    results: checked.verdicts,
    capabilities: CapabilitiesCache.used(snapshot),
    ...(checked.coverage === undefined ? {} : { duplicates: checked.coverage }),
  }
  return value
})
