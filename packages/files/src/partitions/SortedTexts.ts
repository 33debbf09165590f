/**
 * Sorts any number of texts in bounded memory: what exceeds it is written to scratch in sorted runs, which are merged as
 * they are read.
 */
import type { Scratch } from "./Scratch.ts"
import { ScratchLines } from "./ScratchLines.ts"

/** A text and where it belongs, compared by UTF-16 code units. */
export interface SortedText {
  readonly order: string
  readonly text: string
}

export class SortedTexts {
  readonly #scratch: Scratch
  readonly #limit: number
  readonly #runs: Array<ScratchLines> = []
  #rows: Array<SortedText> = []
  #length = 0
  #isSorted = true
  #count = 0

  /** `limit` is the length of the texts that are kept in memory, in UTF-16 code units. */
  constructor(scratch: Scratch, limit: number) {
    this.#scratch = scratch
    this.#limit = limit
  }

  get count(): number {
    return this.#count
  }

  /** Adds a text without line breaks. Texts of the same order stay in the order in which they were added. */
  add(order: string, text: string): void {
    this.#rows.push({ order, text })
    this.#length += order.length + text.length
    this.#isSorted = false
    this.#count++
    if (this.#length > this.#limit) this.#spill()
  }

  /** All texts in order, from the first one at each call. */
  *rows(): Generator<SortedText, void> {
    yield* merged([...this.#runs.map(rowsOf), this.#sorted()])
  }

  #sorted(): ReadonlyArray<SortedText> {
    if (!this.#isSorted) this.#rows.sort((a, b) => (a.order < b.order ? -1 : a.order > b.order ? 1 : 0))
    this.#isSorted = true
    return this.#rows
  }

  #spill(): void {
    const run = new ScratchLines(this.#scratch)
    for (const { order, text } of this.#sorted()) run.add(`${JSON.stringify(order)}\t${text}`)
    this.#runs.push(run)
    this.#rows = []
    this.#length = 0
  }
}

function* rowsOf(run: ScratchLines): Generator<SortedText> {
  for (const line of run.texts()) {
    // JSON has no raw tab.
    const tab = line.indexOf("\t")
    yield { order: JSON.parse(line.slice(0, tab)), text: line.slice(tab + 1) }
  }
}

/** Of equal rows, those of the earlier run come first. */
function* merged(runs: ReadonlyArray<Iterable<SortedText>>): Generator<SortedText> {
  if (runs.length < 2) return yield* runs[0] ?? []
  const half = runs.length >> 1
  const [left, right] = [merged(runs.slice(0, half)), merged(runs.slice(half))]
  let [first, second] = [left.next(), right.next()]
  while (first.done !== true || second.done !== true) {
    if (first.done !== true && (second.done === true || first.value.order <= second.value.order)) {
      yield first.value
      first = left.next()
    } else if (second.done !== true) {
      yield second.value
      second = right.next()
    }
  }
}
