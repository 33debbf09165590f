/** A search over a store: its generated and its stored rows, each sorted, merged up to a page. Late rows come last. */
import * as TransferGenerator from "../../TransferGenerator.ts"
import * as ByteArena from "./ByteArena.ts"
import * as GeneratedRows from "./GeneratedRows.ts"
import * as permutation from "./Permutation.ts"
import {
  ascending,
  compareIn,
  generatedRankWhenShuffled,
  isByCreation,
  isDescending,
  type Key,
  type SortOrder,
} from "./SortOrder.ts"
import * as StoredRows from "./StoredRows.ts"

/** A place in the order of results: where a page ended, whether or not that transfer is still there. */
export interface Position extends Key {
  /** Among the rows that are listed after all others. */
  readonly late?: boolean
}

/** Instants from `first` up to, not including, `end`, in nanoseconds since 1970; without one there is no bound. */
export interface InstantRange {
  readonly first?: bigint | undefined
  readonly end?: bigint | undefined
}

export interface Search {
  readonly external_id?: string | undefined
  readonly created_at: InstantRange
  readonly limit: number
  readonly after?: Position | undefined
}

export interface Found {
  readonly rows: ReadonlyArray<Uint8Array>
  readonly last: Position | undefined
  readonly hasMore: boolean
}

/** What is searched. */
export interface Rows {
  readonly order: SortOrder
  readonly generated: GeneratedRows.GeneratedRows
  readonly stored: StoredRows.StoredRows
  readonly late: Late
}

/** Rows listed after all others, by id and, for generated ones, by index. */
export interface Late {
  readonly ids: Set<string>
  readonly indexes: Set<number>
}

/** A row: its index if it is generated, else itself. */
type Row = number | StoredRows.StoredRow

export const findRows = (self: Rows, search: Search): Found => {
  const { after } = search
  const late = self.late.ids.size === 0 ? [] : lateRows(self, search)
  if (after?.late === true) return take(self, search, none, undefined, late)
  const generated = search.external_id === undefined ? generatedIn(self, search) : generatedBy(self, search)
  const tree = StoredRows.candidates(self.stored, search.external_id)
  return take(self, search, generated, tree && storedRows(self, tree, search), late)
}

const none: GeneratedRows.Sequence = { size: 0, indexAt: () => 0 }

/** The generated rows of an interval after a place, in the order of results. */
const generatedIn = (self: Rows, { created_at, after }: Search): GeneratedRows.Sequence => {
  const { generated, order } = self
  const low = created_at.first === undefined ? 0 : GeneratedRows.countBefore(generated, created_at.first)
  const high =
    created_at.end === undefined ? generated.generator.count : GeneratedRows.countBefore(generated, created_at.end)
  if (high <= low) return none
  if (order === "shuffled") return shuffled(self, low, high, after)
  const rows = GeneratedRows.sequence(generated, low, high)
  const place = after && GeneratedRows.find(generated, rows, after)
  if (isDescending(order)) {
    const end = place === undefined ? rows.size : place.before
    return { size: end, indexAt: (n) => rows.indexAt(end - 1 - n) }
  }
  const start = place === undefined ? 0 : place.before + (place.isAt ? 1 : 0)
  return { size: rows.size - start, indexAt: (n) => rows.indexAt(start + n) }
}

const shuffled = (
  { generated }: Rows,
  low: number,
  high: number,
  after: Position | undefined,
): GeneratedRows.Sequence => {
  const size = high - low
  const index = after && TransferGenerator.indexOfId(generated.generator, after.id)
  // After a stored row, there are no generated ones.
  if (after !== undefined && (after.rank !== generatedRankWhenShuffled || index === undefined)) return none
  const start = index === undefined ? 0 : permutation.placeOf(size, index - low) + 1
  return { size: size - start, indexAt: (n) => low + permutation.numberAt(size, start + n) }
}

/** The generated rows with an `external_id` after a place, in the order of results. */
const generatedBy = (self: Rows, { external_id = "", created_at, after }: Search): GeneratedRows.Sequence => {
  const { generated, order } = self
  const compare = compareIn(order)
  const found = TransferGenerator.indexesOfExternalId(generated.generator, external_id)
    .filter((index) => isInside(GeneratedRows.createdAt(generated, index), created_at))
    .map((index) => ({ index, ...GeneratedRows.keyAt(generated, index) }))
    .filter((row) => after === undefined || compare(row, after) > 0)
    .sort(compare)
  return { size: found.length, indexAt: (n) => found[n]?.index ?? 0 }
}

