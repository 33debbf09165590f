/** How many calls are at work at once, of all clients and of one: so that the calls of one keep no other waiting. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as PartitionedSemaphore from "effect/PartitionedSemaphore"
import * as RcMap from "effect/RcMap"
import * as Scope from "effect/Scope"
import * as Semaphore from "effect/Semaphore"

/** Calls at work at once. Of those that wait, the clients go in turn. */
const most = 8

/** Calls of one session of HTTP at work at once. */
const share = 4

/** Runs a call when it is its turn. */
type Take = <A, E, R>(call: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>

/** Waits for the turn of a call. Outside of a call there is nothing to wait for. */
export const Turn = Context.Reference<Take>("@transferkit/mcp/Turn", { defaultValue: () => (call) => call })

/** The turns of a session. Over stdio there is one client, and no session. */
export const make = Effect.gen(function* () {
  const slots = yield* PartitionedSemaphore.make<string>({ permits: most })
  const shares = yield* RcMap.make({ lookup: (_session: string) => Semaphore.make(share) })
  return (session: string | undefined): Take =>
    (call) => {
      if (session === undefined) return slots.withPermit("")(call)
      return Effect.scopedWith((scope) =>
        Effect.flatMap(Scope.provide(RcMap.get(shares, session), scope), (own) =>
          Semaphore.withPermit(own, slots.withPermit(session)(call)),
        ),
      )
    }
})
