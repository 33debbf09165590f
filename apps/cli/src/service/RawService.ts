/** Single requests to the service and their raw responses, for the commands that examine the service itself. */
import * as BasicCredentials from "@transferkit/http-api/BasicCredentials"
import type * as Paths from "@transferkit/http-api/Paths"
import * as SearchQuery from "@transferkit/http-api/SearchQuery"
import { HttpTransport, type TransportError } from "@transferkit/http-client/HttpTransport"
import * as NodeTransport from "@transferkit/http-client/NodeTransport"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import type { Credentials } from "./Credentials.ts"

/** A response of any status, its body as text. */
export interface RawResponse {
  readonly status: number
  readonly header: (name: string) => string | undefined
  readonly body: string
}

/** No response, and why. */
export interface NoResponse {
  readonly _tag: "NoResponse"
  readonly reason: string
}

/** A request. */
export interface RawRequest {
  readonly path: Paths.Path
  readonly query?: ReadonlyArray<readonly [name: string, value: string]>
  /** Without credentials, to see how the service asks for them. */
  readonly anonymous?: boolean
}

/** Milliseconds for one response. */
const timeoutMillis = 10_000

/** The service behind some credentials. Each request is sent once: no retries, no redirects. */
export class RawService extends Context.Service<
  RawService,
  { readonly get: (request: RawRequest) => Effect.Effect<RawResponse, NoResponse> }
>()("@transferkit/cli/RawService") {
  static readonly layer = (credentials: Credentials): Layer.Layer<RawService> =>
    Layer.effect(
      RawService,
      Effect.gen(function* () {
        const transport = yield* HttpTransport
        return { get: (request) => send(transport, credentials, request) }
      }),
    ).pipe(Layer.provide(NodeTransport.layer))
}

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
