/**
 * Realistic, reproducible transfers: each is a pure function of the generator's options and its index, generated on
 * demand. Nothing is stored, so a million of them cost neither memory nor start-up time.
 */
import * as Timestamp from "@transferkit/domain/Timestamp"
import * as Result from "effect/Result"
import { below, fraction, hashText, keyOf, scramble, unscramble } from "./Draw.ts"
import * as AsciiWriter from "./internal/generator/bytes/AsciiWriter.ts"
import { hex32, indexInTransferId, writeTransferId } from "./internal/generator/bytes/ByteWriters.ts"
import type { Charge } from "./internal/generator/bytes/ScheduledFees.ts"
import { longest, type Row, writeTransfer } from "./internal/generator/bytes/TransferWriter.ts"
import * as Schedule from "./internal/generator/Schedule.ts"

export type { Charge } from "./internal/generator/bytes/ScheduledFees.ts"

/** The transfers to generate. */
export interface Options {
  /** How many transfers there are. At most 2³². */
  readonly count: number
  /** Another seed generates other transfers. @default 1 */
  readonly seed?: number | undefined
  /** Whose transfers they are; every partner has its own. @default "demo" */
  readonly partner?: string | undefined
  /** No transfer is created before this instant. @default 366 days before `to` */
  readonly from?: Timestamp.Timestamp | undefined
  /** All transfers are created before this instant. @default 2025-01-01T00:00:00Z */
  readonly to?: Timestamp.Timestamp | undefined
  /**
   * What the service charges, such as `FeeSchedule.charge(schedule)`. It sees `source_subtotal` and `destination_total`,
   * and a fee without an answer stays random. @default none
   */
  readonly charge?: Charge | undefined
}

/** A sequence of transfers in the order of their creation. */
export interface TransferGenerator {
  readonly count: number
  readonly seed: number
  readonly schedule: Schedule.Schedule
  readonly charge: Charge | undefined
}

/** The default of `to`: fixed, so that output is reproducible. */
export const defaultTo: Timestamp.Timestamp = Timestamp.parseUnsafe("2025-01-01T00:00:00Z")

/**
 * A `to` that a program is given: an RFC 3339 timestamp, or a day in UTC. `undefined` if it is not one of the years 1972 to
 * 2199.
 *
 * @example
 * TransferGenerator.instantOf("2025-01-01")?.text // => "2025-01-01T00:00:00Z"
 * TransferGenerator.instantOf("tomorrow") // => undefined
 */
