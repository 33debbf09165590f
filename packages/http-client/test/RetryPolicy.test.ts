import {
  ConnectionFailed,
  InvalidRequest,
  MalformedResponse,
  RateLimited,
  ServiceUnavailable,
  TimedOut,
  type TransferApiError,
  Unauthorized,
} from "@transferkit/domain/TransferApiError"
import * as Duration from "effect/Duration"
import { expect, test, vi } from "vitest"
import * as RetryPolicy from "../src/RetryPolicy.ts"

const unavailable = new ServiceUnavailable({ status: 503, errors: [] })
const limited = (retryAfter: Duration.Input) => new RateLimited({ retryAfter: Duration.fromInputUnsafe(retryAfter) })
const fresh = { error: unavailable, attempts: 1, timeLeft: Infinity, chance: 0.5 }

test.each<[string, Partial<RetryPolicy.Failure>, number | undefined]>([
  ["waits half the bound for a chance of one half", {}, 100],
  ["does not wait for the smallest chance", { chance: 0 }, 0],
  ["doubles the bound with each attempt", { attempts: 3 }, 400],
  ["doubles up to the last retry", { attempts: 4, chance: 0.9999 }, 1600],
  ["gives up after the last retry", { attempts: 5 }, undefined],
  ["waits as long as the service asks", { error: limited("7 seconds") }, 7000],
  ["waits no longer than the cap if the service asks for an absurd time", { error: limited("900 days") }, 60_000],
  ["waits its own time if the service asks for less", { error: limited(1), attempts: 4 }, 800],
  ["does not begin a wait that would outlast the deadline", { error: limited("7 seconds"), timeLeft: 7000 }, undefined],
  ["retries a broken connection", { error: new ConnectionFailed({ reason: "reset" }) }, 100],
  ["retries a time-out", { error: new TimedOut({ after: Duration.seconds(1) }) }, 100],
  ["does not retry rejected credentials", { error: new Unauthorized({ status: 401 }) }, undefined],
  ["does not retry a rejected request", { error: new InvalidRequest({ status: 400, errors: [] }) }, undefined],
  [
    "does not retry a response that breaks the contract",
    { error: new MalformedResponse({ pointer: "", expected: "JSON", actual: "empty" }) },
    undefined,
  ],
])("%s", (_, failure, expected) => {
  expect(RetryPolicy.wait(RetryPolicy.standard, { ...fresh, ...failure })).toBe(expected)
})

test("never retries when retries is 0, and never waits longer than maxDelay", () => {
  expect(RetryPolicy.wait({ ...RetryPolicy.standard, retries: 0 }, fresh)).toBeUndefined()
  const patient = { ...RetryPolicy.standard, retries: 2000 }
  expect(RetryPolicy.wait(patient, { ...fresh, attempts: 1999, chance: 0.9999999 })).toBe(patient.maxDelay)
})

test("retries exactly the errors that say they are retryable", () => {
  const errors: ReadonlyArray<TransferApiError> = [unavailable, limited(0), new Unauthorized({ status: 403 })]
  for (const error of errors) {
    expect(RetryPolicy.wait(RetryPolicy.standard, { ...fresh, error }) !== undefined).toBe(error.isRetryable)
  }
})

test.each<[string, TransferApiError, number]>([
  ["as long as a 429 asks", limited("7 seconds"), 7000],
  ["no longer than the cap", limited("900 days"), 60_000],
  ["not at all for a 429 that does not say how long", new RateLimited({}), 0],
  ["not at all for a 503", new ServiceUnavailable({ status: 503, errors: [], retryAfter: Duration.seconds(7) }), 0],
])("pauses %s", (_, error, expected) => {
  expect(RetryPolicy.pause(RetryPolicy.standard, error)).toBe(expected)
  expect(RetryPolicy.pause({ ...RetryPolicy.standard, retries: 0 }, error)).toBe(0)
})

const now = Date.parse("2024-09-01T12:00:00Z")
test.each<[string | undefined, string | undefined, number | undefined]>([
  ["0", undefined, 0],
  [" 120 ", undefined, 120_000],
  ["Sun, 01 Sep 2024 12:00:30 GMT", undefined, 30_000],
  ["Sun, 01 Sep 2024 11:00:00 GMT", undefined, 0],
  ["Sunday, 01-Sep-24 12:00:30 GMT", undefined, 30_000],
  ["Sun Sep  1 12:00:30 2024", undefined, 30_000],
  ["Sun, 01 Sep 2024 12:00:60 GMT", undefined, 60_000],
  ["Sun Sep  1 12:00:60 2024", "Sun Sep  1 12:00:00 2024", 60_000],
  // A service whose clock is a day ahead still means half a minute.
  ["Mon, 02 Sep 2024 12:00:30 GMT", "Mon, 02 Sep 2024 12:00:00 GMT", 30_000],
  ["Sun, 01 Sep 2024 12:00:30 GMT", "no date", 30_000],
  [undefined, undefined, undefined],
  ["", undefined, undefined],
  ["-5", undefined, undefined],
  ["1.5", undefined, undefined],
  ["soon", undefined, undefined],
  ["Sun, 99 Sep 2024 12:00:30 GMT", undefined, undefined],
])("reads Retry-After %j with the service's Date %j", (value, date, expected) => {
  const wait = RetryPolicy.parseRetryAfter(value, { date, now })
  expect(wait === undefined ? undefined : Duration.toMillis(wait)).toBe(expected)
})

test.each(["America/New_York", "Asia/Tokyo"])("reads a date without a zone as UTC in %s", (zone) => {
  vi.stubEnv("TZ", zone)
  const wait = RetryPolicy.parseRetryAfter("Sun Sep  1 12:00:30 2024", { date: undefined, now })
  vi.unstubAllEnvs()
  expect(wait).toEqual(Duration.seconds(30))
})

test("reads an absurd number of seconds as a very long wait", () => {
  const wait = RetryPolicy.parseRetryAfter("9".repeat(400), { date: undefined, now })
  expect(wait === undefined ? 0 : Duration.toMillis(wait)).toBeGreaterThan(1e12)
})
