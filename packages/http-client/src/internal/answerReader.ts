/** What an answer means: the JSON text of a success, or one of the errors of the domain. */
import {
  InvalidRequest,
  MalformedResponse,
  RateLimited,
  ServiceUnavailable,
  type TransferApiError,
  Unauthorized,
  UnexpectedStatus,
} from "@transferkit/domain/TransferApiError"
import * as ErrorBody from "@transferkit/http-api/ErrorBody"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import type { HttpAnswer } from "../HttpTransport.ts"
import { parseRetryAfter } from "../RetryPolicy.ts"

const maxRequestIdLength = 128

/** The `x-request-id` of an answer. */
export const requestIdOf = (answer: HttpAnswer, scrub: Scrub): string | undefined => {
  const requestId = answer.header("x-request-id")
  return requestId === undefined ? undefined : scrub(requestId).slice(0, maxRequestIdLength)
}

const jsonType = /^application\/(?:[\w.+-]+\+)?json[ \t]*(?:;|$)/i

// Its default drops a byte order mark.
const utf8 = new TextDecoder("utf-8", { fatal: true })

/** The text of an answer that is a success and says that it is JSON. */
export const readText = (answer: HttpAnswer, scrub: Scrub, now: number): Result.Result<string, TransferApiError> => {
  if (answer.status !== 200) return Result.fail(readFailure(answer, scrub, now))
  const malformed = (expected: string, actual: string, mayBeCut = false) =>
    new MalformedResponse({ pointer: "", expected, actual, mayBeCut, requestId: requestIdOf(answer, scrub) })
  const contentType = answer.header("content-type")
  if (contentType === undefined || !jsonType.test(contentType)) {
    const actual =
      contentType === undefined ? "without a content type" : `of the type ${scrub(contentType).slice(0, 64)}`
    return Result.fail(malformed("of the content type application/json", actual))
  }
  try {
    return Result.succeed(utf8.decode(answer.body))
  } catch {
    return Result.fail(malformed("UTF-8", "other bytes", true))
  }
}

/** Takes the credentials out of a text. A service may send back what it was sent. */
export type Scrub = (text: string) => string

const readFailure = (answer: HttpAnswer, scrub: Scrub, now: number): TransferApiError => {
  const { status } = answer
  const requestId = requestIdOf(answer, scrub)
  const body = scrub(new TextDecoder().decode(answer.body))
  const retryAfter = () => parseRetryAfter(answer.header("retry-after"), { date: answer.header("date"), now })
  if (status === 401 || status === 403) return new Unauthorized({ status, requestId })
  if (status === 429) return new RateLimited({ retryAfter: retryAfter(), requestId })
  const errors = Option.match(ErrorBody.fromText(body), { onNone: () => [], onSome: (read) => read.errors })
  if (status >= 500 || status === 408) {
    return new ServiceUnavailable({ status, errors, retryAfter: retryAfter(), requestId })
  }
  if (status >= 400 && errors.length > 0) return new InvalidRequest({ status, errors, requestId })
  return new UnexpectedStatus({ status, body: body.slice(0, 1024), requestId })
}
