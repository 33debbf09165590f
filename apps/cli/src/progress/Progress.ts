/**
 * The progress of a long command, on standard error: a bar on a terminal, a line every few seconds elsewhere. The service
 * does not tell how many transfers there are, so the bar shows the share that the scan estimates.
 */
import { counted, duration, grouped } from "@transferkit/domain/Quantity"
import type { Batch } from "@transferkit/domain/TransferPager"
import { Presets, SingleBar } from "cli-progress"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { Screen } from "../terminal/Screen.ts"
import * as Traffic from "./Traffic.ts"

/** The progress so far. */
export interface Step {
  readonly rows: number
  /** From 0 to 1, or undefined if unknown. */
  readonly fraction: number | undefined
}

/** Shows a step if one is due; only then is it computed. */
export type Show = (step: () => Step) => Effect.Effect<void>

/** A step as text. `seconds` is the time of this run, which started at `before`: at nothing, or where another stopped. */
export const describe = (
  step: Step,
  run: { readonly seconds: number; readonly before: Step; readonly traffic: Traffic.Counts },
): string => {
  const { seconds, before, traffic } = run
  const rate = seconds > 0 ? Math.round((step.rows - before.rows) / seconds) : 0
  const gained = (step.fraction ?? 0) - (before.fraction ?? 0)
  const left = step.fraction === undefined || gained < 0.01 ? undefined : (seconds * (1 - step.fraction)) / gained
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

/** The share of a scan that is done, by the transfers it still expects. It never runs backwards. */
export const fractions = (): ((batch: Pick<Batch, "checkpoint" | "expected">) => number) => {
  let most = 0
  return ({ checkpoint: { transfers }, expected }) => {
    most = Math.max(most, expected === 0 ? 1 : transfers / (transfers + expected))
    return most
  }
}

/** No display. */
export const none: Effect.Effect<Show> = Effect.succeed(() => Effect.void)

/** A display that disappears with its scope. It starts after half a second, because quick work needs none. */
export const make = Effect.fnUntraced(function* (before: Step) {
  const screen = yield* Screen
  const traffic = yield* Traffic.Traffic
  const started = yield* Clock.currentTimeMillis
  const { draw, every } = yield* screen.stderr.isTerminal ? bar(screen.stderr.columns < 100 ? 10 : 20) : lines
  let next = started + Math.max(500, every)
  const show: Show = (step) =>
    Effect.flatMap(Clock.currentTimeMillis, (now) => {
      if (now < next) return Effect.void
      next = now + every
      const shown = step()
      return draw(shown, describe(shown, { seconds: (now - started) / 1000, before, traffic }))
    })
  return show
})

/** The same batches of a scan, with a display of their progress. */
export const over = <E, R>(batches: Stream.Stream<Batch, E, R>) =>
  Stream.unwrap(
    Effect.gen(function* () {
      const show = yield* make({ rows: 0, fraction: undefined })
      const fraction = fractions()
      return Stream.tap(batches, (batch) =>
        show(() => ({ rows: batch.checkpoint.transfers, fraction: fraction(batch) })),
      )
    }),
  )

/** Draws a step, at most once per `every` milliseconds. */
interface Display {
  readonly draw: (step: Step, text: string) => Effect.Effect<void>
  readonly every: number
}

const scale = 1000

const bar = Effect.fnUntraced(function* (barWidth: number) {
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
