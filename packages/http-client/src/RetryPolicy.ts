/** When a failed request is sent again, and after how long: a pure table, without a clock or randomness of its own. */
import type { TransferApiError } from "@transferkit/domain/TransferApiError"
import * as Duration from "effect/Duration"

/** How patient a client is. Durations are in milliseconds. */
export interface RetryPolicy {
  /**
   * Attempts after the first. `0` never retries.
   * @default 4
   */
  readonly retries: number
  /**
   * The upper bound of the wait before the first retry; it doubles with each.
   * @default 200
   */
  readonly baseDelay: number
  /**
   * The limit of that doubling.
   * @default 10_000
   */
  readonly maxDelay: number
  /**
   * The longest wait that a `Retry-After` can ask for.
   * @default 60_000
   */
  readonly maxRetryAfter: number
}

/** Five attempts with at most 3 seconds of waiting, unless the service asks for more. */
export const standard: RetryPolicy = { retries: 4, baseDelay: 200, maxDelay: 10_000, maxRetryAfter: 60_000 }

/** A failed attempt. */
export interface Failure {
  readonly error: TransferApiError
  /** Attempts so far, this one included. */
  readonly attempts: number
  /** Milliseconds until the deadline of the whole call; `Infinity` if it has none. */
  readonly timeLeft: number
  /** A random number in `[0, 1)`, drawn for each failure. */
  readonly chance: number
}

/**
 * Milliseconds to wait before the next attempt, or `undefined` to give up. The wait has full jitter: anything from zero
 * to the exponential bound, so that clients that failed together do not return together. `Retry-After` is its lower
 * bound. A wait that would outlast the deadline is not begun.
 */
export const wait = (policy: RetryPolicy, failure: Failure): number | undefined => {
  const { error, attempts, timeLeft, chance } = failure
  if (!error.isRetryable || attempts > policy.retries) return undefined
  const jittered = chance * Math.min(policy.maxDelay, policy.baseDelay * 2 ** (attempts - 1))
  const delay = Math.ceil(Math.max(jittered, requested(policy, error)))
  return delay < timeLeft ? delay : undefined
}

/**
 * Milliseconds for which the client sends nothing at all: a 429 is about the partner, not about one request. Zero for
 * other errors, and for a policy without retries, which leaves it to the caller.
 */
export const pause = (policy: RetryPolicy, error: TransferApiError): number =>
  error._tag === "RateLimited" && policy.retries > 0 ? requested(policy, error) : 0

const requested = (policy: RetryPolicy, error: TransferApiError): number =>
  "retryAfter" in error && error.retryAfter !== undefined
    ? Math.min(Duration.toMillis(error.retryAfter), policy.maxRetryAfter)
    : 0

/**
 * The wait that a `Retry-After` header asks for: seconds, or an HTTP date, which is read against the service's own clock
 * (its `Date` header) if that is known. `undefined` for anything else.
 */
export const parseRetryAfter = (
  value: string | undefined,
  clock: { readonly date: string | undefined; readonly now: number },
): Duration.Duration | undefined => {
  if (value === undefined) return undefined
  const text = value.trim()
  if (/^\d+$/.test(text)) return Duration.seconds(Math.min(Number(text), Number.MAX_SAFE_INTEGER / 1000))
  const until = parseHttpDate(text)
  if (until === undefined) return undefined
  return Duration.millis(Math.max(0, until - (parseHttpDate(clock.date) ?? clock.now)))
}

const parseHttpDate = (text: string | undefined): number | undefined => {
  // `Date.parse` also reads texts that are no HTTP date, such as "-5" and "1.5".
  if (text === undefined || !/^[A-Z][a-z]{2,8},? /.test(text)) return undefined
  // The form of asctime names no zone and means UTC. A leap second ends where the next second begins.
  const utc = text.endsWith("GMT") ? text : `${text} GMT`
  const leapless = utc.replace(/(:\d\d):60\b/, "$1:59")
  const time = Date.parse(leapless)
  return Number.isNaN(time) ? undefined : time + (leapless === utc ? 0 : 1000)
}
