/** A search over a store: its generated and its held rows, each already in order, merged up to a page. */
import type { Found, Search, TransferStore } from "../../TransferStore.ts"
import * as Slab from "./byteArena.ts"
import * as GeneratedRows from "./generatedRows.ts"
import * as shuffle from "./permutation.ts"
import * as HeldRows from "./storedRows.ts"
import { byTime, type HeldRow, type Key, type RowTree } from "./storedRows.ts"

/** The generated rows that match, by their number in the order of results. */
interface Generated {
  readonly size: number
  readonly indexAt: (n: number) => number
}

const none: Generated = { size: 0, indexAt: () => 0 }

export const findRows = (self: TransferStore, search: Search): Found => {
  const generated =
    search.external_id === undefined ? generatedInRange(self, search) : generatedByExternalId(self, search)
  const tree = HeldRows.candidates(self.held, search.external_id)
  return take(self, search, generated, tree && heldRows(self, tree, search))
}

const generatedInRange = (self: TransferStore, { created_at, after }: Search): Generated => {
  const { generated, order } = self
  const low = created_at.first === undefined ? 0 : GeneratedRows.countBefore(generated, created_at.first)
  const high =
    created_at.end === undefined ? generated.generator.count : GeneratedRows.countBefore(generated, created_at.end)
  if (high <= low) return none
  if (order === "shuffled") return shuffled(self, low, high, after)
  const place = after && GeneratedRows.countBeforeKey(generated, after)
  if (order === "newest-first") {
    const end = place === undefined ? high : Math.min(place, high)
    return { size: end - low, indexAt: (n) => end - 1 - n }
  }
  const start = place === undefined ? low : Math.max(low, place + (isAt(self, place, after) ? 1 : 0))
  return { size: high - start, indexAt: (n) => start + n }
}

const isAt = ({ generated }: TransferStore, index: number, key: Key | undefined): boolean =>
  key !== undefined && index < generated.generator.count && byTime(GeneratedRows.keyAt(generated, index), key) === 0

/** Generated rows come before held ones, so a place among the held ones is behind all of these. */
const shuffled = (self: TransferStore, low: number, high: number, after: Key | undefined): Generated => {
  const size = high - low
  const index = after && GeneratedRows.countBeforeKey(self.generated, after)
  if (index !== undefined && !isAt(self, index, after)) return none
  const start = index === undefined ? 0 : shuffle.placeOf(size, index - low) + 1
  return { size: size - start, indexAt: (n) => low + shuffle.numberAt(size, start + n) }
}

const generatedByExternalId = (self: TransferStore, { external_id, created_at, after }: Search): Generated => {
  const { generated, order } = self
  const indexes = GeneratedRows.indexesOfExternalId(generated, external_id ?? "").filter((index) => {
    const key = GeneratedRows.keyAt(generated, index)
    if (created_at.first !== undefined && key.at < created_at.first) return false
    if (created_at.end !== undefined && key.at >= created_at.end) return false
    if (after === undefined) return true
    if (order === "shuffled" && heldPlace(self, after) !== undefined) return false
    return order === "newest-first" ? byTime(key, after) < 0 : byTime(key, after) > 0
  })
  if (order === "newest-first") indexes.reverse()
  return { size: indexes.length, indexAt: (n) => indexes[n] ?? 0 }
}

function* heldRows(self: TransferStore, tree: RowTree, { created_at, after }: Search): Generator<HeldRow, undefined> {
  const { first, end } = created_at
  switch (self.order) {
    case "newest-first":
      for (const [, row] of tree.entriesReversed(
        after ?? (end === undefined ? undefined : { at: end, id: "" }),
        undefined,
        true,
      )) {
        if (first !== undefined && row.at < first) return
        yield row
      }
      return
    case "oldest-first":
      for (const [key, row] of tree.entries(after ?? (first === undefined ? undefined : { at: first, id: "" }))) {
        if (end !== undefined && row.at >= end) return
        if (after === undefined || byTime(key, after) !== 0) yield row
      }
      return
    case "shuffled":
      for (const [key, row] of tree.entries(heldPlace(self, after))) {
        const isInside = (first === undefined || row.at >= first) && (end === undefined || row.at < end)
        if (isInside && (after === undefined || byTime(key, after) !== 0)) yield row
      }
  }
}

/** A place among the generated rows is before all held ones. */
const heldPlace = (self: TransferStore, after: Key | undefined): Key | undefined =>
  after !== undefined && isAt(self, GeneratedRows.countBeforeKey(self.generated, after), after) ? undefined : after

const take = (
  self: TransferStore,
  { limit }: Search,
  generated: Generated,
  held: Generator<HeldRow, undefined> | undefined,
): Found => {
  const rows: Array<Uint8Array> = []
  let last: HeldRow | number | undefined
  let n = 0
  let next = held?.next().value
  for (;;) {
    while (n < generated.size && GeneratedRows.isRemoved(self.generated, generated.indexAt(n))) n++
    const hasGenerated = n < generated.size
    if (rows.length === limit || (!hasGenerated && next === undefined)) {
      return {
        rows,
        last:
          typeof last === "number" ? GeneratedRows.keyAt(self.generated, last) : last && { at: last.at, id: last.id },
        hasMore: hasGenerated || next !== undefined,
      }
    }
    const index = generated.indexAt(n)
    if (next === undefined || (hasGenerated && comesFirst(self, index, next))) {
      rows.push(GeneratedRows.json(self.generated, index))
      last = index
      n++
    } else {
      rows.push(Slab.bytesOf(next))
      last = next
      next = held?.next().value
    }
  }
}

const comesFirst = (self: TransferStore, index: number, row: HeldRow): boolean => {
  if (self.order === "shuffled") return true
  const at = GeneratedRows.createdAt(self.generated, index)
  const order = at < row.at ? -1 : at > row.at ? 1 : byTime(GeneratedRows.keyAt(self.generated, index), row)
  return self.order === "newest-first" ? order > 0 : order < 0
}
