/** Raw requests over HTTP, for the commands that examine the service itself. */
import { type NoResponse, RawRequests, type RawRequest, type RawResponse } from "@transferkit/conformance/RawRequests"
import * as BasicCredentials from "@transferkit/http-api/BasicCredentials"
import * as SearchQuery from "@transferkit/http-api/SearchQuery"
import { HttpTransport, type TransportError } from "@transferkit/http-client/HttpTransport"
import * as NodeTransport from "@transferkit/http-client/NodeTransport"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import type { Credentials } from "./Credentials.ts"

/** Milliseconds for one response. */
const timeoutMillis = 10_000

/** The service behind some credentials. */
export const layer = (credentials: Credentials): Layer.Layer<RawRequests> =>
  Layer.effect(
    RawRequests,
    Effect.map(HttpTransport, (transport) => ({ get: (request) => send(transport, credentials, request) })),
  ).pipe(Layer.provide(NodeTransport.layer))

const send = (
  transport: HttpTransport["Service"],
  { baseUrl, partnerId, secretKey }: Credentials,
  { path, query = [], anonymous = false }: RawRequest,
): Effect.Effect<RawResponse, NoResponse> => {
  const encoded = SearchQuery.encodePairs(query)
  if (Result.isFailure(encoded)) return Effect.fail({ _tag: "NoResponse", reason: encoded.failure.message })
  const search = encoded.success === "" ? "" : `?${encoded.success}`
  const authorization = BasicCredentials.toHeader({ partner_id: partnerId, secret_key: secretKey })
  return transport
    .get({
      url: `${baseUrl.replace(/^(.*[^/])?\/*$/, "$1")}${path}${search}`,
      headers: { accept: "application/json", ...(anonymous ? {} : { authorization }) },
      maxBodyBytes: 16 * 1024 * 1024,
      timeout: timeoutMillis,
    })
    .pipe(
      Effect.map(({ status, header, body }) => ({ status, header, body: Buffer.from(body).toString("utf8") })),
      Effect.mapError((error): NoResponse => ({ _tag: "NoResponse", reason: reasonOf(error) })),
    )
}

const reasonOf = (error: TransportError): string => {
  switch (error._tag) {
    case "TransportFailed":
      return error.reason
    case "TransportTimedOut":
      return `no response within ${timeoutMillis / 1000} seconds`
    case "BodyTooLarge":
      return "the response is too large"
  }
}
