/**
 * All transfers of a query, whatever the service does: it cannot make the pager loop, lose a transfer unnoticed, or
 * deliver one twice. Nothing depends on the order in which the service lists its transfers.
 */
import * as Array from "effect/Array"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Ref from "effect/Ref"
import * as Stream from "effect/Stream"
import type * as Checkpoint from "./Checkpoint.ts"
import { Dialect } from "./Dialect.ts"
import * as PagesRun from "./internal/paging/PagesRun.ts"
import * as ScanRun from "./internal/scan/ScanRun.ts"
import type { Transfer } from "./Transfer.ts"
import { TransferApi } from "./TransferApi.ts"
import type { TransferApiError } from "./TransferApiError.ts"
import type { TransferPagerError } from "./TransferPagerError.ts"
import type { TransferQuery } from "./TransferQuery.ts"

/** What has come so far. */
export interface Tally {
  /** Responses received, those included that were read again. */
  readonly pages: number
  /** Delivered: each id once, each within the query. */
  readonly transfers: number
  /** Not delivered, because the service listed the same transfer twice. */
  readonly duplicates: number
  /** Not delivered, because the query does not ask for it. */
  readonly outside: number
  /** Pages with more transfers than the limit; they are taken whole. */
  readonly oversized: number
}

/** Whether a stream has delivered all there was. `by` names what cut it short: an error's tag, or `consumer`. */
export type Completeness =
  | { readonly _tag: "Running" }
  | { readonly _tag: "Complete" }
  | { readonly _tag: "Cut"; readonly by: string }

/** What a stream can be asked for while it runs and when it has ended. */
export interface Report {
  readonly tally: Tally
  readonly completeness: Completeness
}

/** A report before anything has come. */
export const emptyReport: Report = {
  tally: { pages: 0, transfers: 0, duplicates: 0, outside: 0, oversized: 0 },
  completeness: { _tag: "Running" },
}

/** What paging and scanning have in common. */
export interface PagerOptions {
  /**
   * Transfers to a page, 1 to 20.
   * @default 20
   */
  readonly limit?: number
  /**
   * Fail with {@link OutsideFilter} rather than drop and count a transfer that was not asked for.
   * @default false
   */
  readonly strict?: boolean
  /**
   * Empty pages in a row to accept.
   * @default 100
   */
  readonly emptyPageBudget?: number
  /** Where to keep the report. */
  readonly report?: Ref.Ref<Report>
}

/** How to read page after page. */
export interface PagesOptions extends PagerOptions {
  /**
   * Pages to request ahead of the consumer, 0 to 1000.
   * @default 1
   */
  readonly prefetch?: number
}

/** How to scan. */
export interface ScanOptions extends PagerOptions {
  /**
   * Windows to read at once, 1 to 1000.
   * @default 8
   */
  readonly concurrency?: number
  /**
   * Transfers to aim at in a window at the most, 20 to 10,000. Smaller windows deliver sooner and hold less in memory,
   * at the price of more requests: each window costs half a page.
   * @default 480
   */
  readonly windowSize?: number
  /** Goes on after a checkpoint of the same query. */
  readonly resume?: Checkpoint.Checkpoint
}

/** The transfers of a window. Once they are dealt with, `checkpoint` is where to resume from. */
export interface Batch {
  readonly results: ReadonlyArray<Transfer>
  readonly checkpoint: Checkpoint.Checkpoint
  /** Transfers that are still to come: a guess by what has been found so far. 0 with the last batch. */
  readonly expected: number
}

/** What a pager streams. */
export type TransferStream<A> = Stream.Stream<A, TransferApiError | TransferPagerError>

export class TransferPager extends Context.Service<
  TransferPager,
  {
    /**
     * Page after page in the order of the service. If the service rejects a cursor, its listing is read again from
     * the start and what was delivered is skipped.
     */
    readonly pages: (query: TransferQuery, options?: PagesOptions) => TransferStream<ReadonlyArray<Transfer>>
    /** The transfers of those pages. */
    readonly transfers: (query: TransferQuery, options?: PagesOptions) => TransferStream<Transfer>
    /**
     * The same transfers, many windows of creation time at once, each delivered when it was read to its end. A query
     * without an upper bound gets one when the scan starts, so that a scan ends: the next whole second.
     */
    readonly scan: (query: TransferQuery, options?: ScanOptions) => TransferStream<Batch>
  }
>()("@transferkit/domain/TransferPager") {
  static readonly layer: Layer.Layer<TransferPager, never, TransferApi> = Layer.effect(
    TransferPager,
    Effect.suspend(() => make),
  )
}

/** The pager over a {@link TransferApi}, for those who do without layers. */
export const make: Effect.Effect<TransferPager["Service"], never, TransferApi> = Effect.gen(function* () {
  const { search } = yield* TransferApi
  const dialect = yield* Dialect
  const pages: TransferPager["Service"]["pages"] = (query, options = {}) =>
    PagesRun.stream({ search, dialect, query, options })
  return {
    pages,
    transfers: (query, options) =>
      pages(query, options).pipe(Stream.filter(Array.isReadonlyArrayNonEmpty), Stream.flattenArray),
    scan: (query, options = {}) => ScanRun.stream({ search, dialect, query, options }),
  }
})
