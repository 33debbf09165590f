/** A mirror as the source of a command: `--from sqlite:transfers.db`, `--as-of 2024-10-01`. */
import * as TimeSpan from "@transferkit/domain/TimeSpan"
import * as TransferFormat from "@transferkit/files/formats/TransferFormat"
import * as MirrorAddress from "@transferkit/mirror/MirrorAddress"
import * as MirrorTransferApi from "@transferkit/mirror/MirrorTransferApi"
import * as MirrorTransferSource from "@transferkit/mirror/MirrorTransferSource"
import { TransferMirror } from "@transferkit/mirror/TransferMirror"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import { now } from "../filter/Now.ts"
import { Globals } from "../flags/Globals.ts"
import { UsageError } from "../UsageError.ts"

/** The instant of `--as-of`. */
const instant = Effect.gen(function* () {
  const { asOf } = yield* Globals
  if (asOf === undefined) return undefined
  const at = yield* now
  const { from } = yield* Effect.fromResult(TimeSpan.parse(asOf, { now: at, name: "as_of" }))
  if (from.epochNanoseconds <= at.epochNanoseconds) return from
  return yield* new UsageError({ message: `--as-of ${asOf} is in the future.` })
})

const named = Effect.gen(function* () {
  const { from, sandbox } = yield* Globals
  if (from === undefined) {
    const example = "Example:\ntransfers query --from transfers.db 'SELECT COUNT(*) FROM transfers'"
    return yield* new UsageError({ message: `Missing flag --from: name a mirror.\n${example}` })
  }
  if (sandbox) return yield* new UsageError({ message: "Give --from or --sandbox, not both." })
  if (Result.isSuccess(TimeSpan.parse(from, { now: yield* now }))) {
    return yield* new UsageError({ message: `--from names a mirror. For a time, give --since ${from}.` })
  }
  const asOf = yield* instant
  return TransferMirror.layer(from, asOf === undefined ? { readOnly: true } : { asOf })
})

/** The mirror that `--from` names, which is never changed. */
export const mirror = Layer.unwrap(named)

/** Fails if a source is neither a file nor a mirror. What is not understood may hold a password. */
const checked = Effect.gen(function* () {
  const { from = "" } = yield* Globals
  if (MirrorAddress.isAddress(from)) return
  const shown = from.includes("@") ? "the address" : MirrorAddress.shown(from)
  const otherwise = ", and it is not a mirror: sqlite:FILE, FILE.db or postgres://…"
  return yield* TransferFormat.unknownEnding(shown, TransferFormat.formats, otherwise)
})

/** The partners that a question without one is about: that which was named, or all there are. */
const partners = Effect.gen(function* () {
  const { partnerId } = yield* Globals
  const { partners: all, address } = yield* TransferMirror
  const known = yield* all
  if (known.length === 0) {
    return yield* new UsageError({ message: `${address} has no partner: run transfers sync first.` })
  }
  if (partnerId === undefined) return known
  if (known.includes(partnerId)) return [partnerId]
  const message = `${address} has the partners ${known.join(", ")}: not ${JSON.stringify(partnerId)}.`
  return yield* new UsageError({ message })
})

/** The transfers of the partner that was named, or of the only one there is. */
export const layer = Layer.unwrap(
  Effect.gen(function* () {
    const [partner_id = "", ...others] = yield* partners
    if (others.length > 0) {
      const { address } = yield* TransferMirror
      const known = [partner_id, ...others].join(", ")
      return yield* new UsageError({ message: `${address} has the partners ${known}: name one with --partner-id.` })
    }
    const options = { partner_id, asOf: yield* instant }
    return Layer.merge(MirrorTransferSource.layer(options), MirrorTransferApi.layer(options))
  }),
).pipe(Layer.provide(Layer.unwrap(Effect.tap(named, () => checked))))

/** The sources of a mirror that is already open, for SQL: one of each partner. */
export const sources = Effect.gen(function* () {
  const asOf = yield* instant
  return yield* Effect.forEach(yield* partners, (partner_id) => MirrorTransferSource.make({ partner_id, asOf }))
})
