/** The mirror that a command fills: that of `--to`, else of TRANSFERS_MIRROR, so that a password is in no command line. */
import * as MirrorAddress from "@transferkit/mirror/MirrorAddress"
import * as Config from "effect/Config"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { UsageError } from "../UsageError.ts"

/** Its address. */
export const of = Effect.fnUntraced(function* (to: string | undefined, command: string) {
  const variable = yield* Effect.orElseSucceed(Config.option(Config.String("TRANSFERS_MIRROR")), () => Option.none())
  const address = to ?? Option.getOrUndefined(variable)
  if (address === undefined) {
    const example = `Example:\ntransfers ${command} --to transfers.db`
    return yield* new UsageError({ message: `Name the mirror with --to or TRANSFERS_MIRROR.\n${example}` })
  }
  // Before settings are asked for.
  yield* Effect.fromResult(MirrorAddress.parse(address))
  return address
})
