/** A mirror as the source of a command: `--from sqlite:transfers.db`, `--as-of 2024-10-01`. */
import * as CreatedAt from "@transferkit/domain/CreatedAt"
import type * as Summary from "@transferkit/domain/Summary"
import * as TimeSpan from "@transferkit/domain/TimeSpan"
import type { TransferFilter } from "@transferkit/domain/TransferFilter"
import * as TransferFormat from "@transferkit/files/formats/TransferFormat"
import * as MirrorCoverage from "@transferkit/mirror/MirrorCoverage"
import * as MirrorState from "@transferkit/mirror/MirrorState"
import * as MirrorSummary from "@transferkit/mirror/MirrorSummary"
import * as MirrorTransferApi from "@transferkit/mirror/MirrorTransferApi"
import * as MirrorTransfers from "@transferkit/mirror/MirrorTransfers"
import { isAddress, TransferMirror } from "@transferkit/mirror/TransferMirror"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"
import { now } from "../filter/Now.ts"
import { Globals } from "../flags/Globals.ts"
import { UsageError } from "../UsageError.ts"

const named = Effect.gen(function* () {
  const { from, asOf, sandbox } = yield* Globals
  if (from === undefined) {
    return yield* new UsageError({ message: "Missing flag --from: name a mirror, such as transfers.db." })
  }
  if (sandbox) return yield* new UsageError({ message: "Give --from or --sandbox, not both." })
  const at = yield* now
  if (Result.isSuccess(TimeSpan.parse(from, { now: at }))) {
    return yield* new UsageError({ message: `--from names a mirror. For a time, give --since ${from}.` })
  }
  if (asOf === undefined) return TransferMirror.layer(from, { readOnly: true })
  const span = yield* Effect.fromResult(TimeSpan.parse(asOf, { now: at, name: "as_of" }))
  return TransferMirror.layer(from, { asOf: span.from })
})

/** The mirror that `--from` names, which is never changed. */
export const mirror = Layer.unwrap(named)

/** Fails if a source is neither a file nor a mirror. What is not understood may hold a password. */
export const checkAddress = (from: string) => {
  if (isAddress(from)) return Effect.void
  const shown = from.includes("@") ? "the address" : from
  const otherwise = ", and it is not a mirror: sqlite:FILE, FILE.db or postgres://…"
  return TransferFormat.unknownEnding(shown, TransferFormat.formats, otherwise)
}

/** The partner that was named, or the only one there is. */
export const partner = Effect.gen(function* () {
  const { partnerId } = yield* Globals
  const { partners, address } = yield* TransferMirror
  const known = yield* partners
  const [only] = known
  if (partnerId === undefined && only !== undefined && known.length === 1) return only
  if (partnerId !== undefined && known.includes(partnerId)) return partnerId
  const has = known.length === 0 ? "has no partner: run transfers sync first" : `has the partners ${known.join(", ")}`
  const wants = partnerId === undefined ? "name one with --partner-id" : `not ${JSON.stringify(partnerId)}`
  return yield* new UsageError({ message: `${address} ${has}${known.length === 0 ? "" : `: ${wants}`}.` })
})

/** The transfers of one partner of it. */
export const layer = Layer.unwrap(Effect.map(partner, (partner_id) => MirrorTransferApi.layer({ partner_id }))).pipe(
  Layer.provide(Layer.unwrap(Effect.tap(named, () => Effect.flatMap(Globals, ({ from = "" }) => checkAddress(from))))),
)

/** Whose transfers `--from` names, and its address without a password. */
export const origin = Effect.gen(function* () {
  const { address } = yield* TransferMirror
  const { asOf } = yield* Globals
  return { partner: yield* partner, source: `the mirror ${address}${asOf === undefined ? "" : ` as of ${asOf}`}` }
}).pipe(Effect.provide(mirror))

/** The partners of the mirror that `--from` names. */
export const partners = Effect.flatMap(TransferMirror, (opened) => opened.partners).pipe(
  Effect.provide(Layer.fresh(mirror)),
)

/** What a mirror says of itself. */
export const describe = Effect.gen(function* () {
  const { from = "" } = yield* Globals
  yield* checkAddress(from)
  return yield* Effect.gen(function* () {
    const { address } = yield* TransferMirror
    const partner_id = yield* partner
    const coverage = yield* MirrorCoverage.read({ partner_id, asOf: yield* instant })
    return { address, coverage, origin: yield* MirrorState.origin(partner_id) }
  }).pipe(Effect.provide(Layer.fresh(mirror)))
})

/** The instant of `--as-of`. */
const instant = Effect.gen(function* () {
  const { asOf } = yield* Globals
  if (asOf === undefined) return undefined
  const at = yield* now
  const { from } = yield* Effect.fromResult(TimeSpan.parse(asOf, { now: at, name: "as_of" }))
  if (from.epochNanoseconds <= at.epochNanoseconds) return from
  return yield* new UsageError({ message: `--as-of ${asOf} is in the future.` })
})

/** The part of a summary that a mirror has ready; nothing if the transfers have to be read. */
export const summarize = Effect.fnUntraced(function* ({ by, filter: { query, keepsStatus, isPartial } }: Question) {
  const { from = "", asOf } = yield* Globals
  const dimensions = by.flatMap((one) => MirrorSummary.dimensions.filter((known) => known === one))
  if (dimensions.length < by.length || keepsStatus === undefined) return undefined
  if (query.external_id !== undefined || asOf !== undefined || !isAddress(from)) return undefined
  const { created_at = CreatedAt.all } = query
  return yield* Effect.flatMap(partner, (partner_id) =>
    MirrorSummary.summarize({ partner_id, by: dimensions, created_at, ...(isPartial ? { keepsStatus } : {}) }),
  ).pipe(Effect.provide(mirror))
})

/** What to summarize, and how. */
export interface Question {
  readonly by: ReadonlyArray<Summary.Dimension>
  readonly filter: TransferFilter
}

/** The transfers of one partner of it in order, as often as they are asked for, until the scope ends. */
export const inOrder = Effect.gen(function* () {
  const opened = yield* Layer.build(Layer.fresh(mirror))
  const partner_id = yield* Effect.provideContext(partner, opened)
  return Stream.provideContext(MirrorTransfers.inOrder(partner_id), opened)
})
