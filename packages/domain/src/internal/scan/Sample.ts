/**
 * How many transfers an interval may hold, by a random sample of them: what the first pages of a window show when the
 * service lists its transfers in no order of creation. Guesses: they decide speed only.
 */
import type { Span } from "./Coverage.ts"

/** The transfers of a window that was sampled. Its parts tell how many they are, once some have been read. */
export class Population {
  readonly #parent: Part | undefined
  readonly #guess: number
  /** Whether the guess is more than a guess. */
  readonly #isGiven: boolean
  #found = 0
  #share = 0

  constructor(guess: number, options: { readonly isGiven: boolean; readonly parent?: Part | undefined }) {
    this.#guess = guess
    this.#isGiven = options.isGiven
    this.#parent = options.parent
  }

  get isKnown(): boolean {
    return this.#isGiven || this.#share > 0 || (this.#parent?.population.isKnown ?? false)
  }

  get size(): number {
    if (this.#share > 0) return (this.#found + 1) / this.#share
    return this.#parent?.population.isKnown === true ? expected(this.#parent) : this.#guess
  }

  /** A part with a share of the sample was read to its end and holds so many transfers. */
  count(found: number, share: number): void {
    this.#found += found
    this.#share += share
    this.#parent?.population.count(found, share * this.#parent.share)
  }
}

/** An interval with its share, 0 to 1, of a population; `times` are the sample's transfers in it, in order. */
export interface Part {
  readonly population: Population
  readonly share: number
  readonly times: ReadonlyArray<number>
}

export const expected = ({ population, share }: Part): number => population.size * share

/** The second before which so large a fraction of the interval's transfers lies, by the quantiles of its sample. */
export const quantile = ({ times }: Part, { from, to }: Span, fraction: number): number => {
  const position = fraction * (times.length + 1)
  const index = Math.floor(position)
  const before = times[index - 1] ?? from
  const after = times[index] ?? to
  return before + (after - before) * (position - index)
}

/** The share of the sample that lies in an interval; never none. */
export const shareOf = ({ times }: Part, span: Span): number =>
  (times.filter((time) => isIn(span, time)).length + 0.5) / (times.length + 1)

/** The part of a part that lies in an interval, with its share of the population. */
export const within = (part: Part, span: Span, share: number): Part => ({
  ...part,
  share,
  times: part.times.filter((time) => isIn(span, time)),
})

const isIn = ({ from, to }: Span, time: number): boolean => time >= from && time < to
