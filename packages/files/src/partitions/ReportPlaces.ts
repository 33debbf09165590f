/** Places in the report of a reconciliation, compared as texts: those of the ledger begin with 0, of transfers with 1. */
import * as Reconciliation from "@transferkit/domain/Reconciliation"
import type { Transfer } from "@transferkit/domain/Transfer"
import * as CreationOrder from "./CreationOrder.ts"

/** Without the digit of its side. */
export const ofIndex = (index: number): string => index.toString(36).padStart(10, "0")

/** After all ledger entries. */
export const ofCreation = (transfer: Transfer): string => `1${CreationOrder.of(transfer)}`

/** That of its first transfer. */
export const ofOutcome = (outcome: Reconciliation.Outcome): string => {
  const [transfer] = Reconciliation.transfersOf(outcome)
  return transfer === undefined ? "" : ofCreation(transfer)
}
