/**
 * A process in virtual time: Effect's fibers and clock on a queue of our own. Nothing runs unless {@link run} runs it, so
 * the process can die between any two steps, as by a power cut, and a run is the same every time.
 */
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Scheduler from "effect/Scheduler"
import type { Chance } from "./Chance.ts"

interface Sleeper {
  readonly at: number
  readonly wake: () => void
}

/** How a process ended. */
export type Ending<A> =
  | { readonly _tag: "Done"; readonly value: A }
  /** As by `kill -9`: no finalizer ran. */
  | { readonly _tag: "Killed" }
  /** By an interruption, after which `left` fibers or timers were still there. */
  | { readonly _tag: "Interrupted"; readonly left: number }
  /** Nothing was left to do, and it had not ended. */
  | { readonly _tag: "Hung" }

/** Ends a process before its step number `step`. */
export interface Death {
  readonly step: number
  readonly how: "kill" | "interrupt"
}

export interface RunOptions {
  /** Milliseconds since 1970 when the process starts, by the clock of the world. */
  readonly now: number
  /** Milliseconds that its own clock is ahead. */
  readonly clockOffset: number
  readonly chance: Chance
  readonly death: Death | undefined
}

/** Real milliseconds in which a promise may settle that nothing but itself can: that of a module being loaded. */
const patience = 3000

/** Runs a program until it ends, and tells what time it is then. `worldNow` is the clock of the world, for its parts. */
export const run = async <A>(
  program: (worldNow: () => number) => Effect.Effect<A>,
  { now: start, clockOffset, chance, death }: RunOptions,
): Promise<{ readonly ending: Ending<A>; readonly now: number }> => {
  let now = start
  let steps = 0
  let idleSince: number | undefined
  const tasks: Array<() => void> = []
  const sleepers: Array<Sleeper> = []

  const scheduler: Scheduler.Scheduler = {
    executionMode: "async",
    // A fiber may lose its turn at any operation.
    shouldYield: () => chance() < 0.01,
    makeDispatcher: () => ({ scheduleTask: (task) => void tasks.push(task), flush: () => {} }),
  }
  const nanos = (millis: number): bigint => BigInt(Math.round(millis * 1000)) * 1000n
  const clock: Clock.Clock = {
    currentTimeMillisUnsafe: () => now + clockOffset,
    currentTimeMillis: Effect.sync(() => now + clockOffset),
    currentTimeNanosUnsafe: () => nanos(now + clockOffset),
    currentTimeNanos: Effect.sync(() => nanos(now + clockOffset)),
    monotonicTimeNanosUnsafe: () => nanos(now - start),
    monotonicTimeNanos: Effect.sync(() => nanos(now - start)),
    sleep: (duration) =>
      Effect.callback<void>((resume) => {
        const sleeper = { at: now + Math.max(0, Duration.toMillis(duration)), wake: () => resume(Effect.void) }
        sleepers.push(sleeper)
        return Effect.sync(() => {
          const index = sleepers.indexOf(sleeper)
          if (index !== -1) sleepers.splice(index, 1)
        })
      }),
  }

  const fiber = Effect.runFork(
    program(() => now).pipe(
      Effect.withTracerEnabled(false),
      Effect.provideService(Clock.Clock, clock),
      Effect.provideService(Scheduler.Scheduler, scheduler),
    ),
    { scheduler },
  )
  let isInterrupted = false
  for (let exit = fiber.pollUnsafe(); ; exit = fiber.pollUnsafe()) {
    if (exit?._tag === "Success") return { ending: { _tag: "Done", value: exit.value }, now }
    if (exit !== undefined && !isInterrupted) throw exit.cause
    if (exit !== undefined) {
      for (let task = tasks.shift(); task !== undefined; task = tasks.shift()) task()
      return { ending: { _tag: "Interrupted", left: sleepers.length }, now }
    }
    if (death !== undefined && steps === death.step && !isInterrupted) {
      if (death.how === "kill") return { ending: { _tag: "Killed" }, now }
      isInterrupted = true
      Effect.runFork(Fiber.interrupt(fiber), { scheduler })
    }
    const task = tasks.shift()
    if (task !== undefined) {
      steps++
      task()
      continue
    }
    const next = sleepers.reduce<Sleeper | undefined>((a, b) => (a === undefined || b.at < a.at ? b : a), undefined)
    if (next === undefined) {
      idleSince ??= performance.now()
      if (performance.now() - idleSince > patience) return { ending: { _tag: "Hung" }, now }
      await new Promise((resolve) => setImmediate(resolve))
      continue
    }
    idleSince = undefined
    // A fiber that sleeps again and again must not keep a promise of the world, such as a module, from settling.
    await new Promise((resolve) => setImmediate(resolve))
    if (tasks.length > 0) continue
    steps++
    sleepers.splice(sleepers.indexOf(next), 1)
    now = Math.max(now, next.at)
    next.wake()
  }
}
