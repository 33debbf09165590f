/**
 * Reconciles a ledger with transfers, both of any size, in bounded memory. The rules are those of `Reconciliation`, which
 * concern one key each: so each partition is reconciled by itself.
 */
import * as Money from "@transferkit/domain/Money"
import * as Reconciliation from "@transferkit/domain/Reconciliation"
import type { Transfer } from "@transferkit/domain/Transfer"
import { KeptBack, unknownKey } from "./KeptBack.ts"
import { defaultLimit, type LargeKey, Partitions, type Spread } from "./Partitions.ts"
import * as ReconciliationRecords from "./ReconciliationRecords.ts"
import { ReconciliationTotals } from "./ReconciliationTotals.ts"
import * as ReportPlaces from "./ReportPlaces.ts"
import type { Scratch } from "./Scratch.ts"
import { SortedTexts } from "./SortedTexts.ts"

/** How to pair and compare, and in which room. */
export interface LargeReconciliationOptions extends ReconciliationRecords.RecordOptions {
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
  /**
   * How many keys that no transfer has are kept back, to be looked up elsewhere: those of the first rows of the ledger.
   * @default 0
   */
  readonly lookUps?: number
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

/** The rows of a key that are held, however long they are. */
const fewRows = 2 * Reconciliation.mostRows

/** How many rows that pair with nothing wait to be reconciled at once. */
const lonelyRows = 100

type PlacedEntry = ReconciliationRecords.Placed<Reconciliation.LedgerEntry>
type PlacedTransfer = ReconciliationRecords.PlacedTransfer

export class LargeReconciliation {
  readonly #options: LargeReconciliationOptions
  readonly #use: (found: Found) => void
  readonly #isWithin: ReturnType<typeof Reconciliation.within>
  readonly #intake: ReturnType<typeof Reconciliation.intake>
  readonly #partitions: Partitions<PlacedEntry, PlacedTransfer>
  readonly #totals = new ReconciliationTotals()
  readonly #keptBack: KeptBack
  readonly #statuses = new Map<string, number>()
  /** The amounts of matches that are not counted yet. */
  #equal: Array<Money.Money> = []
  #entries = 0
  #transfers = 0
  /** Rows without a key, and transfers that no row is compared with. */
  readonly #lonely: { entries: Array<PlacedEntry>; transfers: Array<PlacedTransfer> } = {
    entries: [],
    transfers: [],
  }
  /** Where the first of them is on each side. */
  readonly #firstLonely: { entries?: string; transfers?: string } = {}

