/** The domain's TransferApi over a store in memory: the same results as the fake service, without HTTP. */
import type { Capabilities } from "@transferkit/domain/Capabilities"
import type { Origin } from "@transferkit/domain/Origin"
import type { Timestamp } from "@transferkit/domain/Timestamp"
import { TransferApi } from "@transferkit/domain/TransferApi"
import { ConnectionFailed, InvalidRequest } from "@transferkit/domain/TransferApiError"
import * as TransferPage from "@transferkit/domain/TransferPage"
import { type SourceError, SourceFailed, TransferSource } from "@transferkit/domain/TransferSource"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"
import { sample } from "./SampleCapabilities.ts"
import * as TransferGenerator from "./TransferGenerator.ts"
import * as TransferSearch from "./TransferSearch.ts"
import * as TransferStore from "./TransferStore.ts"

/** The content and behaviour of the service. */
export interface Options {
  /** How many transfers to generate. @default 0 */
  readonly transfers?: number | undefined
  /** @default 1 */
  readonly seed?: number | undefined
  /** They are created in the 366 days before this instant. @default TransferGenerator.defaultTo */
  readonly to?: Timestamp | undefined
  /** @default "demo" */
  readonly partner?: string | undefined
  /** @default "newest-first" */
  readonly order?: TransferStore.SortOrder | undefined
  /** How many transfers, drawn by the seed, are listed after all others. @default 0 */
  readonly displaced?: number | undefined
  /** Whose transfers they are said to be. @default unknown */
  readonly origin?: Origin | undefined
  /** @default SampleCapabilities.sample */
  readonly capabilities?: Capabilities | undefined
  /** @default TransferSearch.defaultSettings */
  readonly settings?: Partial<TransferSearch.Settings> | undefined
  /** A store to serve instead of generated transfers. */
  readonly store?: TransferStore.TransferStore | undefined
}

/** The service as a value. */
export const make = (options: Options = {}): TransferApi["Service"] => {
  const { transfers = 0, partner = "demo", seed = 1, to, order, displaced = 0, capabilities = sample } = options
  const store =
    options.store ??
    TransferStore.make({ order, generator: TransferGenerator.make({ count: transfers, seed, partner, to }) })
  if (displaced > 0) TransferStore.displace(store, displaced, seed)
  const source: TransferSearch.Source = {
    partner,
    store,
    cursorKey: `in-memory ${seed}`,
    settings: { ...TransferSearch.defaultSettings, ...options.settings },
  }
  return {
    origin: Effect.succeed(options.origin),
    capabilities: Effect.succeed(capabilities),
    search: Effect.fn("InMemoryTransferApi.search")(function* (request) {
      const page = yield* Effect.fromResult(
        Result.mapError(
          TransferSearch.search(source, request),
          (error) => new InvalidRequest({ status: 400, errors: [error] }),
        ),
      )
      return yield* Effect.fromResult(
        TransferPage.fromJson(Buffer.concat(TransferSearch.toJson(page)).toString("utf8")),
      )
    }),
  }
}

/** The service as a layer. */
export const layer = (options: Options = {}): Layer.Layer<TransferApi> => Layer.sync(TransferApi, () => make(options))

/** The service over all transfers of a source, which it holds: for those who read page by page what has no pages. */
export const layerSource: Layer.Layer<TransferApi, SourceError, TransferSource> = Layer.effect(
  TransferApi,
  Effect.gen(function* () {
    const source = yield* TransferSource
    const store = TransferStore.make()
    yield* Stream.runForEach(source.transfers({}), ({ results }) =>
      Effect.forEach(
        results,
        (transfer) =>
          Effect.fromResult(
            Result.mapError(
              TransferStore.insertJson(store, JSON.stringify(transfer)),
              ({ _tag, reason }) =>
                new SourceFailed({ cause: { _tag, message: `${source.name}: ${transfer.id}: ${reason}` } }),
            ),
          ),
        { discard: true },
      ),
    )
    const none = new ConnectionFailed({ reason: `${source.name} has no capabilities`, isPermanent: true })
    return { ...make({ store, origin: yield* source.origin }), capabilities: Effect.fail(none) }
  }),
)
