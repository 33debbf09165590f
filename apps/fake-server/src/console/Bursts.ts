/** The latest requests in bursts: without a pause between them. A burst counts its requests, kept or not. */
import type { Entry } from "@transferkit/fake/Journal"

/** Requests without a pause between them. */
export interface Burst {
  readonly number: number
  /** In milliseconds since 1970, from the first request to the last response. */
  readonly start: number
  readonly end: number
  readonly count: number
}

/** A request and the number of its burst. */
export interface Row {
  readonly entry: Entry
  readonly burst: number
}

/** The latest requests and their bursts, the newest first. */
export interface Requests {
  readonly rows: ReadonlyArray<Row>
  readonly bursts: ReadonlyArray<Burst>
}

export const none: Requests = { rows: [], bursts: [] }

/** A pause this long, in milliseconds, begins another burst. */
const pauseMs = 2000

/** More than a fake keeps by default would only take memory. */
const mostRows = 1000

/** The time until a response was sent, in milliseconds. */
export const total = ({ duration_ms, delay_ms = 0, drip_ms = 0 }: Entry): number => duration_ms + delay_ms + drip_ms

/** The requests with others that arrived later, oldest first. What a row or a burst was, it stays, if nothing joins it. */
export const add = (self: Requests, entries: ReadonlyArray<Entry>): Requests => {
  const bursts = [...self.bursts]
  const added = entries.map((entry): Row => {
    const start = Date.parse(entry.at)
    const end = start + total(entry)
    const last = bursts[0]
    if (last === undefined || start - last.end > pauseMs) {
      const number = (last?.number ?? 0) + 1
      bursts.unshift({ number, start, end, count: 1 })
      return { entry, burst: number }
    }
    bursts[0] = { ...last, start: Math.min(last.start, start), end: Math.max(last.end, end), count: last.count + 1 }
    return { entry, burst: last.number }
  })
  const rows = [...added.toReversed(), ...self.rows].slice(0, mostRows)
  const oldest = rows.at(-1)?.burst ?? 0
  return { rows, bursts: bursts.filter(({ number }) => number >= oldest) }
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
