/**
 * The port to a set of transfers, wherever it lives: at a service, in a file, in a mirror, in memory. A source says whose
 * transfers it has, which, and as of when. That is asked before they are read: what is added meanwhile can only make them
 * newer than the claim. Adapters are separate packages, beside what they read.
 */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import type { Capabilities } from "./Capabilities.ts"
import * as Coverage from "./Coverage.ts"
import * as CreatedAt from "./CreatedAt.ts"
import * as Dialect from "./Dialect.ts"
import { type KeyField, keyFields } from "./FieldNames.ts"
import type { Origin } from "./Origin.ts"
import * as Selection from "./Selection.ts"
import type * as Summary from "./Summary.ts"
import * as Timestamp from "./Timestamp.ts"
import type { Transfer } from "./Transfer.ts"
import { TransferApi } from "./TransferApi.ts"
import type { TransferApiError } from "./TransferApiError.ts"
import { TransferPager } from "./TransferPager.ts"
import type { TransferPagerError } from "./TransferPagerError.ts"
import type { TransferQuery } from "./TransferQuery.ts"

/** Where a source lives. */
export type Kind = "service" | "file" | "mirror" | "memory"

/** A source could not be read. Its message and its cause are those of the adapter's own error. */
export class SourceFailed extends Data.TaggedError("SourceFailed")<{
  readonly cause: { readonly _tag: string; readonly message: string }
}> {
  override get message(): string {
    return this.cause.message
  }
}

/** Why a source has no answer. */
export type SourceError = SourceFailed | TransferApiError | TransferPagerError

/** The transfers to read. */
export interface SourceQuery extends TransferQuery {
  /** Only those that may still change. */
  readonly open?: boolean
}

