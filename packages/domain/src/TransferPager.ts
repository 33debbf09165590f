/**
 * All transfers of a query, page by page, whatever the service does: it cannot make the pager loop, lose a transfer
 * unnoticed, or deliver one twice.
 */
import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { identity } from "effect/Function"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Ref from "effect/Ref"
import * as Stream from "effect/Stream"
import * as Checkpoint from "./Checkpoint.ts"
import * as CreatedAt from "./CreatedAt.ts"
import { Dialect } from "./Dialect.ts"
import * as CheckpointWindows from "./internal/checkpointWindows.ts"
import { PageGuard } from "./internal/pageGuard.ts"
import * as SearchRequest from "./SearchRequest.ts"
import type { Transfer } from "./Transfer.ts"
import { TransferApi } from "./TransferApi.ts"
import type { TransferApiError } from "./TransferApiError.ts"
import type { TransferPage } from "./TransferPage.ts"
import { CheckpointMismatch, type TransferPagerError } from "./TransferPagerError.ts"
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
  const search = (yield* TransferApi).search
  const dialect = yield* Dialect
  const pages: TransferPager["Service"]["pages"] = (query, options = {}) => pagesOf(search, dialect, query, options)
  return {
    pages,
    transfers: (query, options) => Stream.flatMap(pages(query, options), (page) => Stream.fromIterable(page.results)),
    scan: pages,
  }
})

/** Where the next page starts: in which of the requests, and after which cursor. */
interface Position {
  readonly request: number
  readonly after_cursor: string | undefined
}

const pagesOf = (
  search: TransferApi["Service"]["search"],
  dialect: Dialect,
  query: TransferQuery,
  options: PagerOptions,
): TransferStream<Batch> =>
  Stream.suspend(() => {
    const { limit = SearchRequest.maxLimit, prefetch = 1, strict = false, emptyPageBudget = 100, report } = options
    const fingerprint = Checkpoint.fingerprint(query)
    if (options.resume !== undefined && options.resume.query !== fingerprint) {
      return Stream.fail(new CheckpointMismatch({ checkpoint: options.resume.query, query: fingerprint }))
    }
    const requests =
      options.resume === undefined
        ? CreatedAt.plan(query.created_at ?? CreatedAt.all, dialect).requests
        : CheckpointWindows.requests(options.resume, query, dialect)
    const guard = new PageGuard({ external_id: query.external_id, limit, strict, emptyPageBudget })
    let ended = false
    const tell = (completeness: Completeness) =>
      report === undefined ? Effect.void : Ref.set(report, { tally: guard.tally, completeness })

    const next = Effect.fnUntraced(function* (position: Position) {
      const planned = requests[position.request]
      if (planned === undefined) return [[], Option.none<Position>()] as const
      const page = yield* search({
        ...(query.external_id === undefined ? {} : { external_id: query.external_id }),
        ...(planned.created_at.length === 0 ? {} : { created_at: planned.created_at }),
        limit,
        ...(position.after_cursor === undefined ? {} : { after_cursor: position.after_cursor }),
      })
      const results = yield* Effect.fromResult(guard.admit(planned, page))
      yield* tell({ _tag: "Running" })
      const following = follow(position, page, requests.length)
      const transfers = (options.resume?.transfers ?? 0) + guard.tally.transfers
      const checkpoint = CheckpointWindows.make({ query: fingerprint, transfers, requests, position: following })
      return [[{ results, checkpoint }], Option.fromUndefinedOr(following)] as const
    })

    return Stream.paginate<Position, Batch, TransferApiError | TransferPagerError>(
      { request: 0, after_cursor: options.resume?.windows[0]?.after_cursor },
      next,
    ).pipe(
      prefetch > 0 ? Stream.bufferArray({ capacity: prefetch - 1 }) : identity,
      Stream.onEnd(Effect.sync(() => (ended = true))),
      Stream.onExit((exit) => tell(ended ? { _tag: "Complete" } : { _tag: "Cut", by: cutBy(exit) })),
    )
  })

const follow = (position: Position, page: TransferPage, requests: number): Position | undefined => {
  if (page.page_info.has_next_page) return { request: position.request, after_cursor: page.page_info.end_cursor }
  const request = position.request + 1
  return request < requests ? { request, after_cursor: undefined } : undefined
}

const cutBy = (exit: Exit.Exit<unknown, TransferApiError | TransferPagerError>): string => {
  if (Exit.isSuccess(exit)) return "consumer"
  const error = Cause.findErrorOption(exit.cause)
  return Option.isSome(error) ? error.value._tag : "interruption"
}
