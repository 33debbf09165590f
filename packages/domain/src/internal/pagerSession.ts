/** One run of a pager: pages are requested one by one or many at once, and what they hold goes out in one sequence. */
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { identity } from "effect/Function"
import * as Option from "effect/Option"
import * as Queue from "effect/Queue"
import * as Ref from "effect/Ref"
import * as Result from "effect/Result"
import * as Semaphore from "effect/Semaphore"
import * as Stream from "effect/Stream"
import * as Checkpoint from "../Checkpoint.ts"
import * as CreatedAt from "../CreatedAt.ts"
import type { Dialect } from "../Dialect.ts"
import * as SearchRequest from "../SearchRequest.ts"
import type { Transfer } from "../Transfer.ts"
import type { TransferApi } from "../TransferApi.ts"
import type { TransferApiError } from "../TransferApiError.ts"
import type { TransferPage } from "../TransferPage.ts"
import type { Batch, Completeness, PagerOptions, TransferStream } from "../TransferPager.ts"
import { CheckpointMismatch, CursorExpired, OrderBroken, type TransferPagerError } from "../TransferPagerError.ts"
import type { TransferQuery } from "../TransferQuery.ts"
import { Board } from "./board.ts"
import * as CheckpointWindows from "./checkpointWindows.ts"
import * as Interval from "./interval.ts"
import { type Listing, start } from "./listing.ts"
import { PageGuard } from "./pageGuard.ts"

export interface Run {
  readonly search: TransferApi["Service"]["search"]
  readonly dialect: Dialect
  readonly query: TransferQuery
  readonly options: PagerOptions
  /** Listings that may be read at once. */
  readonly concurrency: number
}

export interface Session {
  readonly board: Board
  /** Requests the next page of a listing and takes it into account. Nothing where its cursor was refused and mended. */
  readonly read: <A>(
    listing: Listing,
    deliver: (batch: Batch) => A,
  ) => Effect.Effect<A | undefined, TransferApiError | TransferPagerError>
}

/** The stream of a run, which keeps its report. */
export const stream = (run: Run, drive: (session: Session) => TransferStream<Batch>): TransferStream<Batch> =>
  Stream.suspend(() => {
    const { query, options } = run
    const { limit = SearchRequest.maxLimit, strict = false, emptyPageBudget = 100, report, resume } = options
    const fingerprint = Checkpoint.fingerprint(query)
    if (resume !== undefined && resume.query !== fingerprint) {
      return Stream.fail(new CheckpointMismatch({ checkpoint: resume.query, query: fingerprint }))
    }
    const positions = resume?.windows.map(CheckpointWindows.toPosition) ?? startingPositions(query, run.dialect)
    if (resume !== undefined && positions.some(({ isAgain }) => isAgain)) return Stream.fail(new OrderBroken())
    const known = positions.flatMap(({ atFrontier, delivered }) => [...atFrontier.ids, ...delivered])
    const guard = new PageGuard({ external_id: query.external_id, limit, strict }, known)
    const board = new Board({
      query,
      dialect: run.dialect,
      guard,
      positions,
      limit,
      emptyPageBudget,
      concurrency: run.concurrency,
      reliedBefore: resume?.relied_on_order ?? false,
    })
    let ended = false
    const tell = (completeness: Completeness) =>
      report === undefined ? Effect.void : Ref.set(report, { tally: guard.tally, completeness })

    const batch = (results: ReadonlyArray<Transfer>): Batch => {
      const { positions, reliedOnOrder } = board
      const transfers = (resume?.transfers ?? 0) + guard.tally.transfers
      let checkpoint: Checkpoint.Checkpoint | undefined
      return {
        results,
        // Most are never looked at.
        get checkpoint() {
          return (checkpoint ??= {
            version: 1,
            query: fingerprint,
            transfers,
            windows: positions.map(CheckpointWindows.fromPosition),
            ...(reliedOnOrder ? { relied_on_order: true } : {}),
          })
        },
      }
    }

    const admit = (listing: Listing, page: TransferPage) => Result.map(board.admit(listing, page), batch)

    const read: Session["read"] = (listing, deliver) =>
      run.search(board.request(listing)).pipe(
        Effect.matchEffect({
          onFailure: (error) => {
            if (!isRefusal(error) || listing.position.after_cursor === undefined) return Effect.fail(error)
            return board.recover(listing)
              ? Effect.succeed(undefined)
              : Effect.fail(listing.isResumed ? new CursorExpired({ reason: error.message }) : error)
          },
          onSuccess: (page) => {
            // To take a page into account and to deliver it is one step, so that a checkpoint is never ahead.
            const admitted = Result.map(admit(listing, page), deliver)
            return Effect.andThen(tell({ _tag: "Running" }), Effect.fromResult(admitted))
          },
        }),
      )

    return drive({ board, read }).pipe(
      Stream.onEnd(Effect.sync(() => (ended = true))),
      Stream.onExit((exit) => tell(ended ? { _tag: "Complete" } : { _tag: "Cut", by: cutBy(exit) })),
    )
  })

