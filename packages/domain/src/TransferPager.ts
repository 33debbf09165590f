/**
 * All transfers of a query, page by page, whatever the service does: it cannot make the pager loop, lose a transfer
 * unnoticed, or deliver one twice.
 */
import * as Array from "effect/Array"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Ref from "effect/Ref"
import * as Stream from "effect/Stream"
import type * as Checkpoint from "./Checkpoint.ts"
import { Dialect } from "./Dialect.ts"
import * as PagerSession from "./internal/pagerSession.ts"
import type { Transfer } from "./Transfer.ts"
import { TransferApi } from "./TransferApi.ts"
import type { TransferApiError } from "./TransferApiError.ts"
import type { TransferPagerError } from "./TransferPagerError.ts"
import type { TransferQuery } from "./TransferQuery.ts"

/** What has come so far. */
export interface Tally {
  readonly pages: number
  /** Delivered: each id once, each within the query. */
  readonly transfers: number
  /** Not delivered, because a transfer with that id was. */
  readonly duplicates: number
  /** Not delivered, because the query does not ask for it. */
  readonly outside: number
  /** Pages with more transfers than the limit; they are taken whole. */
  readonly oversized: number
  /** Not delivered, because we asked for them again: after a cursor expired, or an order did not hold. */
  readonly repeated: number
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
  tally: { pages: 0, transfers: 0, duplicates: 0, outside: 0, oversized: 0, repeated: 0 },
  completeness: { _tag: "Running" },
}

/** How to page. */
export interface PagerOptions {
  /**
   * Transfers to a page, 1 to 20.
   * @default 20
   */
  readonly limit?: number
  /**
   * Pages to request ahead of the consumer.
   * @default 1
   */
  readonly prefetch?: number
  /**
   * Fail with {@link OutsideFilter} rather than drop and count a transfer that was not asked for.
   * @default false
   */
  readonly strict?: boolean
  /**
   * Empty pages in a row to go along with.
   * @default 100
   */
  readonly emptyPageBudget?: number
  /** Where to keep the report. */
  readonly report?: Ref.Ref<Report>
  /** Goes on after a checkpoint of the same query. */
  readonly resume?: Checkpoint.Checkpoint
}

/** How to scan. */
export interface ScanOptions extends PagerOptions {
  /**
   * Pages to request at once.
   * @default 8
   */
  readonly concurrency?: number
}

/** Transfers that came together. Once they are dealt with, `checkpoint` is where to go on from. */
export interface Batch {
  readonly results: ReadonlyArray<Transfer>
  readonly checkpoint: Checkpoint.Checkpoint
}

/** What a pager streams. */
export type TransferStream<A> = Stream.Stream<A, TransferApiError | TransferPagerError>

export class TransferPager extends Context.Service<
  TransferPager,
  {
    /** Page after page in the order of the service, without duplicates and transfers that were not asked for. */
    readonly pages: (query: TransferQuery, options?: PagerOptions) => TransferStream<Batch>
    /** The transfers of those pages. */
    readonly transfers: (query: TransferQuery, options?: PagerOptions) => TransferStream<Transfer>
    /** The same transfers, in any order, with many pages requested at once. */
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
    PagerSession.stream({ search, dialect, query, options, concurrency: 1 }, (session) =>
      PagerSession.oneByOne(session, options.prefetch ?? 1),
    )
  return {
    pages,
    transfers: (query, options) =>
      pages(query, options).pipe(
        Stream.map((batch) => batch.results),
        Stream.filter(Array.isReadonlyArrayNonEmpty),
        Stream.flattenArray,
      ),
    scan: (query, options = {}) => {
      const concurrency = Math.max(1, options.concurrency ?? 8)
      return PagerSession.stream({ search, dialect, query, options, concurrency }, (session) =>
        PagerSession.atOnce(session, concurrency),
      )
    },
  }
})
