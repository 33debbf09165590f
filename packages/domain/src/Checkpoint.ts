/** Where a scan stands: plain JSON to keep beside what has been received, and to resume from later. */
import * as Data from "effect/Data"
import * as Predicate from "effect/Predicate"
import * as Result from "effect/Result"
import * as CreatedAt from "./CreatedAt.ts"
import * as WholeSecond from "./internal/time/WholeSecond.ts"
import type { Schema } from "./internal/wire/CheckpointSchema.ts"
import { faultOf } from "./internal/wire/FromJsonText.ts"
import * as OriginShape from "./internal/wire/OriginShape.ts"
import { count, fields, list, optional, text } from "./internal/wire/ShapeCheck.ts"
import { timestamp } from "./internal/wire/TimestampShape.ts"
import * as JsonDepth from "./JsonDepth.ts"
import * as RefreshPlan from "./RefreshPlan.ts"
import * as Timestamp from "./Timestamp.ts"
import type { TransferQuery } from "./TransferQuery.ts"

export { Schema } from "./internal/wire/CheckpointSchema.ts"

/** All but what was created in `remaining` has been received. It names no cursor, so it never expires. */
export type Checkpoint = typeof Schema.Type

/** A text is not a checkpoint of this version. */
export class InvalidCheckpoint extends Data.TaggedError("InvalidCheckpoint")<{ readonly reason: string }> {
  override get message(): string {
    return `This is not a checkpoint that can be resumed: ${this.reason}. Start over without it.`
  }
}

const shape = fields({
  version: (value) => (value === 2 ? undefined : { path: [], expected: "2" }),
  origin: optional(OriginShape.origin),
  query: text,
  until: optional(timestamp),
  transfers: count,
  remaining: list(fields({ gte: optional(timestamp), lt: optional(timestamp) })),
  strays: optional(list(fields({ id: text, created_at: timestamp }))),
  given_up: optional(list(fields({ id: text, created_at: timestamp, external_id: optional(text) }))),
})

const hasShape = (value: unknown): value is typeof Schema.Encoded => shape(value) === undefined

/**
 * Reads a checkpoint from the text that `JSON.stringify` made of it.
 *
 * @example
 * Result.isFailure(Checkpoint.fromJson("{}")) // => true
 */
export const fromJson = (text: string): Result.Result<Checkpoint, InvalidCheckpoint> =>
  Result.mapError(Result.flatMap(JsonDepth.parse(text), read), (reason) => new InvalidCheckpoint({ reason }))

const read = (value: unknown): Result.Result<Checkpoint, string> => {
  if (Predicate.hasProperty(value, "version") && typeof value.version === "number" && value.version !== 2) {
    return Result.fail(`it has format ${value.version}, and this version reads format 2`)
  }
  if (!hasShape(value)) {
    const { pointer, expected, actual } = faultOf(shape, value) ?? {}
    return Result.fail(`${pointer === "" ? "it" : `the value at ${pointer}`} should be ${expected}, but is ${actual}`)
  }
  const { version, origin, query, until, transfers, strays, given_up } = value
  const remaining = value.remaining.map(({ gte, lt }) => ({
    ...(gte && { gte: Timestamp.parseUnsafe(gte) }),
    ...(lt && { lt: Timestamp.parseUnsafe(lt) }),
  }))
  const reversed = remaining.findIndex(({ gte, lt }) => gte && lt && Timestamp.compare(gte, lt) >= 0)
  return reversed === -1
    ? Result.succeed({
        version,
        ...(origin && { origin: { base_url: origin.base_url, partner_id: origin.partner_id } }),
        query,
        ...(until && { until: Timestamp.parseUnsafe(until) }),
        transfers,
        remaining,
        ...(strays && {
          strays: strays.map(({ id, created_at }) => ({ id, created_at: Timestamp.parseUnsafe(created_at) })),
        }),
        ...(given_up && {
          given_up: given_up.map((one) => givenUpOf({ ...one, created_at: Timestamp.parseUnsafe(one.created_at) })),
        }),
      })
    : Result.fail(`the value at /remaining/${reversed} should have its gte before its lt`)
}

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

interface Came {
  readonly id: string
  readonly created_at: Timestamp.Timestamp
  readonly external_id?: string | undefined
}

/**
 * What a checkpoint keeps of a transfer that came in a listing which was not read to its end.
 *
 * @example
 * Object.keys(Checkpoint.givenUpOf(transfer)) // => ["id", "created_at", "external_id"]
 */
export const givenUpOf = ({ id, created_at, external_id }: Came): NonNullable<Checkpoint["given_up"]>[number] => ({
  id,
  created_at,
  ...(external_id !== undefined && { external_id }),
})

/** The most spans of {@link due}. Beyond that, one of them includes what is between. */
const mostSpans = 1000

