/**
 * Reconciles a ledger with transfers, both of any size, in bounded memory. The rules are those of `Reconciliation`, which
 * concern one key each: so each partition is reconciled by itself.
 */
import * as Money from "@transferkit/domain/Money"
import * as Reconciliation from "@transferkit/domain/Reconciliation"
import type { Transfer } from "@transferkit/domain/Transfer"
import * as CreationOrder from "./CreationOrder.ts"
import { defaultLimit, type LargeKey, Partitions, type Spread } from "./Partitions.ts"
import * as ReconciliationRecords from "./ReconciliationRecords.ts"
import { ReconciliationTotals } from "./ReconciliationTotals.ts"
import type { Scratch } from "./Scratch.ts"
import { SortedTexts } from "./SortedTexts.ts"

/** How to pair and compare, and in which room. */
export interface LargeReconciliationOptions extends Reconciliation.ReconciliationOptions {
  readonly scratch: Scratch
  /**
   * The order of transfers that the ledger does not have: as they are added, or by creation, which does not depend on
   * the order in which a service sends them.
   * @default "added"
   */
  readonly order?: "added" | "created"
  /**
   * Whether to report matches. If not, they only count, which takes a fraction of the time.
   * @default true
   */
  readonly matched?: boolean
  readonly spread?: Spread
}

/** An outcome, and its place in the report. */
export interface Found {
  readonly outcome: Reconciliation.Outcome
  /** Outcomes of equal order stay as they come. */
  readonly order: string
  /** If the outcome is a part of an ambiguous one that is too large for memory: the rows of the whole. */
  readonly whole?: { readonly entries: number; readonly transfers: number }
}

/** So many rows of a key are held, however long they are. */
const fewRows = 100

/** So many rows without a key wait to be reconciled at once. */
const lonelyRows = 100

