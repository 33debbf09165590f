/**
 * Which intervals to request so that every transfer that may still change is read again, in as few pages as possible.
 * The service filters by creation only, so a request returns a transfer together with its neighbours: those that are
 * close enough to share a page are requested together.
 */
import * as CreatedAt from "./CreatedAt.ts"
import { maxLimit } from "./SearchRequest.ts"
import * as Timestamp from "./Timestamp.ts"

/** A second of creation time with at least one transfer to read again. */
export interface Second {
  /** Seconds since 1970. */
  readonly second: number
  /** Transfers known to be created in this second. */
  readonly transfers: number
  /** Transfers known to be created before this second. */
  readonly before: number
}

/** One request: all of an interval. */
export interface Refresh {
  /** Seconds since 1970, included. */
  readonly from: number
  /** Seconds since 1970, not included. */
  readonly to: number
  /** Pages to expect, if nothing was added in between. */
  readonly pages: number
}

/** Pages that several seconds share at the most. Without a limit a plan could save one page in nine more, but takes long. */
const mostShared = 8

/**
 * The fewest pages that hold all of these seconds, which are in order: never more than one request for each second
 * takes. The intervals are in order and disjoint, so no transfer is requested twice.
 *
 * @example
 * RefreshPlan.plan([{ second: 0, transfers: 1, before: 0 }, { second: 60, transfers: 1, before: 19 }, { second: 90, transfers: 1, before: 20 }]) // => [{ from: 0, to: 61, pages: 1 }, { from: 90, to: 91, pages: 1 }]
 */
export const plan = (seconds: ReadonlyArray<Second>, pageSize: number = maxLimit): ReadonlyArray<Refresh> => {
  /** The best plan for the seconds up to each: its pages, and its last request. */
  const best: Array<{ readonly total: number; readonly start: number; readonly refresh: Refresh }> = []
  seconds.forEach((last, end) => {
    for (let start = end; start >= 0; start--) {
      const first = seconds[start]
      if (first === undefined) break
      const refresh = between(first, last, pageSize)
      if (start < end && refresh.pages > mostShared) break
      const total = (best[start - 1]?.total ?? 0) + refresh.pages
      if (total < (best[end]?.total ?? Infinity)) best[end] = { total, start, refresh }
    }
  })
  const requests: Array<Refresh> = []
  for (let end = best.at(-1), index; end !== undefined; end = index === 0 ? undefined : best[index - 1]) {
    index = end.start
    requests.push(end.refresh)
  }
  return requests.toReversed()
}

const between = (first: Second, last: Second, pageSize: number): Refresh => ({
  from: first.second,
  to: last.second + 1,
  pages: Math.max(1, Math.ceil((last.before + last.transfers - first.before) / pageSize)),
})

/**
 * The creation times of a request.
 *
 * @example
 * String(RefreshPlan.createdAt({ from: 0, to: 61, pages: 1 })) // => "CreatedAt(gte:1970-01-01T00:00:00Z lt:1970-01-01T00:01:01Z)"
 */
export const createdAt = ({ from, to }: Refresh): CreatedAt.CreatedAt => {
  const first = Timestamp.fromEpochSeconds(from)
  // RFC 3339 cannot write the end of its last second.
  return to > Timestamp.epochSeconds(Timestamp.latest)
    ? CreatedAt.gte(first)
    : CreatedAt.between(first, Timestamp.fromEpochSeconds(to))
}
