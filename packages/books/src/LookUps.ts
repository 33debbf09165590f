/** Looks up keys that no transfer of the period has: in a service by a request each, elsewhere by reading it again. */
import type { KeyField } from "@transferkit/domain/Reconciliation"
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

const transfersOf = (found: ReadonlyArray<Found>) => found.map(({ transfer }) => transfer)
