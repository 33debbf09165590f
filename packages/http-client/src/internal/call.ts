/** One call of the client: as many attempts as the policy and the deadline allow, and one typed outcome. */
import {
  ConnectionFailed,
  MalformedResponse,
  TimedOut,
  type TransferApiError,
  UnexpectedStatus,
} from "@transferkit/domain/TransferApiError"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Random from "effect/Random"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as Semaphore from "effect/Semaphore"
import { type HttpAnswer, HttpTransport } from "../HttpTransport.ts"
import * as RetryPolicy from "../RetryPolicy.ts"
import { readText, requestIdOf, type Scrub } from "./answerReader.ts"
import type { Endpoint } from "./endpoint.ts"

/** Durations are in milliseconds, `Infinity` where there is no limit. */
export interface CallOptions {
  readonly attemptTimeout: number
  readonly deadline: number
  readonly retry: RetryPolicy.RetryPolicy
  readonly concurrency: number
  readonly maxBodyBytes: number
}

/** Reads what the text of a successful answer says. */
export type Decode<A> = (text: string) => Result.Result<A, MalformedResponse>

/** A GET of a URL, whose answer is decoded. */
export type Call = <A>(url: string, decode: Decode<A>) => Effect.Effect<A, TransferApiError>

export const makeCall = Effect.fnUntraced(function* (endpoint: Endpoint, options: CallOptions) {
  const exchange = exchangeOver(yield* HttpTransport, endpoint, options.maxBodyBytes)
  const permits = yield* Semaphore.make(options.concurrency)

  const attempt = <A>(url: string, decode: Decode<A>, timeout: number): Effect.Effect<A, TransferApiError> => {
    const once = Effect.flatMap(exchange(url), (answer) =>
      Effect.flatMap(Clock.currentTimeMillis, (now) => Effect.fromResult(readAnswer(answer, decode, endpoint, now))),
    )
    if (timeout === Infinity) return once
    const orElse = () => Effect.fail(new TimedOut({ after: Duration.millis(Math.max(0, timeout)) }))
    return timeout <= 0 ? orElse() : Effect.timeoutOrElse(once, { duration: timeout, orElse })
  }

  const call: Call = Effect.fnUntraced(function* (url, decode) {
    const startedAt = yield* Clock.currentTimeMillis
    const timeLeft = Effect.map(Clock.currentTimeMillis, (now) => options.deadline - (now - startedAt))
    for (let attempts = 1; ; attempts++) {
      const result = yield* timeLeft.pipe(
        Effect.flatMap((left) => attempt(url, decode, Math.min(options.attemptTimeout, left))),
        permits.withPermit,
        Effect.result,
      )
      if (Result.isSuccess(result)) return result.success
      const failure = { error: result.failure, attempts, timeLeft: yield* timeLeft, chance: yield* Random.next }
      const delay = RetryPolicy.wait(options.retry, failure)
      if (delay === undefined) return yield* Effect.fail(result.failure)
      yield* Effect.sleep(delay)
    }
  })
  return call
})

const maxRedirects = 5

/** One attempt's requests: more than one where the service redirects within its own origin. */
const exchangeOver = (transport: HttpTransport["Service"], endpoint: Endpoint, maxBodyBytes: number) => {
  const headers = { accept: "application/json", authorization: Redacted.value(endpoint.authorization) }
  const get = (url: string): Effect.Effect<HttpAnswer, TransferApiError> =>
    Effect.mapError(transport.get({ url, headers, maxBodyBytes }), (error) =>
      error._tag === "TransportFailed"
        ? new ConnectionFailed({ reason: endpoint.scrub(error.reason) })
        : new MalformedResponse({ pointer: "", expected: `at most ${maxBodyBytes} bytes`, actual: "longer" }),
    )
  const follow = (url: string, redirects: number): Effect.Effect<HttpAnswer, TransferApiError> =>
    Effect.flatMap(get(url), (answer) => {
      const location = isRedirect(answer) ? answer.header("location") : undefined
      if (location === undefined) return Effect.succeed(answer)
      const next = URL.parse(location, url)
      return next?.origin === new URL(url).origin && redirects < maxRedirects
        ? follow(next.href, redirects + 1)
        : Effect.fail(notFollowed(answer, next?.href ?? location, endpoint.scrub))
    })
  return (url: string) => follow(url, 0)
}

const isRedirect = (answer: HttpAnswer): boolean => answer.status >= 300 && answer.status < 400

const notFollowed = (answer: HttpAnswer, location: string, scrub: Scrub): UnexpectedStatus =>
  new UnexpectedStatus({
    status: answer.status,
    body: "",
    location: scrub(location).slice(0, 1024),
    requestId: requestIdOf(answer, scrub),
  })

const readAnswer = <A>(
  answer: HttpAnswer,
  decode: Decode<A>,
  endpoint: Endpoint,
  now: number,
): Result.Result<A, TransferApiError> => {
  const text = readText(answer, endpoint.scrub, now)
  if (Result.isFailure(text)) return Result.fail(text.failure)
  const decoded = decode(text.success)
  if (Result.isSuccess(decoded)) return decoded
  const requestId = requestIdOf(answer, endpoint.scrub)
  const { pointer, expected, actual } = decoded.failure
  // An excerpt may cut a credential in two, and a pointer escapes it: neither would be found.
  return Result.fail(
    endpoint.scrub(text.success) === text.success
      ? new MalformedResponse({ pointer, expected, actual, requestId })
      : new MalformedResponse({ pointer: "", expected, actual: "something that holds the credentials", requestId }),
  )
}
