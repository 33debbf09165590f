/** Single requests to the service and their raw responses, for the commands that examine the service itself. */
import { HttpTransport, type TransportError } from "@transferkit/http-client/HttpTransport"
import * as NodeTransport from "@transferkit/http-client/NodeTransport"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
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
  readonly path: "/v1/capabilities" | "/v1/transfers/search"
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
  const search = query.map((pair) => pair.map(encodeURIComponent).join("=")).join("&")
  const token = Buffer.from(`${partnerId}:${Redacted.value(secretKey)}`).toString("base64")
  return transport
    .get({
      url: `${baseUrl.replace(/\/+$/, "")}${path}${search === "" ? "" : `?${search}`}`,
      headers: { accept: "application/json", ...(anonymous ? {} : { authorization: `Basic ${token}` }) },
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
