/** Looks up keys that no transfer of the period has: in a service by a request each, elsewhere by reading it again. */
import * as Coverage from "@transferkit/domain/Coverage"
import * as CreatedAt from "@transferkit/domain/CreatedAt"
import type { KeyField } from "@transferkit/domain/Reconciliation"
import * as Selection from "@transferkit/domain/Selection"
import { type Found, TransferSource } from "@transferkit/domain/TransferSource"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"

type Keys = ReadonlyArray<string>

/** Finds transfers by their keys, if the source can: a service finds by `external_id` only. */
export const of = Effect.fnUntraced(function* (key: KeyField) {
  const { kind, keys, find, transfers } = yield* TransferSource
  if (keys.includes(key)) return (wanted: Keys) => Effect.map(find(wanted, key), transfersOf)
  if (kind === "service") return undefined
  return (wanted: Keys) => {
    const all = new Set(wanted)
    return transfers({}).pipe(
      Stream.flatMap(({ results }) => Stream.fromIterable(results)),
      Stream.filter((transfer) => all.has(transfer[key] ?? "")),
      Stream.runCollect,
    )
  }
})

/** A mirror also finds those that have vanished. They are no counterpart, as they are none in the period. */
const transfersOf = (found: ReadonlyArray<Found>) =>
  found.flatMap(({ transfer, vanished_at }) => (vanished_at === undefined ? [transfer] : []))

/**
 * The creation times of which a source has every transfer, so that one that it does not find is gone. One that has transfers
 * of a status alone may lack what has changed.
 */
export const coveredBy = (coverage: Coverage.Coverage | undefined): CreatedAt.CreatedAt =>
  coverage === undefined || Selection.names(coverage.extent.only).length > 0 ? CreatedAt.none : Coverage.held(coverage)
