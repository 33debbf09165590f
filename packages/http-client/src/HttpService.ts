/**
 * The operations of the service over HTTP, one by one: for a program that reads pages seldom and would rather load
 * what reads them then. {@link file://./HttpTransferApi.ts} is all of them together.
 */
import * as Capabilities from "@transferkit/domain/Capabilities"
import type { SearchRequest } from "@transferkit/domain/SearchRequest"
import type { MalformedResponse, TransferApiError } from "@transferkit/domain/TransferApiError"
import type { TransferPage } from "@transferkit/domain/TransferPage"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type * as Result from "effect/Result"
import type { HttpTransferApiConfig } from "./HttpTransferApi.ts"
import { makeCall } from "./internal/call.ts"
import { makeEndpoint } from "./internal/endpoint.ts"
import { capabilitiesUrl, searchUrl } from "./internal/requestUrl.ts"
import * as RetryPolicy from "./RetryPolicy.ts"

/** Reads the body of a page; `TransferPage.fromJson` is the one there is. */
export type ReadPage = (text: string) => Result.Result<TransferPage, MalformedResponse>

/** The operations. */
export interface HttpService {
  readonly capabilities: Effect.Effect<Capabilities.Capabilities, TransferApiError>
  readonly search: (request: SearchRequest, readPage: ReadPage) => Effect.Effect<TransferPage, TransferApiError>
}

// A few thousand bytes, often the only ones that a short-lived process asks for: loading what unpacks them takes longer.
const plain = { "accept-encoding": "identity" }

// Where in this file a span begins is nothing that its reader needs, and costs as much as checking half a page.
const span = { captureStackTrace: false }

/** The service at a base URL. Fails with `InvalidConfiguration` where it cannot be called with this. */
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
  const service: HttpService = {
    capabilities: call({ url: capabilitiesUrl(endpoint.base), headers: plain }, Capabilities.fromJson).pipe(
      Effect.withSpan("TransferApi.capabilities", { kind: "client" }, span),
    ),
    search: (request, readPage) =>
      call({ url: searchUrl(endpoint.base, request) }, readPage).pipe(
        Effect.withSpan("TransferApi.search", { kind: "client" }, span),
      ),
  }
  return service
})

const millisOrNone = (duration: Duration.Input): number => Duration.toMillis(duration) || Infinity
