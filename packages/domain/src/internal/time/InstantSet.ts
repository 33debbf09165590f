/**
 * Sets of instants, stored as the instants at which membership changes. Instants are whole nanoseconds, so any bound,
 * open or closed, is the first instant inside or outside: their sorted list is a canonical form, and every Boolean
 * operation is a merge.
 */
import type { Interval } from "./Interval.ts"

/** Membership before the first boundary, and the sorted, distinct instants at which it flips. */
export interface InstantSet {
  readonly startsInside: boolean
  readonly boundaries: ReadonlyArray<bigint>
}

export const empty: InstantSet = { startsInside: false, boundaries: [] }

export const everything: InstantSet = { startsInside: true, boundaries: [] }

export const from = (first: bigint): InstantSet => ({ startsInside: false, boundaries: [first] })

export const before = (end: bigint): InstantSet => ({ startsInside: true, boundaries: [end] })

/** The inverse of {@link intervals}, which must be in order and neither empty nor touching. */
export const fromIntervals = (intervals: ReadonlyArray<Interval>): InstantSet => ({
  startsInside: intervals[0] !== undefined && intervals[0].first === undefined,
  boundaries: intervals.flatMap(({ first, end }) => [first, end].filter((bound) => bound !== undefined)),
})

export const complement = (self: InstantSet): InstantSet => ({
  startsInside: !self.startsInside,
  boundaries: self.boundaries,
})

export const intersection = (self: InstantSet, that: InstantSet): InstantSet => merge(self, that, (a, b) => a && b)

export const union = (self: InstantSet, that: InstantSet): InstantSet => merge(self, that, (a, b) => a || b)

const merge = (self: InstantSet, that: InstantSet, keeps: (a: boolean, b: boolean) => boolean): InstantSet => {
  const boundaries: Array<bigint> = []
  let a = self.startsInside
  let b = that.startsInside
  const startsInside = keeps(a, b)
  let inside = startsInside
  let i = 0
  let j = 0
  for (;;) {
    const x = self.boundaries[i]
    const y = that.boundaries[j]
    if (x === undefined && y === undefined) return { startsInside, boundaries }
    const at = y === undefined || (x !== undefined && x <= y) ? x : y
    if (at === undefined) return { startsInside, boundaries }
    if (x === at) {
      a = !a
      i++
    }
    if (y === at) {
      b = !b
      j++
    }
    if (keeps(a, b) !== inside) {
      inside = !inside
      boundaries.push(at)
    }
  }
}

export const has = (self: InstantSet, instant: bigint): boolean => {
  let low = 0
  let high = self.boundaries.length
  while (low < high) {
    const middle = (low + high) >>> 1
    const boundary = self.boundaries[middle]
    if (boundary !== undefined && boundary <= instant) low = middle + 1
    else high = middle
  }
  return low % 2 === 1 ? !self.startsInside : self.startsInside
}

export const equals = (self: InstantSet, that: InstantSet): boolean =>
  self.startsInside === that.startsInside &&
  self.boundaries.length === that.boundaries.length &&
  self.boundaries.every((boundary, index) => boundary === that.boundaries[index])

/** The members as intervals: in order, neither overlapping nor touching. */
export const intervals = (self: InstantSet): ReadonlyArray<Interval> => {
  const found: Array<Interval> = []
  let first: bigint | undefined
  let inside = self.startsInside
  for (const boundary of self.boundaries) {
    if (inside) found.push({ first, end: boundary })
    else first = boundary
    inside = !inside
  }
  if (inside) found.push({ first, end: undefined })
  return found
}
