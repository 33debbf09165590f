/** Rows of the ledger whose keys no transfer has, kept until their keys are looked up: a bounded number of keys. */
import type * as Reconciliation from "@transferkit/domain/Reconciliation"

/** The rows of a key, their outcomes for now, and their place in the report. */
export interface Kept {
  readonly order: string
  readonly entries: ReadonlyArray<Reconciliation.LedgerEntry>
  readonly outcomes: ReadonlyArray<Reconciliation.Outcome>
}

/** A key with more rows does not identify a transfer, so nothing is looked up by it. */
const mostRows = 100

export class KeptBack {
  readonly #most: number
  readonly #release: (kept: Kept) => void
  #byKey = new Map<string, Kept>()

  /** `release` is called with what came before a full number of earlier keys. */
  constructor(most: number, release: (kept: Kept) => void) {
    this.#most = most
    this.#release = release
  }

  /** In the order of the ledger. */
  get keys(): ReadonlyArray<string> {
    this.#shrink()
    return this.#inOrder().map(([key]) => key)
  }

  /** Whether the rows of a key are kept. */
  keep(key: string, kept: Kept): boolean {
    if (this.#most === 0 || kept.entries.length > mostRows) return false
    this.#byKey.set(key, kept)
    if (this.#byKey.size >= 2 * this.#most) this.#shrink()
    return true
  }

  /** All that is kept, which is forgotten here. */
  take(): ReadonlyArray<Kept> {
    this.#shrink()
    const all = this.#inOrder().map(([, kept]) => kept)
    this.#byKey.clear()
    return all
  }

  #inOrder(): ReadonlyArray<[key: string, kept: Kept]> {
    return [...this.#byKey].sort(([, one], [, other]) => (one.order < other.order ? -1 : 1))
  }

  /** Which keys are kept does not depend on the order in which they come. */
  #shrink(): void {
    if (this.#byKey.size <= this.#most) return
    const all = this.#inOrder()
    for (const [, kept] of all.slice(this.#most)) this.#release(kept)
    this.#byKey = new Map(all.slice(0, this.#most))
  }
}

/** The key of an outcome, if no transfer has it. */
export const unknownKey = (outcome: Reconciliation.Outcome): string | undefined => {
  const unpaired = outcome._tag === "Expected" ? outcome.outcome : outcome
  return unpaired._tag === "NotAtService" && unpaired.why._tag === "NotFound" ? unpaired.entry.key : undefined
}
