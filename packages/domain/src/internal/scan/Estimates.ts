/**
 * How many transfers a gap or the rest of a window may hold, by all that was seen so far: sightings beside it, if the
 * listing has an order, or the sample that it was cut by. Guesses: they decide speed only.
 */
import type { Span } from "./Coverage.ts"
import * as Density from "./Density.ts"
import { ListingOrder } from "./ListingOrder.ts"
import { lot, type Reading } from "./Reading.ts"
import * as Sample from "./Sample.ts"

/** Lots of a whole range that are read before it is cut: a result that fits in them costs no additional request. */
export const lotsBeforeCut = 3
/** This many times the transfers expected came: the expectation was wrong. */
const surprise = 5
/** First guess at how many times larger a population is than its first sample. */
export const unseen = 8

/** Before this there were no crypto networks: a guess at where a range without a lower bound begins. */
const genesis = Date.UTC(2009, 0, 3) / 1000

export class Estimates {
  readonly order = new ListingOrder()
  /** The samples that gaps and windows were cut by. */
  readonly parts = new WeakMap<Span, Sample.Part>()
  readonly below: Density.Sightings
  readonly above: Density.Sightings

  constructor(steepest: number) {
    this.below = new Density.Sightings("later", steepest)
    this.above = new Density.Sightings("earlier", steepest)
  }

  /** What is known just below an interval, and just above it. */
  around(span: Span): readonly [below: Density.Sighting | undefined, above: Density.Sighting | undefined] {
    return [this.below.nearest(span.from), this.above.nearest(span.to)]
  }

  /** Sightings that tell of what a listing comes to next, and of what it has behind it. */
  sides(): readonly [ahead: Density.Sightings, behind: Density.Sightings] {
    return this.order.direction < 0 ? [this.above, this.below] : [this.below, this.above]
  }

  expectedIn(span: Span): number {
    const part = this.parts.get(span)
    if (part !== undefined) return Sample.expected(part)
    return Density.expected({ from: likelyFrom(span), to: span.to }, ...this.around(span)) ?? lotsBeforeCut * lot
  }

  /** Whether that is more than a guess. */
  isSure(span: Span): boolean {
    return this.parts.get(span)?.population.isKnown ?? Density.isEven(...this.around(span))
  }

  /** Transfers that a window probably has left. */
  rest(reading: Reading): number {
    const { span, front, times, lots } = reading
    if (lots === 0) return Math.max(0, reading.expected - times.length)
    const isSurprising = this.isSurprising(reading)
    if (front === undefined) {
      if (isSurprising) return times.length * (unseen - 1)
      const more = this.expectedIn(span) - times.length
      return more > 0 ? more : times.length / 2
    }
    const [below, above] = this.around(span)
    const end = this.atEnd(reading, front)
    const rest =
      this.order.direction < 0
        ? Density.expected({ from: likelyFrom(span), to: front.at }, end ?? below, front)
        : Density.expected({ from: front.at, to: span.to }, front, end ?? above)
    // What surprised is expected to go on for as long as it has.
    return Math.max(rest ?? 0, isSurprising ? times.length : 0)
  }

  /** A range that has a lower bound is expected to have transfers up to its end, as many as on the way there. */
  atEnd({ span, times, isWhole }: Reading, front: Density.Sighting): Density.Sighting | undefined {
    if (!isWhole || span.from < genesis) return undefined
    const isDown = this.order.direction < 0
    const read = isDown ? span.to - front.at : front.at - span.from
    return Density.sighting(isDown ? span.from : span.to, times.length, read)
  }

  /** It has many more transfers than all the others let expect. */
  isSurprising({ part, expected, times, isWhole }: Reading): boolean {
    if (isWhole) return false
    const most = part?.population.isKnown === true ? Sample.expected(part) : expected
    return times.length > surprise * Math.max(lot, most)
  }
}

/** The second from which on an interval may have transfers. */
export const likelyFrom = ({ from, to }: Span): number => (from < genesis && genesis < to ? genesis : from)
