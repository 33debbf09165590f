/** Looks up the external_ids of proposals, a few at a time and not for long: each may belong to one transfer only. */
import { TransferApi } from "@transferkit/domain/TransferApi"
import type { InvalidRequest, TransferApiError, UnexpectedStatus } from "@transferkit/domain/TransferApiError"
import type { TransferPage } from "@transferkit/domain/TransferPage"
import * as Validation from "@transferkit/domain/Validation"
import * as Clock from "effect/Clock"
import * as Data from "effect/Data"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { Deadline, timeLeft } from "../Deadline.ts"

/** How many external_ids were looked up, and how many were not, for lack of time or of a response. */
export interface Coverage {
  readonly checked: number
  readonly unchecked: number
}

/** The check is required, and some external_ids could not be looked up. */
export class DuplicatesUnchecked extends Data.TaggedError("DuplicatesUnchecked")<
  Coverage & {
    /** How long the service wants to be left alone, if that is why. */
    readonly retryAfter?: Duration.Duration
  }
> {
  override get message(): string {
    const total = this.checked + this.unchecked
    return (
      `${this.unchecked} of ${total} external_ids could not be looked up, so there is no verdict. ` +
      `Send fewer proposals at a time, or try again later.`
    )
  }
}

/** The pages of a look-up do not say whether a transfer has the external_id: the service broke its contract. */
class LookUpUnanswered extends Data.TaggedError("LookUpUnanswered") {}

/** Look-ups at a time. */
const concurrency = 8

// `maxLimit` of SearchRequest, whose module loads Schema.
const limit = 20

/** The most empty pages of a look-up that are followed, as the pager does. */
const emptyPageBudget = 100

/** Kept back from the time left, for the verdicts without the look-ups that are missing. In milliseconds. */
const margin = 100

/** The longest external_id in a URL, in bytes: servers accept request lines of 8 kB. */
const maxEncodedLength = 4000

/** What was found out about external_ids. */
export interface LookUps {
  /** The violation of each one that was looked up, or `undefined` if it is free. */
  readonly found: ReadonlyMap<string, Validation.Violation | undefined>
  /** How long the service wants to be left alone, if it said so. */
  readonly retryAfter: Duration.Duration | undefined
}

/** The verdicts, with a violation for each external_id that a transfer has, or that the service rejects. */
export const mark = (
  verdicts: ReadonlyArray<Validation.Verdict>,
  { found }: LookUps,
): ReadonlyArray<Validation.Verdict> => verdicts.map((verdict) => marked(verdict, found))

/** How many external_ids of the verdicts were looked up. */
export const coverageOf = (verdicts: ReadonlyArray<Validation.Verdict>, { found }: LookUps): Coverage => {
  const ids = idsOf(verdicts)
  const checked = [...ids].filter((id) => found.has(id)).length
  return { checked, unchecked: ids.size - checked }
}

const idsOf = (verdicts: ReadonlyArray<Validation.Verdict>): ReadonlySet<string> =>
  new Set(verdicts.flatMap(({ external_id }) => external_id ?? []))

/** Looks up each external_id once, as many as the time allows. */
export const lookUpAll = Effect.fnUntraced(function* (
  verdicts: ReadonlyArray<Validation.Verdict>,
  timeout: Duration.Duration,
) {
  const ids = idsOf(verdicts)
  const found = new Map<string, Validation.Violation | undefined>()
  let failures = 0
  let retryAfter: Duration.Duration | undefined
  const attempt = (external_id: string) =>
    Effect.matchEffect(lookUp(external_id), {
      onSuccess: (violation) => Effect.sync(() => found.set(external_id, violation)),
      // A service that is down would make each of a thousand look-ups wait.
      onFailure: (error) => {
        if (error._tag === "RateLimited") retryAfter = error.retryAfter
        return (failures += 1) < concurrency ? Effect.void : Effect.fail(error)
      },
    })
  const duration = Math.min(Duration.toMillis(timeout), (yield* timeLeft) - margin)
  yield* Effect.forEach(ids, attempt, { concurrency, discard: true }).pipe(
    Effect.provideService(Deadline, (yield* Clock.currentTimeMillis) + duration),
    Effect.timeoutOption(duration),
    Effect.catch((error) =>
      Effect.logWarning("duplicate check stopped").pipe(Effect.annotateLogs({ error: error._tag })),
    ),
  )
  const lookUps: LookUps = { found, retryAfter }
  return lookUps
})

const lookUp = Effect.fnUntraced(function* (external_id: string) {
  const invalid = (reason: string) => Validation.invalidExternalId(external_id, reason)
  if (!external_id.isWellFormed()) return invalid("it contains a lone surrogate")
  const length = encodeURIComponent(external_id).length
  if (length > maxEncodedLength) {
    return invalid(`it takes ${length} bytes in a URL, and at most ${maxEncodedLength} can be looked up`)
  }
  const { search } = yield* TransferApi
  return yield* Effect.matchEffect(search({ external_id, limit }), {
    onSuccess: (page) => answerOf(page, external_id),
    onFailure: (error) =>
      isOfTheRequest(error)
        ? Effect.succeed(invalid(`it responds to a look-up with status ${error.status}`))
        : Effect.fail(error),
  })
})

/** Follows empty pages only: another has the transfer, or one that was not asked for, after which nothing is known. */
const answerOf = Effect.fnUntraced(function* (first: TransferPage, external_id: string) {
  const { search } = yield* TransferApi
  const cursors = new Set<string>()
  for (let page = first; ;) {
    const owner = page.results.find((transfer) => transfer.external_id === external_id)
    if (owner !== undefined) {
      return Validation.duplicate(external_id, `The transfer ${owner.id} has this external_id.`)
    }
    const { has_next_page, end_cursor } = page.page_info
    if (page.results.length === 0 && !has_next_page) return undefined
    if (page.results.length > 0 || end_cursor === undefined || cursors.has(end_cursor)) {
      return yield* new LookUpUnanswered()
    }
    if (cursors.add(end_cursor).size > emptyPageBudget) return yield* new LookUpUnanswered()
    page = yield* search({ external_id, limit, after_cursor: end_cursor })
  }
})

/** The statuses that another external_id would not get: a fault of the value, or of its length. */
const rejections: ReadonlySet<number> = new Set([400, 413, 414, 422, 431])

const isOfTheRequest = (error: TransferApiError): error is InvalidRequest | UnexpectedStatus =>
  (error._tag === "InvalidRequest" || error._tag === "UnexpectedStatus") && rejections.has(error.status)

const marked = (verdict: Validation.Verdict, found: LookUps["found"]): Validation.Verdict => {
  const { external_id, violations } = verdict
  const violation = external_id === undefined ? undefined : found.get(external_id)
  if (violation === undefined || violations.some(({ code }) => code === violation.code)) return verdict
  return { ...verdict, valid: false, violations: [violation, ...violations] }
}
