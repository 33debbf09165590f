/** How many transfers an interval may hold, by how dense they are beside it. Guesses: they decide speed only. */
import type { Span } from "./Coverage.ts"

/** Transfers were seen at a rate of `rate` a second over `length` seconds up to the second `at`. */
export interface Sighting {
  readonly at: number
  readonly rate: number
  readonly length: number
  /** The lowest rate on the way. */
  readonly lowest: number
}

/** Rates that differ by less than this are on one slope; beyond it, a burst begins or ends in between. */
const slope = 12

const areSimilar = (a: Sighting, b: Sighting): boolean => a.rate < b.rate * slope && b.rate < a.rate * slope

/** A number of transfers in the `length` seconds beside `at`. */
export const sighting = (at: number, count: number, length: number): Sighting => {
  const seconds = Math.max(length, 1e-3)
  return { at, rate: count / seconds, length: seconds, lowest: count / seconds }
}

/**
 * A sighting that is similar to one on the way to it has lasted since that began, unless it is over `steepest` times the
 * lowest rate on the way: along a slope each is similar to the one before, and a high rate has not lasted for long.
 */
export const prolong = (sighting: Sighting, before: Sighting | undefined, steepest: number): Sighting =>
  before !== undefined && areSimilar(before, sighting) && sighting.rate < steepest * before.lowest
    ? {
        ...sighting,
        length: Math.max(sighting.length, before.length + Math.abs(sighting.at - before.at)),
        lowest: Math.min(sighting.rate, before.lowest),
      }
    : sighting

/** What was seen last, steadied by the whole way there if the two are similar: nights are not as dense as days. */
export const steadied = (last: Sighting, way: Sighting): Sighting =>
  areSimilar(last, way) ? sighting(way.at, Math.sqrt(last.rate * way.rate) * way.length, way.length) : last

/** Sightings that tell of what lies beyond them, on the side of later or of earlier seconds. */
export class Sightings {
  readonly #towards: 1 | -1
  readonly #steepest: number
  /** Ascending in the direction that they tell of. */
  readonly #all: Array<Sighting> = []

  constructor(tellOf: "later" | "earlier", steepest: number) {
    this.#towards = tellOf === "later" ? 1 : -1
    this.#steepest = steepest
  }

  add(sighting: Sighting): void {
    const index = this.#countUpTo(sighting.at)
    this.#all.splice(index, 0, prolong(sighting, this.#all[index - 1], this.#steepest))
  }

  /** The one that says most about what begins at a second. */
  nearest(at: number): Sighting | undefined {
    return this.#all[this.#countUpTo(at) - 1]
  }

  #countUpTo(at: number): number {
    let low = 0
    let high = this.#all.length
    while (low < high) {
      const middle = (low + high) >>> 1
      const sighting = this.#all[middle]
      if (sighting !== undefined && sighting.at * this.#towards <= at * this.#towards) low = middle + 1
      else high = middle
    }
    return low
  }
}

/** Between sightings that are similar, the rate is taken to be the same all the way. */
export const isEven = (below: Sighting | undefined, above: Sighting | undefined): boolean =>
  below !== undefined && above !== undefined && areSimilar(below, above)

/** Transfers to expect in an interval between two sightings; nothing is known without either of them. */
export const expected = (
  { from, to }: Span,
  below: Sighting | undefined,
  above: Sighting | undefined,
): number | undefined => {
  if (to <= from) return 0
  if (below === undefined) return above && fading(above, from, to)
  if (above === undefined) return fading(below, from, to)
  return areSimilar(below, above)
    ? ((below.rate + above.rate) / 2) * (to - from)
    : fading(below, from, to) + fading(above, from, to)
}

/** What has lasted `length` seconds is expected to last as long again (Lindy's law), wherever it started. */
const fading = ({ at, rate, length }: Sighting, from: number, to: number): number =>
  rate * length * Math.log(1 + (to - from) / (length + Math.min(Math.abs(from - at), Math.abs(to - at))))

/** The distance from `from` within which {@link fading} expects this many transfers. */
export const reach = ({ at, rate, length }: Sighting, from: number, count: number): number =>
  (length + Math.abs(from - at)) * (Math.exp(count / (rate * length)) - 1)
