/** Ends a command that needs more memory than there is with an error, before V8 aborts the process with a dump. */
import { constants, PerformanceObserver } from "node:perf_hooks"
import { getHeapStatistics } from "node:v8"
import * as Effect from "effect/Effect"
import { OutOfMemory } from "../Failure.ts"

/** What V8 adds to the limit for young objects, which the others cannot use: three semi-spaces of 64 MiB. */
const youngBytes = 3 * 64 * 1024 * 1024

/** The share of the limit that may be in use after a full collection. V8 aborts at about 0.95. */
const fullShare = 0.88

const { heap_size_limit } = getHeapStatistics()
const limit = heap_size_limit > youngBytes ? heap_size_limit - youngBytes : heap_size_limit

/** What Node allows for objects that last. */
export const megabytes = Math.round(limit / 1024 / 1024)

/** Runs a command, and fails when the heap is nearly full of what it holds. */
export const guarded = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E | OutOfMemory, R> =>
  Effect.raceFirst(effect, full)

const full = Effect.callback<never, OutOfMemory>((resume) => {
  const observer = new PerformanceObserver((list) => {
    const isMajor = list.getEntries().some((entry) => kindOf(entry) === constants.NODE_PERFORMANCE_GC_MAJOR)
    if (!isMajor || getHeapStatistics().used_heap_size < fullShare * limit) return
    resume(Effect.fail(new OutOfMemory({ megabytes })))
  })
  observer.observe({ entryTypes: ["gc"] })
  return Effect.sync(() => observer.disconnect())
})

const kindOf = (entry: object): unknown => {
  const detail = "detail" in entry ? entry.detail : undefined
  return typeof detail === "object" && detail !== null && "kind" in detail ? detail.kind : undefined
}
