/**
 * Brings the rows of two sides together by their keys, in bounded memory: above a limit, rows are spread by a hash of
 * their key over partitions on scratch, and read back one partition at a time. A partition that is too large is split
 * once more; what is still too large is sorted by key instead.
 */
import * as KeyHash from "./KeyHash.ts"
import type { Scratch } from "./Scratch.ts"
import { ScratchLines } from "./ScratchLines.ts"
import { type SortedText, SortedTexts } from "./SortedTexts.ts"

/** The rows of one side. */
export interface RowFormat<A> {
  readonly keyOf: (row: A) => string
  /** About the length of its text. */
  readonly lengthOf: (row: A) => number
  /** A row as text without line breaks. */
  readonly encode: (row: A) => string
  /** A part of that text which is equal if and only if the key is. Without it, no texts are paired or split. */
  readonly keyIn?: (text: string) => string
  readonly decode: (texts: ReadonlyArray<string>) => ReadonlyArray<A>
}

/** Rows of both sides: all that there are of their keys. */
export interface Group<L, R> {
  readonly left: ReadonlyArray<L>
  readonly right: ReadonlyArray<R>
}

/** All rows of a key that has too many of them to hold, in the order in which they were added. */
export interface LargeKey<L, R> {
  readonly key: string
  readonly counts: { readonly left: number; readonly right: number }
  readonly left: () => Iterable<ReadonlyArray<L>>
  readonly right: () => Iterable<ReadonlyArray<R>>
}

/** What to do with the rows. */
export interface Visitor<L, R> {
  /**
   * Called with the encoded rows of some keys that have one row on each side. If it returns true, they are done with:
   * neither is decoded.
   */
  readonly pair?: (left: string, right: string) => boolean
  readonly group: (rows: Group<L, R>) => void
  readonly largeKey: (rows: LargeKey<L, R>) => void
}

/** How many texts are held at once, by their length in UTF-16 code units. In memory they take about four times that. */
export const defaultLimit = 8 * 1024 * 1024

/** Ten million rows on each side then fit into partitions that need not be split again. */
const defaultCount = 320

/** The number of parts into which a partition that is too large is split. */
const splitCount = 16

/** How rows are spread. The defaults are for everything but tests. */
export interface Spread {
  /** @default defaultLimit */
  readonly limit?: number
  /** @default 320 */
  readonly count?: number
  /** @default KeyHash.make(scratch.seed), and another for partitions that are split */
  readonly hash?: (key: string) => number
}

/** How the partitions are made. */
export interface PartitionsOptions<L, R> extends Spread {
  readonly scratch: Scratch
  readonly left: RowFormat<L>
  readonly right: RowFormat<R>
}

type Partition = { readonly [S in "left" | "right"]: ScratchLines }

export class Partitions<L, R> {
  readonly #options: Required<PartitionsOptions<L, R>> & { readonly hashAgain: (key: string) => number }
  #left: Array<L> = []
  #right: Array<R> = []
  #length = 0
  #partitions: ReadonlyArray<Partition> | undefined

  constructor(options: PartitionsOptions<L, R>) {
    const hash = KeyHash.make(options.scratch.seed)
    const hashAgain = options.hash ?? KeyHash.make(options.scratch.seed + 1)
    this.#options = { limit: defaultLimit, count: defaultCount, hash, ...options, hashAgain }
  }

