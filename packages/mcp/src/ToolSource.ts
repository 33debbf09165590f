/** Where the answers come from: the service, or a copy of it, which finds more, sooner, and says how current it is. */
import * as CreatedAt from "@transferkit/domain/CreatedAt"
import * as Dialect from "@transferkit/domain/Dialect"
import * as Timestamp from "@transferkit/domain/Timestamp"
import type { Transfer } from "@transferkit/domain/Transfer"
import { TransferPager } from "@transferkit/domain/TransferPager"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import * as ReadLimit from "./internal/ReadLimit.ts"

/** Why a source has no answer. */
export interface SourceError {
  readonly _tag: string
  readonly message: string
}

/** A change of a transfer, as a source that keeps a history saw it. */
export interface Change {
  readonly event: string
  readonly seen_at: string
  readonly changed: Readonly<Record<string, { readonly from?: unknown; readonly to?: unknown }>>
}

/** A transfer, with its history if the source keeps one. */
export interface Found {
  readonly transfer: Transfer
  readonly first_seen_at?: string | undefined
  readonly vanished_at?: string | undefined
  readonly changes?: ReadonlyArray<Change> | undefined
}

/** Which open transfers to find. */
export interface OpenQuery {
  readonly since: Timestamp.Timestamp | undefined
  readonly before: Timestamp.Timestamp
  readonly limit: number
}

/** What the tools need beyond a stream of transfers. */
export class ToolSource extends Context.Service<
  ToolSource,
  {
    /** Its name in answers. */
    readonly name: string
    /** How many transfers a call may read. */
    readonly most: number
    /** The start of the time in which open transfers are looked for, unless a call says one; none is all times. */
    readonly usualSince: string | undefined
    /** Up to when the source is complete, if it is a copy. */
    readonly completeAsOf: Effect.Effect<string | undefined, SourceError>
    readonly find: (id: string) => Effect.Effect<ReadonlyArray<Found>, SourceError>
    /** Transfers that may still change and were created before an instant, the oldest first. */
    readonly open: (query: OpenQuery) => Effect.Effect<ReadonlyArray<Transfer>, SourceError>
  }
>()("@transferkit/mcp/ToolSource") {
  /** The service itself, which finds by `external_id` alone. */
  static readonly layerService: Layer.Layer<ToolSource, never, TransferPager> = Layer.effect(
    ToolSource,
    Effect.gen(function* () {
      const pager = yield* TransferPager
      const dialect = yield* Dialect.Dialect
      return {
        name: "the service",
        most: mostOfService,
        usualSince: "30d",
        completeAsOf: Effect.succeed(undefined),
        find: (external_id) =>
          Stream.runCollect(Stream.take(pager.transfers({ external_id }), 100)).pipe(
            Effect.map((transfers) => transfers.map((transfer) => ({ transfer }))),
          ),
        open: ({ since, before, limit }) =>
          pager
            .scan({ created_at: since === undefined ? CreatedAt.lt(before) : CreatedAt.between(since, before) })
            .pipe(
              Stream.map(({ results }) => results),
              ReadLimit.of(mostOfService, "Give a later since, or sync a mirror and answer from that."),
              Stream.runFold(
                (): ReadonlyArray<Transfer> => [],
                (oldest, batch) =>
                  [...oldest, ...batch.filter(({ status }) => Dialect.isOpen(dialect, status))]
                    .toSorted((left, right) => Timestamp.compare(left.created_at, right.created_at))
                    .slice(0, limit),
              ),
            ),
      }
    }),
  )
}

/** How many transfers a call may read of the service: a thousand requests. */
const mostOfService = 20_000