export class LargeReconciliation {
  readonly #options: LargeReconciliationOptions
  readonly #use: (found: Found) => void
  readonly #partitions: Partitions<
    ReconciliationRecords.Placed<Reconciliation.LedgerEntry>,
    ReconciliationRecords.Placed<Transfer>
  >
  readonly #totals = new ReconciliationTotals()
  /** The amounts of matches that are not counted yet. */
  #equal: Array<Money.Money> = []
  #entries = 0
  #transfers = 0
  readonly #withoutKey: { entries: Array<Reconciliation.LedgerEntry>; transfers: Array<Transfer> } = {
    entries: [],
    transfers: [],
  }
  /** Where the first row without a key is on each side. */
  readonly #firstWithoutKey: { entries?: string; transfers?: string } = {}

  /** `use` is called with each outcome, in no order. */
  constructor(options: LargeReconciliationOptions, use: (found: Found) => void) {
    this.#options = options
    this.#use = use
    this.#partitions = new Partitions({
      scratch: options.scratch,
      left: ReconciliationRecords.entryFormat,
      right: ReconciliationRecords.transferFormat(options),
      ...options.spread,
    })
  }

  addEntry(entry: Reconciliation.LedgerEntry): void {
    const place = `0${placeOf(this.#entries++)}`
    if (entry.key !== "") return this.#partitions.addLeft({ place, row: entry })
    this.#firstWithoutKey.entries ??= place
    if (this.#withoutKey.entries.push(entry) >= lonelyRows) this.#flush()
  }

  addTransfer(whole: Transfer): void {
    const transfer = ReconciliationRecords.slim(whole, this.#options)
    const { key = "external_id", order = "added" } = this.#options
    const index = this.#transfers++
    const place = order === "added" ? `1${placeOf(index)}` : creationPlace(transfer)
    if ((transfer[key] ?? "") !== "") return this.#partitions.addRight({ place, row: transfer })
    this.#firstWithoutKey.transfers ??= place
    if (this.#withoutKey.transfers.push(transfer) >= lonelyRows) this.#flush()
  }

  /** Reconciles what was added, a part with each step. */
  *reconcile(): Generator<void, Reconciliation.Reconciliation["totals"]> {
    const { order } = this.#options
    this.#flush()
    yield* this.#partitions.visits({
      ...(this.#options.matched === false ? { pair: (left, right) => this.#isEqual(left, right) } : {}),
      group: ({ left, right }) => {
        this.#countEqual()
        const sorted = order === "created" ? right.toSorted((a, b) => (a.place < b.place ? -1 : 1)) : right
        this.#pair(left, sorted)
      },
      largeKey: (rows) => this.#largeKey(rows),
    })
    return this.#totals.all()
  }

  #pair(
    left: ReadonlyArray<ReconciliationRecords.Placed<Reconciliation.LedgerEntry>>,
    right: ReadonlyArray<ReconciliationRecords.Placed<Transfer>>,
  ): void {
    const { key: field = "external_id" } = this.#options
    // Outcomes of a key are at the place of its first row, of the ledger if it has the key.
    const places = new Map<string, string>()
    for (const { row, place } of left) if (!places.has(row.key)) places.set(row.key, place)
    for (const { row, place } of right) {
      const key = row[field] ?? ""
      if (!places.has(key)) places.set(key, place)
    }
    const { outcomes, totals } = Reconciliation.reconcile(rowsOf(left), rowsOf(right), this.#options)
    this.#totals.add(totals)
    for (const outcome of outcomes) this.#report({ outcome, order: places.get(keyOf(outcome, field)) ?? "" })
  }

  /** Whether two records are equal in all that is compared, which needs no arithmetic. */
  #isEqual(entry: string, transfer: string): boolean {
    const amount = ReconciliationRecords.equalAmount(entry, transfer)
    if (amount !== undefined) this.#equal.push(amount)
    return amount !== undefined
  }

  #countEqual(): void {
    const count = this.#equal.length
    const sums = Money.sumByCurrency(this.#equal)
    this.#totals.add({ Matched: { outcomes: count, entries: count, transfers: count, ledger: sums, service: sums } })
    this.#equal = []
  }

  #report(found: Found): void {
    if (this.#options.matched !== false || found.outcome._tag !== "Matched") this.#use(found)
  }

  /** Rows without a key pair with nothing, so that they need not wait. */
  #flush(): void {
    const { entries, transfers } = this.#withoutKey
    this.#lonely(this.#firstWithoutKey.entries ?? "", entries, [])
    const isByCreation = this.#options.order === "created"
    this.#lonely(isByCreation ? creationPlaceOf : (this.#firstWithoutKey.transfers ?? ""), [], transfers)
    this.#withoutKey.entries = []
    this.#withoutKey.transfers = []
  }

  #lonely(
    order: string | ((outcome: Reconciliation.Outcome) => string),
    entries: ReadonlyArray<Reconciliation.LedgerEntry>,
    transfers: ReadonlyArray<Transfer>,
  ): void {
    const { outcomes, totals } = Reconciliation.reconcile(entries, transfers, this.#options)
    this.#totals.add(totals)
    for (const outcome of outcomes) {
      this.#use({ outcome, order: typeof order === "string" ? order : order(outcome) })
    }
  }

  /** Very many rows of a key on both sides are ambiguous, whatever they are. */
  #largeKey({
    key,
    counts,
    left,
    right,
  }: LargeKey<ReconciliationRecords.Placed<Reconciliation.LedgerEntry>, ReconciliationRecords.Placed<Transfer>>): void {
    const { amount = "source_total" } = this.#options
    if (counts.left + counts.right <= fewRows) {
      return this.#pair([...left()].flat(), [...this.#inOrder(right())].flat())
    }
    const entries = this.#options.group === true && counts.left > 0 ? [groupOf(left())] : left()
    if (Array.isArray(entries) && counts.right <= fewRows) {
      return this.#pair(entries.flat(), [...this.#inOrder(right())].flat())
    }
    const isAmbiguous = counts.left > 0 && counts.right > 0
    const whole = { entries: counts.left, transfers: counts.right }
    let order: string | undefined
    const use = (entries: ReadonlyArray<Reconciliation.LedgerEntry>, transfers: ReadonlyArray<Transfer>, at = "") => {
      order ??= at
      if (!isAmbiguous) return this.#lonely(order, entries, transfers)
      this.#use({ outcome: { _tag: "Ambiguous", key, entries, transfers }, order, whole })
      const Ambiguous = {
        outcomes: order === at ? 1 : 0,
        entries: entries.reduce((count, { rows = 1 }) => count + rows, 0),
        transfers: transfers.length,
        ledger: entries.map((entry) => entry.amount),
        service: transfers.flatMap((transfer) => transfer[amount] ?? []),
      }
      this.#totals.add({ Ambiguous })
    }
    for (const block of entries) use(rowsOf(block), [], block[0]?.place)
    for (const block of this.#inOrder(right())) use([], rowsOf(block), block[0]?.place)
  }

  *#inOrder(
    blocks: Iterable<ReadonlyArray<ReconciliationRecords.Placed<Transfer>>>,
  ): Generator<ReadonlyArray<ReconciliationRecords.Placed<Transfer>>> {
    const { scratch, spread, order = "added" } = this.#options
    if (order === "added") return yield* blocks
    const { encode, decode } = ReconciliationRecords.transferFormat(this.#options)
    const sorted = new SortedTexts(scratch, spread?.limit ?? defaultLimit)
    for (const block of blocks) for (const placed of block) sorted.add(placed.place, encode(placed))
    for (const { text } of sorted.rows()) yield decode([text])
  }
}

const keyOf = (outcome: Reconciliation.Outcome, field: Reconciliation.KeyField): string => {
  if (outcome._tag === "Ambiguous") return outcome.key
  return outcome._tag === "NotInLedger" || outcome._tag === "NothingToBook"
    ? (outcome.transfer[field] ?? "")
    : outcome.entry.key
}

/** The entries of a key, added block after block. */
const groupOf = (blocks: Iterable<ReadonlyArray<ReconciliationRecords.Placed<Reconciliation.LedgerEntry>>>) => {
  let place = ""
  let entries: ReadonlyArray<Reconciliation.LedgerEntry> = []
  for (const block of blocks) {
    place ||= block[0]?.place ?? ""
    entries = Reconciliation.group([...entries, ...rowsOf(block)])
  }
  return entries.map((row) => ({ place, row }))
}

const rowsOf = <A>(placed: ReadonlyArray<ReconciliationRecords.Placed<A>>): ReadonlyArray<A> =>
  placed.map(({ row }) => row)

// ---------------------------------------------------------------------------------------------------- places

/** Compared as text. */
const placeOf = (index: number): string => index.toString(36).padStart(10, "0")

/** After all ledger entries. */
const creationPlace = (transfer: Transfer): string => `1${CreationOrder.of(transfer)}`

const creationPlaceOf = (outcome: Reconciliation.Outcome): string =>
  outcome._tag === "NotInLedger" ? creationPlace(outcome.transfer) : ""
