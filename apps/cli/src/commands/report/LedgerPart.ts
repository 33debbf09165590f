/** The part of a report that reconciles the complete transfers of the period with a ledger. */
import type * as CreatedAt from "@transferkit/domain/CreatedAt"
import type { Transfer } from "@transferkit/domain/Transfer"
import * as FileError from "@transferkit/files/FileError"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { markup } from "../../pages/Html.ts"
import * as ReconciliationPart from "../../pages/ReconciliationPart.ts"
import * as LedgerReconciliation from "../reconcile/LedgerReconciliation.ts"
import * as LedgerReport from "../reconcile/LedgerReport.ts"
import * as ReconciliationReport from "../reconcile/Report.ts"

/** The part; undefined without a ledger. */
export const make = Effect.fnUntraced(function* <E, R>(
  transfers: Stream.Stream<ReadonlyArray<Transfer>, E, R>,
  input: LedgerReconciliation.Input,
  period: CreatedAt.CreatedAt,
) {
  if (input.ledger.length === 0) return undefined
  const options = { period, order: "added", matched: false } as const
  const { readings, add, finish } = yield* LedgerReconciliation.open(input, options)
  yield* Stream.runForEach(transfers, (batch) => add(batch.filter(({ status }) => status === "complete")))
  const result = yield* finish
  return {
    ledger: LedgerReconciliation.namesOf(input),
    breaks: ReconciliationReport.breaks(result),
    part: yield* FileError.attempt(
      () => markup`<p>The ${input.amount} of complete transfers, by ${input.key}.</p>
${readings.map((reading) => markup`<p class="muted">${LedgerReport.sentence(reading)}</p>`)}${ReconciliationPart.render(result)}`,
    ),
  }
})
