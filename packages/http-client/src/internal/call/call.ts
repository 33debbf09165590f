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
import * as AdaptiveLimit from "../../AdaptiveLimit.ts"
import { type HttpAnswer, HttpTransport, type TransportError, TransportTimedOut } from "../../HttpTransport.ts"
import * as RetryPolicy from "../../RetryPolicy.ts"
import { readText, requestIdOf, type Scrub } from "./responseReader.ts"
import * as Curl from "./curl.ts"
import type { Endpoint } from "./endpoint.ts"
import * as Telemetry from "./telemetry.ts"

/** Durations are in milliseconds, `Infinity` where there is no limit. */
export interface CallOptions {
  readonly attemptTimeout: number
  readonly deadline: number
  readonly retry: RetryPolicy.RetryPolicy
  readonly concurrency: number
  readonly maxBodyBytes: number
  /** Called with each request before it is sent. */
  readonly onRequest: ((curl: string) => Effect.Effect<void>) | undefined
  /** Called with each answer, whatever it says. */
  readonly onResponse: ((response: ResponseInfo) => Effect.Effect<void>) | undefined
}

/** An answer in short, for a log. */
export interface ResponseInfo {
  readonly status: number
  /** The service's `x-request-id`: what to quote to its support. */
  readonly requestId: string | undefined
  /** From the request until the last byte. */
  readonly milliseconds: number
  /** The `curl` command that repeats the request, without the secret key. */
  readonly curl: string
}

/** Reads what the text of a successful answer says. */
export type Decode<A> = (text: string) => Result.Result<A, MalformedResponse>

/** What is asked for. */
export interface Target {
  readonly url: string
  /** Sent besides those of every request, by lower-case name. */
  readonly headers?: Readonly<Record<string, string>>
}

/** A GET of a URL, whose answer is decoded. */
export type Call = <A>(target: Target, decode: Decode<A>) => Effect.Effect<A, TransferApiError>

export const makeCall = Effect.fnUntraced(function* (endpoint: Endpoint, options: CallOptions) {
  const exchange = exchangeOver(yield* HttpTransport, endpoint, options)
  const permits = yield* Semaphore.make(options.concurrency)
  let limit = AdaptiveLimit.make(options.concurrency)

  /** Every outcome of an attempt says something about how many there may be at once. */
  const learn = (error: TransferApiError | undefined): Effect.Effect<void> => {
    const before = AdaptiveLimit.permits(limit)
    limit = AdaptiveLimit.after(limit, error)
    const now = AdaptiveLimit.permits(limit)
    return Effect.andThen(
      Telemetry.count(error?._tag ?? "success"),
      now === before ? Effect.void : Semaphore.resize(permits, now),
    )
  }

  const attempt = <A>(target: Target, decode: Decode<A>, endsAt: number): Effect.Effect<A, TransferApiError> =>
    exchange(
      target,
      Effect.map(Clock.currentTimeMillis, (now) => Math.min(options.attemptTimeout, endsAt - now)),
    ).pipe(
      Effect.flatMap((answer) =>
        Effect.flatMap(Clock.currentTimeMillis, (now) =>
          Effect.andThen(
            Telemetry.annotate(answer.status, requestIdOf(answer, endpoint.scrub)),
            Effect.fromResult(readAnswer(answer, decode, endpoint, now)),
          ),
        ),
      ),
      Effect.tapError(learn),
      permits.withPermit,
    )

  const call: Call = Effect.fnUntraced(function* (target, decode) {
    const endsAt = (yield* Clock.currentTimeMillis) + options.deadline
    for (let attempts = 1; ; attempts++) {
      const result = yield* Effect.result(attempt(target, decode, endsAt))
      if (Result.isSuccess(result)) {
        yield* learn(undefined)
        return result.success
      }
      const timeLeft = endsAt - (yield* Clock.currentTimeMillis)
      const failure = { error: result.failure, attempts, timeLeft, chance: yield* Random.next }
      const delay = RetryPolicy.wait(options.retry, failure)
      if (delay === undefined) return yield* Effect.fail(result.failure)
      yield* Telemetry.retry(result.failure, delay)
      yield* Effect.sleep(delay)
    }
  })
  return call
})

const maxRedirects = 5

/** One attempt's requests: more than one where the service redirects within its own origin. */
const exchangeOver = (transport: HttpTransport["Service"], endpoint: Endpoint, options: CallOptions) => {
  const { maxBodyBytes, onRequest, onResponse } = options
  const always = { accept: "application/json", authorization: Redacted.value(endpoint.authorization) }
  const errorOf = (error: TransportError): TransferApiError => {
    switch (error._tag) {
      case "TransportFailed":
        return new ConnectionFailed({ reason: endpoint.scrub(error.reason) })
      case "TransportTimedOut":
        return new TimedOut({ after: Duration.millis(Math.max(0, error.timeout)) })
      case "BodyTooLarge":
        return new MalformedResponse({ pointer: "", expected: `at most ${maxBodyBytes} bytes`, actual: "longer" })
    }
  }
  const get = ({ url, headers }: Target, timeout: number): Effect.Effect<HttpAnswer, TransferApiError> => {
    if (timeout <= 0) return Effect.fail(errorOf(new TransportTimedOut({ timeout })))
    const sent = Effect.mapError(
      transport.get({ url, headers: { ...always, ...headers }, maxBodyBytes, timeout }),
      errorOf,
    )
    if (onRequest === undefined && onResponse === undefined) return sent
    const curl = Curl.print(url, endpoint.partnerId)
    const told = onResponse === undefined ? sent : telling(sent, curl, onResponse)
    return onRequest === undefined ? told : Effect.andThen(onRequest(curl), told)
  }
  const telling = (
    sent: Effect.Effect<HttpAnswer, TransferApiError>,
    curl: string,
    tell: (response: ResponseInfo) => Effect.Effect<void>,
  ) =>
    Effect.flatMap(Clock.currentTimeMillis, (began) =>
      Effect.tap(sent, (answer) =>
        Effect.flatMap(Clock.currentTimeMillis, (now) =>
          tell({
            status: answer.status,
            requestId: requestIdOf(answer, endpoint.scrub),
            milliseconds: now - began,
            curl,
          }),
        ),
      ),
    )
  const follow = (
    target: Target,
    timeLeft: Effect.Effect<number>,
    redirects: number,
  ): Effect.Effect<HttpAnswer, TransferApiError> =>
    Effect.flatMap(
      Effect.flatMap(timeLeft, (timeout) => get(target, timeout)),
      (answer) => {
        const location = isRedirect(answer) ? answer.header("location") : undefined
        if (location === undefined) return Effect.succeed(answer)
        const next = URL.parse(location, target.url)
        return next?.origin === new URL(target.url).origin && redirects < maxRedirects
          ? follow({ ...target, url: next.href }, timeLeft, redirects + 1)
          : Effect.fail(notFollowed(answer, next?.href ?? location, endpoint.scrub))
      },
    )
  return (target: Target, timeLeft: Effect.Effect<number>) => follow(target, timeLeft, 0)
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
  const { pointer, expected, actual, mayBeCut = false } = decoded.failure
  // An excerpt may cut a credential in two, and a pointer escapes it: neither would be found.
  return Result.fail(
    endpoint.scrub(text.success) === text.success
      ? new MalformedResponse({ pointer, expected, actual, mayBeCut, requestId })
      : new MalformedResponse({
          pointer: "",
          expected,
          actual: "something that holds the credentials",
          mayBeCut,
          requestId,
        }),
  )
}
