/** The data and the requests of the `servers` benchmark: the transfers that the fake generates. */
import * as TransferGenerator from "@transferkit/in-memory/TransferGenerator"

/** The part of a transfer that a search needs. */
export interface Row {
  readonly id: string
  readonly created_at: string
}

/** The transfers of the fake server with its default seed and partner, the oldest first. */
export const rows = (count: number): ReadonlyArray<Row> => {
  const generator = TransferGenerator.make({ count })
  return Array.from({ length: count }, (_, index) => JSON.parse(TransferGenerator.json(generator, index)))
}

/** A time range: from the first instant up to, not including, the second. */
export interface Window {
  readonly from: string
  readonly to: string
}

/** Two hundred ranges or so, of a fiftieth of the transfers each, and of at least the 20 that fill a page. */
export const windows = (count: number): ReadonlyArray<Window> => {
  const generator = TransferGenerator.make({ count })
  const micros = (index: number): number => TransferGenerator.createdAt(generator, index)
  const text = (index: number): string => JSON.parse(TransferGenerator.json(generator, index)).created_at
  const width = Math.max(50, Math.floor(count / 50))
  const step = Math.max(1, Math.floor((count - width) / 200))
  return Array.from({ length: Math.floor((count - width - 1) / step) }, (_, index) => index * step)
    .map((from) => ({ from, to: from + width }))
    .filter(({ from, to }) => {
      const [first, end] = [from, to].map((index) => TransferGenerator.firstAtOrAfter(generator, micros(index)))
      return (end ?? 0) - (first ?? 0) >= 20
    })
    .map(({ from, to }) => ({ from: text(from), to: text(to) }))
}

/**
 * The n-th of ranges that don't repeat, anywhere in the data, with more than the 20 transfers that fill a page: a
 * fiftieth of the transfers, a twentieth if there are few.
 */
export const freshWindow = (count: number, n: number): Window => {
  const { from, to } = TransferGenerator.make({ count }).schedule
  const width = (to - from) * Math.max(1 / 50, 50 / count)
  const start = Math.floor(from + ((n * 0.618_033_988_749_895) % 1) * (to - from - width))
  return { from: instant(start), to: instant(Math.floor(start + width)) }
}

/** Microseconds since 1970 as an RFC 3339 timestamp. */
const instant = (micros: number): string =>
  new Date(micros / 1000).toISOString().slice(0, -1) + `${String(micros % 1000).padStart(3, "0")}Z`
