/** Texts without line breaks, kept in their order: the last ones in memory, those before on scratch. */
import type { Place, Scratch } from "./Scratch.ts"

/** Texts of this length are written at once. */
const blockLength = 32 * 1024

export class ScratchLines {
  readonly #scratch: Scratch
  readonly #blocks: Array<Place> = []
  #last: Array<string> = []
  #lastLength = 0
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
    this.#last.push(text)
    this.#lastLength += text.length
    this.#length += text.length
    this.#count++
    if (this.#lastLength < blockLength) return
    this.#blocks.push(this.#scratch.append(Buffer.from(this.#last.join("\n"))))
    this.#last = []
    this.#lastLength = 0
  }

  /** All texts, block by block, from the first one at each call. */
  *blocks(): Generator<ReadonlyArray<string>> {
    for (const place of this.#blocks) yield this.#scratch.read(place).toString("utf8").split("\n")
    if (this.#last.length > 0) yield this.#last
  }

  /** All texts. */
  *texts(): Generator<string> {
    for (const block of this.blocks()) yield* block
  }
}
