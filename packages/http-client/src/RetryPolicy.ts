/** When a failed request is sent again, and after how long: a pure table, without a clock or chance of its own. */
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
   * The longest wait before the first retry; it doubles with each.
   * @default 200
   */
  readonly baseDelay: number
  /**
   * What the doubling stops at.
   * @default 10_000
   */
  readonly maxDelay: number
  /**
   * The most that a `Retry-After` can make us wait.
   * @default 60_000
   */
  readonly maxRetryAfter: number
}

/** Five attempts, 3 seconds of waiting at the most where the service does not ask for more. */
export const standard: RetryPolicy = { retries: 4, baseDelay: 200, maxDelay: 10_000, maxRetryAfter: 60_000 }

/** A failed attempt. */
export interface Failure {
  readonly error: TransferApiError
  /** Attempts so far, this one included. */
  readonly attempts: number
  /** Milliseconds until the deadline of the whole call, `Infinity` if it has none. */
  readonly timeLeft: number
  /** A number in `[0, 1)`, drawn anew for each failure. */
  readonly chance: number
}

/**
 * Milliseconds to wait before the next attempt, or `undefined` to give up. The wait is full jitter: anything from
 * nothing to the exponential bound, so that clients that failed together do not return together. `Retry-After` is a
 * floor under it. A wait that the deadline does not leave time for is not begun.
 */
export const wait = (policy: RetryPolicy, failure: Failure): number | undefined => {
  const { error, attempts, timeLeft, chance } = failure
  if (!error.isRetryable || attempts > policy.retries) return undefined
  const jittered = chance * Math.min(policy.maxDelay, policy.baseDelay * 2 ** (attempts - 1))
  const asked = "retryAfter" in error && error.retryAfter !== undefined ? Duration.toMillis(error.retryAfter) : 0
  const delay = Math.ceil(Math.max(jittered, Math.min(asked, policy.maxRetryAfter)))
  return delay < timeLeft ? delay : undefined
}

/**
 * The wait that a `Retry-After` header asks for: seconds or an HTTP date, which is read against the service's own
 * clock (its `Date` header) where it shows it. `undefined` for anything else.
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
  // `Date.parse` also reads what no HTTP date looks like, such as "-5" and "1.5".
  if (text === undefined || !/^[A-Z][a-z]{2,8},? /.test(text)) return undefined
  const time = Date.parse(text)
  return Number.isNaN(time) ? undefined : time
}
