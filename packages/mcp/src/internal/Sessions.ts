/**
 * Bounds the sessions of HTTP clients. The runtime keeps one until its client ends it, which few clients do: so one that
 * was silent for an hour is ended, and the one that was silent the longest when they are too many.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as HttpEffect from "effect/http/HttpEffect"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import type * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Ref from "effect/Ref"

/** The most sessions at a time. */
export const most = 100

/** How long a session may be silent, in milliseconds. */
export const patience = 3_600_000

const header = "mcp-session-id"

/** Wraps the handling of each request. */
type Around = <E, R>(
  app: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>,
) => Effect.Effect<HttpServerResponse.HttpServerResponse, E, R | HttpServerRequest.HttpServerRequest>

/** Sessions of requests to a path. */
export const make = (path: string): Effect.Effect<Around> =>
  Effect.map(Ref.make<ReadonlyMap<string, number>>(new Map()), (uses): Around => {
    /** The last one used is the last of the map. */
    const use = (id: string, now: number) =>
      Ref.update(uses, (all) => new Map([...all].filter(([other]) => other !== id).concat([[id, now]])))
    const tooMany = (now: number) =>
      Ref.modify(uses, (all) => {
        const list = [...all]
        const isOver = (at: number, index: number) => now - at > patience || index < list.length - most
        return [
          list.flatMap(([id, at], index) => (isOver(at, index) ? [id] : [])),
          new Map(list.filter(([, at], index) => !isOver(at, index))),
        ]
      })
    return Effect.fnUntraced(function* (app) {
      const { headers } = yield* HttpServerRequest.HttpServerRequest
      const given = headers[header]
      const now = yield* Clock.currentTimeMillis
      if (given !== undefined && (yield* Ref.get(uses)).has(given)) yield* use(given, now)
      for (const id of yield* tooMany(now)) {
        const ending = new Request(`http://localhost${path}`, { method: "DELETE", headers: { [header]: id } })
        yield* Effect.ignore(
          Effect.provideService(app, HttpServerRequest.HttpServerRequest, HttpServerRequest.fromWeb(ending)),
        )
      }
      const response = yield* app
      // The runtime names a new session when the response is about to be sent.
      yield* HttpEffect.appendPreResponseHandler((_request, sent) => {
        const id = sent.headers[header]
        return id === undefined ? Effect.succeed(sent) : Effect.as(use(id, now), sent)
      })
      return response
    })
  })
