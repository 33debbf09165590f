/** The transfers that laws are checked on: existing ones, in an interval small enough to read several times. */
import * as CreatedAt from "@transferkit/domain/CreatedAt"
import * as Timestamp from "@transferkit/domain/Timestamp"
import type { Transfer } from "@transferkit/domain/Transfer"
import type { TransferApiError } from "@transferkit/domain/TransferApiError"
import type * as TransferPager from "@transferkit/domain/TransferPager"
import type { TransferPagerError } from "@transferkit/domain/TransferPagerError"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"

/** All transfers of an interval with both bounds, in the order of the service. */
export interface Sample {
  readonly filter: CreatedAt.CreatedAt
  readonly transfers: ReadonlyArray<Transfer>
  /** The ids of those transfers. */
  readonly ids: ReadonlyArray<string>
}

/** The size of a sample, and its source. */
export interface SampleOptions {
  /**
   * Only transfers created then.
   * @default all
   */
  readonly created_at?: CreatedAt.CreatedAt
  /**
   * The maximum number of transfers.
   * @default 500
   */
  readonly size?: number
}

const attempts = 64

/**
 * Takes a sample: the interval is halved at the median of its transfers until all of it fits. Its upper bound is the
 * newest transfer seen, so that the sample does not grow while it is used.
 */
export const take = Effect.fn("Sample.take")(function* (
  pager: TransferPager.TransferPager["Service"],
  options: SampleOptions = {},
): Effect.fn.Return<Sample, TransferApiError | TransferPagerError> {
  const size = options.size ?? 500
  let filter = options.created_at ?? CreatedAt.all
  for (let attempt = 0; ; attempt++) {
    const seen = yield* Stream.runCollect(
      Stream.take(pager.transfers({ created_at: filter }, { prefetch: 0 }), size + 1),
    )
    const instants = seen.map(({ created_at }) => created_at).sort(Timestamp.Order)
    const [first, last, middle] = [instants[0], instants.at(-1), instants[instants.length >> 1]]
    if (first === undefined || last === undefined || middle === undefined) return { filter, transfers: [], ids: [] }
    // Transfers of one instant cannot be separated by time, so all of them are taken.
    if (seen.length <= size || attempt === attempts || Timestamp.compare(first, last) === 0) {
      const closed = CreatedAt.and(filter, CreatedAt.and(CreatedAt.gte(first), CreatedAt.lte(last)))
      const transfers = yield* Stream.runCollect(pager.transfers({ created_at: closed }))
      return { filter: closed, transfers, ids: transfers.map(({ id }) => id) }
    }
    const half = Timestamp.compare(middle, last) === 0 ? CreatedAt.gte(middle) : CreatedAt.gt(middle)
    filter = CreatedAt.and(filter, CreatedAt.and(half, CreatedAt.lte(last)))
  }
})

/** The ids of the sample's transfers that match a filter. */
export const idsWithin = (self: Sample, filter: CreatedAt.CreatedAt): ReadonlyArray<string> =>
  self.transfers.filter(({ created_at }) => CreatedAt.matches(filter, created_at)).map(({ id }) => id)

/** The creation time that this share of the sample's transfers precedes. */
export const quantile = (self: Sample, share: number): Timestamp.Timestamp | undefined => {
  const instants = self.transfers.map(({ created_at }) => created_at).sort(Timestamp.Order)
  return instants[Math.floor(instants.length * share)]
}
