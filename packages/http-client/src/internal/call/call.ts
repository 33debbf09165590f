/** One call of the client: as many attempts as the policy and the deadline allow, and one typed outcome. */
import type { MalformedResponse, TransferApiError } from "@transferkit/domain/TransferApiError"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Random from "effect/Random"
import * as Result from "effect/Result"
import { HttpTransport } from "../../HttpTransport.ts"
import * as RetryPolicy from "../../RetryPolicy.ts"
import type { Endpoint } from "./endpoint.ts"
import { type ExchangeOptions, makeExchange, type Target } from "./exchange.ts"
import { monotonicMillis } from "./monotonicMillis.ts"
import { readResponse, requestIdOf } from "./responseReader.ts"
import * as Telemetry from "./telemetry.ts"
import { makeThrottle } from "./throttle.ts"

/** Durations are in milliseconds; `Infinity` sets no limit. */
export interface CallOptions extends ExchangeOptions {
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

/** Reads the text of a successful response. */
export type Decode<A> = (text: string) => Result.Result<A, MalformedResponse>

/** Sends a GET to a target, and decodes its response. */
export type Call = <A>(target: Target, decode: Decode<A>) => Effect.Effect<A, TransferApiError>

export const makeCall = Effect.fnUntraced(function* (endpoint: Endpoint, options: CallOptions) {
  const exchange = makeExchange(yield* HttpTransport, endpoint, options)
  const throttled = yield* makeThrottle(options)

  const attempt = <A>(target: Target, decode: Decode<A>, deadline: number): Effect.Effect<A, TransferApiError> => {
    const decoded = Effect.flatMap(exchange(target, deadline), (response) =>
      Effect.flatMap(Clock.currentTimeMillis, (now) =>
        Effect.andThen(
          Telemetry.annotate(response.status, requestIdOf(response, endpoint.scrub)),
          Effect.fromResult(readResponse(response, decode, endpoint.scrub, now)),
        ),
      ),
    )
    return throttled(decoded, deadline)
  }

  const call: Call = Effect.fnUntraced(function* (target, decode) {
    const deadline = (yield* monotonicMillis) + options.deadline
    for (let attempts = 1; ; attempts++) {
      const result = yield* Effect.result(attempt(target, decode, deadline))
      if (Result.isSuccess(result)) return result.success
      const error = result.failure
      const timeLeft = deadline - (yield* monotonicMillis)
      const delay = RetryPolicy.wait(options.retry, { error, attempts, timeLeft, chance: yield* Random.next })
      if (delay === undefined) return yield* Effect.fail(error)
      yield* Telemetry.retry(error, delay)
      if (options.onRetry !== undefined) yield* options.onRetry({ error, attempts, delay })
      yield* Effect.sleep(delay)
    }
  })
  return call
})
