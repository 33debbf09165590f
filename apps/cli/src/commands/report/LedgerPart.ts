/** Reconciles the transfers of a period with the ledgers of a report. */
import type * as CreatedAt from "@transferkit/domain/CreatedAt"
import type { Transfer } from "@transferkit/domain/Transfer"
import type * as MonthPage from "@transferkit/report/MonthPage"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as LedgerReconciliation from "../reconcile/LedgerReconciliation.ts"

/** The part of the page, until the scope ends; undefined without a ledger. */
export const make = Effect.fnUntraced(function* <E, R>(
  transfers: Stream.Stream<ReadonlyArray<Transfer>, E, R>,
  input: LedgerReconciliation.Input,
  period: CreatedAt.CreatedAt,
) {
  if (input.ledger.length === 0) return undefined
  const options = { period, order: "added", matched: false, isRequired: () => true } as const
  const { readings, add, finish } = yield* LedgerReconciliation.open(input, options)
  yield* Stream.runForEach(transfers, (batch) => add(batch))
  const { amount, key } = input
  const part: MonthPage.ReconciledLedger = {
    ledger: LedgerReconciliation.namesOf(input),
    readings,
    reconciled: yield* finish,
    amount,
    key,
  }
  return part
})
