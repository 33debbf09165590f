/**
 * The port to the network: one GET, its response read whole within a bound. FetchTransport.ts works everywhere,
 * NodeTransport.ts is the fastest on Node, HttpClientTransport.ts uses Effect's `HttpClient`.
 */
import * as Context from "effect/Context"
import * as Data from "effect/Data"
import type * as Effect from "effect/Effect"

/** A GET request. */
export interface HttpRequest {
  readonly url: string
  /** By lower-case name. One of them is the credential: a transport neither prints nor keeps them. */
  readonly headers: Readonly<Record<string, string>>
  /** The maximum size of a body in bytes, decompressed. */
  readonly maxBodyBytes: number
  /** Milliseconds until the last byte of the body must have arrived; `Infinity` sets no limit. */
  readonly timeout: number
}

/** A response of any status. */
export interface HttpResponse {
  readonly status: number
  /** The value of a header by its lower-case name. */
  readonly header: (name: string) => string | undefined
  /** The lower-case names of all headers. */
  readonly headerNames: () => ReadonlyArray<string>
  readonly body: Uint8Array
}

/** No complete response. `reason` says why, without the request's headers. */
export class TransportFailed extends Data.TaggedError("TransportFailed")<{
  readonly reason: string
  /**
   * `connection`: it failed or broke, and may not the next time. `permanent`: no retry will help, as with an unknown host
   * or a certificate that is not trusted. `encoding`: the body is not in its `Content-Encoding`.
   * @default "connection"
   */
  readonly kind?: "connection" | "permanent" | "encoding"
  /** The code of the operating system or of TLS, such as `ECONNREFUSED`. */
  readonly errno?: string
}> {}

/** The body is longer than `maxBodyBytes`; the rest was not read. */
export class BodyTooLarge extends Data.TaggedError("BodyTooLarge")<{ readonly maxBodyBytes: number }> {}

/** The response was not complete within the time allowed. */
export class TransportTimedOut extends Data.TaggedError("TransportTimedOut")<{ readonly timeout: number }> {}

export type TransportError = TransportFailed | TransportTimedOut | BodyTooLarge

/** Sends requests. Any function that keeps these promises can take the place of the transports here. */
export class HttpTransport extends Context.Service<
  HttpTransport,
  {
    /** Follows no redirect. Interruption and a time-out close the connection, or the exchange on it. */
    readonly get: (request: HttpRequest) => Effect.Effect<HttpResponse, TransportError>
  }
>()("@transferkit/http-client/HttpTransport") {}
