/**
 * Old history is read again bit by bit, from its beginning to its end and then anew, so that a terminal transfer that
 * changed after all is found. What was read when is kept by day, as the end of each part of the history.
 */
import * as Coverage from "@transferkit/domain/Coverage"
import * as CreatedAt from "@transferkit/domain/CreatedAt"
import { maxLimit } from "@transferkit/domain/SearchRequest"
import * as Timestamp from "@transferkit/domain/Timestamp"
import * as Clock from "effect/Clock"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as S from "effect/Schema"
import { TransferMirror } from "../TransferMirror.ts"
import * as Driver from "./Driver.ts"
import * as Rows from "./Rows.ts"
import * as SyncTables from "./SyncTables.ts"

/** A part of the history ends before this creation, and begins where the part before it ends. */
export interface Part {
  readonly until: bigint
  /** When it was read last, by the clock: RFC 3339 in UTC. Empty if a clock said so that was ahead. */
  readonly at: string
}

/** How far the reading is. */
export interface Progress {
  /** Where the next reading begins. */
  readonly next: bigint
  /** When the last one was, by the clock. */
  readonly last: string
  readonly parts: ReadonlyArray<Part>
}

const Stored = S.fromJsonString(
  S.Struct({
    next: S.BigIntFromString,
    last: S.String,
    parts: S.Array(S.Struct({ until: S.BigIntFromString, at: S.String })),
  }),
)

const decode: (text: unknown) => Effect.Effect<Progress, S.SchemaError> = S.decodeUnknownEffect(Stored)
const encode: (progress: Progress) => string = S.encodeSync(Stored)

/** The name in `sync_state`. */
const name = "reread"

/** The first creation that a mirror holds. */
const beginning = -(2n ** 63n)

/** The progress of a partner, if it has begun. */
export const read = Effect.fnUntraced(function* (partner_id: string) {
  const text = yield* SyncTables.state(partner_id, name)
  if (text === undefined) return undefined
  return yield* decode(text).pipe(
    Effect.catch(() => SyncTables.damaged(partner_id, name, "has a value that is no progress of a reading")),
  )
})

/** Parts of one day are one, as old as the oldest of them. */
const merged = (parts: ReadonlyArray<Part>): ReadonlyArray<Part> => {
  const result: Array<Part> = []
  for (const part of parts) {
    const last = result.at(-1)
    if (last !== undefined && last.at.slice(0, 10) === part.at.slice(0, 10)) {
      result[result.length - 1] = { until: part.until, at: last.at < part.at ? last.at : part.at }
    } else result.push(part)
  }
  return result
}

/** The parts of what was created before an instant. */
const upTo = (parts: ReadonlyArray<Part>, end: bigint): ReadonlyArray<Part> => {
  const whole = parts.filter(({ until }) => until <= end)
  const cut = parts.find(({ until }) => until > end)
  return cut === undefined || (whole.at(-1)?.until ?? beginning) >= end ? whole : [...whole, { until: end, at: cut.at }]
}

/** Instants to come are of a clock that was ahead: they do not say when something was read. */
const believed = ({ next, last, parts }: Progress, now: Timestamp.Timestamp): Progress => {
  const latest = Rows.instantText(Timestamp.plus(now, Coverage.tolerated))
  return {
    next,
    last: last <= latest ? last : Rows.instantText(now),
    parts: merged(parts.map(({ until, at }) => ({ until, at: at <= latest ? at : "" }))),
  }
}

/** The parts after what was created from `from` on, and before `until`, was read. */
export const renewed = (
  parts: ReadonlyArray<Part>,
  { from, until, at }: { readonly from: bigint; readonly until: bigint; readonly at: string },
): ReadonlyArray<Part> => {
  const rest = parts.filter((part) => part.until > until)
  return merged([...upTo(parts, from), { until, at }, ...rest])
}

const day = 86_400_000

/** By default, all is read again within 25 days, */
const sharePerDay = 1 / 25
/** not more often than hourly, */
const leastMillis = day / 24
/** and with at most this many requests at once. */
const mostRequests = 100

const countAll = Effect.fnUntraced(function* (partner_id: string) {
  const { run } = Driver.of(yield* TransferMirror)
  const [row] = yield* run(
    (sql) => sql<{ readonly n: bigint }>`SELECT COUNT(*) AS n FROM mirrored_transfers WHERE partner_id = ${partner_id}`,
  )
  return Number(row?.n ?? 0)
})

const requestsOf = Effect.fnUntraced(function* (partner_id: string, millis: number) {
  if (millis < leastMillis) return 0
  const transfers = (yield* countAll(partner_id)) * sharePerDay * (millis / day)
  return Math.min(mostRequests, Math.ceil(transfers / maxLimit))
})

