/** Receives the transfers of an export into its spool: by this process, or by several. */
import * as Checkpoint from "@transferkit/domain/Checkpoint"
import * as CreatedAt from "@transferkit/domain/CreatedAt"
import { emptyReport, type Tally, TransferPager } from "@transferkit/domain/TransferPager"
import * as Spool from "@transferkit/files/node/Spool"
import * as Effect from "effect/Effect"
import * as Ref from "effect/Ref"
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"
import type { TransferFilter } from "../../filter/TransferFilter.ts"
import type { Globals } from "../../flags/GlobalFlags.ts"
import * as Progress from "../../progress/Progress.ts"
import * as Settings from "../../service/Settings.ts"
import type { Screen } from "../../terminal/Screen.ts"

/** What to receive, and how. */
export interface Options {
  readonly spool: Spool.Spool
  readonly filter: TransferFilter
  readonly globals: Globals
  readonly workers: number
  readonly concurrency: number
  /** Requests per second; zero is no limit. */
  readonly rate_limit: number
  readonly isQuiet: boolean
  /** Told of each worker that ended early, and how. */
  readonly onEnd: (how: string) => Effect.Effect<void, never, Screen>
}

/** Receives what is missing, and returns what was counted. */
export const receive = (options: Options) =>
  Effect.suspend(() => (options.workers > 1 || options.rate_limit > 0 ? receiveShared(options) : receiveHere(options)))

/** Sends no request if nothing is missing. */
const receiveHere = Effect.fnUntraced(function* (options: Options) {
  const { spool, filter, concurrency } = options
  const pager = yield* TransferPager
  const report = yield* Ref.make(emptyReport)
  const resume = Spool.checkpoint(spool)
  const fraction = Progress.fractions()
  const show = yield* progress(options)
  yield* Stream.runForEach(
    pager.scan(queryOf(spool, filter), {
      report,
      concurrency,
      ...(resume === undefined ? {} : { resume }),
    }),
    Effect.fnUntraced(function* (batch) {
      yield* Spool.append(spool, batch.results.filter(filter.keeps), batch.checkpoint)
      yield* show(() => ({ rows: Spool.count(spool), fraction: fraction(batch) }))
    }),
  )
  return (yield* Ref.get(report)).tally
}, Effect.scoped)

const queryOf = ({ header }: Spool.Spool, { query }: TransferFilter) => ({
  ...query,
  created_at: Result.getOrThrow(CreatedAt.fromParams(header.created_at)),
})

const progress = ({ spool, isQuiet }: Options) =>
  isQuiet ? Progress.none : Progress.make({ rows: Spool.count(spool), fraction: undefined })

/** The same at a rate that several processes share. What they leave because all of them ended is for this one. */
const receiveShared = Effect.fnUntraced(function* (options: Options) {
  const SharedRate = yield* Effect.promise(() => import("../../mirror/SharedRate.ts"))
  const { address, share } = yield* SharedRate.temporary(
    yield* Settings.partnerOf(options.globals),
    options.rate_limit || undefined,
  )
  return yield* share(
    Effect.gen(function* () {
      const tallies = options.workers > 1 ? yield* spread(options, address) : []
      const own = yield* receiveHere(options)
      const sum = (name: keyof Tally) => tallies.reduce((total, tally) => total + tally[name], own[name])
      return { ...own, pages: sum("pages"), duplicates: sum("duplicates"), outside: sum("outside") }
    }),
  )
}, Effect.scoped)

const spread = Effect.fnUntraced(function* (options: Options, to: string) {
  const { spool, filter } = options
  const WindowReaders = yield* Effect.promise(() => import("./WindowReaders.ts"))
  const query = queryOf(spool, filter)
  const resume = Spool.checkpoint(spool)
  const fraction = Progress.fractions()
  const show = yield* progress(options)
  let transfers = resume?.transfers ?? 0
  return yield* WindowReaders.read({
    workers: options.workers,
    concurrency: options.concurrency,
    to,
    globals: options.globals,
    created_at: resume === undefined ? query.created_at : Checkpoint.remaining(resume),
    onBatch: Effect.fnUntraced(function* (batch) {
      transfers += batch.transfers.length
      const checkpoint: Checkpoint.Checkpoint = {
        version: 2,
        query: Checkpoint.fingerprint(query),
        transfers,
        remaining: batch.remaining,
      }
      yield* Spool.append(spool, batch.transfers.filter(filter.keeps), checkpoint)
      yield* show(() => ({ rows: Spool.count(spool), fraction: fraction({ checkpoint, expected: batch.expected }) }))
    }),
    onEnd: options.onEnd,
  })
}, Effect.scoped)