/**
 * The seconds of transfers that came for creation times which are not theirs, or in listings that were not read to their
 * end, and were not received at their own: these seconds may have been read without them.
 *
 * @example
 * const strays = [{ id: "tr_1", created_at: Timestamp.parseUnsafe("2024-09-01T00:00:00.5Z") }]
 * String(Checkpoint.due({ strays })) // => "CreatedAt(gte:2024-09-01T00:00:00Z lt:2024-09-01T00:00:01Z)"
 */
export const due = ({ strays = [], given_up = [] }: Pick<Checkpoint, "strays" | "given_up">): CreatedAt.CreatedAt => {
  const seconds = [
    ...new Set([...strays, ...given_up].map(({ created_at }) => Timestamp.epochSeconds(created_at))),
  ].sort((a, b) => a - b)
  const spans: Array<{ readonly from: number; to: number }> = []
  for (const from of seconds) {
    const last = spans.at(-1)
    if (last !== undefined && (last.to === from || spans.length === mostSpans)) last.to = from + 1
    else spans.push({ from, to: from + 1 })
  }
  return spans.reduce((all, span) => CreatedAt.or(all, RefreshPlan.createdAt({ ...span, pages: 1 })), CreatedAt.none)
}

/**
 * Divides intervals into at most `count` parts of the same length, cut at whole seconds. An interval without a bound has
 * no length, and is a further part by itself.
 *
 * @example
 * const rest = [{ gte: Timestamp.parseUnsafe("2024-09-01T00:00:00Z"), lt: Timestamp.parseUnsafe("2024-09-01T00:00:09Z") }]
 * Checkpoint.divide(rest, 2).map(([part]) => part?.lt?.text) // => ["2024-09-01T00:00:05Z", "2024-09-01T00:00:09Z"]
 */
export const divide = (remaining: Checkpoint["remaining"], count: number): ReadonlyArray<Checkpoint["remaining"]> => {
  const unbounded = remaining.flatMap((interval) => (isBounded(interval) ? [] : [[interval]]))
  const bounds = remaining.filter(isBounded).map(({ gte, lt }) => [gte.epochNanoseconds, lt.epochNanoseconds] as const)
  const total = bounds.reduce((sum, [from, to]) => sum + to - from, 0n)
  const length = (total / BigInt(count) / WholeSecond.nanosPerSecond + 1n) * WholeSecond.nanosPerSecond
  const parts: Array<Array<Checkpoint["remaining"][number]>> = []
  let room = 0n
  for (const [start, end] of bounds) {
    for (let from = start; from < end;) {
      if (room === 0n) {
        parts.push([])
        room = length
      }
      const to = end - from < room ? end : from + room
      parts.at(-1)?.push({ gte: Timestamp.fromEpochNanoseconds(from), lt: Timestamp.fromEpochNanoseconds(to) })
      room -= to - from
      from = to
    }
  }
  return [...unbounded, ...parts]
}

/**
 * Divides what a checkpoint leaves into at most `count` checkpoints, each with what is to be found in its part. What came
 * and is to be found in none is to be found by the first. Together they are as complete as the one.
 *
 * @example
 * const strays = [{ id: "tr_1", created_at: Timestamp.parseUnsafe("2024-09-01T00:00:07Z") }]
 * const left = [{ gte: Timestamp.parseUnsafe("2024-09-01T00:00:00Z"), lt: Timestamp.parseUnsafe("2024-09-01T00:00:09Z") }]
 * const parts = Checkpoint.split({ version: 2, query: "CreatedAt(everything)", transfers: 3, remaining: left, strays }, 2)
 * parts.map(({ transfers, strays }) => [transfers, strays?.length]) // => [[0, undefined], [0, 1]]
 */
export const split = (self: Checkpoint, count: number): ReadonlyArray<Checkpoint> => {
  const { strays = [], given_up = [], ...rest } = self
  const divided = divide(self.remaining, count)
  const parts = divided.length === 0 ? [[]] : divided
  const left = parts.map((part) => remaining({ ...rest, remaining: part }))
  const partOf = ({ created_at }: { readonly created_at: Timestamp.Timestamp }) =>
    Math.max(
      0,
      left.findIndex((part) => CreatedAt.matches(part, created_at)),
    )
  const [ownStrays, ownGivenUp] = [Map.groupBy(strays, partOf), Map.groupBy(given_up, partOf)]
  return parts.map((part, index) => {
    const [own, others] = [ownStrays.get(index), ownGivenUp.get(index)]
    return { ...rest, transfers: 0, remaining: part, ...(own && { strays: own }), ...(others && { given_up: others }) }
  })
}

const isBounded = (interval: Checkpoint["remaining"][number]): interval is Required<Checkpoint["remaining"][number]> =>
  interval.gte !== undefined && interval.lt !== undefined

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
