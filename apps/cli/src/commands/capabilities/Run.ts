/** Runs `transfers capabilities`. */
import { TransferApi } from "@transferkit/domain/TransferApi"
import * as Effect from "effect/Effect"
import type { Globals } from "../../flags/GlobalFlags.ts"
import * as Layers from "../../Layers.ts"
import * as Report from "../../output/Report.ts"
import * as CapabilitiesHash from "../../service/CapabilitiesHash.ts"
import * as CapabilitiesReport from "./Report.ts"

/** The flags of the command. */
export interface Input {
  readonly hash: boolean
}

export const run = Effect.fn("transfers capabilities")(
  function* (input: Input, globals: Globals) {
    const capabilities = yield* (yield* TransferApi).capabilities
    return yield* input.hash
      ? Report.print(CapabilitiesReport.ofHash(CapabilitiesHash.of(capabilities)), globals.output ?? "table")
      : Report.print(CapabilitiesReport.make(capabilities), yield* Report.outputOf(globals, "json"))
  },
  (effect, _input, globals) => Effect.provide(effect, Layers.service(globals)),
)
