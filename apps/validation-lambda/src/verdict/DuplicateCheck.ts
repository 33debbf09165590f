/** Looks up the external_ids of proposals, a few at a time and not for long: each may belong to one transfer only. */
import { TransferApi } from "@transferkit/domain/TransferApi"
import * as Validation from "@transferkit/domain/Validation"
import * as Data from "effect/Data"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type { DuplicateCheckSettings } from "../Settings.ts"

/** How many external_ids were looked up, and how many were not, for lack of time or of a response. */
export interface Coverage {
  readonly checked: number
  readonly unchecked: number
}

/** The check is required, and some external_ids could not be looked up. */
export class DuplicatesUnchecked extends Data.TaggedError("DuplicatesUnchecked")<Coverage> {
  override get message(): string {
    const total = this.checked + this.unchecked
    return (
      `${this.unchecked} of ${total} external_ids could not be looked up, so there is no verdict. ` +
      `Send fewer proposals at a time, or try again later.`
    )
  }
}

/** Look-ups at a time. */
const concurrency = 8

// `maxLimit` of SearchRequest, whose module loads Schema.
const limit = 20

/** The verdicts, with a violation for each external_id that a transfer has. */
export const apply = Effect.fnUntraced(function* (
  verdicts: ReadonlyArray<Validation.Verdict>,
  { mode, timeout }: DuplicateCheckSettings,
) {
  const ids = new Set(verdicts.flatMap(({ external_id }) => external_id ?? []))
  const owners = yield* lookUp(ids, timeout)
  const coverage: Coverage = { checked: owners.size, unchecked: ids.size - owners.size }
  if (mode === "required" && coverage.unchecked > 0) return yield* new DuplicatesUnchecked(coverage)
  return { verdicts: verdicts.map((verdict) => marked(verdict, owners)), coverage }
})

/** The transfer that has an external_id, or `undefined` if none has. Ids that were not looked up are absent. */
type Owners = ReadonlyMap<string, string | undefined>

const lookUp = Effect.fnUntraced(function* (ids: ReadonlySet<string>, timeout: Duration.Duration) {
  const { search } = yield* TransferApi
  const owners = new Map<string, string | undefined>()
  const look = (external_id: string) =>
    Effect.map(search({ external_id, limit }), ({ results }) => {
      owners.set(external_id, results.find((transfer) => transfer.external_id === external_id)?.id)
    })
  // The first failure ends it: a service that fails once would make each of a thousand look-ups wait.
  yield* Effect.forEach(ids, look, { concurrency, discard: true }).pipe(
    Effect.timeoutOption(timeout),
    Effect.catch((error) =>
      Effect.logWarning("duplicate check cut short").pipe(Effect.annotateLogs({ error: error._tag })),
    ),
  )
  const found: Owners = owners
  return found
})

const marked = (verdict: Validation.Verdict, owners: Owners): Validation.Verdict => {
  const { external_id, violations } = verdict
  const owner = external_id === undefined ? undefined : owners.get(external_id)
  if (owner === undefined || violations.some(({ code }) => code === "duplicate_external_id")) return verdict
  const violation = Validation.duplicate(external_id, `The transfer ${owner} has this external_id.`)
  return { ...verdict, valid: false, violations: [violation, ...violations] }
}
