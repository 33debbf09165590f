/** The scan, drawn as it runs, beside a loop over cursors that reads the same history. */
import { useEffect, useRef, useState } from "preact/hooks"
import type { ToolProps } from "../ToolProps.ts"
import * as Example from "./Example.ts"
import type { Colours } from "./Picture.ts"
import * as Picture from "./Picture.ts"
import * as Reading from "./Reading.ts"

export const ScanTool = ({ settings, onSettings }: ToolProps) => {
  const example = Example.parse(settings)
  const address = JSON.stringify([...Example.print(example)])
  const [attempt, setAttempt] = useState(0)
  const run = useRun(example, `${address} ${attempt}`)
  const set = (change: Partial<Example.Example>) => onSettings(Example.print({ ...example, ...change }))
  return (
    <>
      <form class="settings" onSubmit={(event) => event.preventDefault()} aria-label="History and reader">
        {example.history === undefined ? (
          <label>
            History
            <select value={example.shape} onChange={({ currentTarget: { value } }) => set({ shape: shapeOf(value) })}>
              {Example.shapes.map((shape) => (
                <option key={shape} value={shape}>
                  {Example.words[shape]}
                </option>
              ))}
            </select>
          </label>
        ) : (
          <p class="note">
            A history of the simulator: {example.history.ages.length} transfers, {example.history.order}.{" "}
            <button type="button" onClick={() => set({ history: undefined })}>
              Leave it
            </button>
          </p>
        )}
        <Slider
          name="Transfers"
          value={example.transfers}
          least={100}
          most={10_000}
          step={100}
          onValue={(transfers) => set({ transfers })}
        />
        <Slider
          name="Latency"
          unit="ms"
          value={example.latency}
          least={10}
          most={1000}
          step={10}
          onValue={(latency) => set({ latency })}
        />
        <Slider
          name="Windows at once"
          value={example.concurrency}
          least={1}
          most={64}
          step={1}
          onValue={(concurrency) => set({ concurrency })}
        />
        <Slider
          name="Rejected cursors"
          unit="%"
          value={example.rejected}
          least={0}
          most={20}
          step={1}
          onValue={(rejected) => set({ rejected })}
        />
        <span class="buttons">
          <button type="button" class="primary" onClick={() => setAttempt(attempt + 1)}>
            Run again
          </button>
          <button type="button" onClick={() => set({ seed: (example.seed * 48_271 + 11) % 999_999_937 })}>
            Another seed
          </button>
        </span>
      </form>
      <div class="pair">
        <Reader
          title="TransferKit"
          reading={run.scan}
          run={run}
          example={example}
          words="windows of creation time, many at once"
        />
        <Reader
          title="A cursor loop"
          reading={run.loop}
          run={run}
          example={example}
          words="page after page, until one ends before the start"
        />
      </div>
      <ul class="legend" aria-label="Colours">
        <li class="waiting">waits for a response</li>
        <li class="received">received</li>
        <li class="complete">complete: its transfers are delivered</li>
        <li class="rejected">cursor rejected</li>
        <li class="lost">lost</li>
      </ul>
      <p class="note">
        Both read the later two thirds of the year from a service in this page. Left to right is creation time, top to
        bottom the time of the run.
      </p>
    </>
  )
}

const shapeOf = (value: string): Example.Shape => Example.shapes.find((shape) => shape === value) ?? "even"

interface SliderProps {
  readonly name: string
  readonly unit?: string
  readonly value: number
  readonly least: number
  readonly most: number
  readonly step: number
  readonly onValue: (value: number) => void
}

const Slider = ({ name, unit = "", value, least, most, step, onValue }: SliderProps) => (
  <label>
    <span>
      {name} <output>{`${value} ${unit}`.trim()}</output>
    </span>
    <input
      type="range"
      min={least}
      max={most}
      step={step}
      value={value}
      onChange={({ currentTarget }) => onValue(currentTarget.valueAsNumber)}
    />
  </label>
)

/** The run of an example, and a new one when it changes. Draws again with each frame while it runs. */
const useRun = (example: Example.Example, key: string): Reading.Run => {
  const current = useRef<{ readonly key: string; readonly run: Reading.Run }>(undefined)
  if (current.current?.key !== key) {
    current.current?.run.stop()
    current.current = { key, run: Reading.start(example) }
  }
  const { run } = current.current
  const [, draw] = useState(0)
  useEffect(() => {
    // Who wants less motion sees a picture twice a second.
    const interval = matchMedia("(prefers-reduced-motion: reduce)").matches ? 500 : 0
    let [frame, drawnAt] = [0, -Infinity]
    const next = (now: number): void => {
      if (now - drawnAt >= interval || run.isOver()) {
        drawnAt = now
        draw(now)
      }
      if (!run.isOver()) frame = requestAnimationFrame(next)
    }
    frame = requestAnimationFrame(next)
    return () => cancelAnimationFrame(frame)
  }, [run])
  useEffect(() => () => current.current?.run.stop(), [])
  return run
}

