/** Runs `transfers worker`. */
import * as MirrorWorkers from "@transferkit/mirror/MirrorWorkers"
import { TransferMirror } from "@transferkit/mirror/TransferMirror"
import * as Config from "effect/Config"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { Globals } from "../../flags/GlobalFlags.ts"
import * as SharedRate from "../../mirror/SharedRate.ts"
import { escapeControls } from "../../terminal/Escape.ts"
import { Screen } from "../../terminal/Screen.ts"
import { UsageError } from "../../UsageError.ts"
import * as Accounts from "../sync/Accounts.ts"

/** The flags of the command. */
export interface Input {
  readonly to: string | undefined
  readonly concurrency: number
  readonly name: string | undefined
  readonly once: boolean
  readonly windows: boolean
}

export const run = Effect.fn("transfers worker")(function* (input: Input, globals: Globals) {
  if (globals.from !== undefined) return yield* new UsageError({ message: "worker reads the service: remove --from." })
  const variable = yield* Effect.orElseSucceed(Config.option(Config.String("TRANSFERS_MIRROR")), () => Option.none())
  const to = input.to ?? Option.getOrUndefined(variable)
  if (to === undefined) return yield* new UsageError({ message: "Name the mirror with --to or TRANSFERS_MIRROR." })
  if (input.windows) {
    const WindowReader = yield* Effect.promise(() => import("./WindowReader.ts"))
    return yield* WindowReader.run({ to, concurrency: input.concurrency }, globals)
  }
  const accounts = yield* Accounts.of(globals)
  const one = ({ partner_id, service }: Accounts.Account) => {
    const { concurrency, name: worker = MirrorWorkers.nameHere } = input
    const work = SharedRate.share(partner_id)(MirrorWorkers.work({ partner_id, worker, concurrency }))
    return Effect.provide(input.once ? Effect.raceFirst(work, MirrorWorkers.finish(partner_id)) : work, service)
  }
  yield* Effect.gen(function* () {
    const { address } = yield* TransferMirror
    if (!input.once) {
      const whose = accounts.map(({ partner_id }) => partner_id).join(", ")
      yield* (yield* Screen).note(escapeControls(`Waiting for windows of ${whose} in ${address}`) + "\n")
    }
    yield* Effect.forEach(accounts, one, { concurrency: "unbounded", discard: true })
  }).pipe(Effect.provide(TransferMirror.layer(to)))
}, Effect.scoped)
