/**
 * The domain's {@link TransferApi} over HTTP (partner-api.md, sections 4 and 5): retried, bounded in time and memory, and
 * with the secret in no output.
 */
import { TransferApi } from "@transferkit/domain/TransferApi"
import * as Config from "effect/Config"
import * as Effect from "effect/Effect"
import type * as HttpClient from "effect/http/HttpClient"
import * as Layer from "effect/Layer"
import type { HttpTransport } from "./HttpTransport.ts"
import type { HttpTransferApiOptions } from "./internal/call/CallOptions.ts"
import { CallSettings } from "./internal/call/CallSettings.ts"
import { type HttpTransferApiConfig, makeClient, type RenewableConfig } from "./internal/call/Client.ts"
import type { InvalidConfiguration } from "./InvalidConfiguration.ts"

export type { HttpTransferApiOptions } from "./internal/call/CallOptions.ts"
export type { CallSettings, CallSummary, SharedRate } from "./internal/call/CallSettings.ts"
export { check, type HttpTransferApiConfig, type RenewableConfig } from "./internal/call/Client.ts"
export type { ResponseInfo } from "./internal/call/ResponseInfo.ts"
export type { Credentials } from "./internal/call/Identity.ts"

/**
 * The service at a base URL. The layer fails with `InvalidConfiguration`, which names the setting.
 *
 * @example
 * const live = HttpTransferApi.layer(config).pipe(Layer.provide(NodeTransport.layer))
 * const search = TransferApi.use((api) => api.search({ limit: 5 }))
 * (await Effect.runPromise(Effect.provide(search, live))).results.length // => 5
 */
export const layer = (
  config: HttpTransferApiConfig | RenewableConfig,
): Layer.Layer<TransferApi, InvalidConfiguration, HttpTransport> => Layer.effect(TransferApi, make(config))

/**
 * The service at a base URL, over the `HttpClient` that the program has, such as `FetchHttpClient.layer`: with its
 * proxy, its middleware and its mocks.
 *
 * @example
 * const live = HttpTransferApi.layerHttpClient(config).pipe(Layer.provide(FetchHttpClient.layer))
 * const search = TransferApi.use((api) => api.search({ limit: 5 }))
 * (await Effect.runPromise(Effect.provide(search, live))).results.length // => 5
 */
export const layerHttpClient = (
  config: HttpTransferApiConfig | RenewableConfig,
): Layer.Layer<TransferApi, InvalidConfiguration, HttpClient.HttpClient> =>
  Layer.provide(layer(config), Layer.unwrap(bridge()))

// Loaded when it is called, so that programs with another transport do not load Effect's; a bundle holds it only if it is.
const bridge = () => Effect.promise(async () => (await import("./HttpClientTransport.ts")).layer)

/**
 * The service named by `TRANSFERS_BASE_URL`, `TRANSFERS_PARTNER_ID` and `TRANSFERS_SECRET_KEY`. The layer fails with a
 * `ConfigError` if one is missing.
 *
 * @example
 * const live = HttpTransferApi.layerConfig({ deadline: "1 minute" }).pipe(Layer.provide(NodeTransport.layer))
 * const origin = Effect.provide(TransferApi.use((api) => api.origin), Layer.provide(live, environment))
 * (await Effect.runPromise(origin)).partner_id // => "demo"
 */
export const layerConfig = (
  options: HttpTransferApiOptions = {},
): Layer.Layer<TransferApi, InvalidConfiguration | Config.ConfigError, HttpTransport> =>
  Layer.effect(
    TransferApi,
    Effect.gen(function* () {
      return yield* make({ ...options, ...(yield* environment()) })
    }),
  )

// A function, so that a bundle which does not call it holds nothing of Config.
const environment = () =>
  Config.all({
    baseUrl: Config.String("TRANSFERS_BASE_URL"),
    partnerId: Config.String("TRANSFERS_PARTNER_ID"),
    secretKey: Config.Redacted("TRANSFERS_SECRET_KEY"),
  })

/**
 * The service itself, without a layer. Fails with `InvalidConfiguration` if it cannot be called with these settings.
 *
 * @example
 * const service = await Effect.runPromise(Effect.provide(HttpTransferApi.make(config), FetchTransport.layer()))
 * (await Effect.runPromise(service.search({ limit: 5 }))).results.length // => 5
 */
export const make = (
  config: HttpTransferApiConfig | RenewableConfig,
): Effect.Effect<TransferApi["Service"], InvalidConfiguration, HttpTransport> =>
  Effect.map(makeClient(config, searching), ({ api }) => api)

const searching = /* @__PURE__ */ Effect.promise(() => import("./internal/call/Search.ts"))

/**
 * Time limits, retries, headers and a shared rate limit for the calls of this effect, in place of the client's. Times are
 * in milliseconds.
 *
 * @example
 * const search = api.search({ limit: 5 }).pipe(HttpTransferApi.withCallSettings({ retries: 0, deadline: 10_000 }))
 * (await Effect.runPromise(search)).results.length // => 5
 */
export const withCallSettings =
  (settings: CallSettings) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.provideService(effect, CallSettings, settings)