  addLeft(row: L): void {
    const { left } = this.#options
    if (this.#partitions !== undefined) return this.#write(this.#partitions, "left", left, row)
    this.#left.push(row)
    this.#grow(left.lengthOf(row))
  }

  addRight(row: R): void {
    const { right } = this.#options
    if (this.#partitions !== undefined) return this.#write(this.#partitions, "right", right, row)
    this.#right.push(row)
    this.#grow(right.lengthOf(row))
  }

  /** Visits all rows once. Rows of a side and key are in the order in which they were added. */
  *visits(visitor: Visitor<L, R>): Generator<void> {
    if (this.#partitions === undefined) return yield visitor.group({ left: this.#left, right: this.#right })
    for (const partition of this.#partitions) {
      for (const part of this.#isTooLarge(partition) ? this.#split(partition) : [partition]) {
        if (this.#isTooLarge(part)) yield* this.#sorted(part, visitor)
        else yield visitor.group(this.#rest([part], visitor))
      }
    }
  }

  #isTooLarge({ left, right }: Partition): boolean {
    return left.length + right.length > this.#options.limit
  }

  /** Spreads the texts of a partition again, by another hash, which takes a fraction of the time of sorting them. */
  #split(partition: Partition): ReadonlyArray<Partition> {
    const { scratch, left, right, hashAgain } = this.#options
    if (left.keyIn === undefined || right.keyIn === undefined) return [partition]
    const parts = Array.from({ length: splitCount }, () => partitionOn(scratch))
    for (const text of partition.left.texts()) parts[hashAgain(left.keyIn(text)) % splitCount]?.left.add(text)
    for (const text of partition.right.texts()) parts[hashAgain(right.keyIn(text)) % splitCount]?.right.add(text)
    return parts
  }

  #grow(length: number): void {
    this.#length += length
    if (this.#length <= this.#options.limit) return
    const { scratch, count, left, right } = this.#options
    const partitions = Array.from({ length: count }, () => partitionOn(scratch))
    for (const row of this.#left) this.#write(partitions, "left", left, row)
    for (const row of this.#right) this.#write(partitions, "right", right, row)
    this.#partitions = partitions
    this.#left = []
    this.#right = []
  }

  #write<A>(partitions: ReadonlyArray<Partition>, side: keyof Partition, format: RowFormat<A>, row: A): void {
    const { hash, count } = this.#options
    partitions[hash(format.keyOf(row)) % count]?.[side].add(format.encode(row))
  }

  /** The rows that `pair` has not done with. */
  #rest(partitions: ReadonlyArray<Partition>, { pair }: Visitor<L, R>): Group<L, R> {
    const { left, right } = this.#options
    const lefts = partitions.flatMap((own) => [...own.left.texts()])
    const rights = partitions.flatMap((own) => [...own.right.texts()])
    const { keyIn: leftKey } = left
    const { keyIn: rightKey } = right
    if (pair === undefined || leftKey === undefined || rightKey === undefined) {
      return { left: left.decode(lefts), right: right.decode(rights) }
    }
    const pairs = onlyPairs(lefts.map(leftKey), rights.map(rightKey))
    pairs.forEach((rightIndex, leftIndex) => {
      const [one = "", other = ""] = [lefts[leftIndex], rights[rightIndex]]
      if (rightIndex < 0 || !pair(one, other)) return
      lefts[leftIndex] = done
      rights[rightIndex] = done
    })
    return { left: left.decode(lefts.filter(isPending)), right: right.decode(rights.filter(isPending)) }
  }

  *#sorted(partition: Partition, visitor: Visitor<L, R>): Generator<void> {
    const { scratch, limit, left, right } = this.#options
    const lefts = new Sorted(partition.left, left, { scratch, limit })
    const rights = new Sorted(partition.right, right, { scratch, limit })
    let waiting: Array<Partition> = []
    let length = 0
    for (let key = least(lefts.key, rights.key); key !== undefined; key = least(lefts.key, rights.key)) {
      const own = partitionOn(scratch)
      lefts.takeAll(key, own.left)
      rights.takeAll(key, own.right)
      const ownLength = own.left.length + own.right.length
      if (length + ownLength > limit) {
        yield visitor.group(this.#rest(waiting, visitor))
        waiting = []
        length = 0
      }
      if (ownLength > limit) yield visitor.largeKey(largeKey(key, own, this.#options))
      else {
        waiting.push(own)
        length += ownLength
      }
    }
    yield visitor.group(this.#rest(waiting, visitor))
  }
}

const partitionOn = (scratch: Scratch): Partition => ({
  left: new ScratchLines(scratch),
  right: new ScratchLines(scratch),
})

/** In place of a text that `pair` has done with. */
const done = ""

const isPending = (text: string): boolean => text !== done

const none = -1
const several = -2

/** For each key on the left, the index of the same key on the right, if both sides have it once. */
const onlyPairs = (lefts: ReadonlyArray<string>, rights: ReadonlyArray<string>): Int32Array => {
  const pairs = new Int32Array(lefts.length).fill(none)
  const indexes = new Map<string, number>()
  lefts.forEach((key, index) => {
    const before = indexes.get(key)
    if (before === undefined) indexes.set(key, index)
    else pairs[before] = several
  })
  rights.forEach((key, rightIndex) => {
    const index = indexes.get(key)
    if (index !== undefined) pairs[index] = pairs[index] === none ? rightIndex : several
  })
  return pairs
}

const least = (left: string | undefined, right: string | undefined): string | undefined =>
  left === undefined || (right !== undefined && right < left) ? right : left

const largeKey = <L, R>(
  key: string,
  own: Partition,
  { left, right }: Pick<PartitionsOptions<L, R>, "left" | "right">,
): LargeKey<L, R> => ({
  key,
  counts: { left: own.left.count, right: own.right.count },
  left: () => decodedBlocks(own.left, left),
  right: () => decodedBlocks(own.right, right),
})

function* decodedBlocks<A>(lines: ScratchLines, { decode }: RowFormat<A>): Generator<ReadonlyArray<A>> {
  for (const block of lines.blocks()) yield decode(block)
}

/** The texts of a side, key by key. */
class Sorted<A> {
  readonly #rows: ReturnType<SortedTexts["rows"]>
  #next: IteratorResult<SortedText, void>

  constructor(
    lines: ScratchLines,
    { decode, keyOf }: RowFormat<A>,
    { scratch, limit }: { readonly scratch: Scratch; readonly limit: number },
  ) {
    const sorted = new SortedTexts(scratch, limit)
    for (const block of lines.blocks()) {
      decode(block).forEach((row, index) => sorted.add(keyOf(row), block[index] ?? ""))
    }
    this.#rows = sorted.rows()
    this.#next = this.#rows.next()
  }

  get key(): string | undefined {
    return this.#next.done === true ? undefined : this.#next.value.order
  }

  takeAll(key: string, into: ScratchLines): void {
    for (; this.#next.done !== true && this.#next.value.order === key; this.#next = this.#rows.next()) {
      into.add(this.#next.value.text)
    }
  }
}
