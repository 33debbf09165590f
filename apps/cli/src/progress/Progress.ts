/**
 * The progress of a long command, on standard error: a bar on a terminal, a line every few seconds elsewhere. The service
 * does not tell how many transfers there are, so the bar shows the share that the scan estimates.
 */
import { counted, duration, grouped } from "@transferkit/domain/Quantity"
import type { Batch } from "@transferkit/domain/TransferSource"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import { isForScript } from "../flags/Globals.ts"
import { Screen } from "../terminal/Screen.ts"
import * as Traffic from "./Traffic.ts"

/** The progress so far. */
export interface Step {
  readonly rows: number
  /** From 0 to 1, or undefined if unknown. */
  readonly fraction: number | undefined
  /** Work that has no rate of transfers, such as to sort them. */
  readonly what?: string
}

/** What is to be shown from now on: computed each time that it is. */
export type Show = (step: () => Step) => Effect.Effect<void>

/** A step as text. `seconds` is the time of this run, which started at `before`: at nothing, or where another stopped. */
export const describe = (
  step: Step,
  run: { readonly seconds: number; readonly before: Step; readonly traffic: Traffic.Counts },
): string => {
  const { seconds, before, traffic } = run
  if (step.what !== undefined) return `${step.what} · ${duration(seconds)}`
  const rate = seconds > 0 ? Math.round((step.rows - before.rows) / seconds) : 0
  const left = leftOf(step, before, seconds)
  const retries = traffic.requests - traffic.calls
  return [
    counted(step.rows, "transfer"),
    `${grouped(rate)}/s`,
    ...(left === undefined ? [] : [`${duration(left)} left`]),
    ...(traffic.inFlight > 0 ? [`${traffic.inFlight} in flight`] : []),
    ...(retries > 0 ? [retries === 1 ? "1 retry" : `${grouped(retries)} retries`] : []),
    ...(traffic.rejectedCursors > 0 ? [`cursors rejected: ${grouped(traffic.rejectedCursors)}`] : []),
  ].join(" · ")
}

/** The seconds left, by those of this run; unknown at first: a run that has begun is not as fast as it will be. */
const leftOf = ({ rows, fraction }: Step, before: Step, seconds: number): number | undefined => {
  if (fraction === undefined) return undefined
  const gained = fraction - (before.fraction ?? (fraction * before.rows) / Math.max(1, rows))
  return gained < (seconds < 30 ? 0.1 : 0.01) ? undefined : (seconds * (1 - fraction)) / gained
}

/** So many transfers, or half of all, and what a scan expects is no guess any more. */
const fewest = 1000

/** The share of a scan that is done, by the transfers it still expects. It never runs backwards. Unknown at first. */
export const fractions = (): ((rows: number, expected: number) => number | undefined) => {
  let most = 0
  return (rows, expected) => {
    if (most === 0 && rows < fewest && rows < expected) return undefined
    most = Math.max(most, expected === 0 ? 1 : rows / (rows + expected))
    return most
  }
}

/** No display. */
export const none: Effect.Effect<Show> = Effect.succeed(() => Effect.void)

/** A display, but for scripts. */
export const forPeople = (before: Step) => Effect.flatMap(isForScript, (isScript) => (isScript ? none : make(before)))

/** An effect whose work is named while it goes on. What it keeps for a scope outlives the display. */
export const during =
  (what: string) =>
  <A, E, R>(self: Effect.Effect<A, E, R>) =>
    Effect.scopedWith((scope) =>
      Effect.andThen(Scope.provide(forPeople({ rows: 0, fraction: undefined, what }), scope), self),
    )

/**
 * A display that disappears with its scope. It starts after half a second, because quick work needs none, and has a clock
 * of its own: a scan that delivers nothing yet still shows what it requests, and which cursors are rejected.
 */
export const make = Effect.fnUntraced(function* (before: Step) {
  const screen = yield* Screen
  const traffic = yield* Traffic.Traffic
  const started = yield* Clock.currentTimeMillis
  const { draw, every } = yield* screen.stderr.isTerminal ? bar(screen.stderr.columns < 100 ? 10 : 20) : lines
  let latest = () => before
  const redraw = Effect.flatMap(Clock.currentTimeMillis, (now) => {
    const step = latest()
    return draw(step, describe(step, { seconds: (now - started) / 1000, before, traffic }))
  })
  yield* redraw.pipe(
    Effect.repeat(Schedule.spaced(every)),
    Effect.delay(Math.max(500, every)),
    Effect.forkScoped({ startImmediately: true }),
  )
  const show: Show = (step) => Effect.sync(() => void (latest = step))
  return show
})

/** The same batches, with a display of their progress. */
export const over = <E, R>(batches: Stream.Stream<Batch, E, R>) =>
  Stream.unwrap(
    Effect.gen(function* () {
      const show = yield* forPeople({ rows: 0, fraction: undefined })
      const fraction = fractions()
      let rows = 0
      return Stream.tap(batches, ({ results, expected }) => {
        rows += results.length
        return show(() => ({ rows, fraction: expected === undefined ? undefined : fraction(rows, expected) }))
      })
    }),
  )

/** A display for a file with a known number of transfers: its bytes are hashed, then its batches are counted. */
export const ofFile = Effect.fnUntraced(function* (all: number) {
  const show = yield* forPeople({ rows: 0, fraction: undefined, what: "hashing" })
  let rows = 0
  return <E, R>(batches: Stream.Stream<Batch["results"], E, R>) =>
    Stream.tap(batches, (results) => {
      rows += results.length
      return show(() => ({ rows, fraction: all === 0 ? undefined : Math.min(1, rows / all) }))
    })
})

/** Draws a step, once per `every` milliseconds. */
interface Display {
  readonly draw: (step: Step, text: string) => Effect.Effect<void>
  readonly every: number
}

const scale = 1000

const bar = Effect.fnUntraced(function* (barWidth: number) {
  const { Presets, SingleBar } = yield* Effect.promise(() => import("cli-progress"))
  const display = new SingleBar(
    {
      stream: process.stderr,
      format: (options, params, { text, known }: { readonly text: string; readonly known: boolean }) => {
        if (!known) return text
        const done = Math.round(params.progress * barWidth)
        const drawn = `${options.barCompleteString?.slice(0, done)}${options.barIncompleteString?.slice(0, barWidth - done)}`
        return `${drawn} ${`${Math.floor(params.progress * 100)}%`.padStart(4)}  ${text}`
      },
      barsize: barWidth,
      hideCursor: true,
      clearOnComplete: true,
      fps: 10,
      linewrap: false,
    },
    Presets.shades_classic,
  )
  yield* Effect.addFinalizer(() => Effect.sync(() => display.isActive && display.stop()))
  const draw: Display["draw"] = ({ fraction }, text) =>
    Effect.sync(() => {
      const payload = { text, known: fraction !== undefined }
      const value = Math.floor((fraction ?? 0) * scale)
      if (display.isActive) display.update(value, payload)
      else display.start(scale, value, payload)
    })
  return { draw, every: 100 }
})

const lines: Effect.Effect<Display, never, Screen> = Effect.map(Screen, (screen) => ({
  draw: (_step, text) => screen.noteExactly(`${text}\n`),
  every: 5000,
}))
