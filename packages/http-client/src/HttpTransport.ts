/**
 * The port to the network: one GET, its answer read whole within a bound. FetchTransport.ts works everywhere,
 * NodeTransport.ts is the cheapest on Node.
 */
import * as Context from "effect/Context"
import * as Data from "effect/Data"
import type * as Effect from "effect/Effect"

/** A GET request. */
export interface HttpRequest {
  readonly url: string
  /** By lower-case name. One of them is the credential: a transport neither prints nor keeps them. */
  readonly headers: Readonly<Record<string, string>>
  /** The most bytes a body may have once it is decompressed. */
  readonly maxBodyBytes: number
  /** Milliseconds until the last byte of the body must be there; `Infinity` sets no limit. */
  readonly timeout: number
}

/** An answer of any status. */
export interface HttpAnswer {
  readonly status: number
  /** The value of a header by its lower-case name. */
  readonly header: (name: string) => string | undefined
  readonly body: Uint8Array
}

/** No whole answer: the connection failed or broke. `reason` says how, without the request's headers. */
export class TransportFailed extends Data.TaggedError("TransportFailed")<{ readonly reason: string }> {}

/** The body is longer than `maxBodyBytes`; the rest was not read. */
export class BodyTooLarge extends Data.TaggedError("BodyTooLarge")<{ readonly maxBodyBytes: number }> {}

/** The whole answer was not there within the time allowed. */
export class TransportTimedOut extends Data.TaggedError("TransportTimedOut")<{ readonly timeout: number }> {}

export type TransportError = TransportFailed | TransportTimedOut | BodyTooLarge

export class HttpTransport extends Context.Service<
  HttpTransport,
  {
    /** Follows no redirect. Interruption and a time-out close the connection, or the exchange on it. */
    readonly get: (request: HttpRequest) => Effect.Effect<HttpAnswer, TransportError>
  }
>()("@transferkit/http-client/HttpTransport") {}
