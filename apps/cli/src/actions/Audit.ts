/** What `transfers audit` does. */
import * as Audit from "@transferkit/domain/Audit"
import * as Timestamp from "@transferkit/domain/Timestamp"
import { TransferApi } from "@transferkit/domain/TransferApi"
import { TransferPager } from "@transferkit/domain/TransferPager"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as AuditReport from "../AuditReport.ts"
import * as Connection from "../Connection.ts"
import { Findings } from "../Failure.ts"
import type { Globals } from "../Globals.ts"
import { now } from "../Now.ts"
import * as Report from "../Report.ts"
import { Screen } from "../Screen.ts"
import * as TransferFilter from "../TransferFilter.ts"

export const run = Effect.fn("transfers audit")(
  function* (input: TransferFilter.FilterFlags, globals: Globals) {
    const screen = yield* Screen
    const filter = yield* Effect.fromResult(TransferFilter.parse(input, yield* now))
    const capabilities = yield* Effect.flatMap(TransferApi, (api) => api.capabilities)
    const pager = yield* TransferPager
    const audited: Array<AuditReport.Audited> = []
    let transfers = 0
    yield* Stream.runForEach(pager.scan(filter.query), ({ results }) =>
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
    if (output === "table") yield* screen.say(`${transfers} transfers, findings on ${audited.length} of them\n`)
    if (audited.length > 0) return yield* new Findings({ count: audited.length })
  },
  (effect, _input, globals) => Effect.provide(effect, Connection.pager(globals)),
)
