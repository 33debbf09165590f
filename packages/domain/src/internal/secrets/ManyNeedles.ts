/** Texts that are found in another text in one pass, however many they are. */
import { type Edges, lengthOfRest, type Needles, united } from "./Needles.ts"

/** Texts that begin alike, by the hash of as many characters of theirs. */
interface Tier {
  readonly width: number
  readonly power: number
  /** The lengths of those with such a start, in ascending order, doubled, and one more for those that are open. */
  readonly lengths: Map<number, ReadonlyArray<number>>
  /** Whether there may be one with such a hash: most characters of a text are dealt with by this alone. */
  filter: Uint8Array
}

/** Those shorter than one are found by the next. */
const widths = [8, 4, 1]

const base = 0x01000193

/** Where looking takes too long, such as in a text that repeats one character, all that follows is found. */
export const make = (): Needles => {
  const tiers = widths.map((width): Tier => {
    let power = 1
    for (let digit = 0; digit < width; digit++) power = Math.imul(power, base)
    return { width, power, lengths: new Map(), filter: new Uint8Array(1024) }
  })
  // Hashes take a fraction of the memory of texts, and two texts with the same one do not occur.
  const whole = new Set<number>()

  const add: Needles["add"] = (text, isOpen = false) => {
    const tier = tiers.find(({ width }) => text.length >= width)
    if (tier === undefined) return
    const { hash } = hashing(text, 0, text.length, seed)
    const coded = text.length * 2 + Number(isOpen)
    whole.add(hash + Number(isOpen))
    let start = 0
    for (let at = 0; at < tier.width; at++) start = (Math.imul(start, base) + text.charCodeAt(at)) | 0
    const known = tier.lengths.get(start)
    if (known === undefined) mark(tier, start)
    if (known?.includes(coded) === true) return
    tier.lengths.set(start, known === undefined ? [coded] : [...known, coded].sort((a, b) => a - b))
  }

  const find: Needles["find"] = (text) => {
    const budget = { characters: 64 * text.length + 65_536 }
    return tiers.map((tier) => (tier.lengths.size === 0 ? [] : findBy(tier, whole, text, budget))).reduce(united, [])
  }

  return { add, find }
}

/** A filter that is an eighth full, or less. */
const mark = (tier: Tier, start: number): void => {
  if (tier.lengths.size * 8 > tier.filter.length && tier.filter.length < 2 ** 24) {
    tier.filter = new Uint8Array(tier.filter.length * 8)
    for (const known of tier.lengths.keys()) tier.filter[slotOf(known, tier.filter)] = 1
  }
  tier.filter[slotOf(start, tier.filter)] = 1
}

const slotOf = (hash: number, filter: Uint8Array): number => (hash ^ (hash >>> 15)) & (filter.length - 1)

const findBy = (
  { width, power, lengths, filter }: Tier,
  whole: ReadonlySet<number>,
  text: string,
  budget: { characters: number },
): Edges => {
  const found: Array<number> = []
  let last = 0
  let rolling = 0
  for (let at = 0; at < text.length; at++) {
    const gone = at < width ? 0 : Math.imul(text.charCodeAt(at - width), power)
    rolling = (Math.imul(rolling, base) + text.charCodeAt(at) - gone) | 0
    if (filter[slotOf(rolling, filter)] === 0 || at + 1 < width) continue
    const start = at + 1 - width
    let state = seed
    let until = start
    for (const coded of lengths.get(rolling) ?? []) {
      const end = start + (coded >> 1)
      if (end > text.length) break
      budget.characters -= end - until
      if (budget.characters < 0) return united(found, [start, text.length])
      state = hashing(text, until, end, state)
      until = end
      const isOpen = coded % 2 === 1
      if (!whole.has(state.hash + Number(isOpen))) continue
      const match = end + (isOpen ? lengthOfRest(text, end) : 0)
      if (start >= last) found.push(start, (last = match))
      else if (match > last) found[found.length - 1] = last = match
    }
  }
  return found
}

interface State {
  readonly first: number
  readonly second: number
  /** Of 52 bits, and an even number. */
  readonly hash: number
}

const seed: State = { first: 0, second: 0x9e3779b9, hash: 0 }

const hashing = (text: string, start: number, end: number, { first, second }: State): State => {
  for (let at = start; at < end; at++) {
    const code = text.charCodeAt(at)
    first = (Math.imul(first, 31) + code) | 0
    second = Math.imul(second ^ code, base)
  }
  return { first, second, hash: ((first >>> 0) * 2 ** 19 + (second >>> 13)) * 2 }
}