export const instantOf = (text: string): Timestamp.Timestamp | undefined => {
  const instant = Timestamp.parse(/^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T00:00:00Z` : text)
  if (Result.isFailure(instant)) return undefined
  const year = Timestamp.toDate(instant.success).getUTCFullYear()
  return year >= 1972 && year < 2200 ? instant.success : undefined
}

/**
 * A generator. Throws a `RangeError` if `count` is not a whole number from 0 to 2³², or `to` is not after `from`.
 *
 * @example
 * TransferGenerator.createdAt(TransferGenerator.make({ count: 10 }), 9) < Number(TransferGenerator.defaultTo.epochNanoseconds / 1000n) // => true
 */
export const make = (options: Options): TransferGenerator => {
  const { count } = options
  if (!Number.isSafeInteger(count) || count < 0 || count > 0x1_0000_0000) {
    throw new RangeError(`Cannot generate ${count} transfers: give a whole number from 0 to ${0x1_0000_0000}.`)
  }
  const end = options.to ?? defaultTo
  const from = microsOf(options.from ?? Timestamp.lookBack(end, "366 days"))
  const to = microsOf(end)
  if (to <= from) throw new RangeError("Transfers are generated from an instant to a later one.")
  const seed = keyOf(options.seed ?? 1, hashText(options.partner ?? "demo"))
  return { count, seed, schedule: Schedule.make({ seed, count, from, to }), charge: options.charge }
}

const microsOf = (timestamp: Timestamp.Timestamp): number => Number(timestamp.epochNanoseconds / 1000n)

/** When the transfer at an index is created, in microseconds since 1970. Never less than for the index before. */
export const createdAt = (self: TransferGenerator, index: number): number => Schedule.createdAt(self.schedule, index)

/** The first index whose transfer is created at an instant or after it, in microseconds; `count` if there is none. */
export const firstAtOrAfter = (self: TransferGenerator, micros: number): number =>
  Schedule.firstAtOrAfter(self.schedule, micros)

/** The `id` at an index. Ids sort as the transfers do, those with equal timestamps too. */
export const id = (self: TransferGenerator, index: number): string => {
  const place = AsciiWriter.start(writer, longest)
  writeTransferId(writer, { key: keyOf(self.seed, index), index, created_at: createdAt(self, index) })
  return AsciiWriter.text(writer, place)
}

/** Texts are written one at a time, so one writer is enough. */
const writer = AsciiWriter.make()

/** Runs a function with {@link bytes} that it must not retain: they are overwritten afterwards. */
export const lend = <A>(use: () => A): A => AsciiWriter.lend(writer, use)

/**
 * The index of an `id`, or `undefined` if it is not one of this generator.
 *
 * @example
 * const generator = TransferGenerator.make({ count: 100 })
 * TransferGenerator.indexOfId(generator, TransferGenerator.id(generator, 42)) // => 42
 */
export const indexOfId = (self: TransferGenerator, text: string): number | undefined => {
  const index = indexInTransferId(text)
  return index !== undefined && index < self.count && id(self, index) === text ? index : undefined
}

/** One transfer in sixteen repeats the `external_id` of the one before it, like a retry. */
const repeats = (self: TransferGenerator, index: number): boolean =>
  index % 32 !== 0 && below(keyOf(self.seed, index), 50, 16) === 0

const ownerOf = (self: TransferGenerator, index: number): number => {
  let owner = index
  while (repeats(self, owner)) owner--
  return owner
}

/** The `external_id` at an index. Several transfers in a row may share one. */
export const externalId = (self: TransferGenerator, index: number): string =>
  `order-${hex32(scramble(self.seed, ownerOf(self, index)))}`

const externalIdForm = /^order-([0-9a-f]{8})$/

/** The indexes of an `external_id`, in order. */
export const indexesOfExternalId = (self: TransferGenerator, external_id: string): ReadonlyArray<number> => {
  const code = externalIdForm.exec(external_id)?.[1]
  if (code === undefined) return []
  const owner = unscramble(self.seed, Number.parseInt(code, 16))
  if (owner >= self.count || repeats(self, owner)) return []
  const indexes = [owner]
  for (let index = owner + 1; index < self.count && repeats(self, index); index++) indexes.push(index)
  return indexes
}

const minute = 60_000_000
const hour = 60 * minute

/** When a transfer is approved, and when it is settled: most within minutes, some after the end of the range. */
const lifeOf = (
  self: TransferGenerator,
  key: number,
  created: number,
): readonly [approved: number, settled: number] => {
  const { to } = self.schedule
  switch (below(key, 40, 64)) {
    case 0:
      return [to + below(key, 41, 24 * 60) * minute, to + (24 + below(key, 42, 48)) * hour]
    case 1:
      return [created + below(key, 41, 600) * 1_000_000, to + below(key, 42, 72 * 60) * minute]
    default: {
      const approved = created + 5_000_000 + Math.floor(fraction(key, 41) ** 3 * 20 * minute)
      return [approved, approved + 30_000_000 + Math.floor(fraction(key, 42) ** 4 * 36 * hour)]
    }
  }
}

/** One in twelve is declined in the end. */
const statusAt = (key: number, life: readonly [approved: number, settled: number], now: number): Row["status"] =>
  now < life[0] ? "executing" : now < life[1] ? "approved" : below(key, 43, 12) === 0 ? "declined" : "complete"

/**
 * The JSON of the transfer at an index, as bytes, with its status as of `now`, in microseconds since 1970. The default
 * is the end of the range.
 *
 * @example
 * TransferGenerator.bytes(TransferGenerator.make({ count: 100 }), 7).byteLength > 1000 // => true
 */
export const bytes = (self: TransferGenerator, index: number, now: number = self.schedule.to): Uint8Array => {
  const place = AsciiWriter.start(writer, longest)
  writeTransfer(writer, rowAt(self, index, now))
  return AsciiWriter.from(writer, place)
}

/**
 * The same as text.
 *
 * @example
 * JSON.parse(TransferGenerator.json(TransferGenerator.make({ count: 100 }), 7)).created_at.startsWith("2024-") // => true
 */
export const json = (self: TransferGenerator, index: number, now: number = self.schedule.to): string => {
  const place = AsciiWriter.start(writer, longest)
  writeTransfer(writer, rowAt(self, index, now))
  return AsciiWriter.text(writer, place)
}

const rowAt = (self: TransferGenerator, index: number, now: number): Row => ({
  ...stateAt(self, index, now),
  order: scramble(self.seed, ownerOf(self, index)),
  isNew: false,
  charge: self.charge,
})

const stateAt = (self: TransferGenerator, index: number, now: number) => {
  const key = keyOf(self.seed, index)
  const created_at = createdAt(self, index)
  const life = lifeOf(self, key, created_at)
  const status = statusAt(key, life, now)
  const changed = status === "executing" ? created_at : status === "approved" ? life[0] : life[1]
  return { key, index, created_at, status, updated_at: Math.max(created_at, changed) }
}

/** When the transfer at an index was last updated as of an instant `now`, both in microseconds since 1970. */
export const updatedAt = (self: TransferGenerator, index: number, now: number): number =>
  stateAt(self, index, now).updated_at

/** A transfer beside the generated ones. */
export interface NewTransfer {
  /** The key of all its draws. */
  readonly key: number
  /** Distinguishes and orders new transfers of the same instant. */
  readonly number: number
  readonly created_at: Timestamp.Timestamp
  /** As in {@link Options}. */
  readonly charge?: Charge | undefined
}

/**
 * The JSON text of a new transfer: executing, with generated fields.
 *
 * @example
 * JSON.parse(TransferGenerator.jsonOfNew({ key: 1, number: 1, created_at: TransferGenerator.defaultTo })).status // => "executing"
 */
export const jsonOfNew = ({ key, number, created_at, charge }: NewTransfer): string => {
  const micros = microsOf(created_at)
  const place = AsciiWriter.start(writer, longest)
  writeTransfer(writer, {
    key,
    index: number,
    created_at: micros,
    order: number,
    isNew: true,
    status: "executing",
    updated_at: micros,
    charge,
  })
  return AsciiWriter.text(writer, place)
}
