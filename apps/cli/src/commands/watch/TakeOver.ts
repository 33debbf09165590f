/**
 * Takes over the state file that earlier versions of `transfers watch` kept, once: a mirror in a folder replaces it. The
 * file has a digest of each transfer that may still change, not the transfer itself, so they are read again.
 */
import { createHash } from "node:crypto"
import * as CreatedAt from "@transferkit/domain/CreatedAt"
import * as Timestamp from "@transferkit/domain/Timestamp"
import type { Transfer } from "@transferkit/domain/Transfer"
import { TransferPager } from "@transferkit/domain/TransferPager"
import { FileError } from "@transferkit/files/FileError"
import * as TextFile from "@transferkit/files/node/TextFile"
import * as MirrorStart from "@transferkit/mirror/MirrorStart"
import * as Effect from "effect/Effect"
import * as S from "effect/Schema"
import * as Stream from "effect/Stream"

const Known = S.Struct({ created_at: Timestamp.Wire, status: S.String, digest: S.String })

const Pending = S.Struct({
  created_at: Timestamp.Wire,
  event: S.Literals(["created", "changed"]),
  previous_status: S.optionalKey(S.String),
})

const State = S.Struct({
  transfers_watch: S.Literal(1),
  since: Timestamp.Wire,
  floor: Timestamp.Wire,
  watermark: Timestamp.Wire,
  known: S.Record(S.String, Known),
  pending: S.optionalKey(S.Record(S.String, Pending)),
})

const decode = S.decodeUnknownEffect(S.fromJsonString(State))

/** Reads the state file. */
export const read = Effect.fnUntraced(function* (path: string) {
  return yield* Effect.mapError(
    decode(yield* TextFile.read(path)),
    () => new FileError({ path, reason: "it is not the state of a watch: remove it to start again" }),
  )
})

/** Begins a mirror with the transfers of a state, so that the events that it had yet to deliver are pending there. */
export const begin = Effect.fnUntraced(function* (state: typeof State.Type, partner_id: string) {
  const pager = yield* TransferPager
  const [floor, watermark] = [Timestamp.parseUnsafe(state.floor), Timestamp.parseUnsafe(state.watermark)]
  const pending = new Map(Object.entries(state.pending ?? {}))
  const known = new Map(Object.entries(state.known))
  const earlier = [...known, ...pending]
    .map(([id, { created_at }]) => ({ id, at: Timestamp.parseUnsafe(created_at) }))
    .filter(({ at }) => Timestamp.compare(at, floor) < 0)
  const between = (first: Timestamp.Timestamp, last: Timestamp.Timestamp) =>
    Stream.runCollect(pager.transfers({ created_at: CreatedAt.and(CreatedAt.gte(first), CreatedAt.lte(last)) }))
  const again = yield* Effect.forEach(
    earlier,
    // Others of the same instant have been reported.
    ({ id, at }) => Effect.map(between(at, at), (found) => found.filter((transfer) => transfer.id === id)),
    { concurrency: 4 },
  )
  const recent = yield* between(floor, watermark)
  const found = [...new Map([...again.flat(), ...recent].map((transfer) => [transfer.id, transfer])).values()]
  const since = Timestamp.parseUnsafe(state.since)
  const before = found.flatMap((transfer): ReadonlyArray<Transfer> => {
    const [due, last] = [pending.get(transfer.id), known.get(transfer.id)]
    if (due?.event === "created") return []
    if (due !== undefined) return [asKnown(transfer, due.previous_status)]
    if (last !== undefined) return [last.digest === digestOf(transfer) ? transfer : asKnown(transfer, last.status)]
    return Timestamp.compare(transfer.created_at, since) < 0 ? [transfer] : []
  })
  yield* MirrorStart.begin({ partner_id, from: floor, watermark, known: before, found })
})

/** What is known of a transfer before it changed. */
const asKnown = ({ id, external_id, kind, status, created_at }: Transfer, before = status): Transfer => ({
  id,
  ...(external_id === undefined ? {} : { external_id }),
  kind,
  status: before,
  created_at,
})

const digestOf = (transfer: Transfer): string =>
  createHash("sha256").update(JSON.stringify(transfer)).digest("base64url").slice(0, 22)
