/** Single requests to the service and their raw responses, for what examines the service itself. */
import type * as Paths from "@transferkit/http-api/Paths"
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"

/** A request. */
export interface RawRequest {
  readonly path: Paths.Path
  readonly query?: ReadonlyArray<readonly [name: string, value: string]>
  /** Without credentials, to see how the service asks for them. */
  readonly anonymous?: boolean
}

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

/** Sends each request once: no retries, no redirects. */
export class RawRequests extends Context.Service<
  RawRequests,
  { readonly get: (request: RawRequest) => Effect.Effect<RawResponse, NoResponse> }
>()("@transferkit/conformance/RawRequests") {}
