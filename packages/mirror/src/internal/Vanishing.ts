/**
 * Handles transfers that the mirror has and the service did not return. A false response, such as an empty
 * page with status 200, must not erase a mirror: too many at once stop the run. The others are searched for once more,
 * each by its second and then by its `external_id`, because its creation time may have changed.
 */
import type * as CreatedAt from "@transferkit/domain/CreatedAt"
import * as RefreshPlan from "@transferkit/domain/RefreshPlan"
import * as StoredText from "@transferkit/domain/StoredText"
import * as Timestamp from "@transferkit/domain/Timestamp"
import * as TransferPager from "@transferkit/domain/TransferPager"
import type { TransferQuery } from "@transferkit/domain/TransferQuery"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Ref from "effect/Ref"
import * as Stream from "effect/Stream"

/** A transfer that was not read. */
export interface Missing {
  readonly id: string
  readonly created_ns: bigint
  readonly external_id: string | null
}

/** How long after it vanished a transfer is still searched for. */
export const searchedFor = Duration.days(30)

/** Up to this many may always vanish, and this share of the transfers that were expected. */
const usual = { count: 20, share: 0.01 }

/** Why so many cannot have vanished, if they cannot. */
export const objection = (missing: number, expected: number): string | undefined => {
  const isTooMany = missing > usual.count && missing > usual.share * expected
  const isAll = missing > 1 && missing === expected
  if (!isTooMany && !isAll) return undefined
  return `the service did not return ${missing} of ${expected} transfers that the mirror has. Nothing was marked as vanished, and the next sync asks for all of them again. If they are really gone, allow it once with --allow-vanished ${missing}`
}

/** The seconds of some instants, in order: each is a request of its own. */
export const windowsOf = (instants: ReadonlyArray<bigint>): ReadonlyArray<CreatedAt.CreatedAt> => {
  const seconds = new Set(instants.map((at) => Timestamp.epochSeconds(Timestamp.fromEpochNanoseconds(at))))
  return [...seconds].sort((a, b) => a - b).map((from) => RefreshPlan.createdAt({ from, to: from + 1, pages: 1 }))
}

/** Reads everything that the service has of these creation times. */
export const readAll = Effect.fnUntraced(function* (window: CreatedAt.CreatedAt) {
  return { window, ...(yield* collect({ created_at: window })) }
})

/** Reads those that the service has at another creation time. */
export const readMoved = Effect.fnUntraced(function* (missing: ReadonlyArray<Missing>) {
  const read = yield* Effect.forEach(missing, (row) => {
    const external_id = row.external_id === null ? undefined : StoredText.unescape(row.external_id)
    // A URL cannot carry half of a pair.
    if (external_id === undefined || !external_id.isWellFormed()) return Effect.succeed({ transfers: [], pages: 0 })
    return Effect.map(collect({ external_id }), ({ transfers, pages }) => ({
      transfers: transfers.filter(({ id }) => StoredText.escape(id) === row.id),
      pages,
    }))
  })
  return {
    transfers: read.flatMap(({ transfers }) => transfers),
    pages: read.reduce((sum, { pages }) => sum + pages, 0),
  }
})

const collect = Effect.fnUntraced(function* (query: TransferQuery) {
  const pager = yield* TransferPager.TransferPager
  const report = yield* Ref.make(TransferPager.emptyReport)
  const pages = yield* Stream.runCollect(pager.pages(query, { report, prefetch: 0 }))
  return { transfers: pages.flat(), pages: (yield* Ref.get(report)).tally.pages }
})
