/**
 * The generated part of a store: rows by index, made when they are asked for. A row can be replaced in place or removed;
 * those are held. Where there are few rows they are kept once made; of many, the same one is hardly asked for twice.
 */
import * as TransferGenerator from "../../TransferGenerator.ts"
import { indexInTransferId } from "../generator/bytes/byteWriters.ts"
import * as Slab from "./byteArena.ts"
import { byTime, type HeldRow, type Key } from "./storedRows.ts"

/** So many rows of about 1.1 KB are few. */
const few = 1 << 14

export interface GeneratedRows {
  readonly generator: TransferGenerator.TransferGenerator
  /** What a row was replaced by; `undefined` where it was removed. */
  readonly replaced: Map<number, HeldRow | undefined>
  /** Rows that were made, by index, where there are few; else none. */
  kept: Array<Uint8Array | undefined>
  /** The instant as of which rows are made, in microseconds since 1970. */
  now: number
}

export const make = (generator: TransferGenerator.TransferGenerator): GeneratedRows => ({
  generator,
  replaced: new Map(),
  kept: [],
  now: generator.schedule.to,
})

/** Makes rows as of another instant. Those that were replaced stay as they are. */
export const setNow = (self: GeneratedRows, now: number): void => {
  self.now = now
  self.kept = []
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
  if (replacement !== undefined) return Slab.bytesOf(replacement)
  const kept = self.kept[index]
  if (kept !== undefined) return kept
  const row = TransferGenerator.bytes(self.generator, index, self.now)
  const { count } = self.generator
  if (count > few) return row
  if (self.kept.length === 0) self.kept = Array.from({ length: count })
  // A copy, because the row may only be lent.
  const copy = Buffer.from(row)
  self.kept[index] = copy
  return copy
}

export const isRemoved = (self: GeneratedRows, index: number): boolean =>
  self.replaced.size > 0 && self.replaced.get(index) === undefined && self.replaced.has(index)

/** When a row was created, in nanoseconds since 1970. */
export const createdAt = (self: GeneratedRows, index: number): bigint =>
  BigInt(TransferGenerator.createdAt(self.generator, index)) * 1000n

/** Where a row stands in the order. */
export const keyAt = (self: GeneratedRows, index: number): Key => ({
  at: createdAt(self, index),
  id: TransferGenerator.id(self.generator, index),
})

/** Whether a changed row is still found where it was. */
export const isInPlace = (self: GeneratedRows, index: number, row: HeldRow): boolean =>
  byTime(keyAt(self, index), row) === 0 && TransferGenerator.externalId(self.generator, index) === row.external_id

/** The index of an id, unless that row was removed. */
export const indexOfId = (self: GeneratedRows, id: string): number | undefined => {
  const index = TransferGenerator.indexOfId(self.generator, id)
  return index === undefined || isRemoved(self, index) ? undefined : index
}

/** The indexes of an `external_id`, in order of creation. */
export const indexesOfExternalId = (self: GeneratedRows, external_id: string): Array<number> => [
  ...TransferGenerator.indexesOfExternalId(self.generator, external_id),
]

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

/** How many rows stand before a place in the order; a row at that very place is not one of them. */
export const countBeforeKey = (self: GeneratedRows, key: Key): number => {
  const own = indexInTransferId(key.id)
  if (own !== undefined && own < self.generator.count && byTime(keyAt(self, own), key) === 0) return own
  let index = countBefore(self, key.at)
  while (index < self.generator.count && byTime(keyAt(self, index), key) < 0) index++
  return index
}
