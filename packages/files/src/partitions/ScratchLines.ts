/** Texts without line breaks, kept in their order as UTF-8: the last ones in memory, those before on scratch. */
import type { Place, Scratch } from "./Scratch.ts"

/** How many bytes are written at once, unless one text is longer. */
const blockSize = 16 * 1024
const lineBreak = 10
const nothing = Buffer.alloc(0)

export class ScratchLines {
  readonly #scratch: Scratch
  readonly #blocks: Array<Place> = []
  #last = nothing
  #lastSize = 0
  #length = 0
  #count = 0

  constructor(scratch: Scratch) {
    this.#scratch = scratch
  }

  /** The length of all texts, in UTF-16 code units. */
  get length(): number {
    return this.#length
  }

  get count(): number {
    return this.#count
  }

  add(text: string): void {
    // Counting bytes takes as long as writing them, and a code unit is at most three.
    if (this.#lastSize + 3 * text.length + 1 > this.#last.length) this.#makeRoom(Buffer.byteLength(text) + 1)
    this.#lastSize += this.#last.write(text, this.#lastSize)
    this.#last[this.#lastSize++] = lineBreak
    this.#length += text.length
    this.#count++
  }

  /** All texts, block by block, from the first one at each call. */
  *blocks(): Generator<ReadonlyArray<string>> {
    for (const place of this.#blocks) yield linesOf(this.#scratch.read(place))
    if (this.#lastSize > 0) yield linesOf(this.#last.subarray(0, this.#lastSize))
  }

  /** All texts. */
  *texts(): Generator<string> {
    for (const block of this.blocks()) yield* block
  }

  /** Bytes, not the texts themselves: those would live until they are written, and be moved by each collection. */
  #makeRoom(size: number): void {
    if (this.#lastSize > 0 && this.#lastSize + size > blockSize) {
      this.#blocks.push(this.#scratch.append(this.#last.subarray(0, this.#lastSize)))
      this.#lastSize = 0
    }
    if (this.#lastSize + size <= this.#last.length) return
    // Doubled as it fills, because there may be very many of few texts.
    const larger = Buffer.allocUnsafe(Math.max(2 * this.#last.length, this.#lastSize + size))
    this.#last.copy(larger, 0, 0, this.#lastSize)
    this.#last = larger
  }
}

const linesOf = (block: Buffer): ReadonlyArray<string> => block.toString("utf8", 0, block.length - 1).split("\n")
