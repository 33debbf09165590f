/** The rows of a ledger that a call brings, and what an answer says of them. */
import * as CurrencyCode from "@transferkit/domain/CurrencyCode"
import { InvalidFilter } from "@transferkit/domain/InvalidFilter"
import * as JsonValue from "@transferkit/domain/JsonValue"
import * as Money from "@transferkit/domain/Money"
import * as Reconciliation from "@transferkit/domain/Reconciliation"
import type { Transfer } from "@transferkit/domain/Transfer"
import * as Effect from "effect/Effect"
import * as Iterable from "effect/Iterable"
import * as Result from "effect/Result"

/** A row of a ledger, named by its place. */
export const entryOf = Effect.fnUntraced(function* (
  {
    key,
    amount,
    currency_code,
    status,
  }: { readonly key: string; readonly amount: string; readonly currency_code: string; readonly status?: string },
  index: number,
) {
  const read = Result.flatMap(CurrencyCode.parse(currency_code), (code) => Money.parse(amount, code))
  const reason = `row ${index + 1} has no amount`
  const money = yield* Effect.fromResult(
    Result.mapError(read, ({ message }) => new InvalidFilter({ name: "ledger", reason: `${reason}: ${message}` })),
  )
  const entry: Reconciliation.LedgerEntry = {
    reference: `row ${index + 1}`,
    key,
    amount: money,
    ...(status === undefined ? {} : { status }),
  }
  return entry
})

/** An outcome, with both of its sides, whose rows are made as they are read: a key may have as many as there are. */
export const ofOutcome = (outcome: Reconciliation.Outcome, wireOf: (transfer: Transfer) => unknown) => ({
  outcome: outcome._tag,
  ledger: Iterable.map(Reconciliation.entriesOf(outcome), ({ reference, key, amount, status }) =>
    JsonValue.of({ reference, key, amount, status }),
  ),
  transfers: Iterable.map(Reconciliation.transfersOf(outcome), wireOf),
  ...("differences" in outcome
    ? { differences: outcome.differences.map(({ _tag, ...rest }) => JsonValue.of({ difference: _tag, ...rest })) }
    : {}),
})

/** How many there are of each outcome. */
export const countsOf = (totals: Reconciliation.Totals) =>
  Object.fromEntries(
    Object.entries(totals).map(([tag, { outcomes, entries, transfers }]) => [
      tag,
      { outcomes, ledger_rows: entries, transfers },
    ]),
  )
