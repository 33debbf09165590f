/** The domain's TransferApi over a store in memory: the same answers as the fake service, without HTTP. */
import type { Capabilities } from "@transferkit/domain/Capabilities"
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

/** What the service holds and how it answers. */
export interface Options {
  /** How many transfers to generate. @default 0 */
  readonly transfers?: number | undefined
  /** @default 1 */
  readonly seed?: number | undefined
  /** @default "demo" */
  readonly partner?: string | undefined
  /** @default "newest-first" */
  readonly order?: TransferStore.SortOrder | undefined
  /** @default SampleCapabilities.sample */
  readonly capabilities?: Capabilities | undefined
  /** @default TransferSearch.defaultDialect */
  readonly dialect?: Partial<TransferSearch.Dialect> | undefined
  /** A store to serve instead of generated transfers. */
  readonly store?: TransferStore.TransferStore | undefined
}

/** The service as a value. */
export const make = (options: Options = {}): TransferApi["Service"] => {
  const { transfers = 0, partner = "demo", seed, order, capabilities = sample } = options
  const source: TransferSearch.Source = {
    partner,
    store:
      options.store ??
      TransferStore.make({ order, generator: TransferGenerator.make({ count: transfers, seed, partner }) }),
    cursorKey: `in-memory ${seed ?? 1}`,
    dialect: { ...TransferSearch.defaultDialect, ...options.dialect },
  }
  return {
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
