/** Reads a response: a decoded value, or one of the errors of the domain. */
import * as JsonBounds from "@transferkit/domain/JsonBounds"
import * as SecretText from "@transferkit/domain/SecretText"
import {
  InvalidRequest,
  MalformedResponse,
  RateLimited,
  type ServiceError,
  ServiceUnavailable,
  type TransferApiError,
  Unauthorized,
  UnexpectedStatus,
} from "@transferkit/domain/TransferApiError"
import * as ErrorBody from "@transferkit/http-api/ErrorBody"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import type { HttpResponse } from "../../HttpTransport.ts"
import { parseRetryAfter } from "../../RetryPolicy.ts"
import type { RawResponse } from "./CallSettings.ts"

/** Takes the credentials out of a text. A service may send back what it was sent. */
export type Scrub = (text: string) => string

const maxRequestIdLength = 128

/** The `x-request-id` of a response. */
export const requestIdOf = (response: HttpResponse, scrub: Scrub): string | undefined => {
  const requestId = response.header("x-request-id")
  return requestId === undefined ? undefined : scrub(requestId).slice(0, maxRequestIdLength)
}

/** A response as it came, for who asks. */
export const rawResponse = (response: HttpResponse, scrub: Scrub): RawResponse => ({
  headers: () =>
    Object.fromEntries(
      response.headerNames().map((name) => [scrub(name), scrub(response.header(name) ?? "")] as const),
    ),
  text: () => scrub(new TextDecoder().decode(response.body)),
})

/** Decodes a success; explains everything else. `now` is the wall clock, for a `Retry-After` that is a date. */
export const readResponse = <A>(
  response: HttpResponse,
  decode: (text: string, scrub: Scrub) => Result.Result<A, MalformedResponse>,
  scrub: Scrub,
  now: number,
): Result.Result<A, TransferApiError> => {
  if (response.status !== 200) return Result.fail(readFailure(response, scrub, now))
  return Result.flatMap(readText(response, scrub), (text) =>
    Result.mapError(decode(text, scrub), (error) => withContext(error, text, response, scrub)),
  )
}

// ---------------------------------------------------------------------------------------------------- status 200

const jsonType = /^application\/(?:[\w.+-]+\+)?json[ \t]*(?:;|$)/i

// Its default drops a byte order mark.
const utf8 = new TextDecoder("utf-8", { fatal: true })

const readText = (response: HttpResponse, scrub: Scrub): Result.Result<string, MalformedResponse> => {
  const requestId = requestIdOf(response, scrub)
  const shown = (header: string) => scrub(header).slice(0, 64)
  const contentType = response.header("content-type")
  if (contentType === undefined || !jsonType.test(contentType)) {
    const expected = "of the content type application/json"
    const actual = contentType === undefined ? "without a content type" : `of the type ${shown(contentType)}`
    return Result.fail(new MalformedResponse({ pointer: "", expected, actual, requestId }))
  }
  try {
    return Result.succeed(utf8.decode(response.body))
  } catch {
    const encoding = response.header("content-encoding")
    const actual = `other bytes${encoding === undefined ? "" : ` with the Content-Encoding ${shown(encoding)}`}`
    return Result.fail(new MalformedResponse({ pointer: "", expected: "UTF-8", actual, truncated: true, requestId }))
  }
}

const withContext = (
  { pointer, expected, actual, truncated = false }: MalformedResponse,
  text: string,
  response: HttpResponse,
  scrub: Scrub,
): MalformedResponse => {
  const requestId = requestIdOf(response, scrub)
  // An excerpt may cut a credential in two, and a pointer escapes it: neither would be found.
  const isLong = text.length > SecretText.mostSearched
  if (isLong || scrub(text) !== text) {
    const actual = isLong ? "more than can be searched for the credentials" : "the credentials"
    return new MalformedResponse({ pointer: "", expected, actual, truncated, requestId })
  }
  const words = readErrors(text).map(({ code, message }) => `${message} [${code}]`)
  const quoted = words.length === 0 ? "" : `, and the service says: ${words.join("; ").slice(0, 1024)}`
  return new MalformedResponse({ pointer, expected, actual: `${actual}${quoted}`, truncated, requestId })
}

// ---------------------------------------------------------------------------------------------------- other statuses

const readFailure = (response: HttpResponse, scrub: Scrub, now: number): TransferApiError => {
  const { status } = response
  const requestId = requestIdOf(response, scrub)
  const retryAfter = () => parseRetryAfter(response.header("retry-after"), { date: response.header("date"), now })
  if (status === 401 || status === 403) return new Unauthorized({ status, requestId })
  if (status === 429) return new RateLimited({ retryAfter: retryAfter(), requestId })
  const body = SecretText.cutting(scrub)(new TextDecoder().decode(response.body))
  const errors = readErrors(body)
  if (status >= 500 || status === 408) {
    return new ServiceUnavailable({ status, errors, retryAfter: retryAfter(), requestId })
  }
  if (status >= 400 && errors.length > 0) return new InvalidRequest({ status, errors, requestId })
  return new UnexpectedStatus({ status, body: body.slice(0, 1024), requestId })
}

const readErrors = (text: string): ReadonlyArray<ServiceError> =>
  JsonBounds.isExceeded(text)
    ? []
    : Option.match(ErrorBody.fromText(text), { onNone: () => [], onSome: ({ errors }) => errors })
