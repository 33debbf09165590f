/**
 * The domain's {@link TransferApi} over HTTP (partner-api.md, sections 4 and 5): retried, bounded in time and memory, and
 * with the secret in no output.
 */
import * as Capabilities from "@transferkit/domain/Capabilities"
import { TransferApi } from "@transferkit/domain/TransferApi"
import * as Paths from "@transferkit/http-api/Paths"
import * as Config from "effect/Config"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import type { HttpTransport } from "./HttpTransport.ts"
import { makeCall } from "./internal/call/call.ts"
import { type HttpTransferApiOptions, readOptions } from "./internal/call/callOptions.ts"
import { makeEndpoint, type EndpointSetting } from "./internal/call/endpoint.ts"
import type { InvalidConfiguration } from "./InvalidConfiguration.ts"

export type { HttpTransferApiOptions } from "./internal/call/callOptions.ts"
export type { ResponseInfo } from "./internal/call/exchange.ts"

/** The service and the partner. */
export interface HttpTransferApiConfig extends HttpTransferApiOptions {
  /** Scheme and host, and a path prefix if there is one: `/v1` is added here. */
  readonly baseUrl: string
  readonly partnerId: string
  readonly secretKey: Redacted.Redacted
}

/** Whether the service can be called with these settings, without calling it. */
export const check = (config: HttpTransferApiConfig): Result.Result<void, InvalidConfiguration<EndpointSetting>> =>
  Result.map(makeEndpoint({ allowInsecure: false, ...config }), () => undefined)

/** The service at a base URL. */
export const layer = (config: HttpTransferApiConfig): Layer.Layer<TransferApi, InvalidConfiguration, HttpTransport> =>
  Layer.effect(TransferApi, make(config))

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
export const make = Effect.fnUntraced(function* (config: HttpTransferApiConfig) {
  const endpoint = yield* Effect.fromResult(makeEndpoint({ allowInsecure: false, ...config }))
  const call = yield* makeCall(endpoint, yield* Effect.fromResult(readOptions(config)))
  // A program that only reads capabilities starts in half the time without the reader of pages.
  const searching = yield* Effect.cached(Effect.promise(() => import("./internal/call/search.ts")))
  return TransferApi.of({
    capabilities: call({ url: endpoint.base + Paths.capabilities, headers: uncompressed }, Capabilities.fromJson).pipe(
      Effect.withSpan("TransferApi.capabilities", { kind: "client" }, span),
    ),
    search: (request) =>
      Effect.flatMap(searching, ({ readPage, searchUrl }) =>
        Effect.flatMap(Effect.fromResult(searchUrl(endpoint.base + Paths.search, request)), (url) =>
          call({ url }, readPage),
        ),
      ).pipe(Effect.withSpan("TransferApi.search", { kind: "client" }, span)),
  })
})

// A few thousand bytes, often the only response of a short-lived process: loading a decompressor takes longer.
const uncompressed = { "accept-encoding": "identity" }

// Capturing the stack costs as much as decoding half a page.
const span = { captureStackTrace: false }
