/** What to audit: the transfers created in a window of time, from its start or from where an earlier part ended. */
import * as Checkpoint from "@transferkit/domain/Checkpoint"
import * as CreatedAt from "@transferkit/domain/CreatedAt"
import * as JsonDepth from "@transferkit/domain/JsonDepth"
import * as Timestamp from "@transferkit/domain/Timestamp"
import type { TransferQuery } from "@transferkit/domain/TransferQuery"
import * as Data from "effect/Data"
import type * as Duration from "effect/Duration"
import * as Result from "effect/Result"

/** The counts so far, over all parts. */
export interface Tally {
  readonly audited: number
  readonly with_findings: number
  /** How many findings there are of each code. */
  readonly codes: { readonly [code: string]: number }
}

/** A window from `since` up to, not including, `until`. */
export interface AuditWindow {
  readonly since: Timestamp.Timestamp
  readonly until: Timestamp.Timestamp
  readonly resume?: Checkpoint.Checkpoint
  readonly tally: Tally
}

/** The window as events and results contain it: `{"audit": …}` continues an earlier audit. */
export interface AuditRequest {
  readonly since: string
  readonly until: string
  readonly checkpoint?: Checkpoint.Checkpoint
  readonly tally?: Tally
}

/** The event does not say which window to audit. */
export class MalformedAudit extends Data.TaggedError("MalformedAudit")<{ readonly reason: string }> {
  override get message(): string {
    return (
      `${this.reason} Send {"audit":{"since":"2024-09-01T00:00:00Z","until":"2024-09-02T00:00:00Z"}}, ` +
      `or the continuation of an earlier result, unchanged.`
    )
  }
}

/** The window of a length that ends at a time. */
export const endingAt = (time: string, length: Duration.Duration): Result.Result<AuditWindow, MalformedAudit> =>
  Result.map(instant(time, "time"), (until) => ({
    since: Timestamp.lookBack(until, length),
    until,
    tally: none,
  }))

/** Reads a request. */
export const parse = (request: unknown): Result.Result<AuditWindow, MalformedAudit> => {
  if (typeof request !== "object" || request === null) return malformed("The audit is not an object.")
  const deeper = JsonDepth.findDeeper(request)
  if (deeper !== undefined) return malformed(`The value at ${deeper} is more than ${JsonDepth.maxDepth} levels deep.`)
  const fields: { readonly [field: string]: unknown } = { ...request }
  return Result.gen(function* () {
    const since = yield* instant(fields["since"], "since")
    const until = yield* instant(fields["until"], "until")
    if (Timestamp.compare(since, until) > 0) return yield* malformed("The window ends before it starts.")
    const tally = fields["tally"] === undefined ? none : yield* tallyOf(fields["tally"])
    if (fields["checkpoint"] === undefined) return { since, until, tally }
    const resume = yield* Result.mapError(
      Checkpoint.fromJson(JSON.stringify(fields["checkpoint"])),
      (error) => new MalformedAudit({ reason: error.message }),
    )
    return { since, until, tally, resume }
  })
}

/** The request that continues the audit. */
export const toRequest = ({ since, until, resume, tally }: AuditWindow): AuditRequest => ({
  since: since.text,
  until: until.text,
  ...(resume === undefined ? {} : { checkpoint: resume }),
  tally,
})

/** The bounds of a window, as results contain them. */
export interface WindowText {
  readonly since: string
  readonly until: string
}

/** The bounds of a window. */
export const textOf = ({ since, until }: AuditWindow): WindowText => ({ since: since.text, until: until.text })

/** The query for the service. */
export const query = ({ since, until }: AuditWindow): TransferQuery => ({
  created_at: CreatedAt.between(since, until),
})

/** Of nothing. */
export const none: Tally = { audited: 0, with_findings: 0, codes: {} }

/** Fails with the reason. */
export const malformed = (reason: string) => Result.fail(new MalformedAudit({ reason }))

const instant = (value: unknown, name: string): Result.Result<Timestamp.Timestamp, MalformedAudit> =>
  typeof value === "string"
    ? Result.mapError(Timestamp.parse(value), (error) => new MalformedAudit({ reason: `${name}: ${error.message}` }))
    : malformed(`The audit has no ${name}.`)

/** Reads the counts of an earlier result. */
export const tallyOf = (value: unknown): Result.Result<Tally, MalformedAudit> => {
  const { audited, with_findings, codes }: { readonly [field: string]: unknown } = { ...Object(value) }
  if (!isCount(audited) || !isCount(with_findings) || typeof codes !== "object" || codes === null) {
    return malformed("The tally is not that of an earlier result.")
  }
  const counts = Object.entries(codes).filter((entry): entry is [string, number] => isCount(entry[1]))
  return Result.succeed({ audited, with_findings, codes: Object.fromEntries(counts) })
}

const isCount = (value: unknown): value is number =>
  typeof value === "number" && Number.isSafeInteger(value) && value >= 0
