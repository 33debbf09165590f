/** Runs `transfers audit`. */
import * as Audit from "@transferkit/domain/Audit"
import * as Day from "@transferkit/domain/Day"
import { Dialect } from "@transferkit/domain/Dialect"
import * as FeeSchedule from "@transferkit/domain/FeeSchedule"
import { counted, grouped } from "@transferkit/domain/Quantity"
import * as FileError from "@transferkit/files/FileError"
import * as FeeScheduleFile from "@transferkit/files/node/FeeScheduleFile"
import * as ScratchFile from "@transferkit/files/node/ScratchFile"
import * as CreationOrder from "@transferkit/files/partitions/CreationOrder"
import * as Partitions from "@transferkit/files/partitions/Partitions"
import { SortedTexts } from "@transferkit/files/partitions/SortedTexts"
import * as AuditTable from "@transferkit/report/AuditTable"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Iterable from "effect/Iterable"
import * as Stream from "effect/Stream"
import { Findings } from "../../Failure.ts"
import * as CapabilitiesFile from "../../files/CapabilitiesFile.ts"
import * as GivenFilter from "../../filter/GivenFilter.ts"
import type { FilterFlags } from "../../flags/FilterFlags.ts"
import * as Report from "../../output/Report.ts"
import * as Scan from "../../progress/Scan.ts"
import * as CapabilitiesHash from "../../service/CapabilitiesHash.ts"
import * as Source from "../../source/Source.ts"
import { Screen } from "../../terminal/Screen.ts"
import { preferSmallHeap } from "../HeapTuning.ts"
import { guarded } from "../MemoryLimit.ts"
import * as AuditReport from "./Report.ts"

/** The flags of the command. */
export interface Input extends FilterFlags {
  readonly capabilities: string | undefined
  readonly fees: string | undefined
}

/** Rejects flags that cannot be read. */
export const check = (input: Input) => Effect.asVoid(GivenFilter.parse(input))

export const run = Effect.fn("transfers audit")(
  function* (input: Input) {
    preferSmallHeap()
    const screen = yield* Screen
    const dialect = yield* Dialect
    const filter = yield* GivenFilter.read(input)
    const fees = input.fees === undefined ? undefined : yield* FeeScheduleFile.read(input.fees)
    const asked = yield* Source.ask(filter.question)
    const capabilities = yield* capabilitiesOf(input)
    const texts = new SortedTexts(yield* ScratchFile.make, Partitions.defaultLimit)
    let transfers = 0
    let audited = 0
    yield* Stream.runForEach(Scan.of(filter.query), (results) =>
      FileError.attempt(() => {
        for (const transfer of results.filter(filter.keeps)) {
          transfers++
          const findings = [
            ...Audit.audit(transfer, capabilities, dialect),
            ...(fees === undefined ? [] : FeeSchedule.findings(fees, transfer)),
          ]
          if (findings.length > 0) audited++
          for (const record of AuditTable.of(transfer, findings)) {
            texts.add(CreationOrder.of(transfer), JSON.stringify(record))
          }
        }
      }),
    )
    const records = Iterable.map({ [Symbol.iterator]: () => texts.rows() }, ({ text }): AuditTable.Audited =>
      JSON.parse(text),
    )
    const settings = {
      time_zone: DateTime.zoneToString(filter.timeZone ?? Day.utc),
      settled: dialect.settledStatuses,
      failed: dialect.failedStatuses,
      capabilities: CapabilitiesHash.of(capabilities),
      fees: input.fees ?? null,
    }
    const output = yield* Report.outputOf("json")
    yield* Report.print(Source.withSource(AuditReport.make(records, transfers, settings), asked), output)
    if (output === "table") yield* screen.note(`${counted(transfers, "transfer")}, ${grouped(audited)} with findings\n`)
    if (audited > 0) return yield* new Findings({ count: audited })
  },
  Effect.scoped,
  guarded,
)

const capabilitiesOf = ({ capabilities: path }: Input) =>
  path === undefined ? Source.capabilities : CapabilitiesFile.read(path)
