/** Sessions end after an hour of silence, or for others when they are too many: never one with a request under way. */
import * as Clock from "effect/Clock"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as HttpEffect from "effect/http/HttpEffect"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/testing/TestClock"
import { expect, test } from "vitest"
import * as Sessions from "../src/internal/Sessions.ts"

/** A server that names the session of a request without one, and counts those that are ended. */
const service = Effect.gen(function* () {
  const around = yield* Sessions.make("/mcp")
  const done = yield* Deferred.make<void>()
  const ended: Array<string> = []
  let named = 0
  const app = Effect.flatMap(HttpServerRequest.HttpServerRequest, ({ method, headers, url }) => {
    const { "mcp-session-id": id = "", prefer } = headers
    if (method === "DELETE") {
      expect(url).toMatch(/\/mcp$/)
      ended.push(id)
      return Effect.succeed(HttpServerResponse.empty({ status: 204 }))
    }
    if (prefer === "wait") return Effect.as(Deferred.await(done), HttpServerResponse.empty())
    if (prefer === "stream") {
      const events = Stream.fromEffect(Effect.as(Deferred.await(done), new Uint8Array(1)))
      return Effect.succeed(HttpServerResponse.stream(events))
    }
    if (id !== "" || prefer === "fail") return Effect.succeed(HttpServerResponse.empty())
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
  const send = (session: string | undefined, prefer: string, method = "POST") => {
    const headers = { prefer, ...(session === undefined ? {} : { "mcp-session-id": session }) }
    return answer(new Request("http://localhost/mcp", { method, headers }))
  }
  const ask = (session?: string, prefer = "", method = "POST") => Effect.promise(() => send(session, prefer, method))
  const begin = (count: number) => Effect.repeat(ask(), { times: count - 1 })
  return { ask, begin, send, ended, finish: Deferred.succeed(done, undefined) }
})

/** Runs a test by its own clock. */
const timed = <A, E>(effect: Effect.Effect<A, E>) => Effect.runPromise(Effect.provide(effect, TestClock.layer()))

test("one that sent nothing since initialize ends before one that did, the oldest first", () =>
  Effect.gen(function* () {
    const { ask, begin, ended } = yield* service
    yield* begin(Sessions.most)
    yield* ask("s1")
    expect(ended).toEqual([])
    yield* ask()
    yield* ask()
    yield* ask("s1")
    expect(ended).toEqual(["s2", "s3"])
  }).pipe(timed))

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
  }).pipe(timed))

test.each(["wait", "stream"])("one with a request under way is not ended, however many begin: %s", (prefer) =>
  Effect.gen(function* () {
    const { ask, begin, send, ended, finish } = yield* service
    yield* ask()
    const call = send("s1", prefer)
    if (prefer === "stream") yield* Effect.promise(() => call)
    yield* begin(300)
    expect(ended).toHaveLength(201)
    expect(ended).not.toContain("s1")
    yield* TestClock.adjust(Sessions.patience + 1)
    yield* ask("s300")
    expect(ended).not.toContain("s1")
    yield* finish
    yield* Effect.promise(async () => (await call).arrayBuffer())
    yield* TestClock.adjust(Sessions.patience + 1)
    yield* ask("unknown")
    expect(ended).toContain("s1")
  }).pipe(timed),
)

test("one more is rejected while all have a request under way, and others go on", () =>
  Effect.gen(function* () {
    const { ask, begin, send, ended, finish } = yield* service
    yield* begin(Sessions.most)
    const calls = Array.from({ length: Sessions.most }, (_, index) => send(`s${index + 1}`, "wait"))
    const rejected = yield* ask()
    expect([rejected.status, rejected.headers.get("retry-after")]).toEqual([503, "5"])
    expect(rejected.headers.get("mcp-session-id")).toBeNull()
    expect(yield* Effect.promise(() => rejected.json())).toMatchObject({ error: { code: -32_000 } })
    // The runtime had begun it.
    expect(ended).toEqual(["s101"])
    yield* finish
    yield* Effect.promise(() => Promise.all(calls))
    expect((yield* ask()).status).toBe(204)
    expect(ended).toEqual(["s101", "s1"])
  }).pipe(timed))

test("a session with a request each second survives a minute of others, which send nothing or one request", () =>
  Effect.gen(function* () {
    const { ask, begin, ended } = yield* service
    yield* ask()
    for (let second = 0; second < 60; second++) {
      yield* ask("s1")
      yield* begin(30)
      for (let count = 0; count < 30; count++) {
        const begun = yield* ask()
        yield* ask(begun.headers.get("mcp-session-id") ?? "")
      }
      yield* TestClock.adjust("1 second")
    }
    expect(ended.length).toBeGreaterThan(1000)
    expect(ended).not.toContain("s1")
  }).pipe(timed))

test("what begins no session ends none, and a session that its client ended leaves its place", () =>
  Effect.gen(function* () {
    const { ask, begin, ended } = yield* service
    yield* begin(Sessions.most)
    for (let count = 0; count < 10; count++) yield* ask(undefined, "fail")
    expect(ended).toEqual([])
    yield* ask("s50", "", "DELETE")
    yield* ask()
    expect(ended).toEqual(["s50"])
  }).pipe(timed))

const session = (id: string, requests: number, silent: number, underWay = 0): Sessions.Session => {
  return { id, requests, underWay, at: -1000 * silent }
}
const several = (count: number, requests: number, silent: number) =>
  Array.from({ length: count }, (_, index) => session(`n${index}`, requests, silent))

test.each([
  ["the oldest that sent nothing, if 20 are so", [session("used", 1, 3000), ...several(20, 0, 1)], "n0"],
  ["the longest silent, if fewer are so", [...several(19, 0, 1), session("used", 9, 61)], "used"],
  ["the longest silent of all", [session("a", 1, 61), session("b", 99, 62), session("c", 1, 1)], "b"],
  ["the fewest requests, if all sent one in the last minute", [session("a", 9, 60), session("b", 2, 1)], "b"],
  ["the longest silent of those with the fewest", [session("a", 2, 1), session("b", 2, 2), session("c", 3, 9)], "b"],
  ["one that sent nothing, if all others have a request under way", [session("a", 0, 0), session("b", 1, 99, 1)], "a"],
  ["none, if all have a request under way", [session("a", 1, 99, 1), session("b", 0, 99, 1)], undefined],
])("one more takes the place of %s", (_, sessions, expected) => {
  expect(Sessions.replaceable(sessions, 0)?.id).toBe(expected)
})

test("80 sessions in use outlast a thousand that begin", () =>
  Effect.gen(function* () {
    const { ask, begin, ended } = yield* service
    const used = Array.from({ length: 80 }, (_, index) => `s${index + 1}`)
    yield* begin(used.length)
    for (const name of used) yield* ask(name)
    yield* begin(1000)
    expect(ended).toHaveLength(980)
    expect(ended.filter((name) => used.includes(name))).toEqual([])
  }).pipe(timed))
