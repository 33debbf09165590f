/** What a reconciliation finds out of a row or a pair. Every row of either side is in exactly one outcome. */
import type { NonEmptyReadonlyArray } from "effect/Array"
import type { CurrencyCode } from "../../CurrencyCode.ts"
import type * as Money from "../../Money.ts"
import type { Transfer } from "../../Transfer.ts"
import type { LedgerEntry } from "./LedgerEntry.ts"

/** One way in which a ledger entry and its transfer differ. */
export type Difference =
  /** `difference` is the transfer's amount minus the ledger's. */
  | { readonly _tag: "AmountDiffers"; readonly difference: Money.Money }
  | { readonly _tag: "CurrencyDiffers"; readonly ledger: CurrencyCode; readonly transfer: CurrencyCode }
  /** The transfer does not have the field that holds the amount. */
  | { readonly _tag: "AmountMissing" }
  | { readonly _tag: "StatusDiffers"; readonly ledger: string; readonly transfer: string }

/** Why a row of the ledger has no transfer. */
export type Unmatched =
  /** The row has no key. */
  | { readonly _tag: "NoKey" }
  /** No transfer has the key. `isEverywhere` says whether it was looked up in everything that the source holds. */
  | { readonly _tag: "NotFound"; readonly isEverywhere: boolean }
  /** Other rows of the ledger have the transfers of the key. */
  | { readonly _tag: "Taken"; readonly by: ReadonlyArray<string> }

/** A row or some rows that wait for the other side. */
export type Unpaired =
  /** The service has a settled transfer that the ledger does not have. */
  | { readonly _tag: "NotInLedger"; readonly transfer: Transfer }
  /** The ledger has a row that the service does not have. */
  | { readonly _tag: "NotAtService"; readonly entry: LedgerEntry; readonly why: Unmatched }
  /** The ledger has rows of a key, and the key's transfers are not settled. */
  | {
      readonly _tag: "NotSettled"
      readonly key: string
      readonly entries: NonEmptyReadonlyArray<LedgerEntry>
      /** Those that no other row has. */
      readonly transfers: ReadonlyArray<Transfer>
      /** The statuses of all transfers of the key, in the order of their names. */
      readonly statuses: ReadonlyArray<string>
    }

/** The result for a ledger entry, a transfer, a pair, or the rows of a key. */
export type Outcome =
  | Unpaired
  /** `difference` is present if it is not zero but within the tolerance. */
  | {
      readonly _tag: "Matched"
      readonly entry: LedgerEntry
      readonly transfer: Transfer
      readonly difference?: Money.Money
    }
  | {
      readonly _tag: "Differs"
      readonly entry: LedgerEntry
      readonly transfer: Transfer
      readonly differences: NonEmptyReadonlyArray<Difference>
    }
  /** The pair is right, or differs as listed, and one of both is outside the period. */
  | {
      readonly _tag: "OtherPeriod"
      readonly entry: LedgerEntry
      readonly transfer: Transfer
      readonly differences: ReadonlyArray<Difference>
      /** Whether there are no more days between both than are granted. */
      readonly isInTransit: boolean
    }
  /** The row is what was paid out for other rows of the ledger, which name it. Its amount is their sum, or differs. */
  | {
      readonly _tag: "Payout"
      readonly entry: LedgerEntry
      /** How many rows name it, and what they add up to. */
      readonly rows: number
      readonly sums: ReadonlyArray<Money.Money>
      /** Whether some of them are after the period, so that the next books compare it again. */
      readonly isPreliminary: boolean
      readonly differences: ReadonlyArray<Difference>
    }
  /** In transit: few days have passed. */
  | { readonly _tag: "Expected"; readonly outcome: Unpaired }
  /** Several rows are left of a key, so any pairing would be a guess. */
  | {
      readonly _tag: "Ambiguous"
      readonly key: string
      readonly entries: ReadonlyArray<LedgerEntry>
      readonly transfers: ReadonlyArray<Transfer>
    }
  /** A transfer that need not be in the ledger: it has failed, is open, or is left out by a filter. */
  | { readonly _tag: "NothingToBook"; readonly transfer: Transfer; readonly why: "failed" | "open" | "filtered" }

/** The tags of the outcomes, in the order of a report. */
export const outcomeTags = [
  "Matched",
  "Differs",
  "NotInLedger",
  "NotAtService",
  "NotSettled",
  "OtherPeriod",
  "Payout",
  "Ambiguous",
  "Expected",
  "NothingToBook",
] as const

/** One of {@link outcomeTags}. */
export type OutcomeTag = (typeof outcomeTags)[number] & Outcome["_tag"]

/**
 * The words for each outcome on screens and pages. JSON and CSV have the tags.
 *
 * @example
 * Reconciliation.outcomeWords.NotInLedger // => "Not in your books"
 */
export const outcomeWords: Readonly<Record<OutcomeTag, string>> = {
  Matched: "Matched",
  Differs: "Different",
  NotInLedger: "Not in your books",
  NotAtService: "Not at the service",
  NotSettled: "Booked, but not settled",
  OtherPeriod: "In another period",
  Payout: "Payout of other rows",
  Ambiguous: "Several candidates",
  Expected: "In transit",
  NothingToBook: "Nothing to book",
}

/**
 * Whether a person must look at an outcome.
 *
 * @example
 * Reconciliation.isBreak({ _tag: "NotInLedger", transfer }) // => true
 * Reconciliation.isBreak({ _tag: "Expected", outcome: { _tag: "NotInLedger", transfer } }) // => false
 */
export const isBreak = (outcome: Outcome): boolean => {
  switch (outcome._tag) {
    case "Matched":
    case "Expected":
    case "NothingToBook":
      return false
    case "OtherPeriod":
      return !outcome.isInTransit
    case "Payout":
      return outcome.differences.length > 0
    case "Differs":
    case "NotInLedger":
    case "NotAtService":
    case "NotSettled":
    case "Ambiguous":
      return true
  }
}

/**
 * The rows of the ledger in an outcome.
 *
 * @example
 * Reconciliation.entriesOf({ _tag: "NotInLedger", transfer }) // => []
 */
export const entriesOf = (outcome: Outcome): ReadonlyArray<LedgerEntry> => {
  switch (outcome._tag) {
    case "Expected":
      return entriesOf(outcome.outcome)
    case "NotInLedger":
    case "NothingToBook":
      return []
    case "Ambiguous":
    case "NotSettled":
      return outcome.entries
    case "Matched":
    case "Differs":
    case "OtherPeriod":
    case "NotAtService":
    case "Payout":
      return [outcome.entry]
  }
}

/**
 * The transfers in an outcome.
 *
 * @example
 * Reconciliation.transfersOf({ _tag: "NotInLedger", transfer }) // => [transfer]
 */
export const transfersOf = (outcome: Outcome): ReadonlyArray<Transfer> => {
  switch (outcome._tag) {
    case "Expected":
      return transfersOf(outcome.outcome)
    case "NotAtService":
    case "Payout":
      return []
    case "Ambiguous":
    case "NotSettled":
      return outcome.transfers
    case "Matched":
    case "Differs":
    case "OtherPeriod":
    case "NotInLedger":
    case "NothingToBook":
      return [outcome.transfer]
  }
}
