/**
 * {@link HttpTransport} by Effect's `HttpClient`, for programs that have one, with its proxy, its middleware and its mocks.
 * It needs the client of the platform, such as `FetchHttpClient.layer` or `NodeHttpClient.layerUndici`.
 */
import * as ByteParts from "@transferkit/domain/ByteParts"
import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as HttpClient from "effect/http/HttpClient"
import type { HttpClientError } from "effect/http/HttpClientError"
import type * as HttpClientResponse from "effect/http/HttpClientResponse"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import { BodyTooLarge, type HttpRequest, type HttpResponse, HttpTransport, TransportTimedOut } from "./HttpTransport.ts"
import { transportFailed } from "./internal/transport/TransportFailed.ts"

export const layer: Layer.Layer<HttpTransport, never, HttpClient.HttpClient> = /* @__PURE__ */ Layer.effect(
  HttpTransport,
  Effect.map(HttpClient.HttpClient, (client) => ({ get: (request: HttpRequest) => get(client, request) })),
)

// Not every client decompresses bodies, and one by fetch would follow redirects.
const get = (client: HttpClient.HttpClient, { url, headers, maxBodyBytes, timeout }: HttpRequest) =>
  client.get(url, { headers: { "accept-encoding": "identity", ...headers } }).pipe(
    Effect.flatMap((response) => read(response, maxBodyBytes)),
    Effect.provideService(FetchHttpClient.RequestInit, { redirect: "manual" }),
    // Its span would hold the headers of the response, in which a service may send back the secret.
    Effect.provideService(HttpClient.TracerDisabledWhen, () => true),
    Effect.mapError((error) => (error._tag === "BodyTooLarge" ? error : transportFailed(error))),
    timeout === Infinity
      ? (response) => response
      : Effect.timeoutOrElse({ duration: timeout, orElse: () => Effect.fail(new TransportTimedOut({ timeout })) }),
  )

const isEmptyBody = (error: HttpClientError | BodyTooLarge): error is HttpClientError =>
  error._tag === "HttpClientError" && error.reason._tag === "EmptyBodyError"

const read = Effect.fnUntraced(function* (response: HttpClientResponse.HttpClientResponse, maxBodyBytes: number) {
  const parts = ByteParts.make(maxBodyBytes)
  yield* Stream.runForEach(response.stream, (part) =>
    parts.add(part) ? Effect.void : Effect.fail(new BodyTooLarge({ maxBodyBytes })),
  ).pipe(Effect.catchIf(isEmptyBody, () => Effect.void))
  const whole: HttpResponse = {
    status: response.status,
    header: (name) => response.headers[name],
    headerNames: () => Object.keys(response.headers),
    body: parts.whole(),
  }
  return whole
})
