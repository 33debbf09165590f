/**
 * Instants with nanosecond precision, read from and written as RFC 3339 text. The text is kept, so that decoding and
 * encoding changes nothing.
 */
import * as Data from "effect/Data"
import type * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import { dual } from "effect/Function"
import * as EffectOrder from "effect/Order"
import type { Ordering } from "effect/Ordering"
import * as Result from "effect/Result"
import { excerpt } from "./internal/Excerpt.ts"
import * as Calendar from "./internal/time/Calendar.ts"
import * as Rfc3339 from "./internal/time/Rfc3339.ts"
import * as internal from "./internal/time/TimestampText.ts"
import * as WholeSecond from "./internal/time/WholeSecond.ts"

export { Schema, Wire } from "./internal/time/TimestampSchema.ts"

/**
 * An instant. `text` is RFC 3339, unchanged if it was read from text; `epochNanoseconds` counts from
 * 1970-01-01T00:00:00Z, leap seconds not counted. Fraction digits beyond the ninth stay in the text only.
 */
export interface Timestamp extends internal.Timestamp {}

/** The text is not an RFC 3339 timestamp. `reason` says why. */
export class InvalidTimestamp extends Data.TaggedError("InvalidTimestamp")<{
  readonly input: string
  readonly reason: string
}> {
  override get message(): string {
    return `Not an RFC 3339 timestamp: ${JSON.stringify(this.input)}: ${this.reason}. Write a date, a time and an offset, such as 2024-09-01T00:00:00Z.`
  }
}

/**
 * Reads an RFC 3339 timestamp. Accepts lower-case `t` and `z`, any offset up to 23:59, any number of fraction digits,
 * and a leap second at the end of a month in UTC, which is the instant of the second after it.
 *
 * @example
 * Result.map(Timestamp.parse("2024-09-01T02:00:00+02:00"), (at) => at.epochNanoseconds) // => Result.succeed(1725148800000000000n)
 * Result.isFailure(Timestamp.parse("2024-04-31T00:00:00Z")) // => true
 */
export const parse = (text: string): Result.Result<Timestamp, InvalidTimestamp> => {
  const reason = Rfc3339.rejection(text)
  return reason === undefined
    ? Result.succeed(new internal.Timestamp(text))
    : Result.fail(new InvalidTimestamp({ input: excerpt(text), reason }))
}

/**
 * A timestamp from a literal. Throws the errors of {@link parse}, so do not use it on untrusted text.
 *
 * @example
 * Timestamp.parseUnsafe("2024-09-01T00:00:00Z").text // => "2024-09-01T00:00:00Z"
 */
export const parseUnsafe = (text: string): Timestamp => Result.getOrThrow(parse(text))

/**
 * Whether a text is an RFC 3339 timestamp.
 *
 * @example
 * Timestamp.isText("2024-09-01 00:00:00Z") // => false
 */
export const isText = (text: string): boolean => Rfc3339.rejection(text) === undefined

/** The first instant that RFC 3339 can write. */
export const earliest: Timestamp = new internal.Timestamp("0000-01-01T00:00:00+23:59")

/** The last instant that RFC 3339 can write. */
export const latest: Timestamp = new internal.Timestamp("9999-12-31T23:59:59.999999999-23:59")

/**
 * The instant that many nanoseconds after 1970-01-01T00:00:00Z, written in UTC with no more fraction digits than it
 * needs. It is written with an offset if its year in UTC is not within 0 to 9999. Throws a `RangeError` before
 * {@link earliest} and after {@link latest}.
 *
 * @example
 * Timestamp.fromEpochNanoseconds(1_500_000_000n).text // => "1970-01-01T00:00:01.5Z"
 */
export const fromEpochNanoseconds = (epochNanoseconds: bigint): Timestamp => {
  if (epochNanoseconds < earliest.epochNanoseconds || epochNanoseconds > latest.epochNanoseconds) {
    throw new RangeError(
      `RFC 3339 cannot write the instant ${epochNanoseconds} ns: it is before ${earliest.text} or after ${latest.text}.`,
    )
  }
  return new internal.Timestamp(Rfc3339.print(epochNanoseconds), epochNanoseconds)
}

/**
 * The instant of a `Date`. Throws a `RangeError` for an invalid one, and outside the years 0 to 9999.
 *
 * @example
 * Timestamp.fromDate(new Date(0)).text // => "1970-01-01T00:00:00Z"
 */
