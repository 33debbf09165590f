/** Runs `transfers audit`. */
import * as Audit from "@transferkit/domain/Audit"
import { Dialect } from "@transferkit/domain/Dialect"
import { counted, grouped } from "@transferkit/domain/Quantity"
import { TransferApi } from "@transferkit/domain/TransferApi"
import * as FileError from "@transferkit/files/FileError"
import * as ScratchFile from "@transferkit/files/node/ScratchFile"
import * as CreationOrder from "@transferkit/files/partitions/CreationOrder"
import * as Partitions from "@transferkit/files/partitions/Partitions"
import { SortedTexts } from "@transferkit/files/partitions/SortedTexts"
import * as Effect from "effect/Effect"
import * as Iterable from "effect/Iterable"
import * as Stream from "effect/Stream"
import { Findings } from "../../Failure.ts"
import * as CapabilitiesFile from "../../files/CapabilitiesFile.ts"
import * as GivenFilter from "../../filter/GivenFilter.ts"
import type { FilterFlags } from "../../flags/FilterFlags.ts"
import { Globals } from "../../flags/Globals.ts"
import * as Layers from "../../Layers.ts"
import * as Report from "../../output/Report.ts"
import * as Scan from "../../progress/Scan.ts"
import * as Source from "../../source/Source.ts"
import { Screen } from "../../terminal/Screen.ts"
import { UsageError } from "../../UsageError.ts"
import { preferSmallHeap } from "../HeapTuning.ts"
import { guarded } from "../MemoryLimit.ts"
import * as AuditReport from "./Report.ts"

/** The flags of the command. */
export interface Input extends FilterFlags {
  readonly capabilities: string | undefined
}

/** Rejects flags that cannot be read, and a file without capabilities. */
export const check = Effect.fnUntraced(function* (input: Input) {
  yield* GivenFilter.parse(input)
  const { from } = yield* Globals
  if (input.capabilities === undefined && from !== undefined && Layers.isFile(from)) {
    const message = `An audit needs capabilities, and the file ${from} has none: name them with --capabilities FILE, which transfers capabilities --output json writes.`
    return yield* new UsageError({ message })
  }
})

export const run = Effect.fn("transfers audit")(
  function* (input: Input) {
    preferSmallHeap()
    const screen = yield* Screen
    const dialect = yield* Dialect
    const filter = yield* GivenFilter.read(input)
    const asked = yield* Source.ask(filter.question)
    const capabilities = yield* capabilitiesOf(input)
    const texts = new SortedTexts(yield* ScratchFile.make, Partitions.defaultLimit)
    let transfers = 0
    let audited = 0
    yield* Stream.runForEach(Scan.of(filter), ({ results }) =>
      FileError.attempt(() => {
        for (const transfer of results.filter(filter.keeps)) {
          transfers++
          const findings = Audit.audit(transfer, capabilities, dialect)
          if (findings.length > 0) audited++
          for (const record of AuditReport.of(transfer, findings)) {
            texts.add(CreationOrder.of(transfer), JSON.stringify(record))
          }
        }
      }),
    )
    const records = Iterable.map({ [Symbol.iterator]: () => texts.rows() }, ({ text }): AuditReport.Audited =>
      JSON.parse(text),
    )
    const output = yield* Report.outputOf("json")
    yield* Report.print(Source.withSource(AuditReport.make(records, transfers), asked), output)
    if (output === "table") yield* screen.note(`${counted(transfers, "transfer")}, ${grouped(audited)} with findings\n`)
    if (audited > 0) return yield* new Findings({ count: audited })
  },
  Effect.scoped,
  guarded,
)

const capabilitiesOf = ({ capabilities: path }: Input) =>
  path === undefined ? Effect.flatMap(TransferApi, (api) => api.capabilities) : CapabilitiesFile.read(path)
