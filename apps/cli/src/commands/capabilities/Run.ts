/** Runs `transfers capabilities`. */
import { TransferApi } from "@transferkit/domain/TransferApi"
import * as Effect from "effect/Effect"
import type { Globals } from "../../flags/GlobalFlags.ts"
import * as Layers from "../../Layers.ts"
import * as Report from "../../output/Report.ts"
import * as CapabilitiesReport from "./Report.ts"

export const run = Effect.fn("transfers capabilities")(
  function* (_input: {}, globals: Globals) {
    const api = yield* TransferApi
    const report = CapabilitiesReport.make(yield* api.capabilities)
    yield* Report.print(report, yield* Report.outputOf(globals, "json"))
  },
  (effect, _input, globals) => Effect.provide(effect, Layers.service(globals)),
)
