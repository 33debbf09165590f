/** One call of the client: as many attempts as the policy and the deadline allow, and one typed outcome. */
import type { MalformedResponse, TransferApiError } from "@transferkit/domain/TransferApiError"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Random from "effect/Random"
import * as Result from "effect/Result"
import { HttpTransport } from "../../HttpTransport.ts"
import * as RetryPolicy from "../../RetryPolicy.ts"
import { CallSettings, type RawResponse } from "./CallSettings.ts"
import * as Deadline from "./Deadline.ts"
import { type ExchangeOptions, guarded, makeExchange, type Target } from "./Exchange.ts"
import type { Identities, Identity } from "./Identity.ts"
import { monotonicMillis } from "./MonotonicMillis.ts"
import { rawResponse, readResponse, requestIdOf, type Scrub } from "./ResponseReader.ts"
import * as Telemetry from "./Telemetry.ts"
import { makeThrottle } from "./Throttle.ts"

/** Durations are in milliseconds; `Infinity` sets no limit. */
export interface CallOptions extends ExchangeOptions {
  /** For all requests of an attempt. */
  readonly attemptTimeout: number
  readonly deadline: number
  readonly retry: RetryPolicy.RetryPolicy
  readonly concurrency: number
  /** Called before each wait for a retry. */
  readonly onRetry: ((retry: Retry) => Effect.Effect<void>) | undefined
}

/** A failed attempt that is retried. */
export interface Retry {
  readonly error: TransferApiError
  /** Attempts so far. */
  readonly attempts: number
  /** Milliseconds until the next. */
  readonly delay: number
}

/** Reads the text of a successful response. What it shows of it passes through `scrub`. */
export type Decode<A> = (text: string, scrub: Scrub) => Result.Result<A, MalformedResponse>

/** Sends a GET to a target, and decodes its response. */
export type Call = <A>(target: Target, decode: Decode<A>) => Effect.Effect<A, TransferApiError>

export const makeCall = Effect.fnUntraced(function* (identities: Identities, options: CallOptions) {
  const exchange = makeExchange(yield* HttpTransport, options)
  const throttled = yield* makeThrottle(options)

  const call: Call = Effect.fnUntraced(function* (target, decode) {
    const settings = yield* CallSettings
    const { attemptTimeout = options.attemptTimeout, retries = options.retry.retries } = settings
    const retry = retries === options.retry.retries ? options.retry : { ...options.retry, retries }
    const deadline = yield* Deadline.after(settings.deadline ?? options.deadline)
    const headers = settings.headers === undefined ? target.headers : { ...target.headers, ...settings.headers }
    const request: Target = headers === undefined ? target : { url: target.url, headers }
    let raw: RawResponse | undefined
    let status: number | undefined
    let requestId: string | undefined
    let attempts = 0
    let endsAt = -Infinity

    const attempt = (identity: Identity) =>
      Effect.gen(function* () {
        const began = yield* monotonicMillis
        endsAt = Math.min(began + attemptTimeout, deadline.at)
        const response = yield* exchange(request, identity, endsAt)
        raw = rawResponse(response, identity.scrub)
        status = response.status
        requestId = requestIdOf(response, identity.scrub)
        yield* Telemetry.measure((yield* monotonicMillis) - began, status)
        yield* Telemetry.annotate(status, requestId)
        return yield* Effect.fromResult(readResponse(response, decode, identity.scrub, yield* Clock.currentTimeMillis))
      })

    const attemptUntilDone = Effect.gen(function* () {
      for (let isRenewed = false; ;) {
        const identity = yield* identities.isFixed ? identities.current : Deadline.bounded(identities.current, deadline)
        attempts++
        const result = yield* Effect.result(throttled(attempt(identity), deadline, settings.rate))
        if (Result.isSuccess(result)) return result.success
        const error = result.failure
        if (
          error._tag === "Unauthorized" &&
          error.status === 401 &&
          !isRenewed &&
          (yield* identities.renew(identity))
        ) {
          isRenewed = true
          continue
        }
        // A timer may fire a moment early, and leave time for nothing.
        const isOver = error === deadline.passed || (endsAt === deadline.at && error._tag === "TimedOut")
        const timeLeft = isOver ? 0 : deadline.at - (yield* monotonicMillis)
        const delay = RetryPolicy.wait(retry, { error, attempts, timeLeft, chance: yield* Random.next })
        if (delay === undefined) return yield* Effect.andThen(Telemetry.annotateError(error), Effect.fail(error))
        yield* Telemetry.retry(error, attempts, delay)
        const { onRetry } = options
        if (onRetry !== undefined) yield* guarded("onRetry", () => onRetry({ error, attempts, delay }))
        yield* Effect.sleep(delay)
      }
    })
    const { onEnd } = settings
    if (onEnd === undefined) return yield* attemptUntilDone
    const end = (error: TransferApiError | undefined) =>
      Effect.sync(() => onEnd({ attempts, status, requestId, raw, error }))
    return yield* attemptUntilDone.pipe(
      Effect.tap(() => end(undefined)),
      Effect.tapError(end),
    )
  })
  return call
})
