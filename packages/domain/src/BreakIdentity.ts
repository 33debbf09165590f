/**
 * What makes a break of a reconciliation the same in the next run: what was compared and found, not where it stood. Not
 * in it are lines, files, the order, the tolerance, the time and the exact status.
 */
import * as Amount from "./Amount.ts"
import * as ComparedAmount from "./ComparedAmount.ts"
import * as Dialect from "./Dialect.ts"
import type * as Money from "./Money.ts"
import * as Reconciliation from "./Reconciliation.ts"

/** The same for equal breaks. */
export interface BreakIdentity {
  readonly outcome: Reconciliation.OutcomeTag
  /** The fields of the key and of the amount. */
  readonly compared: readonly [key: string, amount: string]
  readonly key: string
  /** The amounts of the ledger's rows, without zeros at their end, sorted. */
  readonly ledger: ReadonlyArray<string>
  /** The transfers, each with its amount and the class of its status, sorted. */
  readonly service: ReadonlyArray<string>
}

/**
 * The identity of a break.
 *
 * @example
 * BreakIdentity.of({ _tag: "NotInLedger", transfer }, { key: "id" }).key === transfer.id // => true
 * BreakIdentity.of({ _tag: "NotInLedger", transfer }, {}).ledger // => []
 */
export const of = (
  outcome: Reconciliation.Outcome,
  { key = "external_id", amount = "source_total", settlement = Dialect.standard }: Reconciliation.ReconciliationOptions,
): BreakIdentity => {
  const entries = Reconciliation.entriesOf(outcome)
  const transfers = Reconciliation.transfersOf(outcome)
  return {
    outcome: outcome._tag,
    compared: [key, amount],
    key: entries[0]?.key ?? transfers[0]?.[key] ?? "",
    ledger: entries.map((entry) => textOf(entry.amount)).toSorted(),
    service: transfers
      .map((transfer) => {
        const money = ComparedAmount.of(transfer, amount)
        return `${transfer.id} ${money === undefined ? "-" : textOf(money)} ${Dialect.classOf(settlement, transfer.status)}`
      })
      .toSorted(),
  }
}

const textOf = ({ text, currency_code }: Money.Money): string => `${Amount.withoutZeros(text)} ${currency_code}`

/**
 * The canonical text of an identity, of which a fingerprint is the hash.
 *
 * @example
 * BreakIdentity.toText({ outcome: "Differs", compared: ["id", "source_total"], key: "a", ledger: [], service: [] }) // => '["Differs",["id","source_total"],"a",[],[]]'
 */
export const toText = ({ outcome, compared, key, ledger, service }: BreakIdentity): string =>
  JSON.stringify([outcome, compared, key, ledger, service])
