/** Rows that are held, and their order. */
import SortedBTree from "sorted-btree"
import { hashText } from "./draw.ts"

/** What a place in the order is made of. */
export interface Key {
  /** `created_at`, in nanoseconds since 1970. */
  readonly at: bigint
  readonly id: string
}

/** A transfer that was inserted or changed: what it is found by, and its JSON as bytes. */
export interface HeldRow extends Key {
  readonly external_id: string | undefined
  readonly json: Uint8Array
}

export type Compare = (a: Key, b: Key) => number

export const byTime: Compare = (a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : a.id < b.id ? -1 : a.id > b.id ? 1 : 0)

/** An order without meaning that a row keeps whatever else is inserted. */
export const byHash: Compare = (a, b) => hashText(a.id) - hashText(b.id) || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0)

/** Rows in order. A row is its own key. */
export type RowTree = ReturnType<typeof makeTree>

export const makeTree = (compare: Compare) => new SortedBTree.default<Key, HeldRow>(undefined, compare)
