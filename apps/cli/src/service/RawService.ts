/** Single requests to the service, with their answers as they come: for the commands that examine the service itself. */
import { HttpTransport, type TransportError } from "@transferkit/http-client/HttpTransport"
import * as NodeTransport from "@transferkit/http-client/NodeTransport"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import type { Credentials } from "./Credentials.ts"

/** An answer of any status, its body as text. */
export interface RawAnswer {
  readonly status: number
  readonly header: (name: string) => string | undefined
  readonly body: string
}

/** No answer, and why. */
export interface NoAnswer {
  readonly _tag: "NoAnswer"
  readonly reason: string
}

/** What to ask. */
export interface RawRequest {
  readonly path: "/v1/capabilities" | "/v1/transfers/search"
  readonly query?: ReadonlyArray<readonly [name: string, value: string]>
  /** Without credentials, to see how they are asked for. */
  readonly anonymous?: boolean
}

/** Milliseconds for one answer. */
const patience = 10_000

/** The service behind some credentials, asked once for each question: no retries, no redirects followed. */
export class RawService extends Context.Service<
  RawService,
  { readonly get: (request: RawRequest) => Effect.Effect<RawAnswer, NoAnswer> }
>()("@transferkit/cli/RawService") {
  static readonly layer = (credentials: Credentials): Layer.Layer<RawService> =>
    Layer.effect(
      RawService,
      Effect.gen(function* () {
        const transport = yield* HttpTransport
        return { get: (request) => ask(transport, credentials, request) }
      }),
    ).pipe(Layer.provide(NodeTransport.layer))
}

const ask = (
  transport: HttpTransport["Service"],
  { baseUrl, partnerId, secretKey }: Credentials,
  { path, query = [], anonymous = false }: RawRequest,
): Effect.Effect<RawAnswer, NoAnswer> => {
  const search = query.map((pair) => pair.map(encodeURIComponent).join("=")).join("&")
  const token = Buffer.from(`${partnerId}:${Redacted.value(secretKey)}`).toString("base64")
  return transport
    .get({
      url: `${baseUrl.replace(/\/+$/, "")}${path}${search === "" ? "" : `?${search}`}`,
      headers: { accept: "application/json", ...(anonymous ? {} : { authorization: `Basic ${token}` }) },
      maxBodyBytes: 16 * 1024 * 1024,
      timeout: patience,
    })
    .pipe(
      Effect.map(({ status, header, body }) => ({ status, header, body: Buffer.from(body).toString("utf8") })),
      Effect.mapError((error): NoAnswer => ({ _tag: "NoAnswer", reason: reasonOf(error) })),
    )
}

const reasonOf = (error: TransportError): string => {
  switch (error._tag) {
    case "TransportFailed":
      return error.reason
    case "TransportTimedOut":
      return `no answer within ${patience / 1000} seconds`
    case "BodyTooLarge":
      return "the answer is too large"
  }
}
