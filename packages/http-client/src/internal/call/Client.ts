/** The operations of the service over HTTP, and a GET for what the contract does not name yet. */
import * as Capabilities from "@transferkit/domain/Capabilities"
import * as JsonBounds from "@transferkit/domain/JsonBounds"
import type { Origin } from "@transferkit/domain/Origin"
import { TransferApi } from "@transferkit/domain/TransferApi"
import { MalformedResponse, type TransferApiError } from "@transferkit/domain/TransferApiError"
import * as Paths from "@transferkit/http-api/Paths"
import * as Effect from "effect/Effect"
import type * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import type { InvalidConfiguration } from "../../InvalidConfiguration.ts"
import { makeCall } from "./Call.ts"
import { type HttpTransferApiOptions, readOptions } from "./CallOptions.ts"
import { readBaseUrl } from "./Endpoint.ts"
import { type Credentials, fixed, type IdentitySetting, makeIdentity, renewable } from "./Identity.ts"
import type * as Search from "./Search.ts"
import * as Telemetry from "./Telemetry.ts"

/** The service, without the partner. */
interface ServiceConfig extends HttpTransferApiOptions {
  /** Scheme and host, and a path prefix if there is one: `/v1` is added here. */
  readonly baseUrl: string
}

/**
 * The service and the partner.
 *
 * @example
 * const secretKey = Redacted.make("demo-secret")
 * const production = { baseUrl: "https://transfers.example", partnerId: "demo", secretKey, concurrency: 8 }
 * Result.isSuccess(HttpTransferApi.check(production)) // => true
 */
export interface HttpTransferApiConfig extends ServiceConfig {
  readonly partnerId: string
  readonly secretKey: Redacted.Redacted
}

/**
 * The service, and where the credentials come from.
 *
 * @example
 * const credentials = Effect.succeed({ partnerId: "demo", secretKey: Redacted.make("demo-secret") })
 * const live = HttpTransferApi.layer({ baseUrl, credentials }).pipe(Layer.provide(NodeTransport.layer))
 * (await Effect.runPromise(Effect.provide(TransferApi.use((api) => api.origin), live))).partner_id // => "demo"
 */
export interface RenewableConfig extends ServiceConfig {
  /** Run before the first request, and again after a 401. */
  readonly credentials: Effect.Effect<Credentials, TransferApiError>
}

/** A setting that can make it impossible to call the service. */
export type EndpointSetting = "baseUrl" | IdentitySetting

const makeIdentities = (config: HttpTransferApiConfig | RenewableConfig) =>
  "credentials" in config ? renewable(config.credentials) : Effect.map(Effect.fromResult(makeIdentity(config)), fixed)

/**
 * Whether the service can be called with these settings. Fails with the setting and the reason.
 *
 * @example
 * Result.isSuccess(HttpTransferApi.check(config)) // => true
 * Result.merge(HttpTransferApi.check({ ...config, baseUrl: "http://transfers.example" })).setting // => "baseUrl"
 */
export const check = (config: HttpTransferApiConfig): Result.Result<void, InvalidConfiguration<EndpointSetting>> =>
  Result.flatMap(
    Result.mapError(
      Result.map(makeIdentity(config), () => undefined),
      (error): InvalidConfiguration<EndpointSetting> => error,
    ),
    () => Result.map(readBaseUrl(config.baseUrl, config.allowInsecure ?? false), () => undefined),
  )

/** Searching is passed in: a program that only reads capabilities starts in half the time without the reader of pages. */
export const makeClient = Effect.fnUntraced(function* (
  config: HttpTransferApiConfig | RenewableConfig,
  searching: Effect.Effect<typeof Search>,
) {
  const identities = yield* makeIdentities(config)
  const base = yield* Effect.fromResult(readBaseUrl(config.baseUrl, config.allowInsecure ?? false))
  const call = yield* makeCall(identities, yield* Effect.fromResult(readOptions(config)))
  const span = Telemetry.spanOptions(base)
  return {
    api: TransferApi.of({
      origin: Effect.map(identities.current, ({ partnerId }): Origin => ({ base_url: base, partner_id: partnerId })),
      capabilities: call({ url: base + Paths.capabilities, headers: uncompressed }, Capabilities.fromJson).pipe(
        Effect.withSpan("TransferApi.capabilities", span(Paths.capabilities), noStack),
      ),
      search: (request) =>
        Effect.flatMap(searching, ({ readPage, searchUrl }) =>
          Effect.flatMap(Effect.fromResult(searchUrl(base + Paths.search, request)), (url) => call({ url }, readPage)),
        ).pipe(
          Effect.tap(({ results }) => Telemetry.countPage(results.length)),
          Effect.withSpan("TransferApi.search", span(Paths.search), noStack),
        ),
    }),
    /** `path` is below `/v1`, and starts with a slash. */
    get: (path: string, query: URLSearchParams): Effect.Effect<unknown, TransferApiError> => {
      const search = query.toString()
      const url = `${base}/v1${path}${search === "" ? "" : `?${search}`}`
      return call({ url }, readJson).pipe(Effect.withSpan("TransferApi.get", span(`/v1${path}`), noStack))
    },
  }
})

const readJson = (text: string): Result.Result<unknown, MalformedResponse> => {
  const excess = JsonBounds.fault(text)
  if (excess !== undefined) return Result.fail(excess)
  try {
    return Result.succeed(JSON.parse(text))
  } catch {
    return Result.fail(new MalformedResponse({ pointer: "", expected: "JSON", actual: "not", truncated: true }))
  }
}

// A few thousand bytes, often the only response of a short-lived process: loading a decompressor takes longer.
const uncompressed = { "accept-encoding": "identity" }

// Capturing the stack costs as much as decoding half a page.
const noStack = { captureStackTrace: false }
