/** Reconciles the transfers of a period with the ledgers of a report. */
import type { Transfer } from "@transferkit/domain/Transfer"
import type * as MonthPage from "@transferkit/report/MonthPage"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type * as BookRules from "../reconcile/BookRules.ts"
import * as LedgerReconciliation from "../reconcile/LedgerReconciliation.ts"
import * as LookUps from "../reconcile/LookUps.ts"

/** The part of the page, until the scope ends; undefined without a ledger. */
export const make = Effect.fnUntraced(function* <E, R>(
  transfers: Stream.Stream<ReadonlyArray<Transfer>, E, R>,
  input: LedgerReconciliation.Input,
  rules: BookRules.BookRules,
) {
  if (input.ledger.length === 0) return undefined
  const lookUp = yield* LookUps.of(input.key)
  const options = { rules, order: "added", matched: false, isRequired: () => true, lookUp } as const
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
