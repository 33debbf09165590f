/**
 * How far a long command is, on standard error: a bar on a terminal, a line every few seconds elsewhere. The service
 * does not say how many transfers there are, so the bar shows how much of the time range has been read; without a range
 * there are only words.
 */
import type { Checkpoint } from "@transferkit/domain/Checkpoint"
import * as CreatedAt from "@transferkit/domain/CreatedAt"
import * as Timestamp from "@transferkit/domain/Timestamp"
import { Presets, SingleBar } from "cli-progress"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { counted, duration, grouped } from "./Count.ts"
import { Screen } from "./Screen.ts"
import * as Traffic from "./Traffic.ts"

/** How far it is. */
export interface Step {
  readonly rows: number
  readonly pages: number
  /** From 0 to 1, or nothing where it cannot be told. */
  readonly fraction: number | undefined
}

/** Tells the display about a step. */
export type Tell = (step: Step) => Effect.Effect<void>

/** Where a run began: at nothing, or where an interrupted one had come to. */
export type Start = Pick<Step, "rows" | "fraction">

/** A step as words. `seconds` is for how long this run has been going. */
export const describe = (
  step: Step,
  run: { readonly seconds: number; readonly before: Start; readonly traffic: Traffic.Counts },
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
  ].join(" · ")
}

/** How much of a range a checkpoint leaves behind it; nothing for a range without a beginning. */
export const fractionOf = (checkpoint: Checkpoint, created_at: CreatedAt.CreatedAt): number | undefined => {
  const ranges = CreatedAt.ranges(created_at)
  const from = ranges[0]?.lower?.at.epochNanoseconds
  const to = ranges.at(-1)?.upper?.at.epochNanoseconds
  if (from === undefined || to === undefined || to <= from) return undefined
  const left = checkpoint.windows.reduce((sum, window) => {
    const { gte, lt } = window.keep ?? window.asked
    const edge = window.frontier === undefined ? undefined : instant(window.frontier)
    const start = window.order === "ascending" && edge !== undefined ? edge : gte === undefined ? from : instant(gte)
    const end = window.order === "descending" && edge !== undefined ? edge : lt === undefined ? to : instant(lt)
    return end > start ? sum + (end - start) : sum
  }, 0n)
  return Math.min(1, Math.max(0, 1 - Number(left) / Number(to - from)))
}

const instant = (text: string): bigint => Timestamp.parseUnsafe(text).epochNanoseconds

/** No display. */
export const none: Effect.Effect<Tell> = Effect.succeed(() => Effect.void)

/** A display that goes away with its scope. */
export const make = Effect.fnUntraced(function* (before: Start) {
  const screen = yield* Screen
  const traffic = yield* Traffic.Traffic
  const started = yield* Clock.currentTimeMillis
  const show = yield* screen.stderr.isTerminal ? bar(screen.stderr.columns < 100 ? 10 : 20) : lines
  const tell: Tell = (step) =>
    Effect.flatMap(Clock.currentTimeMillis, (now) => {
      const seconds = (now - started) / 1000
      return show(step, seconds, () => describe(step, { seconds, before, traffic }))
    })
  return tell
})

type Show = (step: Step, seconds: number, text: () => string) => Effect.Effect<void>

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
  yield* Effect.acquireRelease(
    Effect.sync(() => display.start(scale, 0, { text: "", known: false })),
    () => Effect.sync(() => display.stop()),
  )
  const show: Show = (step, _seconds, text) =>
    Effect.sync(() => {
      const { fraction } = step
      display.update(Math.floor((fraction ?? 0) * scale), { text: text(), known: fraction !== undefined })
    })
  return show
})

const secondsBetweenLines = 5

const lines: Effect.Effect<Show, never, Screen> = Effect.gen(function* () {
  const screen = yield* Screen
  let next = secondsBetweenLines
  return (_step, seconds, text) =>
    Effect.suspend(() => {
      if (seconds < next) return Effect.void
      next = seconds + secondsBetweenLines
      return screen.sayExactly(`${text()}\n`)
    })
})