interface ReaderProps {
  readonly title: string
  readonly words: string
  readonly reading: Reading.Reading
  readonly run: Reading.Run
  readonly example: Example.Example
}

const Reader = ({ title, words, reading, run, example }: ReaderProps) => {
  const canvas = useRef<HTMLCanvasElement>(null)
  const found = reading.end === undefined ? undefined : Reading.compare(example, run.ids, reading)
  useEffect(() => {
    const element = canvas.current
    const context = element?.getContext("2d")
    if (element === null || context === null || context === undefined) return
    const ratio = devicePixelRatio
    const [width, height] = [element.clientWidth, element.clientHeight]
    const [wide, high] = [Math.round(width * ratio), Math.round(height * ratio)]
    // Another size clears it, and costs more than to draw.
    if (element.width !== wide) element.width = wide
    if (element.height !== high) element.height = high
    context.setTransform(ratio, 0, 0, ratio, 0, 0)
    const range = Example.rangeOf(example)
    Picture.draw(context, reading, {
      width,
      height,
      range,
      asked: Reading.askedFor(example),
      duration: durationOf(run),
      elapsed: reading.end?.at ?? run.elapsed(),
      lost: found === undefined ? [] : timesOf(example, run, found.lost),
      colours: coloursOf(element),
    })
  })
  const { exchanges, delivered } = reading
  const seconds = (reading.end?.at ?? run.elapsed()) / 1000
  return (
    <section class="reader" aria-label={title}>
      <h3>
        {title} <small>{words}</small>
      </h3>
      <canvas ref={canvas} role="img" aria-label={`${title}: ${exchanges.length} requests over creation time`} />
      <dl>
        <Figure name="Time" value={`${seconds.toFixed(1)} s`} />
        <Figure name="Requests" value={String(exchanges.length)} />
        <Figure name="Delivered" value={String(delivered.length)} />
        <Figure
          name="Lost"
          value={found === undefined ? "–" : String(found.lost.length)}
          isBad={(found?.lost.length ?? 0) > 0}
        />
        <Figure
          name="Doubled"
          value={found === undefined ? "–" : String(found.doubled)}
          isBad={(found?.doubled ?? 0) > 0}
        />
      </dl>
      <p class="outcome" role="status">
        {outcomeOf(reading, found)}
      </p>
    </section>
  )
}

const Figure = ({
  name,
  value,
  isBad = false,
}: {
  readonly name: string
  readonly value: string
  readonly isBad?: boolean
}) => (
  <div class={isBad ? "bad" : ""}>
    <dt>{name}</dt>
    <dd>{value}</dd>
  </div>
)

const most = 6

const outcomeOf = ({ end }: Reading.Reading, found: ReturnType<typeof Reading.compare> | undefined): string => {
  if (end === undefined || found === undefined) return "Reading…"
  if (end.error !== undefined) return `Ended with an error: ${end.error}`
  if (found.lost.length === 0) return `All ${found.asked} transfers, each once.`
  const more = found.lost.length > most ? `, and ${found.lost.length - most} more` : ""
  return `Lost without a word: ${found.lost.slice(0, most).join(", ")}${more}.`
}

/** The slower one fills the height, and while they run it grows by steps. */
const durationOf = (run: Reading.Run): number => (run.isOver() ? run.elapsed() : Math.max(1500, 1.25 * run.elapsed()))

const timesOf = (example: Example.Example, run: Reading.Run, lost: ReadonlyArray<string>): ReadonlyArray<number> => {
  const isLost = new Set(lost)
  const ages = Example.agesOf(example)
  return [...run.ids].flatMap((id, index) => (isLost.has(id) ? [Example.end - (ages[index] ?? 0)] : []))
}

const names = ["grid", "text", "waiting", "received", "complete", "rejected", "lost"] as const

const coloursOf = (element: Element): Colours => {
  const style = getComputedStyle(element)
  const [grid = "", text = "", waiting = "", received = "", complete = "", rejected = "", lost = ""] = names.map(
    (name) => style.getPropertyValue(`--${name}`),
  )
  return { grid, text, waiting, received, complete, rejected, lost }
}
