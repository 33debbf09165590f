/** The partners whose transfers a mirror gets: one, or one for each profile. */
import type { TransferApi } from "@transferkit/domain/TransferApi"
import type { TransferPager } from "@transferkit/domain/TransferPager"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Globals } from "../../flags/Globals.ts"
import * as Layers from "../../Layers.ts"
import * as Settings from "../../service/Settings.ts"
import { UsageError } from "../../UsageError.ts"

/** A partner to sync, and the settings to read it with. */
export interface Account {
  readonly partner_id: string
  /** The profile of the account, and the service that it names. */
  readonly services: Context.Context<Globals | TransferApi | TransferPager>
}

/** The accounts that the flags name, each with its own service: see the gotcha of `Layers.source`. */
export const all = Effect.gen(function* () {
  const globals = yield* Globals
  const names = globals.profiles.length === 0 ? [undefined] : globals.profiles
  const accounts = yield* Effect.forEach(names, (profile) => {
    const own = { ...globals, profile, profiles: profile === undefined ? [] : [profile] }
    return Effect.gen(function* () {
      const service = yield* Layer.build(Layers.transfers)
      const account: Account = { partner_id: yield* Settings.partner, services: Context.add(service, Globals, own) }
      return account
    }).pipe(Effect.provideService(Globals, own))
  })
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
