/**
 * The creation times of generated transfers: they never decrease with the index, so a time is found by binary search
 * and no row has to be stored. The rhythm is weekly: busy afternoons, quiet nights and Sundays. It includes bursts, a
 * few seconds of many transfers, and batches that share one timestamp.
 *
 * Times are whole microseconds since 1970, which a double represents exactly.
 */
import { below, fraction, keyOf } from "../../Draw.ts"

export interface Schedule {
  readonly seed: number
  readonly count: number
  /** The first possible instant, and the end, which is excluded. */
  readonly from: number
  readonly to: number
  /** The Monday before `from`, and the busy time from it to `from` and to `to`. */
  readonly monday: number
  readonly busyFrom: number
  readonly busySpan: number
}

/** Rows are spread, clustered or batched in blocks. A block is longer than a page, unless there are few rows. */
const blockSizeOf = (count: number): number => (count < 640 ? 4 : 32)
const burstLength = 4_000_000

const hour = 3_600_000_000
const week = 168 * hour
/** 1969-12-29, a Monday. */
const firstMonday = -3 * 24 * hour

const hourWeights = [3, 2, 2, 1, 1, 2, 4, 7, 10, 12, 13, 14, 15, 16, 16, 15, 14, 14, 13, 12, 10, 8, 6, 4]
const dayWeights = [10, 10, 10, 11, 13, 8, 6]

/** The share of a week's transfers before each of its hours. */
const busyBefore: Float64Array = ((): Float64Array => {
  const weights = dayWeights.flatMap((day) => hourWeights.map((weight) => day * weight))
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  const shares = new Float64Array(weights.length + 1)
  let sum = 0
  weights.forEach((weight, index) => {
    sum += weight
    shares[index + 1] = sum / total
  })
  return shares
})()

const at = (index: number): number => busyBefore[index] ?? 1

/** Busy time, in weeks, from a Monday to a time. */
const toBusy = (monday: number, time: number): number => {
  const weeks = Math.floor((time - monday) / week)
  const hours = (time - monday - weeks * week) / hour
  const index = Math.floor(hours)
  return weeks + at(index) + (hours - index) * (at(index + 1) - at(index))
}

const fromBusy = (monday: number, busy: number): number => {
  const weeks = Math.floor(busy)
  const share = busy - weeks
  let index = 0
  for (let step = 128; step > 0; step >>= 1) if (index + step < 168 && at(index + step) <= share) index += step
  const hours = index + (share - at(index)) / (at(index + 1) - at(index))
  return monday + weeks * week + hours * hour
}

export const make = (options: {
  readonly seed: number
  readonly count: number
  readonly from: number
  readonly to: number
}): Schedule => {
  const monday = firstMonday + Math.floor((options.from - firstMonday) / week) * week
  const busyFrom = toBusy(monday, options.from)
  return { ...options, monday, busyFrom, busySpan: toBusy(monday, options.to) - busyFrom }
}

/** The time that lies a fractional number of rows after the start. */
const timeOf = (self: Schedule, position: number): number => {
  const time = fromBusy(self.monday, self.busyFrom + (position / self.count) * self.busySpan)
  return Math.min(Math.max(Math.floor(time), self.from), self.to - 1)
}

/** When a row is created. Never less than for the row before. */
export const createdAt = (self: Schedule, index: number): number => {
  const size = blockSizeOf(self.count)
  const within = index % size
  const first = index - within
  const block = keyOf(self.seed ^ 0x5bd1e995, first)
  const mood = below(block, 0, 10)
  if (mood > 2) return timeOf(self, index + fraction(block, 1 + within))
  const end = Math.min(first + size, self.count)
  const start = timeOf(self, first + fraction(block, 1) * (end - first))
  if (mood === 0) return start
  const length = Math.min(timeOf(self, end) - start, burstLength)
  return start + Math.floor(((within + fraction(block, 1 + within)) / size) * length)
}

/**
 * The first index created at a time or after it; `count` if there is none. Rows stay within their block's share of the
 * time, so the search starts around the estimated place, and covers everything if rounding was off.
 */
export const firstAtOrAfter = (self: Schedule, time: number): number => {
  const place = Math.floor(((toBusy(self.monday, time) - self.busyFrom) / self.busySpan) * self.count)
  const around = 2 * blockSizeOf(self.count)
  let low = Math.min(Math.max(place - around, 0), self.count)
  let high = Math.min(Math.max(place + around, 0), self.count)
  if (low > 0 && createdAt(self, low - 1) >= time) low = 0
  if (high < self.count && createdAt(self, high) < time) high = self.count
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    if (createdAt(self, middle) >= time) high = middle
    else low = middle + 1
  }
  return low
}
