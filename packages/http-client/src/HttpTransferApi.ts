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

/** The service at a base URL. */
export const layer = (
  config: HttpTransferApiConfig | RenewableConfig,
): Layer.Layer<TransferApi, InvalidConfiguration, HttpTransport> => Layer.effect(TransferApi, make(config))

/**
 * The service at a base URL, over the `HttpClient` that the program has, such as `FetchHttpClient.layer`: with its
 * proxy, its middleware and its mocks.
 */
export const layerHttpClient = (
  config: HttpTransferApiConfig | RenewableConfig,
): Layer.Layer<TransferApi, InvalidConfiguration, HttpClient.HttpClient> =>
  Layer.provide(layer(config), Layer.unwrap(bridge()))

// Loaded when it is called, so that programs with another transport do not load Effect's; a bundle holds it only if it is.
const bridge = () => Effect.promise(async () => (await import("./HttpClientTransport.ts")).layer)

/** The service named by `TRANSFERS_BASE_URL`, `TRANSFERS_PARTNER_ID` and `TRANSFERS_SECRET_KEY`. */
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

/** The service itself, without a layer. Fails if the service cannot be called with this configuration. */
export const make = (
  config: HttpTransferApiConfig | RenewableConfig,
): Effect.Effect<TransferApi["Service"], InvalidConfiguration, HttpTransport> =>
  Effect.map(makeClient(config, searching), ({ api }) => api)

const searching = /* @__PURE__ */ Effect.promise(() => import("./internal/call/Search.ts"))

/** Time limits, retries, headers and a shared rate limit for the calls of this effect, in place of the client's. Times are in milliseconds. */
export const withCallSettings =
  (settings: CallSettings) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.provideService(effect, CallSettings, settings)
