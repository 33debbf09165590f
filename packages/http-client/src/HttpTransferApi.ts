/** The domain's {@link TransferApi} over HTTP (partner-api.md, sections 4 and 5): patient within bounds, and discreet. */
import * as Capabilities from "@transferkit/domain/Capabilities"
import { TransferApi } from "@transferkit/domain/TransferApi"
import * as Paths from "@transferkit/http-api/Paths"
import * as Config from "effect/Config"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import type { HttpTransport } from "./HttpTransport.ts"
import { makeCall, type ResponseInfo } from "./internal/call.ts"
import { makeEndpoint } from "./internal/endpoint.ts"
import type { InvalidConfiguration } from "./InvalidConfiguration.ts"
import * as RetryPolicy from "./RetryPolicy.ts"

/** How patient and how busy a client is. */
export interface HttpTransferApiOptions {
  /**
   * Allows `http:` to a host that is not this machine. The secret key then travels in the clear.
   * @default false
   */
  readonly allowInsecure?: boolean
  /**
   * For one attempt, until the last byte of its answer. `0` sets no limit.
   * @default "30 seconds"
   */
  readonly attemptTimeout?: Duration.Input
  /**
   * For one call with all its attempts and waits. `0` sets no limit.
   * @default "2 minutes"
   */
  readonly deadline?: Duration.Input
  /** When failed attempts are repeated. `{ retries: 0 }` never does. */
  readonly retry?: Partial<RetryPolicy.RetryPolicy>
  /**
   * Requests in flight at once, over all calls. Fewer while the service answers that it is too many.
   * @default 32
   */
  readonly concurrency?: number
  /**
   * The most bytes a body may have, decompressed.
   * @default 16_777_216
   */
  readonly maxBodyBytes?: number
  /** Called before each request with the `curl` command that repeats it, without the secret key. */
  readonly onRequest?: (curl: string) => Effect.Effect<void>
  /** Called with each answer in short, whatever it says: for a log that has the service's request ids. */
  readonly onResponse?: (response: ResponseInfo) => Effect.Effect<void>
}

export type { ResponseInfo } from "./internal/call.ts"

/** Where the service is and who is calling. */
export interface HttpTransferApiConfig extends HttpTransferApiOptions {
  /** Scheme and host, and a path prefix if there is one: `/v1` is added here. */
  readonly baseUrl: string
  readonly partnerId: string
  readonly secretKey: Redacted.Redacted
}

/** What makes it impossible to call the service with some settings, found without calling it. */
export const check = (config: HttpTransferApiConfig): Result.Result<void, InvalidConfiguration> =>
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

/** The service itself, for those who do without layers. Fails if the service cannot be called with this configuration. */
export const make = Effect.fnUntraced(function* (config: HttpTransferApiConfig) {
  const endpoint = yield* Effect.fromResult(makeEndpoint({ allowInsecure: false, ...config }))
  const call = yield* makeCall(endpoint, {
    attemptTimeout: millisOrNone(config.attemptTimeout ?? "30 seconds"),
    deadline: millisOrNone(config.deadline ?? "2 minutes"),
    retry: { ...RetryPolicy.standard, ...config.retry },
    concurrency: config.concurrency ?? 32,
    maxBodyBytes: config.maxBodyBytes ?? 16 * 1024 * 1024,
    onRequest: config.onRequest,
    onResponse: config.onResponse,
  })
  // A program that only reads capabilities starts in half the time without what reads pages.
  const searching = yield* Effect.cached(Effect.promise(() => import("./internal/search.ts")))
  return TransferApi.of({
    capabilities: call({ url: endpoint.base + Paths.capabilities, headers: uncompressed }, Capabilities.fromJson).pipe(
      Effect.withSpan("TransferApi.capabilities", { kind: "client" }, span),
    ),
    search: (request) =>
      Effect.flatMap(searching, ({ readPage, searchUrl }) =>
        Effect.flatMap(Effect.fromResult(searchUrl(endpoint.base, request)), (url) => call({ url }, readPage)),
      ).pipe(Effect.withSpan("TransferApi.search", { kind: "client" }, span)),
  })
})

// A few thousand bytes, often the only response of a short-lived process: loading a decompressor takes longer.
const uncompressed = { "accept-encoding": "identity" }

// Capturing the stack costs as much as decoding half a page.
const span = { captureStackTrace: false }

const millisOrNone = (duration: Duration.Input): number => Duration.toMillis(duration) || Infinity
