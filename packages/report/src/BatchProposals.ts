/** Batches that are proposed for the breaks of a reconciliation: rows that may be the sum of transfers. */
import * as Batches from "@transferkit/domain/Batches"
import * as BreakIdentity from "@transferkit/domain/BreakIdentity"
import * as ComparedAmount from "@transferkit/domain/ComparedAmount"
import type * as Money from "@transferkit/domain/Money"
import { counted } from "@transferkit/domain/Quantity"
import type * as Reconciliation from "@transferkit/domain/Reconciliation"
import type { Transfer } from "@transferkit/domain/Transfer"
import * as AcceptedFile from "@transferkit/files/node/AcceptedFile"

/** The proposal for a row, or why there is none. */
export interface Proposal {
  readonly key: string
  readonly reference: string
  readonly ledger: Money.Money
  /** Absent if nothing is proposed. */
  readonly step?: Batches.Step
  readonly transfers?: ReadonlyArray<{ readonly transfer_id: string; readonly service: Money.Money | undefined }>
  /** What confirms it in a file of accepted breaks. */
  readonly fingerprint?: string
  readonly why: string
}

/**
 * More rows or transfers than these are not a rest, but books that do not match. All proposals together name at most so
 * many transfers: a transfer was paid out once, but a thousand equal rows would name ten thousand transfers each.
 */
const most = { entries: 1000, transfers: 10_000, named: 100_000 }

interface Left<A> {
  readonly row: A
  readonly fingerprint: string
}

/** The breaks that are left, and what is proposed for them when all were added. */
export class BatchProposals {
  readonly #options: Reconciliation.ReconciliationOptions
  readonly #entries: Array<Left<Reconciliation.LedgerEntry>> = []
  readonly #transfers: Array<Left<Transfer>> = []
  readonly #left = { entries: 0, transfers: 0 }

  constructor(options: Reconciliation.ReconciliationOptions) {
    this.#options = options
  }

  /** Adds a break, if one of its sides is missing. */
  add(outcome: Reconciliation.Outcome, fingerprint: string): void {
    if (outcome._tag === "NotAtService") {
      if (this.#left.entries++ < most.entries) this.#entries.push({ row: outcome.entry, fingerprint })
    } else if (outcome._tag === "NotInLedger") {
      if (this.#left.transfers++ < most.transfers) this.#transfers.push({ row: outcome.transfer, fingerprint })
    }
  }

  /** Why nothing is proposed for any row, as a sentence, if there are too many. */
  get refusal(): string | undefined {
    const { entries, transfers } = this.#left
    if (entries <= most.entries && transfers <= most.transfers) return undefined
    return `No batches are proposed: ${counted(entries, "row")} and ${counted(transfers, "transfer")} are left, and at most ${counted(most.entries, "row")} and ${counted(most.transfers, "transfer")} are tried.`
  }

  /** The proposals, and the identity of each that can be confirmed. `isExplained` says whether a confirmed batch explains a break. */
  all(isExplained: (fingerprint: string) => boolean): ReadonlyArray<{
    readonly proposal: Proposal
    readonly identity: BreakIdentity.BreakIdentity | undefined
  }> {
    if (this.refusal !== undefined) return []
    const left = <A>(rows: ReadonlyArray<Left<A>>): ReadonlyArray<A> =>
      rows.filter(({ fingerprint }) => !isExplained(fingerprint)).map(({ row }) => row)
    const { amount, timeZone } = this.#options
    // The order in which the breaks came does not matter.
    const byPlace = (one: Reconciliation.LedgerEntry, other: Reconciliation.LedgerEntry) =>
      one.reference.length - other.reference.length || (one.reference < other.reference ? -1 : 1)
    const byId = (one: Transfer, other: Transfer) => (one.id < other.id ? -1 : 1)
    let named = 0
    return Batches.propose(left(this.#entries).toSorted(byPlace), left(this.#transfers).toSorted(byId), {
      amount,
      timeZone,
    }).map((batch) => {
      const count = batch._tag === "Proposed" ? batch.transfers.length : 0
      named += count
      return named > most.named && count > 0
        ? { proposal: tooLong(batch.entry, count), identity: undefined }
        : this.#resultOf(batch)
    })
  }

  #resultOf(batch: Batches.Batch) {
    const { key, reference, amount: ledger } = batch.entry
    if (batch._tag === "Refused") {
      const proposal: Proposal = { key, reference, ledger, why: batch.why.map(refused).join("; ") }
      return { proposal, identity: undefined }
    }
    const identity = BreakIdentity.ofBatch(batch.entry, batch.transfers, this.#options)
    const { amount = "source_total" } = this.#options
    const proposal: Proposal = {
      key,
      reference,
      ledger,
      step: batch.step,
      transfers: batch.transfers.map((transfer) => ({
        transfer_id: transfer.id,
        service: ComparedAmount.of(transfer, amount),
      })),
      fingerprint: AcceptedFile.fingerprint(identity),
      why: `${words[batch.step]} of ${counted(batch.transfers.length, "transfer")} make the amount: a proposal, not a match`,
    }
    return { proposal, identity }
  }
}

/** The proposal for a row whose transfers are too many to name. */
const tooLong = ({ key, reference, amount }: Reconciliation.LedgerEntry, count: number): Proposal => ({
  key,
  reference,
  ledger: amount,
  why: `${counted(count, "transfer")} may make the amount, too many to name: all proposals together name at most ${counted(most.named, "transfer")}`,
})

const words: Readonly<Record<Batches.Step, string>> = { days: "the whole days", sets: "one set" }

const refused = (why: Batches.Refusal): string => {
  switch (why._tag) {
    case "None":
      return `none of ${counted(why.sums, "sum")} of ${nouns[why.step]} is the amount`
    case "Several":
      return `${why.answers} sums of ${nouns[why.step]} are the amount`
    case "TooDense":
      return `${nouns[why.step]} make ${why.made} of the ${counted(why.of, "amount")} near it, which proves nothing`
    case "TooMany":
      return why.step === "sets"
        ? `${counted(why.found, "transfer")} are too many for sets: at most ${Batches.mostOfSet} are tried`
        : `${counted(why.found, "day")} are too many: at most ${Batches.mostDays} are tried`
    case "TooManyCurrencies":
      return `rows are left in ${why.found} currencies, and sets are tried in at most ${Batches.mostCurrencies}`
    case "NoTransfer":
      return `no transfer in ${why.currency} of this direction is left`
  }
}

/** What sums are made of, in words. */
export const nouns: Readonly<Record<Batches.Step, string>> = { days: "whole days", sets: "sets" }
