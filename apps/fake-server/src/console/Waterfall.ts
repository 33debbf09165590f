/** When requests came and how long they took, as shares of a common axis. */
import type { Entry } from "@transferkit/fake/Journal"

/** Requests without a pause between them, newest first. */
export interface Burst {
  readonly start: number
  readonly durationMs: number
  readonly entries: ReadonlyArray<Entry>
}

/** A pause this long, in milliseconds, begins another burst. */
const pauseMs = 2000

/** The time until a response was sent, in milliseconds. */
export const total = ({ duration_ms, delay_ms = 0, drip_ms = 0 }: Entry): number => duration_ms + delay_ms + drip_ms

/** Groups requests, newest first. */
export const bursts = (entries: ReadonlyArray<Entry>): ReadonlyArray<Burst> => {
  const groups: Array<Array<Entry>> = []
  let end = 0
  for (const entry of entries.toReversed()) {
    const start = Date.parse(entry.at)
    const group = groups.at(-1)
    if (group === undefined || start - end > pauseMs) groups.push([entry])
    else group.unshift(entry)
    end = Math.max(end, start + total(entry))
  }
  return groups.toReversed().map((group) => {
    const start = Math.min(...group.map(({ at }) => Date.parse(at)))
    const last = Math.max(...group.map((entry) => Date.parse(entry.at) + total(entry)))
    return { start, durationMs: last - start, entries: group }
  })
}

/** A part of a request's time. */
export interface Segment {
  readonly name: "handled" | "held back" | "sent in pieces"
  readonly ms: number
}

/** The parts of a request's time, in their order. */
export const segments = ({ duration_ms, delay_ms = 0, drip_ms = 0 }: Entry): ReadonlyArray<Segment> =>
  [
    { name: "handled" as const, ms: duration_ms },
    { name: "held back" as const, ms: delay_ms },
    { name: "sent in pieces" as const, ms: drip_ms },
  ].filter(({ ms, name }) => ms > 0 || name === "handled")