export const fromDate = (date: Date): Timestamp => {
  if (Number.isNaN(date.getTime())) throw new RangeError("Cannot make a timestamp of an invalid Date.")
  return fromEpochNanoseconds(BigInt(date.getTime()) * WholeSecond.nanosPerMillisecond)
}

/**
 * The instant of a `Temporal.Instant` or `Temporal.ZonedDateTime`, exact to the nanosecond; `toTemporalInstant` of a
 * timestamp leads back. Throws a `RangeError` before {@link earliest} and after {@link latest}.
 *
 * @example
 * Timestamp.fromTemporal({ epochNanoseconds: 1n }).text // => "1970-01-01T00:00:00.000000001Z"
 */
export const fromTemporal = ({ epochNanoseconds }: { readonly epochNanoseconds: bigint }): Timestamp =>
  fromEpochNanoseconds(epochNanoseconds)

/**
 * The instant that many seconds after 1970-01-01T00:00:00Z. Throws a `RangeError` for a fraction, before
 * {@link earliest} and after {@link latest}.
 *
 * @example
 * Timestamp.fromEpochSeconds(1_725_148_800).text // => "2024-09-01T00:00:00Z"
 */
export const fromEpochSeconds = (epochSeconds: number): Timestamp =>
  fromEpochNanoseconds(BigInt(epochSeconds) * WholeSecond.nanosPerSecond)

/**
 * The seconds from 1970-01-01T00:00:00Z to an instant, rounded down.
 *
 * @example
 * Timestamp.epochSeconds(Timestamp.parseUnsafe("1969-12-31T23:59:59.5Z")) // => -1
 */
export const epochSeconds = (self: Timestamp): number => WholeSecond.of(WholeSecond.floor(self.epochNanoseconds))

/**
 * The instant as a `Date`, rounded down to the millisecond.
 *
 * @example
 * Timestamp.toDate(Timestamp.parseUnsafe("1970-01-01T00:00:00.0019Z")).getTime() // => 1
 */
export const toDate = (self: Timestamp): Date => new Date(millisecondOf(self))

const millisecondOf = ({ epochNanoseconds }: Timestamp): number => {
  const within = epochNanoseconds % WholeSecond.nanosPerMillisecond
  return Number((epochNanoseconds - within) / WholeSecond.nanosPerMillisecond) - (within < 0n ? 1 : 0)
}

/**
 * The same instant, written as {@link fromEpochNanoseconds} writes it.
 *
 * @example
 * Timestamp.toUtc(Timestamp.parseUnsafe("2024-09-01T02:00:00+02:00")).text // => "2024-09-01T00:00:00Z"
 */
export const toUtc = (self: Timestamp): Timestamp => fromEpochNanoseconds(self.epochNanoseconds)

/**
 * The same instant by the clocks of a time zone, with their offset in whole minutes. In UTC if a year of the zone has no
 * four digits.
 *
 * @example
 * Timestamp.toZone(Timestamp.parseUnsafe("2024-09-01T00:00:00.5Z"), DateTime.zoneMakeNamedUnsafe("America/New_York")).text // => "2024-08-31T20:00:00.5-04:00"
 */
export const toZone: StartOf = /* @__PURE__ */ dual(2, (self: Timestamp, zone: DateTime.TimeZone) => {
  const minutes = Math.trunc(Calendar.offsetSeconds(epochSeconds(self), zone) / 60)
  const local = Rfc3339.print(self.epochNanoseconds + BigInt(minutes) * nanosPerMinute)
  const text = local.endsWith("Z") ? local.slice(0, -1) + Rfc3339.printOffset(minutes) : undefined
  return text === undefined ? toUtc(self) : new internal.Timestamp(text, self.epochNanoseconds)
})

const nanosPerMinute = 60n * WholeSecond.nanosPerSecond

/**
 * The time from another instant to this one, negative if the other is later.
 *
 * @example
 * Duration.format(Timestamp.difference(Timestamp.parseUnsafe("2024-09-01T01:30:00Z"), Timestamp.parseUnsafe("2024-09-01T02:00:00+02:00"))) // => "1h 30m"
 */
export const difference: {
  (that: Timestamp): (self: Timestamp) => Duration.Duration
  (self: Timestamp, that: Timestamp): Duration.Duration
} = /* @__PURE__ */ dual(2, (self: Timestamp, that: Timestamp) =>
  Duration.nanos(self.epochNanoseconds - that.epochNanoseconds),
)

/**
 * The instant that much later, or earlier if the duration is negative, in UTC. Throws a `RangeError` for an infinite
 * duration, and beyond {@link earliest} and {@link latest}.
 *
 * @example
 * Timestamp.plus(Timestamp.parseUnsafe("2024-09-01T00:00:00+02:00"), "90 minutes").text // => "2024-08-31T23:30:00Z"
 */