const startingPositions = (query: TransferQuery, dialect: Dialect) =>
  CreatedAt.plan(query.created_at ?? CreatedAt.all, dialect)
    .requests.flatMap(({ window }) => Interval.ofFilter(window))
    .map((interval) => start(interval))

/** What a service may say to a cursor it does not know any more. */
const isRefusal = (error: TransferApiError): boolean =>
  error._tag === "InvalidRequest" || (error._tag === "UnexpectedStatus" && error.status >= 400 && error.status < 500)

const cutBy = (exit: Exit.Exit<unknown, TransferApiError | TransferPagerError>): string => {
  if (Exit.isSuccess(exit)) return "consumer"
  const error = Cause.findErrorOption(exit.cause)
  return Option.isSome(error) ? error.value._tag : "interruption"
}

/** Page after page, `prefetch` of them ahead of the consumer. */
export const oneByOne = ({ board, read }: Session, prefetch: number): TransferStream<Batch> => {
  const next = Effect.fnUntraced(function* () {
    const listing = board.take(0n)
    const batch = listing === undefined ? undefined : yield* read(listing, identity)
    return [
      batch === undefined ? [] : [batch],
      board.isDone ? Option.none<void>() : Option.some<void>(undefined),
    ] as const
  })
  return Stream.paginate(undefined, next).pipe(prefetch > 0 ? Stream.bufferArray({ capacity: prefetch - 1 }) : identity)
}

/** Many pages at once; as many again wait for the consumer. */
export const atOnce = ({ board, read }: Session, concurrency: number): TransferStream<Batch> =>
  Stream.suspend(() => {
    const room = Semaphore.makeUnsafe(concurrency * 2)
    let changed = Deferred.makeUnsafe<void>()
    const tellOthers = Effect.suspend(() => {
      const before = changed
      changed = Deferred.makeUnsafe()
      return Deferred.succeed(before, undefined)
    })
    const worker = (queue: Queue.Enqueue<Batch>) =>
      Effect.gen(function* () {
        while (!board.isDone) {
          const now = yield* Clock.currentTimeNanos
          // Noted before the look at the board, so that no change after it is missed.
          const change = changed
          const listing = board.take(now)
          if (listing === undefined) {
            yield* Deferred.await(change)
            continue
          }
          yield* room.take(1)
          const delivered = yield* read(listing, (batch) => Queue.offerUnsafe(queue, batch))
          if (delivered === undefined) yield* room.release(1)
          yield* tellOthers
        }
      })
    return Stream.callback<Batch, TransferApiError | TransferPagerError>(
      (queue) =>
        Effect.all(
          Array.from({ length: concurrency }, () => worker(queue)),
          { concurrency: "unbounded", discard: true },
        ).pipe(Effect.andThen(Queue.end(queue))),
      { bufferSize: Number.POSITIVE_INFINITY },
    ).pipe(Stream.tap(() => room.release(1)))
  })
