/** One client keeps no other waiting, however many calls it sends, and no call waits longer than clients do. */
import * as Coverage from "@transferkit/domain/Coverage"
import * as Timestamp from "@transferkit/domain/Timestamp"
import { TransferPager } from "@transferkit/domain/TransferPager"
import { memory, TransferSource } from "@transferkit/domain/TransferSource"
import * as InMemoryTransferApi from "@transferkit/in-memory/InMemoryTransferApi"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/testing/TestClock"
import { expect, test } from "vitest"
import * as Handlers from "../src/internal/Handlers.ts"
import * as Turns from "../src/internal/Turns.ts"

/** All calls are where they stay. */
const settled = Effect.repeat(Effect.yieldNow, { times: 20 })

/** Calls of sessions, which are at work until they are ended. */
const calls = Effect.gen(function* () {
  const turnsOf = yield* Turns.make
  const working: Array<{ readonly session: string | undefined; readonly end: Effect.Effect<unknown> }> = []
  const rejected: Array<readonly [session: string | undefined, message: string]> = []
  const send = Effect.fnUntraced(function* (session: string | undefined, count: number, isLarge = false) {
    for (let sent = 0; sent < count; sent++) {
      const ended = yield* Deferred.make<void>()
      const work = Effect.sync(() => working.push({ session, end: Deferred.succeed(ended, undefined) }))
      const call = turnsOf(session)(Effect.andThen(work, Deferred.await(ended)), { isLarge })
      const reject = ({ message }: Error) => Effect.sync(() => rejected.push([session, message]))
      yield* Effect.forkScoped(call.pipe(Effect.catch(reject)))
    }
    yield* settled
  })
  return { send, working, rejected, sessions: () => working.map(({ session }) => session).join("") }
})

test("a session has half of the places, and another is at work at once", () =>
  Effect.gen(function* () {
    const { send, sessions } = yield* calls
    yield* send("a", 20)
    yield* send("b", 1)
    expect(sessions()).toBe("aaaab")
  }).pipe(Effect.scoped, Effect.runPromise))

test("the sessions that wait go in turn", () =>
  Effect.gen(function* () {
    const { send, working, sessions } = yield* calls
    yield* send("a", 20)
    yield* send("b", 20)
    yield* send("c", 1)
    expect(sessions()).toBe("aaaabbbb")
    for (const { end } of working.slice(0, 2)) yield* end
    yield* settled
    expect(sessions().slice(8)).toContain("c")
  }).pipe(Effect.scoped, Effect.runPromise))

test("16 calls of a session wait, and one more is rejected at once, until one has ended", () =>
  Effect.gen(function* () {
    const { send, working, rejected, sessions } = yield* calls
    yield* send("a", 20)
    expect(rejected).toEqual([])
    yield* send("a", 1)
    const message = "20 calls of this session are under way already. Call again when an earlier one has its answer."
    expect(rejected).toEqual([["a", message]])
    for (const { end } of working.slice(0, 1)) yield* end
    yield* settled
    yield* send("a", 1)
    expect(rejected).toHaveLength(1)
    expect(sessions()).toBe("aaaaa")
  }).pipe(Effect.scoped, Effect.runPromise))

test("however many sessions a client has, 109 calls are under way, and another client gets a place", () =>
  Effect.gen(function* () {
    const { send, working, rejected, sessions } = yield* calls
    for (const session of "abcdefghij") yield* send(session, 20)
    expect(rejected).toHaveLength(200 - 109)
    expect(rejected.at(-1)?.[1]).toContain("109 calls of all clients are under way already.")
    const before = rejected.length
    yield* send("z", 1)
    expect(rejected.slice(before).map(([session]) => session)).not.toContain("z")
    expect(rejected).toHaveLength(before + 1)
    for (let count = 0; count < 4; count++) {
      for (const { end } of working.splice(0, 4)) yield* end
      yield* settled
    }
    expect(sessions()).toContain("z")
  }).pipe(Effect.scoped, Effect.runPromise))

