/** Where a stream of transfers stands: plain JSON to keep beside what has been received, and to go on from later. */
import * as Data from "effect/Data"
import * as Result from "effect/Result"
import * as S from "effect/Schema"
import * as CreatedAt from "./CreatedAt.ts"
import type { Dialect } from "./Dialect.ts"
import * as InstantSet from "./internal/instantSet.ts"
import * as Timestamp from "./Timestamp.ts"
import type { TransferQuery } from "./TransferQuery.ts"

/** Instants from `gte` up to, not including, `lt`; without one of them, unlimited there. */
const Interval = S.Struct({ gte: S.optionalKey(Timestamp.Wire), lt: S.optionalKey(Timestamp.Wire) })

/** A part of the query that has not been received whole. */
const Window = S.Struct({
  /** What was asked of the service: a cursor is good for this only. */
  asked: Interval,
  /** The cursor of the last page received, absent before the first. */
  after_cursor: S.optionalKey(S.String),
})

/** The schema of a {@link Checkpoint}. */
export const Schema = S.Struct({
  version: S.Literal(1),
  /** The {@link fingerprint} of the query. */
  query: S.String,
  /** Transfers received so far. */
  transfers: S.Int,
  windows: S.Array(Window),
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

/** The checkpoint of a stream that goes on at a position in its requests, or has nothing left without one. */
export const make = (state: {
  readonly query: string
  readonly transfers: number
  readonly requests: ReadonlyArray<CreatedAt.PlannedRequest>
  readonly position: { readonly request: number; readonly after_cursor: string | undefined } | undefined
}): Checkpoint => {
  const { query, transfers, requests, position } = state
  const left = position === undefined ? [] : requests.slice(position.request)
  const windows = left.map(({ window }, index) => ({
    asked: toInterval(window),
    ...(index === 0 && position?.after_cursor !== undefined ? { after_cursor: position.after_cursor } : {}),
  }))
  return { version: 1, query, transfers, windows }
}

/** The requests for what is left. */
export const requests = (
  self: Checkpoint,
  query: TransferQuery,
  dialect: Dialect,
): ReadonlyArray<CreatedAt.PlannedRequest> => {
  const filter = query.created_at ?? CreatedAt.all
  return self.windows.flatMap(({ asked }) =>
    CreatedAt.plan(fromInterval(asked), dialect).requests.map(({ created_at, window }) =>
      CreatedAt.implies(window, filter)
        ? { created_at, window }
        : { created_at, window, residual: CreatedAt.and(filter, window) },
    ),
  )
}

const toInterval = (window: CreatedAt.CreatedAt): typeof Interval.Type => {
  const [run] = InstantSet.runs(window.set)
  return {
    ...(run?.first === undefined ? {} : { gte: Timestamp.fromEpochNanoseconds(run.first).text }),
    ...(run?.end === undefined ? {} : { lt: Timestamp.fromEpochNanoseconds(run.end).text }),
  }
}

const fromInterval = ({ gte, lt }: typeof Interval.Type): CreatedAt.CreatedAt =>
  CreatedAt.and(
    gte === undefined ? CreatedAt.all : CreatedAt.gte(Timestamp.fromWire(gte)),
    lt === undefined ? CreatedAt.all : CreatedAt.lt(Timestamp.fromWire(lt)),
  )

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
