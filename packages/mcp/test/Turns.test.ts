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

/** Calls of sessions, which are at work until they are ended. */
const calls = Effect.gen(function* () {
  const turnsOf = yield* Turns.make
  const working: Array<{ readonly session: string | undefined; readonly end: Effect.Effect<unknown> }> = []
  const send = Effect.fnUntraced(function* (session: string | undefined, count: number) {
    for (let sent = 0; sent < count; sent++) {
      const ended = yield* Deferred.make<void>()
      const work = Effect.sync(() => working.push({ session, end: Deferred.succeed(ended, undefined) }))
      yield* Effect.forkScoped(turnsOf(session)(Effect.andThen(work, Deferred.await(ended))))
    }
    yield* Effect.yieldNow
  })
  return { send, working, sessions: () => working.map(({ session }) => session).join("") }
})

test("a session has half of the places, and another is at work at once", () =>
  Effect.gen(function* () {
    const { send, sessions } = yield* calls
    yield* send("a", 24)
    yield* send("b", 1)
    expect(sessions()).toBe("aaaab")
  }).pipe(Effect.scoped, Effect.runPromise))

test("the sessions that wait go in turn", () =>
  Effect.gen(function* () {
    const { send, working, sessions } = yield* calls
    yield* send("a", 24)
    yield* send("b", 24)
    yield* send("c", 1)
    expect(sessions()).toBe("aaaabbbb")
    for (const { end } of working.slice(0, 2)) yield* end
    yield* Effect.yieldNow
    expect(sessions().slice(8)).toContain("c")
  }).pipe(Effect.scoped, Effect.runPromise))

test("the only client of standard input has all places", () =>
  Effect.gen(function* () {
    const { send, working } = yield* calls
    yield* send(undefined, 24)
    expect(working).toHaveLength(8)
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
