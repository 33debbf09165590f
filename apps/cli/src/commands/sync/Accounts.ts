/** The partners whose transfers a mirror gets: one, or one for each profile. */
import type { TransferApi } from "@transferkit/domain/TransferApi"
import type { TransferPager } from "@transferkit/domain/TransferPager"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Globals } from "../../flags/GlobalFlags.ts"
import * as Layers from "../../Layers.ts"
import * as Settings from "../../service/Settings.ts"
import { UsageError } from "../../UsageError.ts"

/** A partner to sync, and the settings to read it with. */
export interface Account {
  readonly partner_id: string
  /** With the profile of the account. */
  readonly globals: Globals
  readonly service: Context.Context<TransferApi | TransferPager>
}

/** The accounts that the flags name. */
export const of = Effect.fnUntraced(function* (globals: Globals) {
  const names = globals.profiles.length === 0 ? [undefined] : globals.profiles
  const accounts = yield* Effect.forEach(names, (profile) =>
    Effect.gen(function* () {
      const own = { ...globals, profile }
      const service = yield* Layer.build(Layers.service(own))
      const account: Account = { partner_id: yield* Settings.partnerOf(own), globals: own, service }
      return account
    }),
  )
  const double = accounts.find(
    ({ partner_id }, index) => accounts.findIndex((one) => one.partner_id === partner_id) < index,
  )
  if (double !== undefined) {
    return yield* new UsageError({
      message: `--profile: two of them are of the partner ${JSON.stringify(double.partner_id)}.`,
    })
  }
  return accounts
})
