/**
 * How many calls are at work at once, of all clients and of one: so that the calls of one keep no other waiting. Of large
 * calls, each of which takes much memory, one is at work, and those that wait for it keep no others waiting.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as PartitionedSemaphore from "effect/PartitionedSemaphore"
import * as RcMap from "effect/RcMap"
import * as Scope from "effect/Scope"
import * as Semaphore from "effect/Semaphore"
import * as Places from "./Places.ts"
import type * as Refusals from "./Refusals.ts"
import * as Sessions from "./Sessions.ts"

/** Calls at work at once, beside a large one. Of those that wait, the clients go in turn. */
const most = 8

/** Calls of one session of HTTP at work at once, beside a large one. */
const share = 4

/** Calls of one session of HTTP that wait, each of which holds a connection. */
const mostWaiting = 16

/** Runs a call when it is its turn. */
export type Take = <A, E, R>(
  call: Effect.Effect<A, E, R>,
  options?: { readonly isLarge: boolean },
) => Effect.Effect<A, E | Refusals.TooManyCalls, R>

/** Waits for the turn of a call. Outside of a call there is nothing to wait for. */
export const Turn = Context.Reference<Take>("@transferkit/mcp/Turn", { defaultValue: () => (call) => call })

/** The turns of a session. Over stdio there is one client, and no session. */
export const make = Effect.gen(function* () {
  const slots = yield* PartitionedSemaphore.make<string>({ permits: most })
  const large = yield* PartitionedSemaphore.make<string>({ permits: 1 })
  const shares = yield* RcMap.make({ lookup: (_session: string) => Semaphore.make(share) })
  // One that waits for each session, and those at work: so there is room for the first call of any.
  const places = Places.make({ each: share + mostWaiting, all: most + 1 + Sessions.most })
  return (session: string | undefined): Take =>
    (call, { isLarge } = { isLarge: false }) => {
      // It holds the turn of large calls only while it is at work: if it also needed another, others would wait for both.
      const turn = (isLarge ? large : slots).withPermit(session ?? "")
      if (session === undefined) return turn(call)
      return Places.hold(places, session, (begin) => {
        const work = turn(Effect.andThen(begin, call))
        if (isLarge) return work
        return Effect.scopedWith((scope) =>
          Effect.flatMap(Scope.provide(RcMap.get(shares, session), scope), (own) => Semaphore.withPermit(own, work)),
        )
      })
    }
})