const isInside = (at: bigint, { first, end }: InstantRange): boolean =>
  (first === undefined || at >= first) && (end === undefined || at < end)

/** The stored rows after a place, in the order of results. */
function* storedRows(
  self: Rows,
  tree: StoredRows.RowTree,
  { created_at, after }: Search,
): Generator<StoredRows.StoredRow, undefined> {
  const { order, late } = self
  const { first, end } = created_at
  const bound = (rank: bigint | undefined) =>
    after ?? (isByCreation(order) && rank !== undefined ? { rank, id: "" } : undefined)
  const entries = isDescending(order) ? tree.entriesReversed(bound(end), undefined, true) : tree.entries(bound(first))
  for (const [, row] of entries) {
    if (isInside(row.created_at, created_at)) {
      if (late.ids.has(row.id) || (after !== undefined && ascending(row, after) === 0)) continue
      yield row
    } else if (isByCreation(order)) return
  }
}

/** The late rows after a place, in the order of results among themselves. There are few. */
const lateRows = (self: Rows, { external_id, created_at, after }: Search): ReadonlyArray<Row> => {
  const { generated, stored, late } = self
  const compare = compareIn(self.order)
  const place = after?.late === true ? after : undefined
  return [...late.ids]
    .flatMap((id): ReadonlyArray<Key & { readonly row: Row }> => {
      const row = stored.byId.get(id)
      if (row !== undefined) {
        const isFound = external_id === undefined || row.external_id === external_id
        return isFound && isInside(row.created_at, created_at) ? [{ rank: row.rank, id, row }] : []
      }
      const index = GeneratedRows.indexOfId(generated, id)
      if (index === undefined || !isInside(GeneratedRows.createdAt(generated, index), created_at)) return []
      if (external_id !== undefined && TransferGenerator.externalId(generated.generator, index) !== external_id) {
        return []
      }
      return [{ ...GeneratedRows.keyAt(generated, index), row: index }]
    })
    .filter((key) => place === undefined || compare(key, place) > 0)
    .sort(compare)
    .map(({ row }) => row)
}

const take = (
  self: Rows,
  { limit }: Search,
  generated: GeneratedRows.Sequence,
  stored: Generator<StoredRows.StoredRow, undefined> | undefined,
  late: ReadonlyArray<Row>,
): Found => {
  const rows: Array<Uint8Array> = []
  let last: Row | undefined
  let n = 0
  let lateTaken = 0
  let next = stored?.next().value
  for (;;) {
    while (n < generated.size && isSkipped(self, generated.indexAt(n))) n++
    const hasGenerated = n < generated.size
    const hasMore = hasGenerated || next !== undefined || lateTaken < late.length
    if (rows.length === limit || !hasMore) {
      return { rows, last: last === undefined ? undefined : positionOf(self, last, lateTaken > 0), hasMore }
    }
    const index = generated.indexAt(n)
    if (hasGenerated && (next === undefined || comesFirst(self, index, next))) {
      last = index
      n++
    } else if (next !== undefined) {
      last = next
      next = stored?.next().value
    } else {
      last = late[lateTaken]
      lateTaken++
    }
    if (last !== undefined) rows.push(bytesOf(self, last))
  }
}

const isSkipped = ({ generated, late }: Rows, index: number): boolean =>
  GeneratedRows.isRemoved(generated, index) || late.indexes.has(index)

const bytesOf = ({ generated }: Rows, row: Row): Uint8Array =>
  typeof row === "number" ? GeneratedRows.json(generated, row) : ByteArena.bytesOf(row)

const positionOf = ({ generated }: Rows, row: Row, late: boolean): Position => ({
  ...(typeof row === "number" ? GeneratedRows.keyAt(generated, row) : { rank: row.rank, id: row.id }),
  ...(late && { late }),
})

const comesFirst = ({ order, generated }: Rows, index: number, row: StoredRows.StoredRow): boolean => {
  const rank = GeneratedRows.rankAt(generated, index)
  const isBefore = rank === row.rank ? ascending(GeneratedRows.keyAt(generated, index), row) < 0 : rank < row.rank
  return isDescending(order) ? !isBefore : isBefore
}
