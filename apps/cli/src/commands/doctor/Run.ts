/** What `transfers doctor` does. */
import * as Effect from "effect/Effect"
import { Findings } from "../../Failure.ts"
import type { Globals } from "../../flags/GlobalFlags.ts"
import * as Report from "../../output/Report.ts"
import * as Credentials from "../../service/Credentials.ts"
import { RawService } from "../../service/RawService.ts"
import * as Settings from "../../service/Settings.ts"
import { UsageError } from "../../UsageError.ts"
import * as Doctor from "./Diagnosis.ts"

export const run = Effect.fn("transfers doctor")(function* (_input: {}, globals: Globals) {
  if (globals.sandbox)
    return yield* new UsageError({ message: "The sandbox has no network to examine: leave --sandbox out." })
  const settings = yield* Settings.resolve(globals)
  const credentials = yield* Credentials.unchecked(settings)
  const findings = yield* Effect.provide(Doctor.examine(settings, credentials), RawService.layer(credentials))
  const failed = findings.filter(({ verdict }) => verdict === "failed").length
  const report: Report.Report = {
    json: { ok: failed === 0, checks: findings },
    records: findings,
    csv: [
      ["check", "verdict", "found", "advice"],
      ...findings.map(({ check, verdict, found, advice }) => [check, verdict, found, advice]),
    ],
    table: (style) => [
      {
        columns: [
          { header: "CHECK" },
          {
            header: "VERDICT",
            style: (cut, cell) => (cell === "ok" ? style.good : cell === "warning" ? style.warn : style.bad)(cut),
          },
          { header: "FOUND", shrinkTo: 24, wrap: true },
        ],
        rows: findings.map(({ check, verdict, found }) => [check, verdict, found]),
      },
      ...findings.filter(({ advice }) => advice !== "").map(({ advice }) => ({ title: "What to do", text: advice })),
    ],
  }
  yield* Report.print(report, yield* Report.outputOf(globals, "json"))
  if (failed > 0) return yield* new Findings({ count: failed })
})
