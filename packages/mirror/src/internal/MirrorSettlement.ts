/** Which transfers may still change: what a mirror says of it, and what whoever syncs it means by it. */
import * as Dialect from "@transferkit/domain/Dialect"
import * as Effect from "effect/Effect"
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
