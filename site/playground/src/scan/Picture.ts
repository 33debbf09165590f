/**
 * A run as a picture: creation time from left to right, the time of the run from top to bottom. Each request is a bar over
 * what it may return: of a scan its window, of the loop what its rows span.
 */
import type { Reading, Span } from "./Reading.ts"

/** The colours of a picture, as the style sheet has them. */
export interface Colours {
  readonly grid: string
  readonly text: string
  readonly waiting: string
  readonly received: string
  readonly complete: string
  readonly rejected: string
  readonly lost: string
}

export interface Frame {
  readonly width: number
  readonly height: number
  /** The creation times that are shown. */
  readonly range: Span
  /** The part of them that was asked for. */
  readonly asked: Span
  /** Milliseconds from the top to the bottom. */
  readonly duration: number
  readonly elapsed: number
  /** The creation times of transfers that were lost. */
  readonly lost: ReadonlyArray<number>
  readonly colours: Colours
}

/** The height of the strip that shows what is complete. */
const strip = 10

/** The height of the line with the months. */
const axis = 18

/** Draws a run as far as it got. */
export const draw = (context: CanvasRenderingContext2D, reading: Reading, frame: Frame): void => {
  const { width, height, range, asked, duration, elapsed, colours } = frame
  const x = (time: number) => ((time - range.from) / (range.to - range.from)) * width
  const y = (millis: number) => axis + strip + 4 + (millis / duration) * (height - axis - strip - 6)
  context.clearRect(0, 0, width, height)
  drawMonths(context, frame, x)
  const bar = (span: Span, top: number, bottom: number, colour: string, isOutlined = false) => {
    const [left, right] = [x(span.from), x(span.to)]
    context.fillStyle = colour
    context.strokeStyle = colour
    const [w, h] = [Math.max(1.5, right - left - 0.5), Math.max(1.5, bottom - top - 0.5)]
    if (isOutlined) context.strokeRect(left + 0.5, top + 0.5, w - 1, h)
    else context.fillRect(left, top, w, h)
  }
  bar(asked, axis, axis + strip, colours.grid)
  for (const span of reading.complete) bar(span, axis, axis + strip, colours.complete)
  for (const exchange of reading.exchanges) {
    const { receivedAt, sentAt, span = exchange, isRejected } = exchange
    if (receivedAt === undefined) bar(exchange, y(sentAt), y(elapsed), colours.waiting, true)
    else bar(isRejected ? exchange : span, y(sentAt), y(receivedAt), isRejected ? colours.rejected : colours.received)
  }
  context.fillStyle = colours.lost
  for (const time of frame.lost) context.fillRect(x(time) - 0.75, axis, 1.5, height - axis)
  if (reading.end !== undefined) {
    context.fillStyle = colours.text
    context.fillRect(0, y(reading.end.at), width, 1)
  }
}

const drawMonths = (
  context: CanvasRenderingContext2D,
  { width, height, range, colours }: Frame,
  x: (time: number) => number,
): void => {
  context.font = "11px system-ui, sans-serif"
  context.textBaseline = "top"
  let free = 0
  for (let month = new Date(range.from); month.getTime() < range.to; month = nextMonth(month)) {
    const left = x(month.getTime())
    if (left < 0) continue
    context.fillStyle = colours.grid
    context.fillRect(left, axis, 1, height)
    const label = month.toISOString().slice(0, 7)
    const size = context.measureText(label).width
    if (left < free || left + size > width) continue
    context.fillStyle = colours.text
    context.fillText(label, left + 3, 2)
    free = left + size + 16
  }
}

const nextMonth = (date: Date): Date => new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1))
