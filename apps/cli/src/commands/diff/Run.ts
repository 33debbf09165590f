/** Runs `transfers diff`. */
import * as ExportDiff from "@transferkit/files/exports/ExportDiff"
import { FileError } from "@transferkit/files/FileError"
import * as TransferFormat from "@transferkit/files/formats/TransferFormat"
import * as ScratchFile from "@transferkit/files/node/ScratchFile"
import * as TransferFile from "@transferkit/files/node/TransferFile"
import * as Effect from "effect/Effect"
import { Findings } from "../../Failure.ts"
import type { Globals } from "../../flags/GlobalFlags.ts"
import { counted, grouped } from "../../output/Quantity.ts"
import * as Report from "../../output/Report.ts"
import { Screen } from "../../terminal/Screen.ts"
import { preferSmallHeap } from "../HeapTuning.ts"
import * as DiffReport from "./Report.ts"

/** The arguments of the command. */
export interface Input {
  readonly older: string
  readonly newer: string
  readonly csv_raw: boolean
}

export const run = Effect.fn("transfers diff")(function* (input: Input, globals: Globals) {
  preferSmallHeap()
  const screen = yield* Screen
  const [older, newer] = [yield* source(input.older, input), yield* source(input.newer, input)]
  const scratch = yield* ScratchFile.make
  const comparison = yield* Effect.tryPromise({
    try: () =>
      ExportDiff.compare(
        () => TransferFile.batches(older),
        () => TransferFile.batches(newer),
        { scratch },
      ),
    catch: (error) => error,
  }).pipe(Effect.catch((error) => (error instanceof FileError ? Effect.fail(error) : Effect.die(error))))
  const output = yield* Report.outputOf(globals, "json")
  yield* Report.print(DiffReport.make(comparison), output)
  const found = comparison.different
  if (output === "table")
    yield* screen.note(
      `${counted(found, "transfer")} added, removed or changed; ${grouped(comparison.same)} unchanged\n`,
    )
  if (found > 0) return yield* new Findings({ count: found })
}, Effect.scoped)

const source = Effect.fnUntraced(function* (path: string, input: Input) {
  const format = TransferFormat.ofName(path)
  if (format !== undefined) return { path, format, csvRaw: input.csv_raw }
  const endings = TransferFormat.formats.map((name) => `.${name}`).join(", ")
  return yield* new FileError({ path, reason: `its name does not end in any of ${endings}` })
})
