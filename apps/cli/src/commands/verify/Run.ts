/** Runs `transfers verify`. */
import { basename } from "node:path"
import * as ExportCheck from "@transferkit/files/exports/ExportCheck"
import * as ExportFile from "@transferkit/files/node/ExportFile"
import * as ScratchFile from "@transferkit/files/node/ScratchFile"
import * as TransferFile from "@transferkit/files/node/TransferFile"
import * as Effect from "effect/Effect"
import { Findings } from "../../Failure.ts"
import * as Report from "../../output/Report.ts"
import { Screen } from "../../terminal/Screen.ts"
import { preferSmallHeap } from "../HeapTuning.ts"
import { guarded } from "../MemoryLimit.ts"
import * as VerifyReport from "./Report.ts"

/** The arguments of the command. */
export interface Input {
  readonly file: string
}

export const run = Effect.fn("transfers verify")(
  function* (input: Input) {
    preferSmallHeap()
    const manifest = yield* ExportFile.readManifest(input.file)
    const { format } = manifest
    const checks = yield* ExportCheck.check(
      {
        file: basename(input.file),
        ...(yield* TransferFile.fingerprint(input.file)),
        transfers:
          manifest.columns === undefined && format !== "xlsx"
            ? TransferFile.transfers({
                path: input.file,
                format,
                csvRaw: manifest.csv_raw ?? false,
                csvDialect: manifest.csv_dialect,
              })
            : undefined,
      },
      manifest,
      yield* ScratchFile.make,
    )
    const output = yield* Report.outputOf("json")
    yield* Report.print(VerifyReport.make(checks), output)
    const failed = checks.filter(({ ok }) => !ok).length
    if (output === "table") {
      const screen = yield* Screen
      yield* screen.note(`${input.file}: ${failed === 0 ? "matches" : "does not match"} its manifest\n`)
    }
    if (failed > 0) return yield* new Findings({ count: failed })
  },
  Effect.scoped,
  guarded,
)
