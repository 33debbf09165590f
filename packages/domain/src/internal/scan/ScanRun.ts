/** Streams a scan: as many windows at once as the scan opens, each read by a fiber of its own. */
import type * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as FiberSet from "effect/FiberSet"
import * as Queue from "effect/Queue"
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"
import * as Checkpoint from "../../Checkpoint.ts"
import * as CreatedAt from "../../CreatedAt.ts"
import type { Dialect } from "../../Dialect.ts"
import { IdSet } from "../../IdSet.ts"
import * as Origin from "../../Origin.ts"
import * as Timestamp from "../../Timestamp.ts"
import type { Transfer } from "../../Transfer.ts"
import type { TransferApi } from "../../TransferApi.ts"
import * as TransferApiError from "../../TransferApiError.ts"
import { CheckpointMismatch, type TransferPagerError } from "../../TransferPagerError.ts"
import type { TransferQuery } from "../../TransferQuery.ts"
import * as Inquiry from "../paging/Inquiry.ts"
import * as PagerOptions from "../paging/PagerOptions.ts"
import * as PagerRun from "../paging/PagerRun.ts"
import type { Answer, Question } from "../paging/Undelivered.ts"
import type { Interval } from "../time/Interval.ts"
import * as Excess from "../wire/Excess.ts"
import { type Outcome, Scan, type Window } from "./Scan.ts"
import { ScanRange } from "./ScanRange.ts"

export interface ScanRun {
  readonly origin: TransferApi["Service"]["origin"]
  readonly search: TransferApi["Service"]["search"]
  readonly dialect: Dialect
  readonly query: TransferQuery
  readonly options: PagerOptions.ScanOptions
}

/**
 * The transfers of a window. Once they are dealt with, `checkpoint` is where to resume from.
 *
 * @example
 * const [batch] = await Effect.runPromise(Stream.runCollect(pager.scan({})))
 * [batch.results.length, batch.checkpoint.transfers, batch.expected] // => [3, 3, 0]
 */
export interface Batch {
  readonly results: ReadonlyArray<Transfer>
  /** The creation times that were read: the service has no other transfers of the query there. */
  readonly window: CreatedAt.CreatedAt
  readonly checkpoint: Checkpoint.Checkpoint
  /** Transfers that are still to come: a guess by what has been found so far. 0 with the last batch. */
  readonly expected: number
  /** How much more text the transfers have than ordinary ones, in characters: 0 nearly always. */
  readonly excess: number
}

type Failure = TransferApiError.TransferApiError | TransferPagerError
type Complete = Extract<Outcome, { readonly _tag: "Complete" }>

export const stream = ({ origin, search, dialect, query, options }: ScanRun): PagerRun.TransferStream<Batch> =>
  Stream.unwrap(
    Effect.gen(function* () {
      const { limit, emptyPageBudget, concurrency, windowSize } = yield* Effect.fromResult(PagerOptions.check(options))
      const start = yield* Effect.fromResult(startOf(query, options, yield* Clock.currentTimeMillis))
      const from = yield* origin
      yield* Effect.fromResult(checkOrigin(options.resume, from))
      const scan = new Scan({
        range: new ScanRange(start.wanted, dialect),
        external_id: query.external_id,
        concurrency,
        windowSize,
        limit,
        emptyPageBudget,
        mostInSecond: 100_000,
        strict: options.strict ?? false,
        moved: options.moved ?? "fail",
        delivered: options.delivered ?? new IdSet(),
        isOwed: owedOf(start, options),
        resume: options.resume,
      })
      const settings = { query, dialect, limit, emptyPageBudget, strict: false }
      const answer = (question: Question) => Inquiry.ask({ search, settings }, question)
      const batch = ({ transfers, interval, remaining, strays, givenUp, expected, excess }: Complete): Batch => {
        const received = (options.resume?.transfers ?? 0) + scan.tally.transfers
        let checkpoint: Checkpoint.Checkpoint | undefined
        return {
          results: transfers,
          expected,
          excess,
          get window() {
            return CreatedAt.and(CreatedAt.fromRange(toRange(interval)), start.wanted)
          },
          // Most checkpoints are never looked at.
          get checkpoint() {
            return (checkpoint ??= {
              version: 2,
              ...(from === undefined ? {} : { origin: from }),
              query: Checkpoint.fingerprint(query),
              ...(start.until === undefined ? {} : { until: start.until }),
              transfers: received,
              remaining: remaining.map(toCheckpoint),
              ...(strays.length === 0 ? {} : { strays }),
              ...(givenUp.length === 0 ? {} : { given_up: givenUp }),
            })
          },
        }
      }
      return PagerRun.reporting(options, scan, (progress) =>
        atOnce({ scan, concurrency, search, answer, batch, progress }),
      )
    }),
  )

interface Start {
  /** What is to be read. */
  readonly wanted: CreatedAt.CreatedAt
  /** The same, and what was read before the checkpoint. */
  readonly whole: CreatedAt.CreatedAt
  /** The upper bound if the query has none: a resumed scan keeps the one it started with. */
  readonly until: Timestamp.Timestamp | undefined
}

