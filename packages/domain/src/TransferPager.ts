/**
 * All transfers of a query, each once, or an error that says why not. Nothing depends on the order in which the service
 * lists its transfers.
 *
 * Reading is bounded by progress: pages in a row that are empty, that only repeat transfers, or that hold only what was
 * not asked for end in an error, and so does a second of creation time with more transfers than can be held. Two things
 * have no bound, because a service that keeps its contract may need any number of them: transfers that are new and were
 * asked for, and cursors that expire while each attempt gets further. The report counts both.
 */
import * as Array from "effect/Array"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import { Dialect } from "./Dialect.ts"
import type { PagesOptions, ScanOptions } from "./internal/paging/PagerOptions.ts"
import type { TransferStream } from "./internal/paging/PagerRun.ts"
import * as PagesRun from "./internal/paging/PagesRun.ts"
import type { Report } from "./internal/paging/Report.ts"
import * as ScanRun from "./internal/scan/ScanRun.ts"
import type { Transfer } from "./Transfer.ts"
import { TransferApi } from "./TransferApi.ts"
import type { TransferQuery } from "./TransferQuery.ts"

export type { PagerOptions, PagesOptions, ScanOptions } from "./internal/paging/PagerOptions.ts"
export type { TransferStream } from "./internal/paging/PagerRun.ts"
export type { Completeness, Report, Tally } from "./internal/paging/Report.ts"
export type { Batch } from "./internal/scan/ScanRun.ts"

/**
 * A report before anything has come: what the `Ref` of {@link PagerOptions} starts with.
 *
 * @example
 * emptyReport.completeness // => { _tag: "Running" }
 */
export const emptyReport: Report = {
  tally: { pages: 0, transfers: 0, duplicates: 0, outside: 0, oversized: 0, rejected: 0 },
  completeness: { _tag: "Running" },
}

/**
 * Reads all transfers of a query. Its streams fail with a `TransferApiError` if the service cannot be read, and with a
 * `TransferPagerError` if it breaks its contract, or if an option makes no sense.
 *
 * @example
 * const count = TransferPager.use((pager) => Stream.runCount(pager.transfers({})))
 * await Effect.runPromise(Effect.provide(count, Layer.provide(TransferPager.layer, service))) // => 3
 */
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
    readonly scan: (query: TransferQuery, options?: ScanOptions) => TransferStream<ScanRun.Batch>
  }
>()("@transferkit/domain/TransferPager") {
  static readonly layer: Layer.Layer<TransferPager, never, TransferApi> = Layer.effect(
    TransferPager,
    Effect.suspend(() => make),
  )
}

/**
 * The pager over a {@link TransferApi}, for those who do without layers.
 *
 * @example
 * const reader = await Effect.runPromise(Effect.provide(make, service))
 * await Effect.runPromise(Stream.runCount(reader.transfers({}))) // => 3
 */
export const make: Effect.Effect<TransferPager["Service"], never, TransferApi> = Effect.gen(function* () {
  const { origin, search } = yield* TransferApi
  const dialect = yield* Dialect
  const pages: TransferPager["Service"]["pages"] = (query, options = {}) =>
    PagesRun.stream({ search, dialect, query, options })
  return {
    pages,
    transfers: (query, options) =>
      pages(query, options).pipe(Stream.filter(Array.isReadonlyArrayNonEmpty), Stream.flattenArray),
    scan: (query, options = {}) => ScanRun.stream({ origin, search, dialect, query, options }),
  }
})
