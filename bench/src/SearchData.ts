/** What the servers of the `servers` benchmark hold and are asked for: the transfers that the fake server generates. */
import * as TransferGenerator from "@transferkit/in-memory/TransferGenerator"

/** A transfer of the wire, as far as searching needs it. */
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
