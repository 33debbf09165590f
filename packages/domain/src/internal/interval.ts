/** Consecutive instants: from `first` up to, not including, `end`, in nanoseconds; absent where there is no bound. */
import * as CreatedAt from "../CreatedAt.ts"
import * as Timestamp from "../Timestamp.ts"
import type { Run } from "./instantSet.ts"
import * as InstantSet from "./instantSet.ts"
import { ceilSecond, floorSecond } from "./wholeSecond.ts"

export type Interval = Run

export const everything: Interval = { first: undefined, end: undefined }

export const has = (self: Interval, instant: bigint): boolean =>
  (self.first === undefined || instant >= self.first) && (self.end === undefined || instant < self.end)

export const equals = (self: Interval, that: Interval): boolean => self.first === that.first && self.end === that.end

/** The part of it before an instant. */
export const before = (self: Interval, instant: bigint): Interval =>
  self.end !== undefined && self.end <= instant ? self : { first: self.first, end: instant }

/** The part of it at an instant and after. */
export const from = (self: Interval, instant: bigint): Interval =>
  self.first !== undefined && self.first >= instant ? self : { first: instant, end: self.end }

export const isEmpty = ({ first, end }: Interval): boolean => first !== undefined && end !== undefined && end <= first

/** The interval, widened at both ends to what every service can be asked for. */
export const toWholeSeconds = ({ first, end }: Interval): Interval => ({
  first: first === undefined ? undefined : floorSecond(first),
  end: end === undefined ? undefined : ceilSecond(end),
})

export const toFilter = ({ first, end }: Interval): CreatedAt.CreatedAt =>
  CreatedAt.and(
    first === undefined ? CreatedAt.all : CreatedAt.gte(Timestamp.fromEpochNanoseconds(first)),
    end === undefined ? CreatedAt.all : CreatedAt.lt(Timestamp.fromEpochNanoseconds(end)),
  )

export const ofFilter = (filter: CreatedAt.CreatedAt): ReadonlyArray<Interval> => InstantSet.runs(filter.set)

/** As a number, to reckon with: precise to the microsecond. */
export const seconds = (instant: bigint): number => Number(instant / 1000n) / 1e6

/** The whole second nearest to a number of seconds. */
export const ofSeconds = (value: number): bigint => BigInt(Math.round(value)) * 1_000_000_000n
