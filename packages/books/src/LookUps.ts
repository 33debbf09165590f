/** Finds transfers that the period does not bring: by their keys, or as they are now. */
import * as Coverage from "@transferkit/domain/Coverage"
import * as CreatedAt from "@transferkit/domain/CreatedAt"
import { grouped } from "@transferkit/domain/Quantity"
import type { KeyField } from "@transferkit/domain/Reconciliation"
import * as Selection from "@transferkit/domain/Selection"
import type { Transfer } from "@transferkit/domain/Transfer"
import { type Found, TransferSource } from "@transferkit/domain/TransferSource"
import { FileError } from "@transferkit/files/FileError"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"

/** Transfers that the source has. */
type Transfers<E, R> = Effect.Effect<ReadonlyArray<Transfer>, E, R>

/** How a source is asked for more. */
export interface LookUps<E = never, R = never> {
  /** Finds transfers by keys, whenever they were created. Absent if the source cannot: a service does by `external_id` only. */
  readonly byKey: ((keys: ReadonlyArray<string>) => Transfers<E, R>) | undefined
  /** Reads transfers again, as they are now. Those that the source no longer has are missing. */
  readonly again: (earlier: ReadonlyArray<Transfer>) => Transfers<E, R>
  /** The creation times of which the source has every transfer, so that one that is missing is gone. */
  readonly covered: CreatedAt.CreatedAt
}

/** How many transfers the keys may have, beside one each: they are held in memory, and a key of so many identifies none. */
const mostFound = 100_000

/** Those of a source. */
export const of = Effect.fnUntraced(function* (key: KeyField, coverage: Coverage.Coverage | undefined) {
  const { name, kind, keys, find, transfers } = yield* TransferSource
  const read = (created_at: CreatedAt.CreatedAt, test: (transfer: Transfer) => boolean) =>
    transfers({ created_at }).pipe(
      Stream.flatMap(({ results }) => Stream.fromIterable(results)),
      Stream.filter(test),
    )
  const byKey = Effect.fnUntraced(function* (wanted: ReadonlyArray<string>) {
    const all = new Set(wanted)
    const having = keys.includes(key)
      ? present(find(wanted, key))
      : read(CreatedAt.all, (transfer) => transfer[key] !== undefined && all.has(transfer[key]))
    const most = all.size + mostFound
    const found = yield* Stream.runCollect(Stream.take(having, most + 1))
    if (found.length > most) return yield* new FileError({ path: name, reason: tooMany(found, key, most) })
    return found
  })
  const again = (earlier: ReadonlyArray<Transfer>) => {
    const ids = new Set<string>(earlier.map(({ id }) => id))
    if (keys.includes("id")) return Stream.runCollect(present(find([...ids], "id")))
    const times = earlier.map(({ created_at }) => CreatedAt.and(CreatedAt.gte(created_at), CreatedAt.lte(created_at)))
    return Stream.runCollect(read(times.reduce(CreatedAt.or, CreatedAt.none), ({ id }) => ids.has(id)))
  }
  return { byKey: kind === "service" && !keys.includes(key) ? undefined : byKey, again, covered: coveredBy(coverage) }
})

/** A mirror also finds those that have vanished. They are no counterpart, as they are none in the period. */
const present = <E>(found: Stream.Stream<Found, E>): Stream.Stream<Transfer, E> =>
  found.pipe(
    Stream.filter(({ vanished_at }) => vanished_at === undefined),
    Stream.map(({ transfer }) => transfer),
  )

const tooMany = (found: ReadonlyArray<Transfer>, key: KeyField, most: number): string => {
  const byKey = [...Map.groupBy(found, (transfer) => transfer[key] ?? "")]
  const [value] = byKey.reduce((one, other) => (other[1].length > one[1].length ? other : one))
  return `more than ${grouped(most)} transfers have the keys that are looked up, most of them the ${key} ${JSON.stringify(value)}: leave this key out of the ledger, or give --look-ups 0`
}

/** A source that has transfers of a status alone may lack those that have changed. */
const coveredBy = (coverage: Coverage.Coverage | undefined): CreatedAt.CreatedAt =>
  coverage === undefined || Selection.names(coverage.extent.only).length > 0 ? CreatedAt.none : Coverage.held(coverage)