test("each of a hundred sessions has a place, although another had taken all", () =>
  Effect.gen(function* () {
    const { send, rejected } = yield* calls
    for (const session of "abcdef") yield* send(session, 20)
    for (let session = 7; session <= 100; session++) yield* send(`s${session}`, 1)
    expect(rejected.filter(([session]) => session?.startsWith("s"))).toEqual([])
    expect(rejected).toHaveLength(120 - 109 + 94)
  }).pipe(Effect.scoped, Effect.runPromise))

test("a call that is interrupted while it waits gives its place back", () =>
  Effect.gen(function* () {
    const turnsOf = yield* Turns.make
    const waiting = yield* Effect.forEach(Array.from({ length: 20 }), () =>
      Effect.forkChild(turnsOf("a")(Effect.never)),
    )
    yield* settled
    expect(yield* Effect.flip(turnsOf("a")(Effect.void))).toMatchObject({ _tag: "TooManyCalls" })
    yield* Fiber.interruptAll(waiting)
    yield* turnsOf("a")(Effect.void)
  }).pipe(Effect.scoped, Effect.runPromise))

test("the only client of standard input has all places", () =>
  Effect.gen(function* () {
    const { send, working } = yield* calls
    yield* send(undefined, 24)
    expect(working).toHaveLength(8)
  }).pipe(Effect.scoped, Effect.runPromise))

test.each(["a", undefined])(
  "one large call is at work at a time, and those of %s that wait keep no others waiting",
  (first) =>
    Effect.gen(function* () {
      const { send, working } = yield* calls
      yield* send(first, 10, true)
      yield* send("b", 2, true)
      expect(working.map(({ session }) => session)).toEqual([first])
      yield* send(first, 3)
      yield* send("c", 4)
      expect(working).toHaveLength(8)
      const others = [first, first, first, "c", "c", "c", "c"]
      for (const next of [first, "b"]) {
        for (const { end } of working.splice(next === "b" ? -1 : 0, 1)) yield* end
        yield* settled
        expect(working.map(({ session }) => session)).toEqual([...others, next])
      }
    }).pipe(Effect.scoped, Effect.runPromise),
)

test("large calls of a session that is at its share neither wait for that nor keep those of others waiting", () =>
  Effect.gen(function* () {
    const { send, working, sessions } = yield* calls
    yield* send("a", 6)
    yield* send("c", 6)
    yield* send("a", 2, true)
    yield* send("b", 1, true)
    expect(sessions()).toBe("aaaacccca")
    for (const next of ["a", "b"]) {
      for (const { end } of working.splice(-1)) yield* end
      yield* settled
      expect(sessions()).toBe(`aaaacccc${next}`)
    }
  }).pipe(Effect.scoped, Effect.runPromise))

const source = Layer.effect(TransferSource, memory({ transfers: [], coverage: Coverage.upTo(Timestamp.latest) }))

test("the wait for its turn counts in the 50 seconds of a call, and what reads nothing does not wait", () =>
  Effect.gen(function* () {
    const options = { mask: <A>(transfer: A) => transfer, allowIncomplete: false, runQuery: undefined }
    const { lookup_transfer, explain_finding } = yield* Handlers.make(options)
    const waiting = yield* Effect.forkChild(Effect.flip(lookup_transfer({ id: "order-1" })))
    yield* TestClock.adjust("50 seconds")
    expect(yield* Fiber.join(waiting)).toMatchObject({ code: "TookTooLong" })
    expect(yield* explain_finding({ code: "not_fiat" })).toMatchObject({ data: { code: "not_fiat" } })
  }).pipe(
    Effect.provideService(Turns.Turn, () => Effect.never),
    Effect.provide([
      source,
      Layer.provide(TransferPager.layer, InMemoryTransferApi.layer({ transfers: 0 })),
      TestClock.layer(),
    ]),
    Effect.runPromise,
  ))
