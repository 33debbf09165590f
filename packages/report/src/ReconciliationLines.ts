/** A reconciliation as lines: one for each outcome, or for each row of one that has several. */
import * as ComparedAmount from "@transferkit/domain/ComparedAmount"
import type { CurrencyCode } from "@transferkit/domain/CurrencyCode"
import type * as Dialect from "@transferkit/domain/Dialect"
import * as Money from "@transferkit/domain/Money"
import { counted } from "@transferkit/domain/Quantity"
import * as Reconciliation from "@transferkit/domain/Reconciliation"
import type { Transfer } from "@transferkit/domain/Transfer"
import type * as LargeReconciliation from "@transferkit/files/partitions/LargeReconciliation"
import type { AgeLine } from "./Ageing.ts"
import type { Proposal } from "./BatchProposals.ts"
import type { LineOptions } from "./ReconciliationReasons.ts"
import * as ReconciliationReasons from "./ReconciliationReasons.ts"
import type { RollForwardLine } from "./RollForward.ts"
import * as UsdValue from "./UsdValue.ts"

export type { LineOptions } from "./ReconciliationReasons.ts"

/** A row of an outcome. An outcome of several rows has one line for each entry and transfer. */
export interface Line {
  readonly outcome: Reconciliation.OutcomeTag
  /** Whether a person must look at it. */
  readonly break: boolean
  /** The same for equal breaks, in any run. */
  readonly fingerprint?: string | undefined
  /** Its state, if breaks have been accepted. */
  readonly state?: "new" | "known" | "expired" | "resolved" | undefined
  /** Whether it is a further row of the outcome before it. */
  readonly continues?: true | undefined
  readonly key: string
  readonly reference: string | undefined
  /** The day of the ledger's row, if the ledger has dates. */
  readonly date: string | undefined
  readonly transfer_id: string | undefined
  readonly ledger: Money.Money | undefined
  readonly service: Money.Money | undefined
  readonly difference: Money.Money | undefined
  /** What a break is worth in US dollars at the rate of its transfer: its difference, or the amount of one side. */
  readonly usd?: Money.Money | undefined
  readonly why: string
  /** The day since which it is open, and how many days that is. */
  readonly open_since?: string | undefined
  readonly age_days?: number | undefined
}

/** A reconciliation as lines, which may be more than fit in memory. */
export interface Reconciled {
  readonly totals: Reconciliation.Reconciliation["totals"]
  /** In the order of the report. */
  readonly lines: Iterable<Line>
  /** The states of the breaks, if some have been accepted. */
  readonly states?: StateCounts | undefined
  /** Batches that are proposed, if an option asks for them. */
  readonly proposals?: ReadonlyArray<Proposal> | undefined
  /** Why no batch is proposed, as a sentence. */
  readonly refusal?: string | undefined
  /** The statuses of the transfers of the period. */
  readonly statuses: ReadonlyArray<StatusCount>
  /** How long items have been open, as of a day. */
  readonly ageing?: ReadonlyArray<AgeLine> | undefined
  /** What the transfers of the period are worth in US dollars, if an option asks for it. */
  readonly dollars?: ReadonlyArray<UsdValue.ClassLine> | undefined
  /** From what earlier books left open to what is open now. */
  readonly rollForward?: ReadonlyArray<RollForwardLine> | undefined
}

/** How many breaks have each state. */
export interface StateCounts {
  readonly new: number
  readonly known: number
  /** Accepted until a day that has passed. */
  readonly expired: number
  /** Accepted, and no longer found. */
  readonly resolved: number
}

/** A status, what it means for the books, and how many transfers have it. */
export interface StatusCount {
  readonly status: string
  readonly class: Dialect.StatusClass
  readonly transfers: number
}

/** The classes of the statuses in words, for people to check: nothing is derived from a status' name. */
export const classes = ({ statuses }: Pick<Reconciled, "statuses">, settlement: Dialect.Settlement): string => {
  const { settledStatuses, failedStatuses } = settlement
  const open = statuses.filter((one) => one.class === "open").map(({ status, transfers }) => `${status} (${transfers})`)
  const named = [
    ["settled", settledStatuses],
    ["failed", failedStatuses],
    ["open", open],
  ] as const
  return `${named.map(([name, list]) => `${name}: ${list.length === 0 ? "none" : list.join(", ")}`).join("; ")}`
}

/** The outcomes to show: those that explain what is no break only if there are some. */
export const shownTags = ({ totals }: Pick<Reconciled, "totals">): ReadonlyArray<Reconciliation.OutcomeTag> =>
  Reconciliation.outcomeTags.filter((tag) => usualTags.has(tag) || totals[tag].outcomes > 0)

