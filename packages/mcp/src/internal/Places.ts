/**
 * The places of calls, at work or waiting. A session has only some, and if all are taken, one that has none yet gets that
 * of a call which waits, of the session with the most: so no client keeps others out, however many sessions it has.
 */
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Refusals from "./Refusals.ts"

/** How many calls may have a place. */
interface Limits {
  /** Of one session. */
  readonly each: number
  readonly all: number
}

/** A call: `lost` fails when it has to leave its place, which it has to only before it begins. */
interface Place {
  readonly lost: Deferred.Deferred<never, Refusals.TooManyCalls>
  waits: boolean
}

/** The places of each session, the latest last. Mutable. */
interface Places {
  readonly limits: Limits
  readonly bySession: Map<string, Set<Place>>
}

/** No calls. */
export const make = (limits: Limits): Places => ({ limits, bySession: new Map() })

/** Runs a call in a place of its session. It says with `begin` that it waits no longer. */
export const hold = <A, E, R>(
  self: Places,
  session: string,
  call: (begin: Effect.Effect<void>) => Effect.Effect<A, E, R>,
): Effect.Effect<A, E | Refusals.TooManyCalls, R> =>
  Effect.acquireUseRelease(
    enter(self, session),
    (place) => Effect.raceFirst(call(Effect.sync(() => void (place.waits = false))), Deferred.await(place.lost)),
    (place) => Effect.sync(() => leave(self, session, place)),
  )

const enter = (self: Places, session: string): Effect.Effect<Place, Refusals.TooManyCalls> =>
  Effect.suspend(() => {
    const { each, all } = self.limits
    const own = self.bySession.get(session) ?? new Set()
    if (own.size >= each) return Effect.fail(new Refusals.TooManyCalls({ most: each, whose: "this session" }))
    const tooMany = new Refusals.TooManyCalls({ most: all, whose: "all clients" })
    const isFull = [...self.bySession.values()].reduce((sum, { size }) => sum + size, 0) >= all
    const place: Place = { lost: Deferred.makeUnsafe(), waits: true }
    if (isFull) {
      const [from, last] = latestOfMost(self) ?? []
      // A session gives way to one that has fewer, even with this call.
      if (from === undefined || last === undefined || (self.bySession.get(from)?.size ?? 0) <= own.size + 1) {
        return Effect.fail(tooMany)
      }
      leave(self, from, last)
      Deferred.doneUnsafe(last.lost, Effect.fail(tooMany))
    }
    self.bySession.set(session, own.add(place))
    return Effect.succeed(place)
  })

const leave = (self: Places, session: string, place: Place): void => {
  const own = self.bySession.get(session)
  if (own?.delete(place) === true && own.size === 0) self.bySession.delete(session)
}

/** The latest call that waits, of the session with the most calls that has one. */
const latestOfMost = ({ bySession }: Places): readonly [session: string, place: Place] | undefined => {
  let found: readonly [string, Place, size: number] | undefined
  for (const [session, own] of bySession) {
    const last = [...own].findLast(({ waits }) => waits)
    if (last !== undefined && own.size > (found?.[2] ?? 0)) found = [session, last, own.size]
  }
  return found && [found[0], found[1]]
}
