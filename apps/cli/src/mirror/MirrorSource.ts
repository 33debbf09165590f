/** A mirror as the source of a command: `--from sqlite:transfers.db`, `--as-of 2024-10-01`. */
import * as CreatedAt from "@transferkit/domain/CreatedAt"
import type * as Summary from "@transferkit/domain/Summary"
import * as TransferFormat from "@transferkit/files/formats/TransferFormat"
import * as MirrorSummary from "@transferkit/mirror/MirrorSummary"
import * as MirrorTransferApi from "@transferkit/mirror/MirrorTransferApi"
import * as MirrorTransfers from "@transferkit/mirror/MirrorTransfers"
import { isAddress, TransferMirror } from "@transferkit/mirror/TransferMirror"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"
import { now } from "../filter/Now.ts"
import * as TimeSpan from "../filter/TimeSpan.ts"
import type { TransferFilter } from "../filter/TransferFilter.ts"
import type { Globals } from "../flags/GlobalFlags.ts"
import { UsageError } from "../UsageError.ts"

/** The mirror that `--from` names, which is never changed. */
export const mirror = Effect.fnUntraced(function* (from: string, globals: Globals) {
  if (globals.sandbox) return yield* new UsageError({ message: "Give --from or --sandbox, not both." })
  if (Result.isSuccess(TimeSpan.bound("--from", from, yield* now))) {
    return yield* new UsageError({ message: `--from names a mirror. For a time, give --since ${from}.` })
  }
  if (globals.asOf === undefined) return TransferMirror.layer(from, { readOnly: true })
  const span = yield* Effect.fromResult(TimeSpan.bound("--as-of", globals.asOf, yield* now))
  return TransferMirror.layer(from, { asOf: span.from })
})

/** Fails if a source is neither a file nor a mirror. What is not understood may hold a password. */
export const checkAddress = (from: string) => {
  if (isAddress(from)) return Effect.void
  const shown = from.includes("@") ? "the address" : from
  const otherwise = ", and it is no mirror: sqlite:FILE, FILE.db or postgres://…"
  return TransferFormat.unknownEnding(shown, TransferFormat.formats, otherwise)
}

/** The transfers of one partner of it. */
export const service = (from: string, globals: Globals) =>
  Layer.unwrap(
    Effect.map(Effect.tap(mirror(from, globals), checkAddress(from)), (opened) =>
      Layer.unwrap(Effect.map(partnerOf(globals), (partner_id) => MirrorTransferApi.layer({ partner_id }))).pipe(
        Layer.provide(opened),
      ),
    ),
  )

/** Whose transfers `--from` names, and its address without a password. */
export const origin = Effect.fnUntraced(function* (from: string, globals: Globals) {
  return yield* Effect.gen(function* () {
    const { address } = yield* TransferMirror
    const asOf = globals.asOf === undefined ? "" : ` as of ${globals.asOf}`
    return { partner: yield* partnerOf(globals), source: `the mirror ${address}${asOf}` }
  }).pipe(Effect.provide(yield* mirror(from, globals)))
})

/** The part of a summary that a mirror has ready; nothing if the transfers have to be read. */
export const summarize = Effect.fnUntraced(function* (
  from: string,
  globals: Globals,
  { by, filter: { query, keepsStatus, isPartial } }: Question,
) {
  const dimensions = by.flatMap((one) => MirrorSummary.dimensions.filter((known) => known === one))
  if (dimensions.length < by.length || keepsStatus === undefined) return undefined
  if (query.external_id !== undefined || globals.asOf !== undefined || !isAddress(from)) return undefined
  const { created_at = CreatedAt.all } = query
  return yield* Effect.flatMap(partnerOf(globals), (partner_id) =>
    MirrorSummary.summarize({ partner_id, by: dimensions, created_at, ...(isPartial ? { keepsStatus } : {}) }),
  ).pipe(Effect.provide(yield* mirror(from, globals)))
})

/** What to summarize, and how. */
export interface Question {
  readonly by: ReadonlyArray<Summary.Dimension>
  readonly filter: TransferFilter
}

/** The transfers of one partner of it in order, as often as they are asked for, until the scope ends. */
export const inOrder = Effect.fnUntraced(function* (from: string, globals: Globals) {
  const opened = yield* Layer.build(yield* mirror(from, globals))
  const partner_id = yield* Effect.provide(partnerOf(globals), opened)
  return Stream.provideContext(MirrorTransfers.inOrder(partner_id), opened)
})

/** The partner that was named, or the only one there is. */
export const partnerOf = Effect.fnUntraced(function* ({ partnerId }: Globals) {
  const { partners, address } = yield* TransferMirror
  const known = yield* partners
  const [only] = known
  if (partnerId === undefined && only !== undefined && known.length === 1) return only
  if (partnerId !== undefined && known.includes(partnerId)) return partnerId
  const has = known.length === 0 ? "has no partner: run transfers sync first" : `has the partners ${known.join(", ")}`
  const wants = partnerId === undefined ? "name one with --partner-id" : `not ${JSON.stringify(partnerId)}`
  return yield* new UsageError({ message: `${address} ${has}${known.length === 0 ? "" : `: ${wants}`}.` })
})
