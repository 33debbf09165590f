/** What to audit: the transfers created in a window of time, from its start or from where an earlier part ended. */
import * as Checkpoint from "@transferkit/domain/Checkpoint"
import * as CreatedAt from "@transferkit/domain/CreatedAt"
import * as JsonDepth from "@transferkit/domain/JsonDepth"
import * as Timestamp from "@transferkit/domain/Timestamp"
import type { TransferQuery } from "@transferkit/domain/TransferQuery"
import * as Data from "effect/Data"
import type * as Duration from "effect/Duration"
import * as Result from "effect/Result"
import * as CapabilitiesOfParts from "../service/CapabilitiesOfParts.ts"
import * as AuditTally from "./AuditTally.ts"

/** Which part of a window that was split: its place among so many, and the hash of what was split. */
export interface Part {
  readonly split: string
  readonly index: number
  readonly count: number
}

/** A window from `since` up to, not including, `until`. */
export interface AuditWindow {
  readonly since: Timestamp.Timestamp
  readonly until: Timestamp.Timestamp
  readonly resume?: Checkpoint.Checkpoint
  readonly part?: Part
  readonly tally: AuditTally.AuditTally
  /** The hashes of the capabilities that the tally rests on. */
  readonly capabilities?: ReadonlyArray<string>
  /** Of a continuation or a part: that the function returned it. */
  readonly signature?: string
}

/** The window as events and results contain it: `{"audit": …}` continues an earlier audit. */
export interface AuditRequest {
  readonly since: string
  readonly until: string
  readonly checkpoint?: Checkpoint.Checkpoint
  readonly part?: Part
  readonly tally?: AuditTally.AuditTally
  readonly capabilities?: ReadonlyArray<string>
  readonly signature?: string
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
    tally: AuditTally.none,
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
    const { checkpoint, part, tally, capabilities, signature } = fields
    if ([checkpoint, part, tally, capabilities, signature].every((value) => value === undefined)) {
      return { since, until, tally: AuditTally.none }
    }
    const resume =
      checkpoint === undefined
        ? undefined
        : yield* Result.mapError(
            Checkpoint.fromJson(JSON.stringify(checkpoint)),
            (error) => new MalformedAudit({ reason: error.message }),
          )
    const counts = AuditTally.read(tally)
    if (counts === undefined) return yield* malformed("The tally is not that of an earlier result.")
    if (part !== undefined && !isPart(part)) return yield* malformed("The part is not that of an earlier result.")
    if (capabilities !== undefined && !CapabilitiesOfParts.areHashes(capabilities)) {
      return yield* malformed("The capabilities are not those of an earlier result.")
    }
    if (typeof signature !== "string") return yield* malformed("The continuation has no signature.")
    return {
      since,
      until,
      tally: counts,
      signature,
      ...(capabilities === undefined ? {} : { capabilities }),
      ...(part === undefined ? {} : { part: { split: part.split, index: part.index, count: part.count } }),
      ...(resume === undefined ? {} : { resume }),
    }
  })
}

const isPart = (value: unknown): value is Part => {
  const { split, index, count }: { readonly [field: string]: unknown } = { ...Object(value) }
  return typeof split === "string" && /^[\da-f]{64}$/.test(split) && Number.isInteger(index) && Number.isInteger(count)
}

/** The request that continues the audit, without a signature. */
export const toRequest = ({ since, until, part, resume, tally, capabilities }: AuditWindow): AuditRequest => ({
  since: since.text,
  until: until.text,
  ...(part === undefined ? {} : { part }),
  ...(resume === undefined ? {} : { checkpoint: resume }),
  tally,
  ...(capabilities === undefined ? {} : { capabilities }),
})

/** The bounds of a window, and which part of it, as results contain them. */
export interface WindowText {
  readonly since: string
  readonly until: string
  readonly part?: Part
}

/** The bounds of a window. */
export const textOf = ({ since, until, part }: AuditWindow): WindowText => ({
  since: since.text,
  until: until.text,
  ...(part === undefined ? {} : { part }),
})

/** The query for the service. */
export const query = ({ since, until }: AuditWindow): TransferQuery => ({
  created_at: CreatedAt.between(since, until),
})

/** Fails with the reason. */
export const malformed = (reason: string) => Result.fail(new MalformedAudit({ reason }))

/** Characters of an instant: it has nine digits of a second at most, and messages repeat it. */
const longest = 64

const instant = (value: unknown, name: string): Result.Result<Timestamp.Timestamp, MalformedAudit> =>
  typeof value === "string" && value.length > longest
    ? malformed(`${name} has more than ${longest} characters.`)
    : typeof value === "string"
      ? Result.mapError(Timestamp.parse(value), (error) => new MalformedAudit({ reason: `${name}: ${error.message}` }))
      : malformed(`The audit has no ${name}.`)
