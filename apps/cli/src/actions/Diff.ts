/** What `transfers diff` does. */
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as ExportDiff from "../ExportDiff.ts"
import * as ExportFormat from "../ExportFormat.ts"
import * as ExportReader from "../ExportReader.ts"
import { FileError, Findings } from "../Failure.ts"
import type { Globals } from "../Globals.ts"
import { keepSmall } from "../Memory.ts"
import * as Report from "../Report.ts"
import { Screen } from "../Screen.ts"

/** The arguments of the command. */
export interface Input {
  readonly older: string
  readonly newer: string
  readonly csv_raw: boolean
}

export const run = Effect.fn("transfers diff")(function* (input: Input, globals: Globals) {
  keepSmall()
  const screen = yield* Screen
  const comparison = new ExportDiff.Comparison()
  const [older, newer] = [yield* read(input.older, input), yield* read(input.newer, input)]
  // Both at once: they are in the same order, so that what is alike meets soon and leaves the memory.
  yield* Stream.runDrain(
    Stream.merge(
      Stream.map(older, (batch) => batch.forEach((transfer) => comparison.older(transfer))),
      Stream.map(newer, (batch) => batch.forEach((transfer) => comparison.newer(transfer))),
    ),
  )
  const output = yield* Report.outputOf(globals, "json")
  yield* Report.print(ExportDiff.report(comparison), output)
  const found = comparison.differences.length
  if (output === "table") yield* screen.say(`${found} transfers differ, ${comparison.same} are the same\n`)
  if (found > 0) return yield* new Findings({ count: found })
})

const read = Effect.fnUntraced(function* (path: string, input: Input) {
  const format = ExportFormat.ofName(path)
  if (format !== undefined) return ExportReader.transfers({ path, format, csvRaw: input.csv_raw })
  const endings = ExportFormat.exportFormats.map((name) => `.${name}`).join(", ")
  return yield* new FileError({ path, reason: `its name ends in none of ${endings}` })
})
