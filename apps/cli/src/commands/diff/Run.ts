/** Runs `transfers diff`. */
import { counted, grouped } from "@transferkit/domain/Quantity"
import * as Selection from "@transferkit/domain/Selection"
import { SourceFailed } from "@transferkit/domain/TransferSource"
import * as ExportDiff from "@transferkit/files/exports/ExportDiff"
import { FileError } from "@transferkit/files/FileError"
import * as ScratchFile from "@transferkit/files/node/ScratchFile"
import * as SourceWords from "@transferkit/report/SourceWords"
import * as Effect from "effect/Effect"
import { Findings } from "../../Failure.ts"
import * as GivenFilter from "../../filter/GivenFilter.ts"
import type { FilterFlags } from "../../flags/FilterFlags.ts"
import { isForScript } from "../../flags/Globals.ts"
import * as Report from "../../output/Report.ts"
import * as Source from "../../source/Source.ts"
import { Screen } from "../../terminal/Screen.ts"
import { preferSmallHeap } from "../HeapTuning.ts"
import { guarded } from "../MemoryLimit.ts"
import * as DiffReport from "./Report.ts"
import * as Side from "./Side.ts"

/** The arguments of the command. */
export interface Input extends FilterFlags {
  readonly older: string
  readonly newer: string | undefined
}

export const run = Effect.fn("transfers diff")(
  function* (input: Input) {
    preferSmallHeap()
    const screen = yield* Screen
    const filter = yield* GivenFilter.parse(input)
    const [older, newer] = [yield* Side.open(input.older, filter), yield* Side.open(input.newer, filter)]
    const scratch = yield* ScratchFile.make
    const holds = (side: Side.Side) => Selection.matcher(side.wouldHave)
    const note = SourceWords.difference(older.asked, newer.asked)
    if (note !== undefined && !(yield* isForScript)) yield* screen.say(note)
    const wouldHave = { older: holds(older), newer: holds(newer) }
    const comparison = yield* Effect.tryPromise({
      try: () => ExportDiff.compare(older.transfers, newer.transfers, { scratch, wouldHave }),
      catch: (error) => error,
    }).pipe(
      Effect.catch((error) =>
        error instanceof FileError || error instanceof SourceFailed ? Effect.fail(error) : Effect.die(error),
      ),
    )
    const output = yield* Report.outputOf("json")
    yield* Report.print(
      DiffReport.make(comparison, { older: Source.toJson(older.asked), newer: Source.toJson(newer.asked) }),
      output,
    )
    const { different: found, same, notCompared } = comparison
    if (output === "table") {
      const left = notCompared === 0 ? "" : `; ${grouped(notCompared)} not compared: the other side does not hold them`
      yield* screen.note(`${counted(found, "transfer")} added, removed or changed; ${grouped(same)} unchanged${left}\n`)
    }
    if (found > 0) return yield* new Findings({ count: found })
  },
  Effect.scoped,
  guarded,
)