/** Some transfers of a source. */
export interface Batch {
  readonly results: ReadonlyArray<Transfer>
  /** Transfers that are still to come, if the source can guess. */
  readonly expected?: number
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

/** What to total. */
export interface SummaryRequest {
  readonly query: TransferQuery
  readonly by: ReadonlyArray<Summary.Dimension>
  /** Whether transfers of a status count; absent if more than the status decides. */
  readonly keepsStatus: ((status: string) => boolean) | undefined
  /** Whether anything but the query decides which transfers count. */
  readonly isPartial: boolean
}

/** A summary that a source has ready, and the creation times that it leaves out. */
export interface ReadySummary {
  readonly summary: Summary.Summary
  readonly rest: CreatedAt.CreatedAt
}

/** What a set of transfers in memory is said to be. What is left out is unknown. */
export interface MemoryOptions {
  readonly transfers: ReadonlyArray<Transfer>
  /** @default "memory" */
  readonly name?: string
  readonly origin?: Origin | undefined
  readonly coverage?: Coverage.Coverage | undefined
  readonly capabilities?: Capabilities | undefined
}

export class TransferSource extends Context.Service<
  TransferSource,
  {
    /** In words, such as `the file september.csv`. Without a secret. */
    readonly name: string
    readonly kind: Kind
    /** What else identifies it, for people. */
    readonly about?: string | undefined
    /** Whose transfers they are; undefined if that is unknown. */
    readonly origin: Effect.Effect<Origin | undefined, SourceError>
    /** Which transfers it has, and as of when; undefined if that is unknown. */
    readonly coverage: Effect.Effect<Coverage.Coverage | undefined, SourceError>
    /** What the service supports; undefined if the source keeps none. */
    readonly capabilities: Effect.Effect<Capabilities, SourceError> | undefined
    /**
     * The order of the transfers: by creation and then by id; that of the source, the same each time; or any, which may
     * be another each time.
     */
    readonly order: "created" | "listed" | "any"
    /** All transfers of a query, each once, in batches. */
    readonly transfers: (query: SourceQuery) => Stream.Stream<Batch, SourceError>
    /** The fields by which it finds transfers without reading all of them, or with one reading. */
    readonly keys: ReadonlyArray<KeyField>
    /** All transfers that have one of the values: in a field, or in any of `keys`. Any number may have the same value. */
    readonly find: (values: ReadonlyArray<string>, field?: KeyField) => Stream.Stream<Found, SourceError>
    /** A summary that needs no reading; undefined if it has none of this kind. */
    readonly summary?: (request: SummaryRequest) => Effect.Effect<ReadySummary | undefined, SourceError>
  }
>()("@transferkit/domain/TransferSource") {
  /** The service. It has everything up to the moment at which it is asked, and finds by `external_id` alone. */
  static readonly layerService: Layer.Layer<TransferSource, never, TransferApi | TransferPager> = Layer.effect(
    TransferSource,
    Effect.suspend(() => service),
  )

  /** Transfers in memory. */
  static readonly layerMemory = (options: MemoryOptions): Layer.Layer<TransferSource> =>
    Layer.effect(
      TransferSource,
      Effect.suspend(() => memory(options)),
    )
}

/** See {@link TransferSource.layerService}. */
export const service: Effect.Effect<TransferSource["Service"], never, TransferApi | TransferPager> = Effect.gen(
  function* () {
    const api = yield* TransferApi
    const pager = yield* TransferPager
    const settlement = yield* Dialect.Dialect
    const now = Effect.map(Clock.currentTimeMillis, (millis) => Timestamp.fromDate(new Date(millis)))
    return {
      name: "the service",
      kind: "service",
      origin: api.origin,
      coverage: Effect.map(now, Coverage.upTo),
      capabilities: api.capabilities,
      order: "any",
      transfers: ({ open = false, ...query }) => {
        const isOpen = ({ status }: Transfer) => Dialect.isOpen(settlement, status)
        const batches = pager.scan(query)
        if (!open) return batches
        return Stream.map(batches, ({ results, expected }) => ({ results: results.filter(isOpen), expected }))
      },
      keys: ["external_id"],
      find: (values) =>
        Stream.fromIterable(new Set(values)).pipe(
          Stream.flatMap((external_id) => pager.transfers({ external_id }), { concurrency: 4 }),
          Stream.map((transfer) => ({ transfer })),
        ),
    }
  },
)

/**
 * See {@link TransferSource.layerMemory}.
 *
 * @example
 * const source = Effect.runSync(TransferSource.memory({ transfers: [transfer] }))
 * source.keys // => ["external_id", "id", "network_transaction_id", "wallet_address"]
 * Effect.runSync(source.coverage) // => undefined
 */
export const memory = ({
  transfers,
  name = "memory",
  ...known
}: MemoryOptions): Effect.Effect<TransferSource["Service"]> =>
  Effect.map(Dialect.Dialect, (settlement) => ({
    name,
    kind: "memory",
    origin: Effect.succeed(known.origin),
    coverage: Effect.succeed(known.coverage),
    capabilities: known.capabilities && Effect.succeed(known.capabilities),
    order: "listed",
    ...read(
      Stream.suspend(() => Stream.succeed(transfers)),
      settlement,
    ),
  }))

/**
 * The part of a source that is read from its beginning each time: it filters as it reads, and finds by every key.
 *
 * @example
 * const { find } = TransferSource.read(Stream.succeed([transfer]), Dialect.standard)
 * Effect.runSync(Stream.runCount(find([transfer.id]))) // => 1
 * Effect.runSync(Stream.runCount(find([transfer.id], "external_id"))) // => 0
 */
export const read = (
  batches: Stream.Stream<ReadonlyArray<Transfer>, SourceError>,
  settlement: Dialect.Settlement,
): Pick<TransferSource["Service"], "transfers" | "keys" | "find"> => ({
  transfers: (query) => {
    const keeps = Selection.matcher(selectionOf(query, settlement))
    return Stream.map(batches, (batch) => ({ results: batch.filter(keeps) }))
  },
  keys: keyFields,
  find: (values, field) => {
    const wanted = new Set(values)
    const fields = field === undefined ? keyFields : [field]
    return batches.pipe(
      Stream.flattenIterable,
      // An absent key is not an empty one.
      Stream.filter((transfer) => fields.some((key) => transfer[key] !== undefined && wanted.has(transfer[key]))),
      Stream.map((transfer) => ({ transfer })),
    )
  },
})

const selectionOf = (
  { created_at = CreatedAt.all, external_id, open = false }: SourceQuery,
  settlement: Dialect.Settlement,
): Selection.Selection => ({
  created_at,
  only: {
    ...(external_id === undefined ? {} : { external_id: [external_id] }),
    ...(open ? { not_status: Dialect.finalStatuses(settlement) } : {}),
  },
})