const usualTags: ReadonlySet<string> = new Set<Reconciliation.OutcomeTag>([
  "Matched",
  "Differs",
  "NotInLedger",
  "NotAtService",
  "Ambiguous",
])

/** Whether an outcome is listed by default: a break, or money in transit. */
export const isListed = (outcome: Reconciliation.Outcome): boolean =>
  Reconciliation.isBreak(outcome) ||
  outcome._tag === "Expected" ||
  outcome._tag === "OtherPeriod" ||
  (outcome._tag === "Payout" && outcome.isPreliminary)

/** The number of outcomes that need attention. */
export const breaks = ({ totals }: Pick<Reconciled, "totals">): number => Reconciliation.breaks(totals)

/** How many breaks need action: all, or those that are not accepted, or no longer. */
export const failures = (self: Pick<Reconciled, "totals" | "states">): number =>
  self.states === undefined ? breaks(self) : self.states.new + self.states.expired

/** The breaks in words, for people. */
export const verdict = (self: Pick<Reconciled, "totals" | "states">): string => {
  const count = counted(breaks(self), "break")
  if (self.states === undefined) return count
  const { known, expired, resolved } = self.states
  return `${count}: ${self.states.new} new, ${known} known, ${expired} expired; ${resolved} resolved`
}

/** What a line is about: its difference, or the amount of the side that has one. */
export const sizeOf = ({ difference, ledger, service }: Line): Money.Money | undefined =>
  difference ?? ledger ?? service

/** Whether a line is the first of a break that is not accepted. */
export const isOpen = (line: Line): boolean => line.break && line.state !== "known" && line.continues === undefined

/** A line from its JSON. */
export const fromJson = (text: string): Line => {
  const { ledger, service, difference, usd, ...rest } = JSON.parse(text)
  const own = { ...rest, ledger: moneyOf(ledger), service: moneyOf(service), difference: moneyOf(difference) }
  return usd === undefined ? own : { ...own, usd: moneyOf(usd) }
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
  const entries = Reconciliation.entriesOf(outcome)
  const transfers = Reconciliation.transfersOf(outcome)
  const head = {
    outcome: outcome._tag,
    break: Reconciliation.isBreak(outcome),
    key: entries[0]?.key ?? transfers[0]?.[options.key] ?? "",
    why: ReconciliationReasons.of(outcome, options, whole),
  }
  const [entry, transfer] = entries.length <= 1 && transfers.length <= 1 ? [entries[0], transfers[0]] : []
  if (entry !== undefined && transfer !== undefined) {
    const line = { ...head, ...ofEntry(entry), ...ofTransfer(transfer, options), difference: differenceOf(outcome) }
    return [{ ...line, usd: usdOf(line, transfer, options) }]
  }
  const rows = [
    ...entries.map((own) => ({ ...head, ...ofEntry(own), transfer_id: undefined, service: undefined })),
    ...transfers.map((own) => ({ ...head, ...ofEntry(undefined), ...ofTransfer(own, options) })),
  ]
  const difference = rows.length === 1 ? differenceOf(outcome) : undefined
  return rows.map((row, index) =>
    index === 0
      ? { ...row, difference, usd: usdOf({ ...row, difference }, transfers[0], options) }
      : { ...row, difference, continues: true },
  )
}

const usdOf = (line: Line, transfer: Transfer | undefined, { amount }: LineOptions): Money.Money | undefined => {
  const size = line.break ? sizeOf(line) : undefined
  return size && UsdValue.ofPart(size, transfer, amount)
}

const ofEntry = (entry: Reconciliation.LedgerEntry | undefined) => ({
  reference: entry && referenceOf(entry),
  date: entry?.date,
  ledger: entry?.amount,
})

const ofTransfer = (transfer: Transfer, { amount }: LineOptions) => ({
  transfer_id: transfer.id,
  service: ComparedAmount.of(transfer, amount),
})

const differenceOf = (outcome: Reconciliation.Outcome): Money.Money | undefined => {
  if (outcome._tag === "Matched") return outcome.difference
  const found =
    outcome._tag === "Differs" || outcome._tag === "OtherPeriod" || outcome._tag === "Payout" ? outcome.differences : []
  return found.flatMap((one) => (one._tag === "AmountDiffers" ? [one.difference] : []))[0]
}

const referenceOf = ({ reference, rows = 1 }: Reconciliation.LedgerEntry): string =>
  rows === 1 ? reference : `${reference} and ${rows - 1} more`
