/** Runs `transfers doctor`. */
import type { Check } from "@transferkit/conformance/ServiceCheck"
import * as MirrorCheck from "@transferkit/mirror/MirrorCheck"
import * as Effect from "effect/Effect"
import { Findings } from "../../Failure.ts"
import { Globals } from "../../flags/Globals.ts"
import * as Report from "../../output/Report.ts"
import * as Credentials from "../../service/Credentials.ts"
import * as RawService from "../../service/RawService.ts"
import * as Settings from "../../service/Settings.ts"
import { UsageError } from "../../UsageError.ts"
import * as Diagnosis from "./Diagnosis.ts"
import * as DoctorReport from "./Report.ts"
import * as StuckTransfers from "./StuckTransfers.ts"

export const run = Effect.fn("transfers doctor")(function* () {
  if ((yield* Globals).sandbox)
    return yield* new UsageError({ message: "The sandbox has no network to examine: remove --sandbox." })
  const { from } = yield* Globals
  if (from !== undefined) return yield* conclude(yield* MirrorCheck.check(from))
  const settings = yield* Settings.resolve
  const credentials = yield* Credentials.unchecked(settings)
  const examined = yield* Effect.provide(Diagnosis.examine(settings, credentials), RawService.layer(credentials))
  const isBroken = examined.some(({ verdict }) => verdict === "failed")
  yield* conclude(isBroken ? examined : [...examined, yield* StuckTransfers.check(credentials)])
})

const conclude = Effect.fnUntraced(function* (checks: ReadonlyArray<Check>) {
  yield* Report.print(DoctorReport.make(checks), yield* Report.outputOf("json"))
  const failed = checks.filter(({ verdict }) => verdict === "failed").length
  if (failed > 0) return yield* new Findings({ count: failed })
})
