/** Why a row is in its outcome, as a clause for people. */
import * as ComparedAmount from "@transferkit/domain/ComparedAmount"
import * as Day from "@transferkit/domain/Day"
import * as Dialect from "@transferkit/domain/Dialect"
import { counted } from "@transferkit/domain/Quantity"
import type * as Reconciliation from "@transferkit/domain/Reconciliation"
import type { Transfer } from "@transferkit/domain/Transfer"
import type * as LargeReconciliation from "@transferkit/files/partitions/LargeReconciliation"
import type * as DateTime from "effect/DateTime"

/** What was compared, and where. */
export interface LineOptions {
  readonly key: Reconciliation.KeyField
  readonly amount: ComparedAmount.ComparedAmount
  readonly settlement: Dialect.Settlement
  readonly timeZone: DateTime.TimeZone | undefined
  /** What was searched for a key, such as "the transfers of September 2024". */
  readonly searched: string
  /** Why a key that was looked up in all that the source holds has no transfer, as a clause. */
  readonly absence: string
  /** Whether a transfer is known from earlier books alone: the source no longer has it. */
  readonly isGone?: ((transfer: Transfer) => boolean) | undefined
}

/** The reason; empty for a match. */
export const of = (
  outcome: Reconciliation.Outcome,
  options: LineOptions,
  whole?: LargeReconciliation.Found["whole"],
): string => {
  switch (outcome._tag) {
    case "Matched":
      return ""
    case "Differs":
      return outcome.differences.map((one) => difference(one, options)).join("; ")
    case "OtherPeriod":
      return [otherPeriod(outcome, options), ...outcome.differences.map((one) => difference(one, options))].join("; ")
    case "Payout":
      return payout(outcome, options)
    case "NotInLedger":
      return options.isGone?.(outcome.transfer) === true
        ? `not in the ledger, and no longer at the service; its status was ${outcome.transfer.status}`
        : `not in the ledger; its status at the service is ${outcome.transfer.status}`
    case "NothingToBook":
      return `${outcome.why === "filtered" ? "left out by a filter; " : ""}its status at the service is ${outcome.transfer.status}`
    case "NotAtService":
      return unmatched(outcome.why, options)
    case "NotSettled":
      return notSettled(outcome, options)
    case "Expected":
      return `in transit: ${of(outcome.outcome, options)}`
    case "Ambiguous":
      return ambiguous(outcome, options, whole)
  }
}

const difference = (one: Reconciliation.Difference, { amount }: LineOptions): string => {
  switch (one._tag) {
    case "AmountDiffers":
      return "the amounts differ"
    case "CurrencyDiffers":
      return `the ledger is in ${one.ledger}, the transfer in ${one.transfer}`
    case "AmountMissing":
      return amount === "fiat" ? "the transfer has no single fiat side" : `the transfer has no ${amount}`
    case "StatusDiffers":
      return `the ledger says ${one.ledger}, the service ${one.transfer}`
  }
}

type Of<Tag extends Reconciliation.OutcomeTag> = Extract<Reconciliation.Outcome, { readonly _tag: Tag }>

const otherPeriod = ({ entry, transfer }: Of<"OtherPeriod">, options: LineOptions): string =>
  `${entry.date === undefined ? "" : `booked ${entry.date}, `}created ${createdOn(transfer, options)}, its status is ${transfer.status}`

const createdOn = ({ created_at }: Transfer, { timeZone }: LineOptions): string =>
  Day.of(created_at, timeZone ?? Day.utc)

const unmatched = (why: Reconciliation.Unmatched, { searched, absence }: LineOptions): string => {
  switch (why._tag) {
    case "NoKey":
      return "the row has no key"
    case "NotFound":
      return why.isEverywhere ? absence : `not among ${searched}`
    case "Taken": {
      const [first, second, ...more] = why.by
      if (first === undefined) return "other rows have the key's transfers"
      if (second === undefined) return `the key's transfer is matched by ${first}`
      return `the key's transfers are matched by ${first}${more.length === 0 ? ` and ${second}` : ` and ${more.length + 1} more`}`
    }
  }
}

const payout = ({ rows, sums, differences, isPreliminary }: Of<"Payout">, options: LineOptions): string =>
  [
    `pays ${counted(rows, "row")} of ${sums.map(String).join(" and ")}${isPreliminary ? ", some of them after the period" : ""}`,
    ...differences.map((one) => (one._tag === "AmountDiffers" ? "the sums differ" : difference(one, options))),
  ].join("; ")

const notSettled = ({ statuses, transfers: [transfer] }: Of<"NotSettled">, options: LineOptions): string => {
  const [status, ...others] = statuses
  if (status === undefined || others.length > 0) return `booked, but not settled at the service: ${statuses.join(", ")}`
  const created = transfer === undefined ? "" : `, created ${createdOn(transfer, options)}`
  return Dialect.isOpen(options.settlement, status)
    ? `booked, but still open at the service: ${status}${created}`
    : `booked, but ${status} at the service${created}`
}

const ambiguous = (
  { entries, transfers }: Of<"Ambiguous">,
  { amount }: LineOptions,
  whole: LargeReconciliation.Found["whole"],
): string => {
  const rows = entries.reduce((count, { rows: added = 1 }) => count + added, 0)
  const counts = whole ?? { entries: rows, transfers: transfers.length }
  const values = new Set([
    ...entries.map((entry) => entry.amount.amount.toFixed()),
    ...transfers.map((own) => ComparedAmount.of(own, amount)?.amount.toFixed()),
  ])
  const surplus = counts.entries - counts.transfers
  const [value] = values
  if (whole === undefined && values.size === 1 && value !== undefined && surplus !== 0) {
    return `${surplus > 0 ? counted(surplus, "row") : counted(-surplus, "transfer")} of ${value} too many`
  }
  return `${counted(counts.entries, "row")} and ${counted(counts.transfers, "transfer")} have this key`
}
