/** Where a stream of transfers stands: plain JSON to keep beside what has been received, and to go on from later. */
import * as Data from "effect/Data"
import * as Result from "effect/Result"
import * as S from "effect/Schema"
import * as CreatedAt from "./CreatedAt.ts"
import * as Timestamp from "./Timestamp.ts"
import type { TransferQuery } from "./TransferQuery.ts"

/** Instants from `gte` up to, not including, `lt`; without one of them, unlimited there. */
export const Interval = S.Struct({ gte: S.optionalKey(Timestamp.Wire), lt: S.optionalKey(Timestamp.Wire) })

/** A listing of the service that has not been received whole. */
const Window = S.Struct({
  /** What was asked of the service: a cursor is good for this only. */
  asked: Interval,
  /** The part of it that is to be received, where that is not all of it. */
  keep: S.optionalKey(Interval),
  /** The cursor of the last page received, absent before the first. */
  after_cursor: S.optionalKey(S.String),
  /** How the creation times have run. */
  order: S.optionalKey(S.Literals(["ascending", "descending", "none"])),
  /** The creation time of the last transfer received, and the transfers received that were created just then. */
  frontier: S.optionalKey(Timestamp.Wire),
  at_frontier: S.optionalKey(S.Array(S.String)),
  /** Other transfers in it that have been received. */
  received: S.optionalKey(S.Array(S.String)),
  /** It was begun before, and which of its transfers have been received cannot be told. */
  again: S.optionalKey(S.Boolean),
})

/** The schema of a {@link Checkpoint}. */
export const Schema = S.Struct({
  version: S.Literal(1),
  /** The {@link fingerprint} of the query. */
  query: S.String,
  /** Transfers received so far. */
  transfers: S.Int,
  /** What is left. */
  windows: S.Array(Window),
  /** Some windows were left before their end, because their order said that nothing was to come. */
  relied_on_order: S.optionalKey(S.Boolean),
}).annotate({ identifier: "Checkpoint" })

/** All before it has been received. Without `windows`, everything has. */
export type Checkpoint = typeof Schema.Type

/** A text is not a checkpoint of this version. */
export class InvalidCheckpoint extends Data.TaggedError("InvalidCheckpoint")<{ readonly reason: string }> {
  override get message(): string {
    return `This is not a checkpoint that can be resumed: ${this.reason}. Start again without it.`
  }
}

const decode = S.decodeUnknownResult(S.fromJsonString(Schema))

/**
 * Reads a checkpoint from the text that `JSON.stringify` made of it.
 *
 * @example
 * Result.isFailure(Checkpoint.fromJson("{}")) // => true
 */
export const fromJson = (text: string): Result.Result<Checkpoint, InvalidCheckpoint> =>
  Result.mapError(decode(text), (error) => new InvalidCheckpoint({ reason: error.message }))

/**
 * Whether everything has been received.
 *
 * @example
 * Checkpoint.isComplete({ version: 1, query: "CreatedAt(everything)", transfers: 3, windows: [] }) // => true
 */
export const isComplete = (self: Checkpoint): boolean => self.windows.length === 0

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
