/** Sessions end after an hour of silence, and the one that was silent the longest when they are too many. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as HttpEffect from "effect/http/HttpEffect"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as TestClock from "effect/testing/TestClock"
import { expect, test } from "vitest"
import * as Sessions from "../src/internal/Sessions.ts"

/** A server that names the session of a request without one, and counts those that are ended. */
const service = Effect.gen(function* () {
  const around = yield* Sessions.make("/mcp")
  const ended: Array<string> = []
  let named = 0
  const app = Effect.flatMap(HttpServerRequest.HttpServerRequest, ({ method, headers, url }) => {
    const { "mcp-session-id": id = "" } = headers
    if (method === "DELETE") {
      expect(url).toBe("/mcp")
      ended.push(id)
      return Effect.succeed(HttpServerResponse.empty({ status: 204 }))
    }
    if (id !== "") return Effect.succeed(HttpServerResponse.empty())
    named += 1
    const name = { "mcp-session-id": `s${named}` }
    // As the runtime does it.
    return Effect.as(
      HttpEffect.appendPreResponseHandler((_request, sent) =>
        Effect.succeed(HttpServerResponse.setHeaders(sent, name)),
      ),
      HttpServerResponse.empty(),
    )
  })
  const answer = HttpEffect.toWebHandler(around(app).pipe(Effect.provideService(Clock.Clock, yield* Clock.Clock)))
  const ask = (session?: string) => {
    const headers = session === undefined ? {} : { "mcp-session-id": session }
    return Effect.promise(() => answer(new Request("http://localhost/mcp", { method: "POST", headers })))
  }
  return { ask, ended }
})

test("the longest silent one is ended when they are too many", () =>
  Effect.gen(function* () {
    const { ask, ended } = yield* service
    for (let count = 0; count < Sessions.most; count++) yield* ask()
    yield* ask("s1")
    expect(ended).toEqual([])
    yield* ask()
    yield* ask()
    yield* ask("s1")
    expect(ended).toEqual(["s2", "s3"])
  }).pipe(Effect.provide(TestClock.layer()), Effect.runPromise))

test("one is ended after an hour of silence, and not before", () =>
  Effect.gen(function* () {
    const { ask, ended } = yield* service
    yield* ask()
    yield* ask()
    yield* TestClock.adjust(Sessions.patience)
    yield* ask("s1")
    yield* ask("unknown")
    expect(ended).toEqual([])
    yield* TestClock.adjust(1)
    yield* ask("s1")
    expect(ended).toEqual(["s2"])
    yield* TestClock.adjust(Sessions.patience + 1)
    yield* ask()
    expect(ended).toEqual(["s2", "s1"])
  }).pipe(Effect.provide(TestClock.layer()), Effect.runPromise))
