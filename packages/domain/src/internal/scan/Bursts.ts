/**
 * Where a burst begins, seen by who comes from the side on which it fades: seconds are ever fuller, without a scale. Half
 * of a burst may lie in a two-hundredth of its month. To meet it late means to give up, and to read again, many pages.
 */
import type { Sighting } from "./Density.ts"

/** With more windows at once than this, a rise is not looked at early: each look costs a page, and too many look. */
const few = 16
/** A rate is expected to last if it is below this many times the lowest on the way, */
const steepest = 4
/** and a window whose first lot is this many times as dense as what lies beside it, with this many lots left, is halved. */
const rising = 1.4
const worthHalving = 16

/** One worker gains nothing by a cut: what it reads again, no other reads meanwhile. */
export const isSoughtBy = (concurrency: number): boolean => concurrency > 1 && concurrency <= few

/** How many times the lowest rate on the way a rate may be, and still last as long as the way. */
export const steepestFor = (concurrency: number): number =>
  isSoughtBy(concurrency) ? steepest : Number.POSITIVE_INFINITY

/**
 * Whether the first lot of a window is denser than what lies beside it. All of it, from where the window begins, as well as
 * its middle: a few transfers of one moment are dense too, and no burst.
 */
export const mayBegin = (beside: Sighting | undefined, middle: Sighting, all: Sighting): boolean =>
  beside !== undefined && Math.min(middle.rate, all.rate) > rising * beside.rate

export const isWorthHalving = (lotsLeft: number): boolean => lotsLeft > worthHalving
