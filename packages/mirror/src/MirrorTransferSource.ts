/** The transfers of one partner of a mirror as a source: in order of creation, with their history and its totals. */
import type * as Coverage from "@transferkit/domain/Coverage"
import * as CreatedAt from "@transferkit/domain/CreatedAt"
import * as Dialect from "@transferkit/domain/Dialect"
import type { Transfer } from "@transferkit/domain/Transfer"
import { type Batch, SourceFailed, type SourceQuery, TransferSource } from "@transferkit/domain/TransferSource"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import * as Driver from "./internal/Driver.ts"
import * as TransferRows from "./internal/TransferRows.ts"
import * as MirrorCoverage from "./MirrorCoverage.ts"
import { MirrorError } from "./MirrorError.ts"
import * as MirrorState from "./MirrorState.ts"
import * as MirrorSummary from "./MirrorSummary.ts"
import { TransferMirror } from "./TransferMirror.ts"

/** Transfers to read at once. */
const batchSize = 1000

/**
 * The source. The options are those of its coverage: whose transfers, and as they had been seen when.
 *
 * @example
 * const coverage = Effect.flatMap(MirrorTransferSource.make({ partner_id: "demo" }), (source) => source.coverage)
 * CreatedAt.intervals((await run(coverage)).unread) // => []
 */
export const make: (
  options: MirrorCoverage.Options,
) => Effect.Effect<TransferSource["Service"], never, TransferMirror> = Effect.fnUntraced(function* (options) {
  const { partner_id, asOf } = options
  const mirror = yield* TransferMirror
  const { run } = Driver.of(mirror)
  const of = <A>(effect: Effect.Effect<A, MirrorError, TransferMirror>) =>
    effect.pipe(
      Effect.provideService(TransferMirror, mirror),
      Effect.mapError((cause) => new SourceFailed({ cause })),
    )
  const settlement = yield* Dialect.Dialect
  const coverage: Effect.Effect<Coverage.Coverage, SourceFailed> = of(MirrorCoverage.read(options))

  const rowsAfter = (
    { external_id, open = false }: SourceQuery,
    interval: CreatedAt.Interval,
    after: TransferRows.Place | undefined,
  ) => {
    const view = open ? "open_transfers" : "transfers"
    const order = "oldest-first"
    return run((sql) =>
      TransferRows.read(sql, { view, partner_id, interval, external_id, after, order, limit: batchSize }),
    )
  }

  const within = (query: SourceQuery, interval: CreatedAt.Interval): Stream.Stream<Batch, SourceFailed> =>
    Stream.unfold<TransferRows.Place | undefined, Batch, SourceFailed, never>(undefined, (after) =>
      of(
        Effect.map(rowsAfter(query, interval, after), (rows) => {
          const last = rows.at(-1)
          const results = rows.map(({ transfer }) => transfer)
          // The mirror may take fewer statuses as final than this reader.
          const isAsked = ({ status }: Transfer) => query.open !== true || Dialect.isOpen(settlement, status)
          return last && ([{ results: results.filter(isAsked) }, last] as const)
        }),
      ),
    )

  return TransferSource.of({
    name: `the mirror ${mirror.address}`,
    kind: "mirror",
    origin: of(MirrorState.origin(partner_id)),
    coverage,
    capabilities: of(
      Effect.flatMap(MirrorState.capabilities(partner_id), (found) =>
        found === undefined
          ? new MirrorError({ kind: "usage", mirror: mirror.address, reason: "it has no capabilities: sync it first" })
          : Effect.succeed(found),
      ),
    ),
    order: "created",
    transfers: (query) =>
      Stream.flatMap(Stream.fromIterable(CreatedAt.intervals(query.created_at ?? CreatedAt.all)), (interval) =>
        within(query, interval),
      ),
    keys: ["external_id", "id"],
    find: (values, field) =>
      Stream.fromIterable(new Set(values)).pipe(
        Stream.mapEffect((value) =>
          of(
            Effect.map(mirror.find(value), (found) =>
              found.filter(
                (one) => one.partner_id === partner_id && (field === undefined || one.transfer[field] === value),
              ),
            ),
          ),
        ),
        Stream.flattenIterable,
      ),
    ...(asOf === undefined
      ? {
          summary: ({ query, by, keepsStatus, isPartial }) => {
            const dimensions = by.flatMap((one) => MirrorSummary.dimensions.filter((known) => known === one))
            if (dimensions.length < by.length || keepsStatus === undefined || query.external_id !== undefined) {
              return Effect.succeed(undefined)
            }
            const { created_at = CreatedAt.all } = query
            return of(
              MirrorSummary.summarize({
                partner_id,
                by: dimensions,
                created_at,
                ...(isPartial ? { keepsStatus } : {}),
              }),
            )
          },
        }
      : {}),
  })
})

/**
 * The source as a layer.
 *
 * @example
 * const coverage = Effect.flatMap(TransferSource, (source) => source.coverage)
 * const { unread } = await run(Effect.provide(coverage, MirrorTransferSource.layer({ partner_id: "demo" })))
 * CreatedAt.intervals(unread) // => []
 */
export const layer = (options: MirrorCoverage.Options): Layer.Layer<TransferSource, never, TransferMirror> =>
  Layer.effect(TransferSource, make(options))
