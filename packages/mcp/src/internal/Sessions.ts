/**
 * Bounds the sessions of HTTP clients. The runtime keeps one until its client ends it, which few clients do: so one that
 * was silent for an hour is ended, and one more than there may be ends another, or is rejected.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as HttpEffect from "effect/http/HttpEffect"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import type * as Scope from "effect/Scope"
import * as Message from "./Message.ts"

/** The most sessions at a time. */
export const most = 100

/** How long a session may be silent, in milliseconds. */
export const patience = 3_600_000

/** Sessions that may wait for their first request while those in use end for others. */
const mostBegun = 20

/** How long a session counts as in use after a request, in milliseconds. */
const recently = 60_000

/** Seconds until a client that was rejected may try again. */
const retryAfter = 5

const header = "mcp-session-id"

/** A session. Mutable. */
export interface Session {
  readonly id: string
  /** Since `initialize`. */
  requests: number
  underWay: number
  /** When it was last heard of. */
  at: number
}

/**
 * The session that another one takes the place of, never one with a request under way: the oldest without a request since
 * `initialize`, if many are so. Else the one that was silent the longest. If all were heard of recently, the one with the
 * fewest requests: so that many new sessions do not end those in use.
 */
export const replaceable = (sessions: Iterable<Session>, now: number): Session | undefined => {
  const idle = [...sessions].filter(({ underWay }) => underWay === 0)
  const [begun, used] = [idle.filter(({ requests }) => requests === 0), idle.filter(({ requests }) => requests > 0)]
  const [longest, ...others] = used.toSorted((left, right) => left.at - right.at)
  if (longest === undefined || begun.length >= mostBegun) return begun[0]
  if (now - longest.at > recently) return longest
  return others.reduce((fewest, other) => (other.requests < fewest.requests ? other : fewest), longest)
}

/** Wraps the handling of each request. */
type Around = <E, R>(
  app: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>,
) => Effect.Effect<HttpServerResponse.HttpServerResponse, E, R | HttpServerRequest.HttpServerRequest | Scope.Scope>

/** Sessions of requests to a path. */
export const make = (path: string): Effect.Effect<Around> =>
  Effect.sync((): Around => {
    /** From the oldest. */
    const sessions = new Set<Session>()
    const enter = (id: string | undefined): Session | undefined => {
      const own = [...sessions].find((session) => session.id === id)
      if (own === undefined) return undefined
      own.requests++
      own.underWay++
      return own
    }
    const leave = (own: Session) =>
      Effect.map(Clock.currentTimeMillis, (now) => {
        own.underWay--
        own.at = now
      })
    const takeSilent = (now: number): ReadonlyArray<Session> => {
      const silent = [...sessions].filter(({ underWay, at }) => underWay === 0 && now - at > patience)
      for (const session of silent) sessions.delete(session)
      return silent
    }
    /** Adds a session, and returns the one that has to end: another, or the new one itself. */
    const add = (session: Session): Session | undefined => {
      const over = sessions.size < most ? undefined : (replaceable(sessions, session.at) ?? session)
      sessions.add(session)
      if (over !== undefined) sessions.delete(over)
      return over
    }
    return Effect.fnUntraced(function* (app) {
      const { method, headers } = yield* HttpServerRequest.HttpServerRequest
      const now = yield* Clock.currentTimeMillis
      const services = yield* Effect.context<Effect.Services<typeof app> | Scope.Scope>()
      const end = ({ id }: Session) => {
        const ending = new Request(`http://localhost${path}`, { method: "DELETE", headers: { [header]: id } })
        return app.pipe(
          Effect.provideService(HttpServerRequest.HttpServerRequest, HttpServerRequest.fromWeb(ending)),
          Effect.provideContext(services),
          Effect.ignore,
        )
      }
      const own = enter(headers[header])
      // A response may be a stream: its request is under way until all of it is sent.
      if (own !== undefined) yield* Effect.addFinalizer(() => leave(own))
      for (const session of takeSilent(now)) yield* end(session)
      const response = yield* app
      if (own !== undefined) {
        if (method === "DELETE" && response.status < 300) sessions.delete(own)
        return response
      }
      // The runtime names a new session when the response is about to be sent.
      yield* HttpEffect.appendPreResponseHandler((_request, sent) => {
        const id = sent.headers[header]
        if (id === undefined) return Effect.succeed(sent)
        const begun: Session = { id, requests: 0, underWay: 0, at: now }
        const over = add(begun)
        if (over === undefined) return Effect.succeed(sent)
        return Effect.as(end(over), over === begun ? rejection : sent)
      })
      return response
    })
  })

/** All sessions have a request under way. */
const rejection = HttpServerResponse.text(
  Message.rejection({
    id: null,
    code: Message.codes.busy,
    message: `${most} sessions have a request under way. Try again in ${retryAfter} seconds, and end sessions by DELETE.`,
  }),
  { status: 503, headers: { "retry-after": String(retryAfter) }, contentType: "application/json" },
)
