/**
 * What earlier books left open, as rows of these books. Its transfers may have changed since: if the source can find them
 * by their keys, they are as they are now: all of them, or none.
 */
import * as CreatedAt from "@transferkit/domain/CreatedAt"
import type * as Reconciliation from "@transferkit/domain/Reconciliation"
import type { Transfer } from "@transferkit/domain/Transfer"
import { FileError } from "@transferkit/files/FileError"
import * as CreationOrder from "@transferkit/files/partitions/CreationOrder"
import * as Effect from "effect/Effect"
import * as BookSettings from "./BookSettings.ts"
import type * as OpenItems from "./OpenItems.ts"

/** Finds transfers by keys, whenever they were created. */
export type Find<E, R> = (keys: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<Transfer>, E, R>

/** Rows to add to those of the period. */
export interface Carried {
  readonly entries: ReadonlyArray<Reconciliation.LedgerEntry>
  readonly transfers: ReadonlyArray<Transfer>
  /** Open transfers that the source no longer has: they stay open, and no row is theirs. */
  readonly gone: ReadonlyArray<Transfer>
  /** Open transfers of the searched period, which should come with it. */
  readonly awaited: ReadonlyMap<string, Transfer>
}

/** Reads what is carried over. `covered` are the creation times of which the source has every transfer. */
export const read = Effect.fnUntraced(function* <E, R>(
  carried: OpenItems.OpenItems | undefined,
  settings: BookSettings.BookSettings,
  { find, covered }: { readonly find: Find<E, R> | undefined; readonly covered: CreatedAt.CreatedAt },
) {
  if (carried === undefined) return none
  const { key, lookUps } = settings
  const before = new Map(carried.transfers.map((transfer) => [transfer.id, transfer]))
  const keys = [
    ...carried.entries.map((entry) => entry.key),
    ...carried.transfers.map((transfer) => transfer[key] ?? ""),
  ]
  const wanted = lookUps === 0 ? [] : [...new Set(keys)].filter((one) => one !== "")
  if (find !== undefined && wanted.length > lookUps) {
    // The others would be matched as they were.
    const reason = `they have ${wanted.length} keys to look up, and --look-ups allows ${lookUps}: give --look-ups ${wanted.length}, or 0 to take all as they were`
    return yield* new FileError({ path: "the open items", reason })
  }
  const found = find === undefined || wanted.length === 0 ? [] : yield* find(wanted)
  const searched = BookSettings.searched(settings)
  const known = new Map(found.map((transfer) => [transfer.id, transfer]))
  const now = new Map([...before, ...known])
  const isSearched = ({ created_at }: Transfer) => CreatedAt.matches(searched, created_at)
  const lookedUp = new Set(find === undefined ? [] : wanted)
  const isGone = (transfer: Transfer) =>
    lookedUp.has(transfer[key] ?? "") && !known.has(transfer.id) && CreatedAt.matches(covered, transfer.created_at)
  const outside = [...now.values()].filter((transfer) => !isSearched(transfer))
  const rows: Carried = {
    entries: carried.entries,
    transfers: outside.filter((transfer) => !isGone(transfer)),
    gone: outside.filter(isGone),
    awaited: new Map([...now].filter(([id, transfer]) => before.has(id) && isSearched(transfer))),
  }
  return rows
})

/** The options of books that follow earlier ones, if there are some. */
export const toOptions = (
  settings: BookSettings.BookSettings,
  carried: OpenItems.OpenItems | undefined,
): Reconciliation.ReconciliationOptions => {
  const options = BookSettings.toOptions(settings)
  if (carried === undefined) return options
  const open = new Set<string>(carried.transfers.map(({ id }) => id))
  const unused = new Set(carried.unused)
  return { ...options, earlier: { isOpen: ({ id }) => open.has(id), isUnused: ({ id }) => unused.has(id) } }
}

const none: Carried = { entries: [], transfers: [], gone: [], awaited: new Map() }

/** Searches for each key once, and returns transfers in order of creation, whatever the order of the source. */
export const once = <E, R>(find: Find<E, R>, field: Reconciliation.KeyField): Find<E, R> => {
  const known = new Map<string, ReadonlyArray<Transfer>>()
  return Effect.fnUntraced(function* (keys: ReadonlyArray<string>) {
    const unknown = keys.filter((key) => !known.has(key))
    const found = unknown.length === 0 ? [] : yield* find(unknown)
    const byKey = Map.groupBy(found, (transfer) => transfer[field] ?? "")
    for (const key of unknown) known.set(key, byKey.get(key) ?? [])
    return keys
      .flatMap((key) => known.get(key) ?? [])
      .toSorted((one, other) => (CreationOrder.of(one) < CreationOrder.of(other) ? -1 : 1))
  })
}
