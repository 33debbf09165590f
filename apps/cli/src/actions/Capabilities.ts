/** What `transfers capabilities` does. */
import { TransferApi } from "@transferkit/domain/TransferApi"
import * as Effect from "effect/Effect"
import * as CapabilitiesReport from "../CapabilitiesReport.ts"
import * as Connection from "../Connection.ts"
import type { Globals } from "../Globals.ts"
import * as Report from "../Report.ts"

export const run = Effect.fn("transfers capabilities")(
  function* (_input: {}, globals: Globals) {
    const api = yield* TransferApi
    const report = CapabilitiesReport.make(yield* api.capabilities)
    yield* Report.print(report, yield* Report.outputOf(globals, "json"))
  },
  (effect, _input, globals) => Effect.provide(effect, Connection.api(globals)),
)
