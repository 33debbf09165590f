/** The place of each transfer in a file, and their order of creation, in some tens of bytes per transfer. */

/** A line of a file, without its line break. */
export interface Row {
  readonly offset: number
  readonly length: number
}

const second = 1_000_000_000n

/** Rows by id. The last row of an id is the one that counts. */
export class RowIndex {
  readonly #byId = new Map<string, number>()
  #ids: Array<string> = []
  #columns = new Float64Array(4 * 1024)
  #count = 0
  #order: Uint32Array | undefined

  /** How many ids there are. */
  get count(): number {
    return this.#count
  }

  /** Adds a row, or replaces the one of the same id. */
  add(id: string, epochNanoseconds: bigint, { offset, length }: Row): void {
    if (this.#order !== undefined) throw new Error("a row is added to an index that is already sorted")
    const known = this.#byId.get(id)
    const at = known ?? this.#count
    if (known === undefined) {
      this.#byId.set(id, at)
      this.#ids.push(id)
      this.#count++
    }
    if (at * 4 >= this.#columns.length) this.#grow()
    // A double cannot hold an int64 of nanoseconds: so seconds and the rest.
    const seconds = epochNanoseconds / second
    this.#columns.set([Number(seconds), Number(epochNanoseconds - seconds * second), offset, length], at * 4)
  }

  /** The rows by creation, then by id, in batches. Afterwards none can be added. */
  *batches(size: number): Generator<ReadonlyArray<Row>> {
    const order = (this.#order ??= this.#sort())
    for (let start = 0; start < order.length; start += size) {
      yield Array.from(order.subarray(start, start + size), (at) => ({
        offset: this.#columns[at * 4 + 2] ?? 0,
        length: this.#columns[at * 4 + 3] ?? 0,
      }))
    }
  }

  #sort(): Uint32Array {
    const columns = this.#columns
    const ids = this.#ids
    // The ids take more memory than all the rest and are not needed any more.
    this.#byId.clear()
    this.#ids = []
    return Uint32Array.from(ids.keys()).sort((left, right) => {
      const seconds = (columns[left * 4] ?? 0) - (columns[right * 4] ?? 0)
      if (seconds !== 0) return seconds
      const nanoseconds = (columns[left * 4 + 1] ?? 0) - (columns[right * 4 + 1] ?? 0)
      if (nanoseconds !== 0) return nanoseconds
      return (ids[left] ?? "") < (ids[right] ?? "") ? -1 : 1
    })
  }

  #grow(): void {
    const larger = new Float64Array(this.#columns.length * 2)
    larger.set(this.#columns)
    this.#columns = larger
  }
}
