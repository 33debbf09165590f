/** Runs `transfers audit`. */
import * as Audit from "@transferkit/domain/Audit"
import * as Timestamp from "@transferkit/domain/Timestamp"
import { TransferApi } from "@transferkit/domain/TransferApi"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { Findings } from "../../Failure.ts"
import * as TransferFilter from "../../filter/TransferFilter.ts"
import type { Globals } from "../../flags/GlobalFlags.ts"
import * as Layers from "../../Layers.ts"
import { counted, grouped } from "../../output/Quantity.ts"
import * as Report from "../../output/Report.ts"
import * as Scan from "../../progress/Scan.ts"
import { Screen } from "../../terminal/Screen.ts"
import { UsageError } from "../../UsageError.ts"
import * as AuditReport from "./Report.ts"

export const run = Effect.fn("transfers audit")(
  function* (input: TransferFilter.FilterFlags, globals: Globals) {
    const screen = yield* Screen
    const filter = yield* TransferFilter.read(input, globals)
    if (globals.from !== undefined && Layers.isFile(globals.from)) {
      const message = `An audit needs capabilities, and the file ${globals.from} has none: read a mirror or the service.`
      return yield* new UsageError({ message })
    }
    const capabilities = yield* Effect.flatMap(TransferApi, (api) => api.capabilities)
    const audited: Array<AuditReport.Audited> = []
    let transfers = 0
    yield* Stream.runForEach(Scan.of(filter, globals), ({ results }) =>
      Effect.sync(() => {
        for (const transfer of results.filter(filter.keeps)) {
          transfers++
          const findings = Audit.audit(transfer, capabilities)
          if (findings.length > 0) audited.push({ transfer, findings })
        }
      }),
    )
    audited.sort((left, right) => Timestamp.compare(left.transfer.created_at, right.transfer.created_at))
    const output = yield* Report.outputOf(globals, "json")
    yield* Report.print(AuditReport.make(audited, transfers), output)
    if (output === "table")
      yield* screen.note(`${counted(transfers, "transfer")}, ${grouped(audited.length)} with findings\n`)
    if (audited.length > 0) return yield* new Findings({ count: audited.length })
  },
  (effect, _input, globals) => Effect.provide(effect, Layers.service(globals)),
)