export const plus: {
  (duration: Duration.Input): (self: Timestamp) => Timestamp
  (self: Timestamp, duration: Duration.Input): Timestamp
} = /* @__PURE__ */ dual(2, (self: Timestamp, duration: Duration.Input) => {
  const read = Duration.fromInputUnsafe(duration)
  if (!Duration.isFinite(read)) throw new RangeError(`Cannot add ${Duration.format(read)} to ${self.text}.`)
  return fromEpochNanoseconds(self.epochNanoseconds + Duration.toNanosUnsafe(read))
})

/**
 * The instant that much earlier, or {@link earliest} if that is later. For windows that look back from an instant.
 *
 * @example
 * Timestamp.lookBack(Timestamp.parseUnsafe("2024-09-01T00:00:00Z"), "1 hour").text // => "2024-08-31T23:00:00Z"
 * Timestamp.lookBack(Timestamp.earliest, "1 hour") === Timestamp.earliest // => true
 */
export const lookBack: {
  (duration: Duration.Input): (self: Timestamp) => Timestamp
  (self: Timestamp, duration: Duration.Input): Timestamp
} = /* @__PURE__ */ dual(2, (self: Timestamp, duration: Duration.Input) => {
  const epochNanoseconds = self.epochNanoseconds - Duration.toNanosUnsafe(duration)
  return epochNanoseconds < earliest.epochNanoseconds ? earliest : fromEpochNanoseconds(epochNanoseconds)
})

/**
 * The first instant of the day that an instant is in, by the clocks of a time zone. A day begins when its clocks first
 * show midnight, or skip it.
 *
 * @example
 * Timestamp.startOfDay(Timestamp.parseUnsafe("2024-03-31T12:00:00Z"), DateTime.zoneMakeNamedUnsafe("Europe/Berlin")).text // => "2024-03-30T23:00:00Z"
 */
export const startOfDay: StartOf = /* @__PURE__ */ startOf("day")

/**
 * The first instant of the month that an instant is in, by the clocks of a time zone.
 *
 * @example
 * Timestamp.startOfMonth(Timestamp.parseUnsafe("2024-03-31T23:00:00Z"), DateTime.zoneMakeNamedUnsafe("Europe/Berlin")).text // => "2024-03-31T22:00:00Z"
 */
export const startOfMonth: StartOf = /* @__PURE__ */ startOf("month")

/**
 * The first instant of the year that an instant is in, by the clocks of a time zone.
 *
 * @example
 * Timestamp.startOfYear(Timestamp.parseUnsafe("2024-03-31T12:00:00Z"), DateTime.zoneMakeNamedUnsafe("America/New_York")).text // => "2024-01-01T05:00:00Z"
 */
export const startOfYear: StartOf = /* @__PURE__ */ startOf("year")

/** When a day, month or year begins, data first or data last. */
export interface StartOf {
  (zone: DateTime.TimeZone): (self: Timestamp) => Timestamp
  (self: Timestamp, zone: DateTime.TimeZone): Timestamp
}

function startOf(part: Calendar.Part): StartOf {
  return dual(2, (self: Timestamp, zone: DateTime.TimeZone) =>
    fromEpochNanoseconds(Calendar.startOf(millisecondOf(self), part, zone)),
  )
}

/**
 * Whether a value is a Timestamp.
 *
 * @example
 * Timestamp.isTimestamp("2024-09-01T00:00:00Z") // => false
 */
export const isTimestamp = (value: unknown): value is Timestamp => internal.isTimestamp(value)

/**
 * Orders instants for sorting, regardless of their notation.
 *
 * @example
 * [Timestamp.latest, Timestamp.earliest].sort(Timestamp.Order)[0] === Timestamp.earliest // => true
 */
export const Order: EffectOrder.Order<Timestamp> = EffectOrder.mapInput(
  EffectOrder.BigInt,
  (timestamp: Timestamp) => timestamp.epochNanoseconds,
)

/**
 * Compares two instants, regardless of their notation.
 *
 * @example
 * Timestamp.compare(Timestamp.parseUnsafe("2024-09-01T00:00:00Z"), Timestamp.parseUnsafe("2024-09-01T02:00:00+02:00")) // => 0
 */
export const compare: {
  (that: Timestamp): (self: Timestamp) => Ordering
  (self: Timestamp, that: Timestamp): Ordering
} = dual(2, Order)
