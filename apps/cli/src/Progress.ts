/**
 * How far a long command is, on standard error: a bar on a terminal, a line every few seconds elsewhere. The service
 * does not say how many transfers there are, so the bar shows how much of the time range has been read.
 */
import { Presets, SingleBar } from "cli-progress"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { Screen } from "./Screen.ts"

/** What there is to show. */
export interface Step {
  /** From 0 to 1, or nothing where it cannot be told. */
  readonly fraction?: number | undefined
  readonly rows: number
  readonly pages: number
}

/** Tells a progress display about a step. */
export type Tell = (step: Step) => Effect.Effect<void>

const number = new Intl.NumberFormat("en-US")

const line = (step: Step, seconds: number): string => {
  const rate = seconds > 0 ? Math.round(step.rows / seconds) : 0
  return `${number.format(step.rows)} transfers · ${number.format(step.pages)} pages · ${number.format(rate)}/s`
}

/** A display that goes away with its scope. */
export const make: Effect.Effect<Tell, never, Screen | Scope.Scope> = Effect.gen(function* () {
  const screen = yield* Screen
  return screen.stderr.isTerminal ? yield* bar : yield* lines
})

const scale = 1000

const bar = Effect.gen(function* () {
  let seconds = 0
  const started = performance.now()
  const display = new SingleBar(
    {
      stream: process.stderr,
      format: "{bar} {percent}  {text}",
      hideCursor: true,
      clearOnComplete: true,
      barsize: 24,
      fps: 10,
      linewrap: false,
      formatValue: (value, _options, type) => (type === "percentage" ? `${value}%`.padStart(4) : `${value}`),
    },
    Presets.shades_classic,
  )
  yield* Effect.acquireRelease(
    Effect.sync(() => display.start(scale, 0, { text: "" })),
    () => Effect.sync(() => display.stop()),
  )
  const tell: Tell = (step) =>
    Effect.sync(() => {
      seconds = (performance.now() - started) / 1000
      display.update(Math.floor((step.fraction ?? 0) * scale), { text: line(step, seconds) })
    })
  return tell
})

const secondsBetweenLines = 5

const lines = Effect.gen(function* () {
  const screen = yield* Screen
  const started = performance.now()
  let next = secondsBetweenLines
  const tell: Tell = (step) =>
    Effect.suspend(() => {
      const seconds = (performance.now() - started) / 1000
      if (seconds < next) return Effect.void
      next = seconds + secondsBetweenLines
      return screen.say(`${line(step, seconds)}\n`)
    })
  return tell
})
