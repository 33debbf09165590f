/** Where a scan stands: plain JSON to keep beside what has been received, and to resume from later. */
import * as Data from "effect/Data"
import * as Result from "effect/Result"
import * as S from "effect/Schema"
import * as CreatedAt from "./CreatedAt.ts"
import * as JsonDepth from "./JsonDepth.ts"
import * as Timestamp from "./Timestamp.ts"
import type { TransferQuery } from "./TransferQuery.ts"

/** Instants from `gte` up to, not including, `lt`. A side that is absent has no bound. */
const Interval = S.Struct({ gte: S.optionalKey(Timestamp.Schema), lt: S.optionalKey(Timestamp.Schema) }).check(
  S.makeFilter(
    ({ gte, lt }) => gte === undefined || lt === undefined || Timestamp.compare(gte, lt) < 0 || "gte must be before lt",
  ),
)

const Count = S.Int.check(S.isGreaterThanOrEqualTo(0))

/** The schema of a {@link Checkpoint}. */
export const Schema = S.Struct({
  version: S.Literal(2),
  /** The {@link fingerprint} of the query. */
  query: S.String,
  /** The upper bound that the scan set when it started, because the query has none: nothing from then on is read. */
  until: S.optionalKey(Timestamp.Schema),
  /** Transfers received so far. */
  transfers: Count,
  /** The creation times that are still to be read. */
  remaining: S.Array(Interval),
}).annotate({ identifier: "Checkpoint" })

/** All but what was created in `remaining` has been received. It names no cursor, so it never expires. */
export type Checkpoint = typeof Schema.Type

/** A text is not a checkpoint of this version. */
export class InvalidCheckpoint extends Data.TaggedError("InvalidCheckpoint")<{ readonly reason: string }> {
  override get message(): string {
    return `This is not a checkpoint that can be resumed: ${this.reason}. Start over without it.`
  }
}

const decode = S.decodeUnknownResult(Schema)
const decodeVersion = S.decodeUnknownResult(S.Struct({ version: S.Number }))

/**
 * Reads a checkpoint from the text that `JSON.stringify` made of it.
 *
 * @example
 * Result.isFailure(Checkpoint.fromJson("{}")) // => true
 */
export const fromJson = (text: string): Result.Result<Checkpoint, InvalidCheckpoint> =>
  Result.flatMap(
    Result.mapError(JsonDepth.parse(text), (reason) => new InvalidCheckpoint({ reason })),
    (value) =>
      Result.mapError(decode(value), (error) => {
        const version = Result.map(decodeVersion(value), (checkpoint) => checkpoint.version)
        const isOther = Result.isSuccess(version) && version.success !== 2
        return new InvalidCheckpoint({
          reason: isOther ? `it has format ${version.success}, and this version reads format 2` : error.message,
        })
      }),
  )

/**
 * Whether everything has been received.
 *
 * @example
 * Checkpoint.isComplete({ version: 2, query: "CreatedAt(everything)", transfers: 3, remaining: [] }) // => true
 */
export const isComplete = (self: Checkpoint): boolean => self.remaining.length === 0

/**
 * The creation times that are still to be read.
 *
 * @example
 * CreatedAt.isEmpty(Checkpoint.remaining({ version: 2, query: "CreatedAt(everything)", transfers: 3, remaining: [] })) // => true
 */
export const remaining = (self: Checkpoint): CreatedAt.CreatedAt =>
  self.remaining.reduce(
    (filter, { gte, lt }) =>
      CreatedAt.or(
        filter,
        CreatedAt.fromRange({
          ...(gte === undefined ? {} : { lower: { at: gte, inclusive: true } }),
          ...(lt === undefined ? {} : { upper: { at: lt, inclusive: false } }),
        }),
      ),
    CreatedAt.none,
  )

/**
 * The query in words that are the same for the same query, however it was put together.
 *
 * @example
 * Checkpoint.fingerprint({ external_id: "order-1" }) // => 'external_id="order-1" CreatedAt(everything)'
 */
export const fingerprint = (query: TransferQuery): string => {
  const id = query.external_id === undefined ? "" : `external_id=${JSON.stringify(query.external_id)} `
  return `${id}${query.created_at ?? CreatedAt.all}`
}
