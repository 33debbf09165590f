/**
 * The orders a store can list its transfers in. In each, a transfer has a key that depends on nothing but itself, so a
 * place in the order stays valid whatever is inserted or removed around it.
 */
import { hashText } from "../../Draw.ts"

export const sortOrders = ["newest-first", "oldest-first", "by-id", "by-updated", "shuffled"] as const

export type SortOrder = (typeof sortOrders)[number]

/** What rows are sorted by: their rank, then their id. */
export interface Key {
  /** `created_at` or `updated_at` in nanoseconds since 1970, a hash, or the same for all rows. */
  readonly rank: bigint
  readonly id: string
}

/** The time stamps of a row, in nanoseconds since 1970. */
export interface Times {
  readonly created_at: bigint
  readonly updated_at: bigint
}

/** The rank of a stored row. */
export const rankOf = (order: SortOrder, id: string, times: Times): bigint => {
  switch (order) {
    case "newest-first":
    case "oldest-first":
      return times.created_at
    case "by-updated":
      return times.updated_at
    case "by-id":
      return 0n
    case "shuffled":
      return BigInt(hashText(id))
  }
}

/** In shuffled order all generated rows come first, in a permutation that is computed instead of stored. */
export const generatedRankWhenShuffled = -1n

/** Ranked by `created_at`, so the rows of an interval stand together. */
export const isByCreation = (order: SortOrder): boolean => order === "newest-first" || order === "oldest-first"

/** The latest `created_at` or `updated_at` comes first. */
export const isDescending = (order: SortOrder): boolean => order === "newest-first" || order === "by-updated"

export type Compare = (a: Key, b: Key) => number

export const ascending: Compare = (a, b) =>
  a.rank < b.rank ? -1 : a.rank > b.rank ? 1 : a.id < b.id ? -1 : a.id > b.id ? 1 : 0

const descending: Compare = (a, b) => ascending(b, a)

export const compareIn = (order: SortOrder): Compare => (isDescending(order) ? descending : ascending)
