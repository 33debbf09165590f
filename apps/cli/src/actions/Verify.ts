/** What `transfers verify` does. */
import * as Effect from "effect/Effect"
import * as ExportCheck from "../export/ExportCheck.ts"
import * as ExportManifest from "../export/ExportManifest.ts"
import { Findings } from "../Failure.ts"
import type { Globals } from "../Globals.ts"
import { keepSmall } from "../Memory.ts"
import * as Report from "../reports/Report.ts"

/** The arguments of the command. */
export interface Input {
  readonly file: string
}

export const run = Effect.fn("transfers verify")(function* (input: Input, globals: Globals) {
  keepSmall()
  const checks = yield* ExportCheck.check(input.file, yield* ExportManifest.read(input.file))
  yield* Report.print(ExportCheck.report(checks), yield* Report.outputOf(globals, "json"))
  const failed = checks.filter(({ ok }) => !ok).length
  if (failed > 0) return yield* new Findings({ count: failed })
})