const startOf = (
  query: TransferQuery,
  { resume, moved }: PagerOptions.ScanOptions,
  now: number,
): Result.Result<Start, CheckpointMismatch> => {
  const filter = query.created_at ?? CreatedAt.all
  if (resume !== undefined) {
    const fingerprint = Checkpoint.fingerprint(query)
    // A service that is right by now lists strays there. What else was created then is delivered again.
    const again = moved === "deliver" ? Checkpoint.due(resume) : CreatedAt.none
    const remaining = CreatedAt.or(Checkpoint.remaining(resume), again)
    const { until } = resume
    const whole = until === undefined ? filter : CreatedAt.and(filter, CreatedAt.lt(until))
    return resume.query === fingerprint
      ? Result.succeed({ wanted: CreatedAt.and(filter, remaining), whole, until })
      : Result.fail(new CheckpointMismatch({ checkpoint: resume.query, query: fingerprint }))
  }
  if (CreatedAt.intervals(filter).at(-1)?.end !== undefined || CreatedAt.isEmpty(filter)) {
    return Result.succeed({ wanted: filter, whole: filter, until: undefined })
  }
  const until = Timestamp.fromEpochSeconds(Math.floor(now / 1000) + 1)
  const wanted = CreatedAt.and(filter, CreatedAt.lt(until))
  return Result.succeed({ wanted, whole: wanted, until })
}

/** Of what was created before the checkpoint, only the ids of what was delivered tell what was not. */
const owedOf = ({ wanted, whole }: Start, { resume, delivered, isKept = () => true }: PagerOptions.ScanOptions) => {
  const isKnown = resume !== undefined && delivered !== undefined
  return (transfer: Transfer): boolean =>
    CreatedAt.matches(wanted, transfer.created_at) ||
    (isKnown && CreatedAt.matches(whole, transfer.created_at) && isKept(transfer))
}

/** A checkpoint of another partner or service would make one set of the transfers of both. */
const checkOrigin = (
  resume: Checkpoint.Checkpoint | undefined,
  from: Origin.Origin | undefined,
): Result.Result<void, CheckpointMismatch> =>
  resume?.origin !== undefined && from !== undefined && Origin.differ(resume.origin, from)
    ? Result.fail(
        new CheckpointMismatch({
          checkpoint: Origin.print(resume.origin),
          query: Origin.print(from),
          differs: "origin",
        }),
      )
    : Result.succeed(undefined)

interface Reader {
  readonly scan: Scan
  readonly concurrency: number
  readonly search: TransferApi["Service"]["search"]
  readonly answer: (question: Question) => Effect.Effect<Answer, Failure>
  readonly batch: (complete: Complete) => Batch
  readonly progress: Effect.Effect<void>
}

/** Opens windows as long as the scan has some and the consumer keeps up: as many again wait for it, completed. */
const atOnce = ({ scan, concurrency, search, answer, batch, progress }: Reader): PagerRun.TransferStream<Batch> =>
  Stream.suspend(() => {
    let held = 0
    let waiting = 0
    let fill: Effect.Effect<void> = Effect.void
    const release = Effect.suspend(() => {
      held--
      return fill
    })
    const readAll = Effect.fnUntraced(function* (queue: Queue.Queue<Batch, Failure | Cause.Done>) {
      const fibers = yield* FiberSet.make<void, Failure>()
      // To take a page into account and to deliver it is one step: no checkpoint is ahead of the queue.
      const deliver = Result.map((outcome: Outcome) => {
        if (outcome._tag === "Complete") {
          waiting += outcome.excess
          Queue.offerUnsafe(queue, batch(outcome))
        }
        return outcome
      })
      const read = Effect.fnUntraced(function* (window: Window): Effect.fn.Return<void, Failure> {
        for (;;) {
          const response = yield* Effect.result(search(scan.request(window)))
          if (Result.isFailure(response)) {
            const error = response.failure
            if (!TransferApiError.isRejection(error) || window.cursor.after_cursor === undefined) return yield* error
            const expired = scan.expire(window, error.message)
            yield* progress
            yield* Effect.fromResult(expired)
            return yield* release
          }
          let outcome = deliver(scan.admit(window, response.success))
          yield* progress
          let next = yield* Effect.fromResult(outcome)
          while (next._tag === "Unconfirmed") {
            outcome = deliver(scan.confirm(window, next.question, yield* answer(next.question)))
            yield* progress
            next = yield* Effect.fromResult(outcome)
          }
          if (next._tag === "Complete") return yield* scan.isComplete ? Queue.end(queue) : fill
          if (next._tag === "GivenUp") return yield* release
          yield* fill
        }
      })
      fill = Effect.suspend(() => {
        const window = held < concurrency * 2 && waiting <= Excess.most ? scan.open() : undefined
        if (window === undefined) return Effect.void
        held++
        return Effect.andThen(FiberSet.run(fibers, read(window)), fill)
      })
      yield* scan.isComplete ? Queue.end(queue) : fill
      yield* FiberSet.join(fibers)
    })
    return Stream.callback<Batch, Failure>(readAll).pipe(
      Stream.tap(({ excess }) => {
        waiting -= excess
        return release
      }),
    )
  })

const toRange = ({ first, end }: Interval): CreatedAt.Range => ({
  ...(first === undefined ? {} : { lower: { at: Timestamp.fromEpochNanoseconds(first), inclusive: true } }),
  ...(end === undefined ? {} : { upper: { at: Timestamp.fromEpochNanoseconds(end), inclusive: false } }),
})

const toCheckpoint = ({ first, end }: Interval): Checkpoint.Checkpoint["remaining"][number] => ({
  ...(first === undefined ? {} : { gte: Timestamp.fromEpochNanoseconds(first) }),
  ...(end === undefined ? {} : { lt: Timestamp.fromEpochNanoseconds(end) }),
})
