/** Which transfers may still change: what a mirror says of it, and what whoever syncs or reads it means by it. */
import * as Dialect from "@transferkit/domain/Dialect"
import * as Effect from "effect/Effect"
import { MirrorError } from "../MirrorError.ts"
import { TransferMirror } from "../TransferMirror.ts"
import * as Driver from "./Driver.ts"
import * as FinalStatuses from "./FinalStatuses.ts"
import * as PartnerRows from "./PartnerRows.ts"

/** Makes a partner's mirror say it by the settlement of this sync. */
export const adopt = Effect.fnUntraced(function* (partner_id: string) {
  const { run } = Driver.of(yield* TransferMirror)
  const final = FinalStatuses.of(yield* Dialect.Dialect)
  const before = yield* run((sql) => FinalStatuses.read(sql, partner_id))
  if (JSON.stringify(before.final) === JSON.stringify(final)) return
  yield* PartnerRows.write(partner_id, (sql) => FinalStatuses.replace(sql, partner_id, final))
})

/** The length of a status in a message. */
const mostShown = 64

/**
 * Fails if a status that is final for the mirror may still change by a settlement. No pass reads transfers with it again,
 * so what the mirror has of them may be old.
 */
export const check = Effect.fnUntraced(function* (partner_id: string, settlement: Dialect.Settlement) {
  const mirror = yield* TransferMirror
  const { final = [], former } = yield* Driver.of(mirror).run((sql) => FinalStatuses.read(sql, partner_id))
  const unlike = FinalStatuses.of({ settledStatuses: final, failedStatuses: former }).filter((status) =>
    Dialect.isOpen(settlement, status),
  )
  if (unlike.length === 0) return
  const names = unlike.map((status) => JSON.stringify(status.slice(0, mostShown))).join(", ")
  const reason = `its last sync took a transfer as final whose status is ${names}, and did not read it again. Here it may still change: use the profile with which the mirror was synced, or sync it with this one`
  return yield* new MirrorError({ kind: "usage", mirror: mirror.address, reason })
})
