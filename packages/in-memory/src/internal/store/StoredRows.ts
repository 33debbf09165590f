/** The rows stored as bytes: sorted, by id and by `external_id`. */
import SortedBTree, { type ISortedMap } from "sorted-btree"
import type { Slice } from "./ByteArena.ts"
import { ascending, type Key, type Times } from "./SortOrder.ts"

/** A transfer that was inserted or changed: what it is found by, and where its JSON is. */
export interface StoredRow extends Key, Slice {
  /** In nanoseconds since 1970. */
  readonly created_at: Times["created_at"]
  readonly external_id: string | undefined
  readonly status: string
}

/** Rows by ascending key. A row is its own key. */
export interface RowTree extends ISortedMap<Key, StoredRow> {
  readonly entriesReversed: (
    highest?: Key,
    reused?: (Key | StoredRow)[],
    skipHighest?: boolean,
  ) => IterableIterator<[Key, StoredRow]>
}

const isTree = (value: StoredRow | RowTree | undefined): value is RowTree => value instanceof SortedBTree.default

const makeTree = (): RowTree => new SortedBTree.default<Key, StoredRow>(undefined, ascending)

export interface StoredRows {
  readonly inOrder: RowTree
  /** Rows not sorted yet: sorting many at once first is several times faster. */
  waiting: Array<StoredRow>
  readonly byId: Map<string, StoredRow>
  /** Nearly every `external_id` belongs to one row, and a tree for one row costs more than the row. */
  readonly byExternalId: Map<string, StoredRow | RowTree>
}

export const make = (): StoredRows => ({
  inOrder: makeTree(),
  waiting: [],
  byId: new Map(),
  byExternalId: new Map(),
})

/** Adds a row whose id is not there yet. */
export const add = (self: StoredRows, row: StoredRow): void => {
  self.waiting.push(row)
  self.byId.set(row.id, row)
  if (row.external_id === undefined) return
  const sharing = self.byExternalId.get(row.external_id)
  if (sharing === undefined) self.byExternalId.set(row.external_id, row)
  else if (isTree(sharing)) sharing.set(row, row)
  else {
    const tree = treeOf(sharing)
    tree.set(row, row)
    self.byExternalId.set(row.external_id, tree)
  }
}

const treeOf = (row: StoredRow): RowTree => {
  const tree = makeTree()
  tree.set(row, row)
  return tree
}

/** Removes a row that is there. */
export const remove = (self: StoredRows, row: StoredRow): void => {
  sorted(self).delete(row)
  self.byId.delete(row.id)
  if (row.external_id === undefined) return
  const sharing = self.byExternalId.get(row.external_id)
  if (isTree(sharing)) sharing.delete(row)
  else self.byExternalId.delete(row.external_id)
}

/** The rows with an `external_id`, or all rows without one; `undefined` if there are none. */
export const candidates = (self: StoredRows, external_id: string | undefined): RowTree | undefined => {
  if (external_id === undefined) return self.byId.size === 0 ? undefined : sorted(self)
  const sharing = self.byExternalId.get(external_id)
  return sharing === undefined || isTree(sharing) ? sharing : treeOf(sharing)
}

/** All rows, by ascending key. */
export const sorted = (self: StoredRows): RowTree => {
  if (self.waiting.length > 0) {
    for (const row of self.waiting.sort(ascending)) self.inOrder.set(row, row)
    self.waiting = []
  }
  return self.inOrder
}
