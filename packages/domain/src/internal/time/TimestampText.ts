/** The class behind `Timestamp.ts`: text known to be RFC 3339, and its instant, computed on first use. */
import * as Equal from "effect/Equal"
import * as Hash from "effect/Hash"
import * as Predicate from "effect/Predicate"
import { toEpochNanoseconds } from "./Rfc3339.ts"

/** Shared by all copies of this package, and a symbol, so that no JSON object can claim it. */
const TypeId: unique symbol = Symbol.for("@transferkit/domain/Timestamp")

export class Timestamp {
  readonly text: string
  #epochNanoseconds: bigint | undefined

  constructor(text: string, epochNanoseconds?: bigint) {
    this.text = text
    this.#epochNanoseconds = epochNanoseconds
  }

  get [TypeId](): typeof TypeId {
    return TypeId
  }

  get epochNanoseconds(): bigint {
    return (this.#epochNanoseconds ??= toEpochNanoseconds(this.text))
  }

  /** The `Temporal.Instant` of a run time that has it, as a Date has: exact to the nanosecond. */
  toTemporalInstant(): TemporalInstant {
    const { Temporal } = globalThis as { readonly Temporal?: Temporal }
    if (Temporal === undefined) throw new TypeError("This run time has no Temporal.")
    return Temporal.Instant.fromEpochNanoseconds(this.epochNanoseconds)
  }

  toString(): string {
    return this.text
  }

  toJSON(): string {
    return this.text
  }

  /** `<` and `-` would compare texts or give NaN, so they throw instead. */
  [Symbol.toPrimitive](hint: string): string {
    if (hint === "string") return this.text
    throw new TypeError(`A Timestamp has no operators (in an expression with ${this.text}). Use its epochNanoseconds.`)
  }

  [Symbol.for("nodejs.util.inspect.custom")](): string {
    return `Timestamp(${this.text})`
  }

  [Equal.symbol](that: unknown): boolean {
    return isTimestamp(that) && that.epochNanoseconds === this.epochNanoseconds
  }

  [Hash.symbol](): number {
    return Hash.hash(this.epochNanoseconds)
  }
}

interface Temporal {
  readonly Instant: { readonly fromEpochNanoseconds: (epochNanoseconds: bigint) => TemporalInstant }
}

/** `Temporal.Instant`, if the types of the program have it. */
export type TemporalInstant = typeof globalThis extends {
  readonly Temporal: { readonly Instant: { readonly prototype: infer Instant } }
}
  ? Instant
  : { readonly epochNanoseconds: bigint }

export const isTimestamp = (value: unknown): value is Timestamp => Predicate.hasProperty(value, TypeId)