  /** `use` is called with each outcome, in no order. */
  constructor(options: LargeReconciliationOptions, use: (found: Found) => void) {
    this.#options = { ...options, payouts: options.payouts ?? Reconciliation.payouts(options) }
    this.#use = use
    this.#isWithin = Reconciliation.within(this.#options)
    this.#intake = Reconciliation.intake(this.#options)
    this.#keptBack = new KeptBack(options.lookUps ?? 0, (kept) => this.#conclude(kept.outcomes, kept.order))
    this.#partitions = new Partitions({
      scratch: options.scratch,
      left: ReconciliationRecords.entryFormat(options),
      right: ReconciliationRecords.transferFormat(options),
      ...options.spread,
    })
  }

  /** How many transfers within the period have each status. */
  get statuses(): ReadonlyMap<string, number> {
    return this.#statuses
  }

  addEntry(entry: Reconciliation.LedgerEntry): void {
    for (const row of this.#intake(entry)) this.#addRow(row)
  }

  #addRow(row: Reconciliation.LedgerEntry): void {
    const placed = { place: `0${ReportPlaces.ofIndex(this.#entries++)}`, row, isWithin: this.#isWithin.entry(row) }
    if (row.key !== "") return this.#partitions.addLeft(placed)
    this.#firstLonely.entries ??= placed.place
    if (this.#lonely.entries.push(placed) >= lonelyRows) this.#flush()
  }

  addTransfer(whole: Transfer): void {
    const { key = "external_id" } = this.#options
    const placed = this.#placed(whole)
    if ((placed.row[key] ?? "") !== "") this.#partitions.addRight(placed)
    else this.#addLonely(placed)
  }

  /** Adds a transfer that no row is compared with. */
  addUnpaired(whole: Transfer): void {
    this.#addLonely(this.#placed(whole))
  }

  #placed(whole: Transfer): PlacedTransfer {
    const { order = "added", isRequired } = this.#options
    const row = ReconciliationRecords.slim(whole, this.#options)
    const index = this.#transfers++
    const place = order === "added" ? `1${ReportPlaces.ofIndex(index)}` : ReportPlaces.ofCreation(row)
    const isWithin = this.#isWithin.transfer(whole)
    if (isWithin) this.#statuses.set(row.status, (this.#statuses.get(row.status) ?? 0) + 1)
    return { place, row, isWithin, isRequired: isRequired?.(whole) ?? true }
  }

  #addLonely(placed: PlacedTransfer): void {
    this.#lonely.transfers.push(placed)
    this.#firstLonely.transfers ??= placed.place
    if (this.#lonely.transfers.length >= lonelyRows) this.#flush()
  }

  /** Reconciles what was added, a part with each step. */
  *reconcile(): Generator<void, Reconciliation.Totals> {
    this.#flush()
    yield* this.#partitions.visits({
      ...(this.#options.matched === false ? { pair: (left, right) => this.#isEqual(left, right) } : {}),
      group: ({ left, right }) => {
        this.#countEqual()
        this.#pair(left, this.#sorted(right))
      },
      largeKey: (rows) => this.#largeKey(rows),
    })
    return this.#totals.all()
  }

  /** The keys that are kept back. */
  get unknownKeys(): ReadonlyArray<string> {
    return this.#keptBack.keys
  }

  /** Reconciles the rows that were kept back with what was found by their keys. All have been looked up. */
  lookedUp(transfers: Iterable<Transfer>): Reconciliation.Totals {
    const { key = "external_id", isRequired } = this.#options
    const found = Map.groupBy(transfers, (transfer) => transfer[key] ?? "")
    for (const { order, entries } of this.#keptBack.take()) {
      const own = (found.get(entries[0]?.key ?? "") ?? []).map((whole) => ({
        place: "",
        row: ReconciliationRecords.slim(whole, this.#options),
        isWithin: false,
        isRequired: isRequired?.(whole) ?? true,
      }))
      this.#conclude(this.#outcomesOf(entries, own, { isEverywhere: () => true }).outcomes, order)
    }
    return this.#totals.all()
  }

  #pair(left: ReadonlyArray<PlacedEntry>, right: ReadonlyArray<PlacedTransfer>): void {
    const { key: field = "external_id" } = this.#options
    // Outcomes of a key are at the place of its first row, of the ledger if it has the key.
    const places = new Map<string, string>()
    for (const { row, place } of left) if (!places.has(row.key)) places.set(row.key, place)
    for (const { row, place } of right) {
      const key = row[field] ?? ""
      if (!places.has(key)) places.set(key, place)
    }
    const { outcomes, totals } = this.#outcomesOf(rowsOf(left), right)
    const rest = this.#keepBack(outcomes, left, places)
    this.#totals.add(rest === outcomes ? totals : Reconciliation.totalsOf(rest, this.#options))
    for (const outcome of rest) this.#tell({ outcome, order: places.get(keyOf(outcome, field)) ?? "" })
  }

  /** The outcomes that are not kept back for look-ups. */
  #keepBack(
    outcomes: ReadonlyArray<Reconciliation.Outcome>,
    left: ReadonlyArray<PlacedEntry>,
    places: ReadonlyMap<string, string>,
  ): ReadonlyArray<Reconciliation.Outcome> {
    if ((this.#options.lookUps ?? 0) === 0) return outcomes
    const unknown = outcomes.filter((outcome) => unknownKey(outcome) !== undefined)
    const byKey = Map.groupBy(unknown, unknownKey)
    const entries = Map.groupBy(rowsOf(left.filter(({ row }) => byKey.has(row.key))), ({ key }) => key)
    const kept = new Set<string>()
    for (const [key, own] of byKey) {
      const rows = key === undefined ? [] : (entries.get(key) ?? [])
      const order = places.get(key ?? "") ?? ""
      if (key !== undefined && this.#keptBack.keep(key, { order, outcomes: own, entries: rows })) kept.add(key)
    }
    // Those of most keys are known: then the totals hold, and are not computed again.
    return kept.size === 0 ? outcomes : outcomes.filter((outcome) => !kept.has(unknownKey(outcome) ?? ""))
  }

  #outcomesOf(
    entries: ReadonlyArray<Reconciliation.LedgerEntry>,
    transfers: ReadonlyArray<PlacedTransfer>,
    more: Reconciliation.ReconciliationOptions = {},
  ): Reconciliation.Reconciliation {
    const free = new Set(transfers.filter(({ isRequired }) => !isRequired).map(({ row }) => row))
    const isRequired = (transfer: Transfer) => !free.has(transfer)
    const options = { ...this.#options, isRequired, ...more }
    return Reconciliation.reconcile(entries, rowsOf(transfers), options)
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
    const counts = { outcomes: count, breaks: 0, entries: count, transfers: count }
    this.#totals.add({ Matched: { ...counts, ledger: sums, service: sums } })
    this.#equal = []
  }

  #report(
    { outcomes, totals }: Reconciliation.Reconciliation,
    orderOf: (outcome: Reconciliation.Outcome) => string,
  ): void {
    this.#totals.add(totals)
    for (const outcome of outcomes) this.#tell({ outcome, order: orderOf(outcome) })
  }

  #conclude(outcomes: ReadonlyArray<Reconciliation.Outcome>, order: string): void {
    this.#report({ outcomes, totals: Reconciliation.totalsOf(outcomes, this.#options) }, () => order)
  }

  #tell(found: Found): void {
    if (this.#options.matched !== false || found.outcome._tag !== "Matched") this.#use(found)
  }

  /** Rows that pair with nothing need not wait for others. */
  #flush(): void {
    const { entries, transfers } = this.#lonely
    const isByCreation = this.#options.order === "created"
    const orderOf = isByCreation ? ReportPlaces.ofOutcome : () => this.#firstLonely.transfers ?? ""
    this.#report(this.#outcomesOf(rowsOf(entries), []), () => this.#firstLonely.entries ?? "")
    this.#report(this.#outcomesOf([], transfers), orderOf)
    this.#lonely.entries = []
    this.#lonely.transfers = []
  }

  /** Very many rows of a key on both sides are ambiguous, whatever they are. */
  #largeKey({ key, counts, left, right }: LargeKey<PlacedEntry, PlacedTransfer>): void {
    if (counts.left + counts.right <= fewRows) {
      return this.#pair([...left()].flat(), [...this.#inOrder(right())].flat())
    }
    const isGrouped = this.#options.group === true && counts.left > 0
    const entries = isGrouped ? [this.#groupOf(left())] : left()
    if (Array.isArray(entries) && counts.right <= fewRows) {
      return this.#pair(entries.flat(), [...this.#inOrder(right())].flat())
    }
    const isAmbiguous = counts.left > 0 && counts.right > 0
    const whole = { entries: counts.left, transfers: counts.right }
    let order: string | undefined
    const use = (own: ReadonlyArray<PlacedEntry>, transfers: ReadonlyArray<PlacedTransfer>, at = "") => {
      const first = (order ??= at)
      if (!isAmbiguous) return this.#report(this.#outcomesOf(rowsOf(own), transfers), () => first)
      const outcome = { _tag: "Ambiguous", key, entries: rowsOf(own), transfers: rowsOf(transfers) } as const
      this.#use({ outcome, order: first, whole })
      const { Ambiguous } = Reconciliation.totalsOf([outcome], this.#options)
      const one = first === at ? 1 : 0
      this.#totals.add({ Ambiguous: { ...Ambiguous, outcomes: one, breaks: one } })
    }
    for (const block of entries) use(block, [], block[0]?.place)
    for (const block of this.#inOrder(right())) use([], block, block[0]?.place)
  }

  /** The entries of a key, added block after block. */
  #groupOf(blocks: Iterable<ReadonlyArray<PlacedEntry>>): ReadonlyArray<PlacedEntry> {
    let place = ""
    const group = Reconciliation.group(this.#options)
    for (const block of blocks) {
      place ||= block[0]?.place ?? ""
      for (const { row } of block) group.add(row)
    }
    return group.entries().map((row) => ({ place, row, isWithin: this.#isWithin.entry(row) }))
  }

  #sorted(placed: ReadonlyArray<PlacedTransfer>): ReadonlyArray<PlacedTransfer> {
    return this.#options.order === "created" ? placed.toSorted((a, b) => (a.place < b.place ? -1 : 1)) : placed
  }

  *#inOrder(blocks: Iterable<ReadonlyArray<PlacedTransfer>>): Generator<ReadonlyArray<PlacedTransfer>> {
    const { scratch, spread, order = "added" } = this.#options
    if (order === "added") return yield* blocks
    const { encode, decode } = ReconciliationRecords.transferFormat(this.#options)
    const sorted = new SortedTexts(scratch, spread?.limit ?? defaultLimit)
    for (const block of blocks) for (const placed of block) sorted.add(placed.place, encode(placed))
    for (const { text } of sorted.rows()) yield decode([text])
  }
}

const keyOf = (outcome: Reconciliation.Outcome, field: Reconciliation.KeyField): string =>
  Reconciliation.entriesOf(outcome)[0]?.key ?? Reconciliation.transfersOf(outcome)[0]?.[field] ?? ""

const rowsOf = <A>(placed: ReadonlyArray<ReconciliationRecords.Placed<A>>): ReadonlyArray<A> =>
  placed.map(({ row }) => row)
