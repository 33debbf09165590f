/** The requests of one attempt: more than one if the service redirects within its own origin. */
import {
  ConnectionFailed,
  MalformedResponse,
  TimedOut,
  type TransferApiError,
  UnexpectedStatus,
} from "@transferkit/domain/TransferApiError"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { type HttpResponse, type HttpTransport, type TransportError, TransportTimedOut } from "../../HttpTransport.ts"
import * as Curl from "./Curl.ts"
import type { Identity } from "./Identity.ts"
import { monotonicMillis } from "./MonotonicMillis.ts"
import type { ResponseInfo } from "./ResponseInfo.ts"
import { requestIdOf, type Scrub } from "./ResponseReader.ts"

/** What all requests have in common. */
export interface ExchangeOptions {
  readonly maxBodyBytes: number
  /** The `User-Agent`, unless the runtime has its own. */
  readonly userAgent: string | undefined
  /** Called with each request before it is sent. */
  readonly onRequest: ((curl: string) => Effect.Effect<void>) | undefined
  /** Called with each response, of any status. */
  readonly onResponse: ((response: ResponseInfo) => Effect.Effect<void>) | undefined
}

/** The resource to read. */
export interface Target {
  readonly url: string
  /** Sent in addition to those of every request, by lower-case name. */
  readonly headers?: Readonly<Record<string, string>>
}

/** `endsAt` is on the monotonic clock. */
type Exchange = (target: Target, identity: Identity, endsAt: number) => Effect.Effect<HttpResponse, TransferApiError>

/** Sends requests until the response is not a redirect. */
export const makeExchange = (transport: HttpTransport["Service"], options: ExchangeOptions): Exchange => {
  const send = observed(sending(transport, options), options)
  const follow = (target: Target, identity: Identity, endsAt: number, redirects: number): ReturnType<Exchange> =>
    Effect.flatMap(monotonicMillis, (now) =>
      Effect.flatMap(send(target, identity, endsAt - now), (response) => {
        const location = isRedirect(response) ? response.header("location") : undefined
        if (location === undefined) return Effect.succeed(response)
        const next = URL.parse(location, target.url)
        const isOwn = next?.origin === new URL(target.url).origin
        if (isOwn && redirects < maxRedirects) {
          return follow({ ...target, url: next.href }, identity, endsAt, redirects + 1)
        }
        const seen = { location: next?.href ?? location, ...(isOwn ? { redirects } : {}) }
        return Effect.fail(notFollowed(response, seen, identity))
      }),
    )
  return (target, identity, endsAt) => follow(target, identity, endsAt, 0)
}

// ---------------------------------------------------------------------------------------------------- one request

type Send = (target: Target, identity: Identity, timeout: number) => Effect.Effect<HttpResponse, TransferApiError>

const sending =
  (transport: HttpTransport["Service"], { maxBodyBytes, userAgent }: ExchangeOptions): Send =>
  (target, { authorization, scrub }, timeout) => {
    const general = { accept: "application/json", ...(userAgent === undefined ? {} : { "user-agent": userAgent }) }
    const headers = { ...general, ...target.headers, authorization: Redacted.value(authorization) }
    return Effect.mapError(
      timeout > 0
        ? transport.get({ url: target.url, headers, maxBodyBytes, timeout })
        : Effect.fail(new TransportTimedOut({ timeout })),
      (error) => errorOf(error, scrub),
    )
  }

const errorOf = (error: TransportError, scrub: Scrub): TransferApiError => {
  switch (error._tag) {
    case "TransportFailed":
      return error.kind === "encoding"
        ? new MalformedResponse({
            pointer: "",
            expected: "in the encoding that its Content-Encoding names",
            actual: `not (${scrub(error.reason)})`,
            truncated: true,
          })
        : new ConnectionFailed({
            reason: scrub(error.reason),
            isPermanent: error.kind === "permanent",
            ...(error.errno === undefined ? {} : { errno: scrub(error.errno) }),
          })
    case "TransportTimedOut":
      return new TimedOut({ after: Duration.millis(Math.max(0, Math.round(error.timeout))) })
    case "BodyTooLarge":
      return new MalformedResponse({ pointer: "", expected: `at most ${error.maxBodyBytes} bytes`, actual: "longer" })
  }
}

const observed = (send: Send, { onRequest, onResponse }: ExchangeOptions): Send =>
  onRequest === undefined && onResponse === undefined
    ? send
    : Effect.fnUntraced(function* (target, identity, timeout) {
        const curl = identity.scrub(Curl.print(target.url, identity.partnerId))
        if (onRequest !== undefined) yield* guarded("onRequest", () => onRequest(curl))
        const began = yield* monotonicMillis
        const response = yield* send(target, identity, timeout)
        const milliseconds = (yield* monotonicMillis) - began
        const requestId = requestIdOf(response, identity.scrub)
        const info = { status: response.status, requestId, milliseconds, curl }
        if (onResponse !== undefined) yield* guarded("onResponse", () => onResponse(info))
        return response
      })

/** A hook that throws is reported; the call goes on, also if the logger throws. */
export const guarded = (name: string, hook: () => Effect.Effect<void>): Effect.Effect<void> =>
  Effect.suspend(hook).pipe(
    Effect.catchDefect((defect) => Effect.logWarning(`${name} threw; the call goes on`, defect)),
    Effect.catchDefect(() => Effect.void),
  )

// ---------------------------------------------------------------------------------------------------- redirects

const maxRedirects = 5

const isRedirect = (response: HttpResponse): boolean => response.status >= 300 && response.status < 400

const notFollowed = (
  response: HttpResponse,
  { location, ...seen }: { readonly location: string; readonly redirects?: number },
  { scrub, scrubUrl }: Identity,
): UnexpectedStatus =>
  new UnexpectedStatus({
    ...seen,
    status: response.status,
    body: "",
    location: scrubUrl(location).slice(0, 1024),
    requestId: requestIdOf(response, scrub),
  })
