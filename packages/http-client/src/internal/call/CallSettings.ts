/** What one call, or all calls of an effect, do differently from the client. */
import type { TransferApiError } from "@transferkit/domain/TransferApiError"
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"

/**
 * The end of a call: its last response, and how it came about.
 *
 * @example
 * const ends = []
 * const onEnd = ({ attempts, status }) => ends.push({ attempts, status })
 * await Effect.runPromise(HttpTransferApi.withCallSettings({ onEnd })(api.search({})))
 * ends // => [{ attempts: 1, status: 200 }]
 */
export interface CallSummary {
  /** Requests sent, the first included, redirects not counted. */
  readonly attempts: number
  /** The status of the last response, if there was one. */
  readonly status: number | undefined
  /** The service's `x-request-id` of the last response: quote it to its support. */
  readonly requestId: string | undefined
  /** The last response itself, if there was one. */
  readonly raw: RawResponse | undefined
  /** What it failed with, if it did. */
  readonly error: TransferApiError | undefined
}

/** What the service sent, with the credentials taken out; read when it is asked for. */
export interface RawResponse {
  /** By lower-case name. */
  readonly headers: () => Readonly<Record<string, string>>
  readonly text: () => string
}

/**
 * A rate limit that other programs share.
 *
 * @example
 * const sent = []
 * const rate = { permit: Effect.sync(() => void sent.push("a request")), pause: () => Effect.void }
 * await Effect.runPromise(HttpTransferApi.withCallSettings({ rate })(api.search({})))
 * sent // => ["a request"]
 */
export interface SharedRate {
  /** Waits until one request may be sent. */
  readonly permit: Effect.Effect<void, TransferApiError>
  /** Runs after a 429 with `Retry-After`, with the wait in milliseconds. */
  readonly pause: (milliseconds: number) => Effect.Effect<void>
}

/**
 * Times are in milliseconds; `Infinity` sets no limit.
 *
 * @example
 * const settings = { attemptTimeout: 5000, deadline: Infinity, retries: 2, headers: { "x-trace": "nightly" } }
 * const page = await Effect.runPromise(HttpTransferApi.withCallSettings(settings)(api.search({})))
 * page.results.length // => 20
 */
export interface CallSettings {
  readonly attemptTimeout?: number
  readonly deadline?: number
  readonly retries?: number
  /** Sent with each request, by lower-case name. */
  readonly headers?: Readonly<Record<string, string>>
  /** Asked before each attempt. */
  readonly rate?: SharedRate
  /** Called at the end of each call. */
  readonly onEnd?: (summary: CallSummary) => void
}

export const CallSettings = Context.Reference<CallSettings>("@transferkit/http-client/CallSettings", {
  defaultValue: () => ({}),
})
