/** The messages of a batch that go back to the queue. In a FIFO queue, those behind them in their group have to as well. */
import type { QueueMessage } from "../event/InvocationEvent.ts"

/** Mutable. A batch has up to 10,000 messages, so no answer looks at the others. */
export class FailedMessages {
  readonly #places: ReadonlyMap<QueueMessage, number>
  readonly #failed = new Set<QueueMessage>()
  /** The place of the first failure, by group. */
  readonly #first = new Map<string, number>()

  /** The messages of the batch, in the order of their arrival. */
  constructor(messages: ReadonlyArray<QueueMessage>) {
    this.#places = new Map(messages.map((message, place) => [message, place]))
  }

  add(message: QueueMessage): void {
    this.#failed.add(message)
    const { group } = message
    if (group !== undefined) this.#first.set(group, Math.min(this.#placeOf(message), this.#firstOf(group)))
  }

  has(message: QueueMessage): boolean {
    return this.#failed.has(message)
  }

  /** Whether an earlier message of its group has failed, which it may not overtake. */
  isBehind(message: QueueMessage): boolean {
    const { group } = message
    return group !== undefined && this.#firstOf(group) < this.#placeOf(message)
  }

  get size(): number {
    return this.#failed.size
  }

  #placeOf(message: QueueMessage): number {
    return this.#places.get(message) ?? Infinity
  }

  #firstOf(group: string): number {
    return this.#first.get(group) ?? Infinity
  }
}
