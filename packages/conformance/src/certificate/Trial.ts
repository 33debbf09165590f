/** The requests of a certification: within a budget, at a rate, and with patience for a service that limits them. */
import type { CaseResponse } from "@transferkit/http-api/ServiceBehaviour"
import * as Clock from "effect/Clock"
import * as Data from "effect/Data"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type { NoResponse, RawRequest, RawRequests, RawResponse } from "../RawRequests.ts"
import * as CaseResponses from "./CaseResponses.ts"

/** The data or the budget cannot show whether a law is kept. */
export class NotDecidable extends Data.TaggedError("NotDecidable")<{ readonly reason: string }> {}

/** A request and its response. */
export interface Exchange {
  readonly request: RawRequest
  readonly response: RawResponse | undefined
}

/** What was seen of a limit of the service. */
export interface Limited {
  /** The requests that were served before the first 429, and the milliseconds that they took. */
  readonly requests: number
  readonly millis: number
  readonly response: CaseResponse
  readonly exchange: Exchange
}

/** The requests of one certification. */
export interface Trial {
  readonly get: (request: RawRequest) => Effect.Effect<RawResponse, NotDecidable | NoResponse>
  readonly latest: () => Exchange | undefined
  readonly sent: () => number
  readonly unanswered: () => ReadonlyArray<{ readonly exchange: Exchange; readonly reason: string }>
  /** The responses with 429 or 503, in their order. */
  readonly limited: () => ReadonlyArray<Limited>
}

/** The limits that the user sets. */
export interface Limits {
  /** @default 300 */
  readonly requests?: number | undefined
  /** Requests a second. @default 2 */
  readonly rate?: number | undefined
  /** Runs before each request is sent. */
  readonly onRequest?: ((sent: number) => Effect.Effect<void>) | undefined
}

/** How many responses with 429 are provoked, at most. */
const mostLimited = 3
/** How many requests in a row without a response end a certification. */
const mostUnanswered = 3
/** In milliseconds: longer is not waited for, and the wait if the service names none. */
const longestWait = 60_000
const usualWait = 1000

/** The requests over a service. */
export const make = (raw: RawRequests["Service"], limits: Limits = {}): Effect.Effect<Trial> =>
  Effect.gen(function* () {
    const { requests: budget = 300, rate = 2, onRequest } = limits
    const started = yield* Clock.currentTimeMillis
    let [sent, inRow, nextAt, spacing] = [0, 0, started, 1000 / rate]
    let latest: Exchange | undefined
    const unanswered: Array<{ readonly exchange: Exchange; readonly reason: string }> = []
    const limited: Array<Limited> = []

    const send = Effect.fnUntraced(function* (request: RawRequest) {
      if (sent >= budget) return yield* new NotDecidable({ reason: `the budget of ${budget} requests is used up` })
      if (inRow >= mostUnanswered) return yield* new NotDecidable({ reason: "the service does not answer" })
      const wait = nextAt - (yield* Clock.currentTimeMillis)
      if (wait > 0) yield* Effect.sleep(wait)
      nextAt = (yield* Clock.currentTimeMillis) + spacing
      sent += 1
      if (onRequest !== undefined) yield* onRequest(sent)
      latest = { request, response: undefined }
      const exchange = latest
      const response = yield* Effect.tapError(raw.get(request), ({ reason }) =>
        Effect.sync(() => {
          inRow += 1
          unanswered.push({ exchange, reason })
        }),
      )
      inRow = 0
      latest = { request, response }
      return response
    })

    const get = Effect.fnUntraced(function* (request: RawRequest) {
      for (;;) {
        if (limited.length >= mostLimited) {
          return yield* new NotDecidable({ reason: "the service limits requests to fewer than were sent" })
        }
        const response = yield* send(request)
        if (response.status !== 429 && response.status !== 503) return response
        const now = yield* Clock.currentTimeMillis
        limited.push({
          requests: sent - 1,
          millis: now - started,
          response: CaseResponses.of(response),
          exchange: { request, response },
        })
        spacing *= 2
        const wait = retryAfterOf(response.header("retry-after"), now) ?? usualWait
        nextAt = now + Math.max(spacing, Math.min(wait, longestWait))
      }
    })
    return { get, latest: () => latest, sent: () => sent, unanswered: () => unanswered, limited: () => limited }
  })

/** The milliseconds that a Retry-After names, as seconds or as an HTTP date; `undefined` if it is neither. */
export const retryAfterOf = (value: string | undefined, now: number): number | undefined => {
  if (value === undefined) return undefined
  if (/^\d{1,9}$/.test(value)) return Duration.toMillis(Duration.seconds(Number(value)))
  const at = /^\w{3}, \d{2} \w{3} \d{4} \d{2}:\d{2}:\d{2} GMT$/.test(value) ? Date.parse(value) : Number.NaN
  return Number.isNaN(at) ? undefined : Math.max(0, at - now)
}
