/** The domain's TransferApi over a store in memory: the same results as the fake service, without HTTP. */
import type { Capabilities } from "@transferkit/domain/Capabilities"
import type { Origin } from "@transferkit/domain/Origin"
import { TransferApi } from "@transferkit/domain/TransferApi"
import { InvalidRequest } from "@transferkit/domain/TransferApiError"
import * as TransferPage from "@transferkit/domain/TransferPage"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
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
  const { transfers = 0, partner = "demo", seed = 1, order, displaced = 0, capabilities = sample } = options
  const store =
    options.store ??
    TransferStore.make({ order, generator: TransferGenerator.make({ count: transfers, seed, partner }) })
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
