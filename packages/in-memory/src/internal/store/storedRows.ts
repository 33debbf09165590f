/** The rows that are held: in order, by id and by `external_id`. */
import SortedBTree from "sorted-btree"
import { hashText } from "../../Draw.ts"
import type { Kept } from "./byteArena.ts"

/** What a place in the order is made of. */
export interface Key {
  /** `created_at`, in nanoseconds since 1970. */
  readonly at: bigint
  readonly id: string
}

/** A transfer that was inserted or changed: what it is found by, and where its JSON is. */
export interface HeldRow extends Key, Kept {
  readonly external_id: string | undefined
  readonly status: string
}

export type Compare = (a: Key, b: Key) => number

export const byTime: Compare = (a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : a.id < b.id ? -1 : a.id > b.id ? 1 : 0)

/** An order without meaning, in which a row keeps its place whatever else is inserted. */
export const byHash: Compare = (a, b) => hashText(a.id) - hashText(b.id) || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0)

/** Rows in order. A row is its own key. */
export type RowTree = ReturnType<typeof makeTree>

const makeTree = (compare: Compare) => new SortedBTree.default<Key, HeldRow>(undefined, compare)

export interface HeldRows {
  readonly compare: Compare
  readonly inOrder: RowTree
  /** Rows that are not in order yet: many at once are sorted first, which is several times faster. */
  waiting: Array<HeldRow>
  readonly byId: Map<string, HeldRow>
  /** Nearly every `external_id` belongs to one row, and a tree for one row costs more than the row. */
  readonly byExternalId: Map<string, HeldRow | RowTree>
}

export const make = (compare: Compare): HeldRows => ({
  compare,
  inOrder: makeTree(compare),
  waiting: [],
  byId: new Map(),
  byExternalId: new Map(),
})

/** Adds a row whose id is not there yet. */
export const add = (self: HeldRows, row: HeldRow): void => {
  self.waiting.push(row)
  self.byId.set(row.id, row)
  if (row.external_id === undefined) return
  const sharing = self.byExternalId.get(row.external_id)
  if (sharing === undefined) self.byExternalId.set(row.external_id, row)
  else if (sharing instanceof SortedBTree.default) sharing.set(row, row)
  else {
    const tree = makeTree(self.compare)
    tree.set(sharing, sharing)
    tree.set(row, row)
    self.byExternalId.set(row.external_id, tree)
  }
}

/** Takes a row out that is there. */
export const remove = (self: HeldRows, row: HeldRow): void => {
  ordered(self).delete(row)
  self.byId.delete(row.id)
  if (row.external_id === undefined) return
  const sharing = self.byExternalId.get(row.external_id)
  if (sharing instanceof SortedBTree.default) sharing.delete(row)
  else self.byExternalId.delete(row.external_id)
}

/** The rows to look through for an `external_id`, or all of them without one; `undefined` where there are none. */
export const candidates = (self: HeldRows, external_id: string | undefined): RowTree | undefined => {
  if (external_id === undefined) return self.byId.size === 0 ? undefined : ordered(self)
  const sharing = self.byExternalId.get(external_id)
  if (sharing === undefined || sharing instanceof SortedBTree.default) return sharing
  const tree = makeTree(self.compare)
  tree.set(sharing, sharing)
  return tree
}

/** All rows, in order. */
export const ordered = (self: HeldRows): RowTree => {
  if (self.waiting.length > 0) {
    for (const row of self.waiting.sort(self.compare)) self.inOrder.set(row, row)
    self.waiting = []
  }
  return self.inOrder
}
