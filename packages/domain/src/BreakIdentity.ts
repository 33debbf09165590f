/**
 * What makes a break of a reconciliation the same in the next run: what was compared and found, not where it stood. Not
 * in it are lines, files, the order, the tolerance, the time and the exact status.
 */
import * as Amount from "./Amount.ts"
import * as ComparedAmount from "./ComparedAmount.ts"
import * as Dialect from "./Dialect.ts"
import type * as Money from "./Money.ts"
import * as Reconciliation from "./Reconciliation.ts"
import type { Transfer } from "./Transfer.ts"

/** The same for equal breaks. */
export interface BreakIdentity {
  readonly outcome: Reconciliation.OutcomeTag | "Batch"
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
    service:
      outcome._tag === "Payout"
        ? outcome.sums.map((sum) => `sum ${textOf(sum)}`)
        : transfers
            .map((transfer) => {
              const money = ComparedAmount.of(transfer, amount)
              return `${transfer.id} ${money === undefined ? "-" : textOf(money)} ${Dialect.classOf(settlement, transfer.status)}`
            })
            .toSorted(),
  }
}

/**
 * The identity of a confirmed batch: the row, and all its transfers, each with its key.
 *
 * @example
 * BreakIdentity.ofBatch({ reference: "line 2", key: "P", amount: Money.parseUnsafe("105", "fiat/USD") }, [transfer], {}).service // => ['["order-1","tr_1 105 fiat/USD settled"]']
 */
export const ofBatch = (
  entry: Reconciliation.LedgerEntry,
  transfers: ReadonlyArray<Transfer>,
  options: Reconciliation.ReconciliationOptions,
): BreakIdentity => {
  const members = transfers.map((transfer) => of({ _tag: "NotInLedger", transfer }, options))
  return {
    ...of({ _tag: "NotAtService", entry, why: { _tag: "NoKey" } }, options),
    outcome: "Batch",
    service: members.map(({ key, service }) => JSON.stringify([key, ...service])).toSorted(),
  }
}

/**
 * The breaks that a confirmed batch explains: that of the row, and that of each transfer. Throws if an amount cannot be read.
 *
 * @example
 * const batch = BreakIdentity.ofBatch({ reference: "line 2", key: "P", amount: Money.parseUnsafe("105", "fiat/USD") }, [transfer], {})
 * BreakIdentity.membersOf(batch).map(({ outcome, key }) => [outcome, key]) // => [["NotAtService", "P"], ["NotInLedger", "order-1"]]
 */
export const membersOf = ({ compared, key, ledger, service }: BreakIdentity): ReadonlyArray<BreakIdentity> => [
  { outcome: "NotAtService", compared, key, ledger, service: [] },
  ...service.map((text): BreakIdentity => {
    const [own, transfer] = JSON.parse(text)
    return { outcome: "NotInLedger", compared, key: String(own), ledger: [], service: [String(transfer)] }
  }),
]

const textOf = ({ text, currency_code }: Money.Money): string => `${Amount.withoutZeros(text)} ${currency_code}`

/**
 * The canonical text of an identity, of which a fingerprint is the hash.
 *
 * @example
 * BreakIdentity.toText({ outcome: "Differs", compared: ["id", "source_total"], key: "a", ledger: [], service: [] }) // => '["Differs",["id","source_total"],"a",[],[]]'
 */
export const toText = ({ outcome, compared, key, ledger, service }: BreakIdentity): string =>
  JSON.stringify([outcome, compared, key, ledger, service])
