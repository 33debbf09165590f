/** Runs `transfers capabilities`. */
import * as Effect from "effect/Effect"
import { Globals } from "../../flags/Globals.ts"
import * as Report from "../../output/Report.ts"
import * as CapabilitiesHash from "../../service/CapabilitiesHash.ts"
import * as Source from "../../source/Source.ts"
import * as CapabilitiesReport from "./Report.ts"

/** The flags of the command. */
export interface Input {
  readonly hash: boolean
}

export const run = Effect.fn("transfers capabilities")(function* (input: Input) {
  const capabilities = yield* Source.capabilities
  return yield* input.hash
    ? Report.print(CapabilitiesReport.ofHash(CapabilitiesHash.of(capabilities)), (yield* Globals).output ?? "table")
    : Report.print(CapabilitiesReport.make(capabilities), yield* Report.outputOf("json"))
})
