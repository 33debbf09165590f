/**
 * Searches that can continue. A continuation reads again from the start and leaves out the transfers that were shown:
 * nothing depends on the order in which a service lists, or on whose clock is ahead.
 */
import { randomUUID } from "node:crypto"
import { InvalidFilter } from "@transferkit/domain/InvalidFilter"
import * as Effect from "effect/Effect"
import * as Ref from "effect/Ref"

/** A search so far. */
export interface Search {
  /** The filters, which the next call repeats. */
  readonly filters: string
  readonly shown: ReadonlySet<string>
}

/** How many can continue; the oldest is forgotten first. */
const most = 32

/** The searches of a server. */
export interface Searches {
  /** Returns the cursor with which the next call continues. */
  readonly keep: (search: Search) => Effect.Effect<string>
  readonly resume: (cursor: string, filters: string) => Effect.Effect<Search, InvalidFilter>
}

export const make: Effect.Effect<Searches> = Effect.map(
  Ref.make<ReadonlyMap<string, Search>>(new Map()),
  (kept): Searches => ({
    keep: (search) =>
      Effect.gen(function* () {
        const cursor = yield* Effect.sync(() => randomUUID())
        yield* Ref.update(kept, (searches) => new Map([...[...searches].slice(1 - most), [cursor, search] as const]))
        return cursor
      }),
    resume: (cursor, filters) =>
      Effect.gen(function* () {
        const search = (yield* Ref.get(kept)).get(cursor)
        const reason =
          search === undefined
            ? "it is not known any more. Search without it, from the start."
            : "it continues a search with other filters. Repeat those filters, or search without it."
        if (search?.filters !== filters) return yield* new InvalidFilter({ name: "cursor", reason })
        return search
      }),
  }),
)
