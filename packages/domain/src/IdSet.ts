/**
 * Ids that have been seen, as 128 bits of each: 22 to 43 bytes an id where a `Set` of texts takes about a hundred, and
 * no end at 16 million. Among a billion ids the chance that any two are taken for one is below one in 10²⁰.
 */

const wordsToAnId = 4

/**
 * A set of ids that can only grow.
 *
 * @example
 * const ids = new IdSet.IdSet(["tr_1"])
 * [ids.has("tr_2"), ids.add("tr_1"), ids.add("tr_2"), ids.size] // => [false, false, true, 2]
 */
export class IdSet {
  #slots = 64
  #words = new Uint32Array(this.#slots * wordsToAnId)
  #size = 0

  constructor(ids: Iterable<string> = []) {
    for (const id of ids) this.add(id)
  }

  get size(): number {
    return this.#size
  }

  has(id: string): boolean {
    hash(id)
    return !isFree(this.#words, this.#find(hashed))
  }

  /** Whether it was not there before. */
  add(id: string): boolean {
    hash(id)
    const slot = this.#find(hashed)
    if (!isFree(this.#words, slot)) return false
    copy(hashed, 0, this.#words, slot)
    this.#size++
    if (this.#size * 4 > this.#slots * 3) this.#grow()
    return true
  }

  /** Where the hash is, or belongs. */
  #find(wanted: Uint32Array): number {
    const words = this.#words
    const last = words.length - wordsToAnId
    let at = this.#first(wanted[0] ?? 0)
    while (!isFree(words, at) && !isAt(words, at, wanted)) at = at === last ? 0 : at + wordsToAnId
    return at
  }

  /** Where a hash that is not there belongs. */
  #free(first: number): number {
    const words = this.#words
    const last = words.length - wordsToAnId
    let at = this.#first(first)
    while (!isFree(words, at)) at = at === last ? 0 : at + wordsToAnId
    return at
  }

  /** The number of slots is a power of two. */
  #first(word: number): number {
    return (word & (this.#slots - 1)) * wordsToAnId
  }

  #grow(): void {
    const before = this.#words
    this.#slots *= 2
    this.#words = new Uint32Array(this.#slots * wordsToAnId)
    for (let at = 0; at < before.length; at += wordsToAnId) {
      if (isFree(before, at)) continue
      copy(before, at, this.#words, this.#free(before[at] ?? 0))
    }
  }
}

/** Word by word: for four, `set` and `subarray` take longer than all else. */
const copy = (from: Uint32Array, at: number, to: Uint32Array, slot: number): void => {
  for (let word = 0; word < wordsToAnId; word++) to[slot + word] = from[at + word] ?? 0
}

const isFree = (words: Uint32Array, at: number): boolean =>
  words[at] === 0 && words[at + 1] === 0 && words[at + 2] === 0 && words[at + 3] === 0

const isAt = (words: Uint32Array, at: number, wanted: Uint32Array): boolean =>
  words[at] === wanted[0] && words[at + 1] === wanted[1] && words[at + 2] === wanted[2] && words[at + 3] === wanted[3]

/** The hash of the latest id: kept here, so that none is allocated. */
const hashed = new Uint32Array(wordsToAnId)

/**
 * Numbers of this process alone, so that two ids cannot be made to be taken for one. No result depends on them. The global
 * `crypto` would take longer to load than all else of a client.
 */
// oxlint-disable-next-line no-restricted-properties
const random = (): number => Math.trunc(Math.random() * 2 ** 32) | 0
const [seed1, seed2, seed3, seed4] = [random(), random(), random(), random()]
const [factor1, factor2, factor3, factor4] = [random(), random(), random(), random()]
/** Only odd factors keep ids apart. */
const [c1, c2, c3, c4] = [factor1 | 1, factor2 | 1, factor3 | 1, factor4 | 1]

/** MurmurHash3_x86_128 of the text's code units, with four seeds and other factors. */
const hash = (text: string): void => {
  let h1 = seed1
  let h2 = seed2
  let h3 = seed3
  let h4 = seed4
  const { length } = text
  for (let at = 0; at < length; at += 8) {
    h1 ^= Math.imul(rotate(Math.imul(word(text, at), c1), 15), c2)
    h1 = (Math.imul((rotate(h1, 19) + h2) | 0, 5) + 0x561ccd1b) | 0
    h2 ^= Math.imul(rotate(Math.imul(word(text, at + 2), c2), 16), c3)
    h2 = (Math.imul((rotate(h2, 17) + h3) | 0, 5) + 0x0bcaa747) | 0
    h3 ^= Math.imul(rotate(Math.imul(word(text, at + 4), c3), 17), c4)
    h3 = (Math.imul((rotate(h3, 15) + h4) | 0, 5) + 0x96cd1c35) | 0
    h4 ^= Math.imul(rotate(Math.imul(word(text, at + 6), c4), 18), c1)
    h4 = (Math.imul((rotate(h4, 13) + h1) | 0, 5) + 0x32ac3b17) | 0
  }
  h1 ^= length
  h2 ^= length
  h3 ^= length
  h4 ^= length
  h1 = (h1 + h2 + h3 + h4) | 0
  h2 = mix((h2 + h1) | 0)
  h3 = mix((h3 + h1) | 0)
  h4 = mix((h4 + h1) | 0)
  h1 = mix(h1)
  h1 = (h1 + h2 + h3 + h4) | 0
  // An all-zero slot is empty.
  hashed[0] = h1 === 0 ? 1 : h1
  hashed[1] = h2 + h1
  hashed[2] = h3 + h1
  hashed[3] = h4 + h1
}

/** Two code units; zero past the end. */
const word = (text: string, at: number): number => {
  if (at + 1 < text.length) return text.charCodeAt(at) | (text.charCodeAt(at + 1) << 16)
  return at < text.length ? text.charCodeAt(at) : 0
}

const rotate = (value: number, by: number): number => (value << by) | (value >>> (32 - by))

const mix = (value: number): number => {
  let mixed = Math.imul(value ^ (value >>> 16), 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
  return mixed ^ (mixed >>> 16)
}
