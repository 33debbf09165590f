/**
 * What earlier books left open, as rows of these books. Its transfers may have changed since, so they are read again: all of
 * them, or none. So are those that were still open at the service.
 */
import * as CreatedAt from "@transferkit/domain/CreatedAt"
import * as Day from "@transferkit/domain/Day"
import * as Dialect from "@transferkit/domain/Dialect"
import type * as Reconciliation from "@transferkit/domain/Reconciliation"
import type { Transfer } from "@transferkit/domain/Transfer"
import { FileError } from "@transferkit/files/FileError"
import * as CreationOrder from "@transferkit/files/partitions/CreationOrder"
import * as Effect from "effect/Effect"
import * as BookSettings from "./BookSettings.ts"
import type { LookUps } from "./LookUps.ts"
import type * as OpenItems from "./OpenItems.ts"

/** Rows to add to those of the period. */
export interface Carried {
  readonly entries: ReadonlyArray<Reconciliation.LedgerEntry>
  readonly transfers: ReadonlyArray<Transfer>
  /** Transfers that the source no longer has: they stay open, and no row is theirs. */
  readonly gone: ReadonlyArray<Transfer>
  /** Transfers of the searched period, which should come with it. */
  readonly awaited: ReadonlyMap<string, Transfer>
}

/** Reads what is carried over. */
export const read = Effect.fnUntraced(function* <E, R>(
  carried: OpenItems.OpenItems | undefined,
  settings: BookSettings.BookSettings,
  source: LookUps<E, R>,
) {
  if (carried === undefined) return none
  const { byKey, again, covered } = source
  const { lookUps } = settings
  const searched = BookSettings.searched(settings)
  const isSearched = ({ created_at }: Transfer) => CreatedAt.matches(searched, created_at)
  const first = Day.first(searched, settings.timeZone)
  if (first !== undefined && first < carried.seen.since) {
    // Rows of the days between could be those that they had, or late.
    const { since } = carried.seen
    const most = settings.graceDays - Day.between(first, since)
    const reason = `they know the rows of ledgers since ${since}, and with --grace ${settings.graceDays} these books need those since ${first}: give --grace ${most}, or make the earlier books again with --grace ${settings.graceDays}`
    return yield* new FileError({ path: "the open items", reason })
  }
  const before = [...within(carried, settings).values()]
  const outside = before.filter((transfer) => !isSearched(transfer))
  const keys =
    byKey === undefined ? [] : [...new Set(carried.entries.map(({ key }) => key))].filter((key) => key !== "")
  const wanted = keys.length + outside.length
  if (lookUps > 0 && wanted > lookUps) {
    // The others would be matched as they were.
    const reason = `they have ${wanted} rows and transfers to look up, and --look-ups allows ${lookUps}: give --look-ups ${wanted}, or 0 to take all as they were`
    return yield* new FileError({ path: "the open items", reason })
  }
  const found = byKey === undefined || lookUps === 0 || keys.length === 0 ? [] : yield* byKey(keys)
  const seen = lookUps === 0 || outside.length === 0 ? [] : yield* again(outside)
  const now = new Map([...found, ...seen].map((transfer) => [transfer.id, transfer]))
  const missing = outside.filter(({ id }) => !now.has(id))
  const isGone = ({ created_at }: Transfer) => lookUps > 0 && CreatedAt.matches(covered, created_at)
  const rows: Carried = {
    entries: carried.entries,
    transfers: inOrder([
      ...[...now.values()].filter((transfer) => !isSearched(transfer)),
      ...missing.filter((transfer) => !isGone(transfer)),
    ]),
    gone: missing.filter(isGone),
    awaited: new Map(before.filter(isSearched).map((transfer) => [transfer.id, transfer])),
  }
  return rows
})

/** Transfers of earlier periods that are within these books: they are left open, late, or may have been settled since. */
const within = (
  { transfers, unused, late }: OpenItems.OpenItems,
  settings: BookSettings.BookSettings,
): ReadonlyMap<string, Transfer> =>
  new Map([...transfers, ...unused.filter(isPending(settings)), ...late].map((transfer) => [transfer.id, transfer]))

/** Whether an unused transfer was still open at the service: it may have been settled since, and must be booked then. */
const isPending =
  (settings: Pick<BookSettings.BookSettings, "settlement">) =>
  (transfer: Transfer): boolean =>
    Dialect.isOpen(settings.settlement, transfer.status)

/** The options of books that follow earlier ones, if there are some. */
export const toOptions = (
  settings: BookSettings.BookSettings,
  carried: OpenItems.OpenItems | undefined,
): Reconciliation.ReconciliationOptions => {
  const options = BookSettings.toOptions(settings)
  if (carried === undefined) return options
  const open = within(carried, settings)
  const unused = new Set<string>(carried.unused.map(({ id }) => id))
  const { seen, payouts } = carried
  return {
    ...options,
    earlier: {
      isOpen: ({ id }) => open.has(id),
      isUnused: ({ id }) => unused.has(id),
      seen: seen.count,
      named: seen.named,
      payouts,
    },
  }
}

const none: Carried = { entries: [], transfers: [], gone: [], awaited: new Map() }

type ByKey<E, R> = NonNullable<LookUps<E, R>["byKey"]>

/** Searches for each key once, and returns transfers in order of creation, whatever the order of the source. */
export const once = <E, R>(find: ByKey<E, R>, field: Reconciliation.KeyField): ByKey<E, R> => {
  const known = new Map<string, ReadonlyArray<Transfer>>()
  return Effect.fnUntraced(function* (keys: ReadonlyArray<string>) {
    const unknown = keys.filter((key) => !known.has(key))
    const found = unknown.length === 0 ? [] : yield* find(unknown)
    const byKey = Map.groupBy(found, (transfer) => transfer[field] ?? "")
    for (const key of unknown) known.set(key, byKey.get(key) ?? [])
    return inOrder(keys.flatMap((key) => known.get(key) ?? []))
  })
}

const inOrder = (transfers: ReadonlyArray<Transfer>): ReadonlyArray<Transfer> =>
  transfers.toSorted((one, other) => (CreationOrder.of(one) < CreationOrder.of(other) ? -1 : 1))
