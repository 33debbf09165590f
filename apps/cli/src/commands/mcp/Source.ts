/** Where the answers come from: a mirror, or the service. A mirror finds more, sooner, and says how current it is. */
import * as CreatedAt from "@transferkit/domain/CreatedAt"
import * as Dialect from "@transferkit/domain/Dialect"
import * as Timestamp from "@transferkit/domain/Timestamp"
import * as Transfer from "@transferkit/domain/Transfer"
import type { TransferApiError } from "@transferkit/domain/TransferApiError"
import { TransferPager } from "@transferkit/domain/TransferPager"
import type { TransferPagerError } from "@transferkit/domain/TransferPagerError"
import type { MirrorError } from "@transferkit/mirror/MirrorError"
import * as MirrorState from "@transferkit/mirror/MirrorState"
import type { TransferHistory } from "@transferkit/mirror/TransferHistory"
import { TransferMirror } from "@transferkit/mirror/TransferMirror"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"
import * as MirrorSource from "../../mirror/MirrorSource.ts"

/** A transfer; one of a mirror has a history. */
export type Found = { readonly transfer: Transfer.Transfer } & Partial<Omit<TransferHistory, "transfer">>

/** More transfers would have to be read than a call may. */
export class TooMany extends Data.TaggedError("TooMany")<{ readonly most: number; readonly advice: string }> {
  override get message(): string {
    return `More than ${this.most} transfers would have to be read. ${this.advice}`
  }
}

type Failure = MirrorError | TransferApiError | TransferPagerError | TooMany

/** What differs between the two. */
export interface Source {
  readonly name: "a mirror" | "the service"
  /** How many transfers a call may read. */
  readonly most: number
  /** When the last complete pass of a mirror began. */
  readonly completeAsOf: Effect.Effect<string | undefined, MirrorError>
  readonly find: (id: string) => Effect.Effect<ReadonlyArray<Found>, Failure>
  /** Transfers that may still change and were created before an instant, the oldest first. */
  readonly open: (options: {
    readonly since: Timestamp.Timestamp | undefined
    readonly before: Timestamp.Timestamp
    readonly limit: number
  }) => Effect.Effect<ReadonlyArray<Transfer.Transfer>, Failure>
}

/** How many transfers a call may read of the service: a thousand requests. */
const mostOfService = 20_000

/** How many it may read of a mirror. */
const mostOfMirror = 200_000

/** Passes transfers on, and fails once they are more than a call may read. */
export const counted = (most: number, advice: string) => {
  let read = 0
  return <E, R>(batches: Stream.Stream<ReadonlyArray<Transfer.Transfer>, E, R>) =>
    Stream.mapEffect(batches, (batch) => {
      read += batch.length
      return read > most ? Effect.fail(new TooMany({ most, advice })) : Effect.succeed(batch)
    })
}

/** The service that the settings name. */
export const ofService = Effect.gen(function* () {
  const pager = yield* TransferPager
  const dialect = yield* Dialect.Dialect
  const source: Source = {
    name: "the service",
    most: mostOfService,
    completeAsOf: Effect.succeed(undefined),
    find: (external_id) =>
      Stream.runCollect(Stream.take(pager.transfers({ external_id }), 100)).pipe(
        Effect.map((transfers) => transfers.map((transfer) => ({ transfer }))),
      ),
    open: ({ since, before, limit }) =>
      pager.scan({ created_at: since === undefined ? CreatedAt.lt(before) : CreatedAt.between(since, before) }).pipe(
        Stream.map(({ results }) => results),
        counted(mostOfService, "Give a later since, or sync a mirror and answer from that."),
        Stream.runFold(
          (): ReadonlyArray<Transfer.Transfer> => [],
          (oldest, batch) =>
            [...oldest, ...batch.filter(({ status }) => Dialect.isOpen(dialect, status))]
              .toSorted((left, right) => Timestamp.compare(left.created_at, right.created_at))
              .slice(0, limit),
        ),
      ),
  }
  return source
})

/** The mirror of `--from`. */
export const ofMirror = Effect.gen(function* () {
  const mirror = yield* TransferMirror
  const partner_id = yield* MirrorSource.partner
  const source: Source = {
    name: "a mirror",
    most: mostOfMirror,
    completeAsOf: MirrorState.coverage(partner_id).pipe(
      Effect.map((coverage) => coverage?.until.text),
      Effect.provideService(TransferMirror, mirror),
    ),
    find: (id) => Effect.map(mirror.find(id), (found) => found.filter((one) => one.partner_id === partner_id)),
    open: ({ since, before, limit }) =>
      Effect.map(
        mirror.run(
          (sql) =>
            sql<{ readonly body: string }>`SELECT body FROM open_transfers WHERE partner_id = ${partner_id}
              AND created_ns < ${before.epochNanoseconds} AND created_ns >= ${(since ?? Timestamp.earliest).epochNanoseconds}
              ORDER BY created_ns, id LIMIT ${limit}`,
        ),
        (rows) => rows.map(({ body }) => Result.getOrThrow(Transfer.fromJson(body))),
      ),
  }
  return source
})
