/** Every error says what happened and what to do, and whether a retry may help. */
import * as Duration from "effect/Duration"
import { expect, test } from "vitest"
import * as E from "../src/TransferApiError.ts"

const errors = [{ code: "invalid_limit", message: "limit must be 1 to 20" }]

test.each<readonly [E.TransferApiError, boolean, string]>([
  [
    new E.Unauthorized({ status: 401, requestId: "r-1" }),
    false,
    "The service rejected the credentials with status 401 (request id r-1). Check the partner id and the secret key, and that they belong to this base URL.",
  ],
  [
    new E.InvalidRequest({ status: 400, errors }),
    false,
    "The service rejected the request with status 400: limit must be 1 to 20 [invalid_limit].",
  ],
  [
    new E.RateLimited({ retryAfter: Duration.seconds(7) }),
    true,
    "The service limits the rate of requests (429). It asks for a wait of 7s.",
  ],
  [new E.RateLimited({}), true, "The service limits the rate of requests (429). Send requests less often."],
  [new E.ServiceUnavailable({ status: 503, errors: [] }), true, "The service failed with status 503. Try again later."],
  [
    new E.UnexpectedStatus({ status: 418, body: "short and stout" }),
    false,
    'The service responded with status 418 and the body "short and stout". Check that the base URL is the service\'s.',
  ],
  [
    new E.ConnectionFailed({ reason: "connection refused" }),
    true,
    "Cannot reach the service: connection refused. Check the base URL and the network.",
  ],
  [new E.TimedOut({ after: Duration.seconds(30) }), true, "The service did not complete its response within 30s."],
  [
    new E.MalformedResponse({ pointer: "/results/0/id", expected: "present", actual: "missing" }),
    false,
    "The service broke its contract. The value at /results/0/id should be present, but is missing.",
  ],
  [
    new E.MalformedResponse({ pointer: "", expected: "JSON", actual: "<html>", requestId: "r-2" }),
    false,
    "The service broke its contract. Its body should be JSON, but is <html> (request id r-2).",
  ],
])("%s", (error, isRetryable, message) => {
  expect(error.message).toBe(message)
  expect(error.isRetryable).toBe(isRetryable)
})

test("a retry may help against an overload, an outage, a lost connection, a time-out and a truncated body, and nothing else", () => {
  const all: ReadonlyArray<E.TransferApiError> = [
    new E.Unauthorized({ status: 401 }),
    new E.InvalidRequest({ status: 400, errors }),
    new E.RateLimited({}),
    new E.ServiceUnavailable({ status: 503, errors: [] }),
    new E.UnexpectedStatus({ status: 418, body: "" }),
    new E.ConnectionFailed({ reason: "reset" }),
    new E.ConnectionFailed({ reason: "unknown host", isPermanent: true }),
    new E.TimedOut({ after: Duration.seconds(1) }),
    new E.MalformedResponse({ pointer: "", expected: "JSON", actual: "text" }),
    new E.MalformedResponse({ pointer: "", expected: "JSON", actual: '{"resu', truncated: true }),
  ]
  expect(all.filter(({ isRetryable }) => isRetryable).map(({ _tag }) => _tag)).toEqual([
    "RateLimited",
    "ServiceUnavailable",
    "ConnectionFailed",
    "TimedOut",
    "MalformedResponse",
  ])
})
