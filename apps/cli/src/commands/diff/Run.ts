/** Runs `transfers diff`. */
import { counted, grouped } from "@transferkit/domain/Quantity"
import * as ExportDiff from "@transferkit/files/exports/ExportDiff"
import { FileError } from "@transferkit/files/FileError"
import * as ScratchFile from "@transferkit/files/node/ScratchFile"
import { MirrorError } from "@transferkit/mirror/MirrorError"
import * as Effect from "effect/Effect"
import { Findings } from "../../Failure.ts"
import * as GivenFilter from "../../filter/GivenFilter.ts"
import type { FilterFlags } from "../../flags/FilterFlags.ts"
import * as Report from "../../output/Report.ts"
import { Screen } from "../../terminal/Screen.ts"
import { preferSmallHeap } from "../HeapTuning.ts"
import { guarded } from "../MemoryLimit.ts"
import * as DiffReport from "./Report.ts"
import * as Side from "./Side.ts"

/** The arguments of the command. */
export interface Input extends FilterFlags {
  readonly older: string
  readonly newer: string | undefined
  readonly csv_raw: boolean
}

export const run = Effect.fn("transfers diff")(
  function* (input: Input) {
    preferSmallHeap()
    const screen = yield* Screen
    const filter = yield* GivenFilter.parse(input)
    const options = { csv_raw: input.csv_raw, filter }
    const [older, newer] = [yield* Side.open(input.older, options), yield* Side.open(input.newer, options)]
    const scratch = yield* ScratchFile.make
    const comparison = yield* Effect.tryPromise({
      try: () => ExportDiff.compare(older, newer, { scratch }),
      catch: (error) => error,
    }).pipe(
      Effect.catch((error) =>
        error instanceof FileError || error instanceof MirrorError ? Effect.fail(error) : Effect.die(error),
      ),
    )
    const output = yield* Report.outputOf("json")
    yield* Report.print(DiffReport.make(comparison), output)
    const found = comparison.different
    if (output === "table")
      yield* screen.note(
        `${counted(found, "transfer")} added, removed or changed; ${grouped(comparison.same)} unchanged\n`,
      )
    if (found > 0) return yield* new Findings({ count: found })
  },
  Effect.scoped,
  guarded,
)
