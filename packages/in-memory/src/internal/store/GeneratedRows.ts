/**
 * The generated part of a store: rows by index, generated on demand. A row can be replaced in place or removed. A small
 * number of rows is cached; of many, the same one is rarely requested twice.
 */
import * as TransferGenerator from "../../TransferGenerator.ts"
import { indexInTransferId } from "../generator/bytes/ByteWriters.ts"
import * as ByteArena from "./ByteArena.ts"
import { ascending, generatedRankWhenShuffled, type Key, type SortOrder } from "./SortOrder.ts"
import type { StoredRow } from "./StoredRows.ts"

/** Up to this many rows, of about 1.1 KB each, are cached. */
const cachedRows = 1 << 14

/** Up to this many indexes, of 4 bytes each, are kept sorted by `updated_at`: a scan returns to all its windows in turn. */
const sortedIndexes = 1 << 24

export interface GeneratedRows {
  readonly generator: TransferGenerator.TransferGenerator
  readonly order: SortOrder
  /** The replacement of a row; `undefined` if it was removed. */
  readonly replaced: Map<number, StoredRow | undefined>
  /** Rows by index, if there are few; else empty. */
  cached: Array<Uint8Array | undefined>
  /** The indexes of intervals of rows, sorted by `updated_at`, by their first and last index. */
  readonly byUpdated: Map<string, Uint32Array>
  /** The instant as of which rows are generated, in microseconds since 1970. */
  now: number
}

export const make = (generator: TransferGenerator.TransferGenerator, order: SortOrder): GeneratedRows => ({
  generator,
  order,
  replaced: new Map(),
  cached: [],
  byUpdated: new Map(),
  now: generator.schedule.to,
})

/** Generates rows as of another instant. Replaced rows stay as they are. */
export const setNow = (self: GeneratedRows, now: number): void => {
  self.now = now
  self.cached = []
  self.byUpdated.clear()
}

/** How many rows were not removed. */
export const count = (self: GeneratedRows): number => {
  let removed = 0
  for (const row of self.replaced.values()) if (row === undefined) removed++
  return self.generator.count - removed
}

/** The JSON of a row that was not removed. */
export const json = (self: GeneratedRows, index: number): Uint8Array => {
  const replacement = self.replaced.size > 0 ? self.replaced.get(index) : undefined
  if (replacement !== undefined) return ByteArena.bytesOf(replacement)
  const cached = self.cached[index]
  if (cached !== undefined) return cached
  const row = TransferGenerator.bytes(self.generator, index, self.now)
  const { count } = self.generator
  if (count > cachedRows) return row
  if (self.cached.length === 0) self.cached = Array.from({ length: count })
  // A copy, because the row may only be lent.
  const copy = Buffer.from(row)
  self.cached[index] = copy
  return copy
}

export const isRemoved = (self: GeneratedRows, index: number): boolean =>
  self.replaced.size > 0 && self.replaced.get(index) === undefined && self.replaced.has(index)

/** When a row was created, in nanoseconds since 1970. */
export const createdAt = (self: GeneratedRows, index: number): bigint =>
  BigInt(TransferGenerator.createdAt(self.generator, index)) * 1000n

/** The rank of a row in the store's order. */
export const rankAt = (self: GeneratedRows, index: number): bigint => {
  switch (self.order) {
    case "newest-first":
    case "oldest-first":
      return createdAt(self, index)
    case "by-updated":
      return BigInt(TransferGenerator.updatedAt(self.generator, index, self.now)) * 1000n
    case "by-id":
      return 0n
    case "shuffled":
      return generatedRankWhenShuffled
  }
}

/** The key of a row in the store's order. */
export const keyAt = (self: GeneratedRows, index: number): Key => ({
  rank: rankAt(self, index),
  id: TransferGenerator.id(self.generator, index),
})

/** Whether a changed row is still found where it was. One sorted by `updated_at` may not be, once the clock moves. */
export const isInPlace = (self: GeneratedRows, index: number, row: StoredRow): boolean =>
  self.order !== "by-updated" &&
  createdAt(self, index) === row.created_at &&
  TransferGenerator.externalId(self.generator, index) === row.external_id

/** The index of an id, unless that row was removed. */
export const indexOfId = (self: GeneratedRows, id: string): number | undefined => {
  const index = TransferGenerator.indexOfId(self.generator, id)
  return index === undefined || isRemoved(self, index) ? undefined : index
}

/** How many rows are created before an instant, in nanoseconds. */
export const countBefore = (self: GeneratedRows, at: bigint): number => {
  const { from, to } = self.generator.schedule
  const micros = Number(ceilMicros(at))
  if (micros <= from) return 0
  return micros >= to ? self.generator.count : TransferGenerator.firstAtOrAfter(self.generator, micros)
}

const ceilMicros = (at: bigint): bigint => {
  const micros = at / 1000n
  return micros * 1000n < at ? micros + 1n : micros
}

/** Rows by their number in an order. */
export interface Sequence {
  readonly size: number
  readonly indexAt: (n: number) => number
}

/** The rows from index `low` up to, not including, `high`, by ascending key. Not for the shuffled order. */
export const sequence = (self: GeneratedRows, low: number, high: number): Sequence => {
  const size = Math.max(0, high - low)
  if (self.order !== "by-updated") return { size, indexAt: (n) => low + n }
  const indexes = sortedByUpdated(self, low, size)
  return { size, indexAt: (n) => indexes[n] ?? 0 }
}

const sortedByUpdated = (self: GeneratedRows, low: number, size: number): Uint32Array => {
  const name = `${low} ${size}`
  const known = self.byUpdated.get(name)
  if (known !== undefined) return known
  const updated = Float64Array.from({ length: size }, (_, n) =>
    TransferGenerator.updatedAt(self.generator, low + n, self.now),
  )
  const at = (index: number): number => updated[index - low] ?? 0
  const indexes = Uint32Array.from({ length: size }, (_, n) => low + n).sort((a, b) => at(a) - at(b) || a - b)
  const kept = [...self.byUpdated.values()].reduce((sum, each) => sum + each.length, size)
  if (kept > sortedIndexes) self.byUpdated.clear()
  self.byUpdated.set(name, indexes)
  return indexes
}

/** How many rows of a sequence come before a key, and whether the one after them is at the key. */
export const find = (self: GeneratedRows, { size, indexAt }: Sequence, key: Key): { before: number; isAt: boolean } => {
  const isOwn = (n: number): boolean => n >= 0 && n < size && ascending(keyAt(self, indexAt(n)), key) === 0
  const guess = (indexInTransferId(key.id) ?? -1) - indexAt(0)
  if (isOwn(guess)) return { before: guess, isAt: true }
  let [low, high] = [0, size]
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    if (ascending(keyAt(self, indexAt(middle)), key) < 0) low = middle + 1
    else high = middle
  }
  return { before: low, isAt: isOwn(low) }
}
