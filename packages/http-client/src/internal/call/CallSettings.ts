/** What one call, or all calls of an effect, do differently from the client. */
import type { TransferApiError } from "@transferkit/domain/TransferApiError"
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"

/** The end of a call: its last response, and how it came about. */
export interface CallSummary {
  /** Requests sent, the first included, redirects not counted. */
  readonly attempts: number
  /** The status of the last response, if there was one. */
  readonly status: number | undefined
  /** The service's `x-request-id` of the last response: quote it to its support. */
  readonly requestId: string | undefined
  /** What it failed with, if it did. */
  readonly error: TransferApiError | undefined
}

/** A rate limit that other programs share. */
export interface SharedRate {
  /** Waits until one request may be sent. */
  readonly permit: Effect.Effect<void, TransferApiError>
  /** Told how many milliseconds the service wants to be left alone, as a 429 with `Retry-After` says. */
  readonly pause: (milliseconds: number) => Effect.Effect<void>
}

/** Times are in milliseconds; `Infinity` sets no limit. */
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
