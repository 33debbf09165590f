/** A reconciliation as lines: one for each outcome, or for each row of an ambiguous one. */
import type { CurrencyCode } from "@transferkit/domain/CurrencyCode"
import * as Money from "@transferkit/domain/Money"
import { counted } from "@transferkit/domain/Quantity"
import * as Reconciliation from "@transferkit/domain/Reconciliation"
import type { MoneyField } from "@transferkit/domain/Transfer"
import type * as LargeReconciliation from "@transferkit/files/partitions/LargeReconciliation"

/** A row of an outcome. An ambiguous outcome has one for each entry and transfer. */
export interface Line {
  readonly outcome: Reconciliation.OutcomeTag
  readonly key: string
  readonly reference: string | undefined
  /** The day of the ledger's row, if the ledger has dates. */
  readonly date: string | undefined
  readonly transfer_id: string | undefined
  readonly ledger: Money.Money | undefined
  readonly service: Money.Money | undefined
  readonly difference: Money.Money | undefined
  readonly why: string
}

/** A reconciliation as lines, which may be more than fit in memory. */
export interface Reconciled {
  readonly totals: Reconciliation.Reconciliation["totals"]
  /** In the order of the report. */
  readonly lines: Iterable<Line>
}

const goodOutcomes: ReadonlySet<string> = new Set<Reconciliation.OutcomeTag>(["Matched", "NothingToBook"])

/** Whether an outcome needs attention. */
export const isBreak = (tag: Reconciliation.OutcomeTag): boolean => !goodOutcomes.has(tag)

/** The outcomes to show: declined attempts only if there are some. */
export const shownTags = ({ totals }: Pick<Reconciled, "totals">): ReadonlyArray<Reconciliation.OutcomeTag> =>
  Reconciliation.outcomeTags.filter((tag) => tag !== "NothingToBook" || totals.NothingToBook.outcomes > 0)

/** The number of outcomes that need attention. */
export const breaks = ({ totals }: Pick<Reconciled, "totals">): number =>
  Reconciliation.outcomeTags.filter(isBreak).reduce((sum, tag) => sum + totals[tag].outcomes, 0)

/** A line from its JSON. */
export const fromJson = (text: string): Line => {
  const { outcome, key, reference, date, transfer_id, ledger, service, difference, why } = JSON.parse(text)
  return {
    outcome,
    key,
    reference,
    date,
    transfer_id,
    ledger: moneyOf(ledger),
    service: moneyOf(service),
    difference: moneyOf(difference),
    why,
  }
}

interface Wire {
  readonly amount: string
  readonly currency_code: CurrencyCode
}

const moneyOf = (wire: Wire | undefined): Money.Money | undefined =>
  wire && Money.parseUnsafe(wire.amount, wire.currency_code)

/** The rows of an outcome. */
export const linesOf = (
  outcome: Reconciliation.Outcome,
  options: LineOptions,
  whole: LargeReconciliation.Found["whole"] = undefined,
): ReadonlyArray<Line> => {
  const empty = {
    reference: undefined,
    date: undefined,
    transfer_id: undefined,
    ledger: undefined,
    service: undefined,
    difference: undefined,
    why: "",
  }
  switch (outcome._tag) {
    case "Matched":
    case "Differs": {
      const { entry, transfer } = outcome
      const found = outcome._tag === "Differs" ? outcome.differences : []
      const [byAmount] = found.flatMap((one) => (one._tag === "AmountDiffers" ? [one.difference] : []))
      return [
        {
          outcome: outcome._tag,
          key: entry.key,
          reference: referenceOf(entry),
          date: entry.date,
          transfer_id: transfer.id,
          ledger: entry.amount,
          service: transfer[options.amount],
          difference: outcome._tag === "Matched" ? outcome.difference : byAmount,
          why: found.map(explain).join("; "),
        },
      ]
    }
    case "NotInLedger":
    case "NothingToBook": {
      const { transfer } = outcome
      return [
        {
          ...empty,
          outcome: outcome._tag,
          key: transfer[options.key] ?? "",
          transfer_id: transfer.id,
          service: transfer[options.amount],
          why: `${outcome._tag === "NotInLedger" ? "not in the ledger; " : ""}its status at the service is ${transfer.status}`,
        },
      ]
    }
    case "NotAtService": {
      const { entry } = outcome
      const why = entry.key === "" ? "the row has no key" : "the service has no such transfer"
      return [
        {
          ...empty,
          outcome: "NotAtService",
          key: entry.key,
          reference: referenceOf(entry),
          date: entry.date,
          ledger: entry.amount,
          why,
        },
      ]
    }
    case "Ambiguous": {
      const entries = outcome.entries.reduce((count, { rows: added = 1 }) => count + added, 0)
      const rows = whole ?? { entries, transfers: outcome.transfers.length }
      const why = `${counted(rows.entries, "row")} and ${counted(rows.transfers, "transfer")} have this key`
      const head = { ...empty, outcome: "Ambiguous", key: outcome.key, why } as const
      return [
        ...outcome.entries.map((entry) => ({
          ...head,
          reference: referenceOf(entry),
          date: entry.date,
          ledger: entry.amount,
        })),
        ...outcome.transfers.map((transfer) => ({
          ...head,
          transfer_id: transfer.id,
          service: transfer[options.amount],
        })),
      ]
    }
  }
}

const referenceOf = ({ reference, rows = 1 }: Reconciliation.LedgerEntry): string =>
  rows === 1 ? reference : `${reference} and ${rows - 1} more`

/** The fields that were compared. */
export interface LineOptions {
  readonly key: Reconciliation.KeyField
  readonly amount: MoneyField
}

const explain = (difference: Reconciliation.Difference): string => {
  switch (difference._tag) {
    case "AmountDiffers":
      return "the amounts differ"
    case "CurrencyDiffers":
      return `the ledger is in ${difference.ledger}, the transfer in ${difference.transfer}`
    case "AmountMissing":
      return "the transfer has no such amount"
    case "StatusDiffers":
      return `the ledger says ${difference.ledger}, the service ${difference.transfer}`
  }
}
