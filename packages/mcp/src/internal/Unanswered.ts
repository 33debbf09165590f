/** What the requests of a client hold in memory until each has its answer. */
import * as Predicate from "effect/Predicate"

/** Bytes of requests without an answer, from which on no more are read. */
const most = 8 << 20

/** What a request takes beside its text: its fiber, and its place among those that wait. */
const overhead = 2048

/** The requests without an answer, by their ids. A client may use one twice. */
export class Unanswered {
  readonly #sizes = new Map<unknown, Array<number>>()
  #bytes = 0

  get isFull(): boolean {
    return this.#bytes > most
  }

  add(id: string | number, length: number): void {
    const bytes = length + overhead
    const sizes = this.#sizes.get(id)
    if (sizes === undefined) this.#sizes.set(id, [bytes])
    else sizes.push(bytes)
    this.#bytes += bytes
  }

  /** Takes note that a request has its answer, or gets none because it was cancelled. */
  remove(id: unknown): void {
    const sizes = this.#sizes.get(id)
    this.#bytes -= sizes?.shift() ?? 0
    if (sizes?.length === 0) this.#sizes.delete(id)
  }

  /** Takes note of lines that the server writes. */
  answered(lines: string): void {
    for (const line of lines.split("\n")) {
      if (line === "") continue
      const message: unknown = JSON.parse(line)
      // A request of the server has a method.
      if (Predicate.hasProperty(message, "id") && !Predicate.hasProperty(message, "method")) this.remove(message.id)
    }
  }
}