/** What to read again in a pass, and the state that says that it was read. */
export interface Slice {
  /** None, if nothing is due. */
  readonly window: CreatedAt.CreatedAt
  readonly state: Readonly<Record<string, string>>
}

/**
 * The next slice for a pass that began at an instant of the clock, and reads what is recent itself: of so many requests, by default
 * of a share of the history for the time since the last one.
 */
export const next = Effect.fnUntraced(function* (
  partner_id: string,
  given: number | undefined,
  pass: { readonly clock: Timestamp.Timestamp; readonly recent: CreatedAt.CreatedAt },
) {
  const at = Rows.instantText(pass.clock)
  const since = yield* SyncTables.floor(partner_id)
  const recent = CreatedAt.intervals(pass.recent)[0]?.first
  const saved = yield* read(partner_id)
  const progress = saved && believed(saved, pass.clock)
  const stateOf = (after: Progress): Slice["state"] => ({ [name]: encode(after) })
  if (recent === undefined) {
    // The pass reads everything itself.
    const state = progress === undefined ? {} : stateOf({ next: beginning, last: at, parts: [] })
    return { window: CreatedAt.none, state } satisfies Slice
  }
  // A pass by a clock that was ahead may have gone beyond what is old.
  const known = upTo(progress?.parts ?? [], recent)
  // What is not recent any more was read by the passes until now.
  const parts = (known.at(-1)?.until ?? beginning) < recent ? merged([...known, { until: recent, at }]) : known
  if (progress === undefined) {
    return { window: CreatedAt.none, state: stateOf({ next: beginning, last: at, parts }) } satisfies Slice
  }
  const millis = Date.parse(at) - Date.parse(progress.last)
  const requests = given ?? (yield* requestsOf(partner_id, millis))
  const from = progress.next < recent ? progress.next : beginning
  if (requests === 0) {
    return { window: CreatedAt.none, state: stateOf({ ...progress, parts }) } satisfies Slice
  }
  const end = yield* creationAfter(partner_id, from, requests * maxLimit)
  const until = end === undefined || end > recent ? recent : end
  const first = from === beginning ? since : from
  const lower = first === undefined ? CreatedAt.all : CreatedAt.gte(Timestamp.fromEpochNanoseconds(first))
  const window = CreatedAt.and(lower, CreatedAt.lt(Timestamp.fromEpochNanoseconds(until)))
  const after: Progress = {
    next: until === recent ? beginning : until,
    last: at,
    parts: renewed(parts, { from, until, at }),
  }
  const slice: Slice = { window, state: stateOf(after) }
  return slice
})

/** The creation of the transfer that follows so many others. It is later than `from`, however many share an instant. */
const creationAfter = Effect.fnUntraced(function* (partner_id: string, from: bigint, transfers: number) {
  const { run } = Driver.of(yield* TransferMirror)
  const [last] = yield* run(
    (sql) =>
      sql<{ readonly created_ns: bigint }>`SELECT created_ns FROM mirrored_transfers
        WHERE partner_id = ${partner_id} AND created_ns >= ${from} ORDER BY created_ns LIMIT 1 OFFSET ${transfers}`,
  )
  return last === undefined ? undefined : last.created_ns > from ? last.created_ns : from + 1n
})

/** The share of transfers that was read within a time until now, and when the part was read that is oldest, if that is known. */
export const share = Effect.fnUntraced(function* (partner_id: string, within: Duration.Duration) {
  const saved = yield* read(partner_id)
  if (saved === undefined) return undefined
  const now = Timestamp.fromDate(new Date(yield* Clock.currentTimeMillis))
  const { parts } = believed(saved, now)
  const since = Rows.instantText(Timestamp.lookBack(now, within))
  const { run } = Driver.of(yield* TransferMirror)
  const count = (from: bigint, until: bigint | undefined) =>
    run((sql) =>
      Effect.map(
        sql<{ readonly n: bigint }>`SELECT COUNT(*) AS n FROM mirrored_transfers WHERE partner_id = ${partner_id}
          AND created_ns >= ${from} AND created_ns < ${until ?? 2n ** 63n - 1n}`,
        ([row]) => Number(row?.n ?? 0),
      ),
    )
  let [fresh, all, from] = [0, 0, beginning]
  for (const { until, at } of parts) {
    const transfers = yield* count(from, until)
    all += transfers
    if (at >= since) fresh += transfers
    from = until
  }
  const recent = yield* count(from, undefined)
  const [oldest, latest] = [parts.map(({ at }) => at).sort()[0] || undefined, Rows.instantText(now)]
  return {
    share: all + recent === 0 ? 1 : (fresh + recent) / (all + recent),
    oldest: oldest === undefined || oldest <= latest ? oldest : latest,
  }
})
