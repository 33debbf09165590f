/** Runs `transfers whoami`. */
import * as Effect from "effect/Effect"
import * as Report from "../../output/Report.ts"
import * as Profiles from "../../service/Profiles.ts"
import * as Settings from "../../service/Settings.ts"
import * as WhoamiReport from "./Report.ts"

export const run = Effect.fn("transfers whoami")(function* () {
  const settings = yield* Settings.resolve
  const report = WhoamiReport.make(settings, yield* Profiles.path)
  yield* Report.print(report, yield* Report.outputOf("json"))
})
