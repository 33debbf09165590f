/** What books leave open, collected while they are reconciled: the items, their age, and the roll-forward. */
import * as ComparedAmount from "@transferkit/domain/ComparedAmount"
import * as CreatedAt from "@transferkit/domain/CreatedAt"
import * as Day from "@transferkit/domain/Day"
import * as JsonValue from "@transferkit/domain/JsonValue"
import * as Money from "@transferkit/domain/Money"
import type * as Origin from "@transferkit/domain/Origin"
import * as Reconciliation from "@transferkit/domain/Reconciliation"
import * as Timestamp from "@transferkit/domain/Timestamp"
import type { Transfer } from "@transferkit/domain/Transfer"
import * as Partitions from "@transferkit/files/partitions/Partitions"
import * as ReconciliationRecords from "@transferkit/files/partitions/ReconciliationRecords"
import type { Scratch } from "@transferkit/files/partitions/Scratch"
import { SortedTexts } from "@transferkit/files/partitions/SortedTexts"
import { Ageing, type AgeLine } from "@transferkit/report/Ageing"
import { RollForward, type RollForwardLine } from "@transferkit/report/RollForward"
import * as Iterable from "effect/Iterable"
import * as BookBase from "./BookBase.ts"
import * as BookSettings from "./BookSettings.ts"
import * as Carrying from "./Carrying.ts"
import * as OpenItems from "./OpenItems.ts"

/** Days of which rows are known to the next books at least, so that these may have more days of grace. */
const leastSeenDays = 7

/** What is collected, and how. */
export interface Options {
  readonly settings: BookSettings.BookSettings
  /** Whose transfers they are, if that is known. */
  readonly origin: Origin.Origin | undefined
  readonly asOfDay: string
  /** Whether transfers keep what they are worth in US dollars. */
  readonly inDollars: boolean
  readonly carried: OpenItems.OpenItems | undefined
  /** Those that rows of the ledgers name. */
  readonly payouts: Reconciliation.Payouts
  readonly scratch: Scratch
}

export class OpenBooks {
  readonly #settings: BookSettings.BookSettings
  readonly #base: BookBase.BookBase
  readonly #record: ReconciliationRecords.RecordOptions
  readonly #asOfDay: string
  readonly #lastDay: string
  readonly #places: ReturnType<typeof Reconciliation.places>
  readonly #carried: ReadonlyMap<string, Transfer>
  readonly #items: SortedTexts
  readonly #unused: SortedTexts
  /** The ids of those that earlier books did not use. */
  readonly #unusedBefore: ReadonlySet<string>
  /** Those that these books did not use either so far, as they were last read; none of those within the period. */
  readonly #stillUnused: Map<string, Transfer>
  /** The days and hashes of the rows of the last days, as texts of JSON. */
  readonly #seen: SortedTexts
  readonly #seenSince: string
  /** Those that earlier books had, and these neither so far: the days and the number of each hash. */
  readonly #seenBefore = new Map<string, { readonly day: string; readonly count: number }>()
  readonly #payouts: Reconciliation.Payouts
  /** The rows of payouts that are their sum, by id. */
  readonly #paid = new Map<string, Array<OpenItems.StoredEntry>>()
  readonly #ageing: Ageing
  readonly #rollForward = new RollForward()

  constructor({ settings, origin, asOfDay, inDollars, carried, payouts, scratch }: Options) {
    this.#settings = settings
    this.#base = BookBase.of(settings, origin)
    this.#record = { key: settings.key, amount: settings.amount, inDollars }
    this.#asOfDay = asOfDay
    const end = CreatedAt.intervals(settings.period).at(-1)?.end
    this.#lastDay = end === undefined ? asOfDay : Day.of(Timestamp.fromEpochNanoseconds(end - 1n), settings.timeZone)
    this.#carried = new Map(carried?.transfers.map((transfer) => [transfer.id, transfer]))
    this.#places = Reconciliation.places(Carrying.toOptions(settings, carried))
    this.#items = new SortedTexts(scratch, Partitions.defaultLimit)
    this.#unused = new SortedTexts(scratch, Partitions.defaultLimit)
    this.#stillUnused = new Map(carried?.unused.map((transfer) => [transfer.id, transfer]))
    this.#unusedBefore = new Set(this.#stillUnused.keys())
    this.#seen = new SortedTexts(scratch, Partitions.defaultLimit)
    const wanted = Day.plus(this.#lastDay, 1 - Math.max(settings.graceDays, leastSeenDays))
    const known = carried?.seen.since ?? Day.first(BookSettings.searched(settings), settings.timeZone) ?? wanted
    this.#seenSince = known > wanted ? known : wanted
    for (const [day, hash] of carried?.seen.rows ?? []) {
      const count = (this.#seenBefore.get(hash)?.count ?? 0) + 1
      if (day >= this.#seenSince) this.#seenBefore.set(hash, { day, count })
    }
    this.#payouts = payouts
    this.#ageing = new Ageing(asOfDay)
    for (const entry of carried?.entries ?? [])
      this.#rollForward.addCarried("ledger", { rows: Reconciliation.rowsOf(entry), amount: entry.amount })
    for (const transfer of this.#carried.values()) {
      const amount = this.#amountOf(transfer)
      if (amount !== undefined) this.#rollForward.addCarried("service", { rows: 1, amount })
    }
  }

  /** Notes a row of a ledger, if the next ledger may have it again. */
  seeRow(entry: Reconciliation.LedgerEntry): void {
    if (entry.date === undefined || entry.date < this.#seenSince || entry.date > this.#lastDay) return
    for (const hash of OpenItems.hashesOf(entry)) {
      const before = this.#seenBefore.get(hash)
      if (before !== undefined) this.#seenBefore.set(hash, { ...before, count: before.count - 1 })
      this.#addSeen(entry.date, hash)
    }
  }

  /** Notes a transfer as it is now, before it is reconciled. One within the period has an outcome, or matches. */
  seeTransfer(whole: Transfer): void {
    if (!this.#stillUnused.has(whole.id)) return
    if (this.#places.partOf.transfer(whole) === "within") this.#stillUnused.delete(whole.id)
    else this.#stillUnused.set(whole.id, ReconciliationRecords.slim(whole, this.#record))
  }

  /**
   * Notes payouts that are right, and which transfers need no booking yet. Those of the days of grace may get one whatever
   * their status is, and so may those that earlier books did not use.
   */
  see(outcome: Reconciliation.Outcome): void {
    if (this.#stillUnused.size > 0)
      for (const { id } of Reconciliation.transfersOf(outcome)) this.#stillUnused.delete(id)
    if (outcome._tag === "Payout" && OpenItems.rowsOf(outcome, this.#places).entries.length === 0)
      this.#addPaid(outcome.entry)
    if (outcome._tag !== "NothingToBook") return
    const { id, created_at } = outcome.transfer
    const { graceDays, timeZone } = this.#settings
    const isRecent = Day.between(Day.of(created_at, timeZone), this.#lastDay) < graceDays
    if (outcome.why === "open" || isRecent || this.#unusedBefore.has(id)) this.#addUnused(outcome.transfer)
  }

  /** Adds an outcome, and returns the day since which it is open, if it is. */
  add(outcome: Reconciliation.Outcome, order: string, fingerprint: string | undefined): string | undefined {
    const rows = OpenItems.rowsOf(outcome, this.#places)
    const { entries, transfers } = rows
    if (entries.length === 0 && transfers.length === 0) return undefined
    const { timeZone } = this.#settings
    const since = OpenItems.sinceOf(rows, ({ created_at }) => Day.of(created_at, timeZone))
    const amounts = transfers.flatMap((transfer) => this.#amountOf(transfer) ?? [])
    const { _tag: tag } = outcome
    this.#ageing.add({ outcome: tag, since, ledger: entries.map(({ amount }) => amount), service: amounts })
    for (const entry of entries) {
      const all = { rows: Reconciliation.rowsOf(entry), amount: entry.amount }
      this.#rollForward.addOpen("ledger", all, Reconciliation.carriedOf(entry))
    }
    for (const transfer of transfers) this.#addTransfer(transfer)
    const item: OpenItems.Item = {
      outcome: tag,
      ...(since === undefined ? {} : { since }),
      ...(fingerprint === undefined ? {} : { fingerprint }),
      entries: entries.map((entry) => OpenItems.storedEntry(entry, this.#asOfDay)),
      transfers: transfers.map((transfer) => Object(JsonValue.of(transfer))),
    }
    this.#items.add(order, JSON.stringify(item))
    return since
  }

  /** The file of open items, in parts. */
  file(): Iterable<string> {
    for (const transfer of this.#stillUnused.values()) this.#addUnused(transfer)
    this.#stillUnused.clear()
    for (const [hash, { day, count }] of this.#seenBefore)
      for (let left = count; left > 0; left--) this.#addSeen(day, hash)
    this.#seenBefore.clear()
    const textsOf = (texts: SortedTexts) => Iterable.map({ [Symbol.iterator]: () => texts.rows() }, ({ text }) => text)
    const seen = { since: this.#seenSince, rows: textsOf(this.#seen) }
    const head = { asOfDay: this.#asOfDay, base: this.#base }
    const [items, unused] = [textsOf(this.#items), textsOf(this.#unused)]
    return { [Symbol.iterator]: () => OpenItems.render(head, { items, unused, payouts: this.#payoutTexts(), seen }) }
  }

  get ageing(): ReadonlyArray<AgeLine> {
    return this.#ageing.lines
  }

  get rollForward(): ReadonlyArray<RollForwardLine> {
    return this.#rollForward.lines
  }

  #addPaid(entry: Reconciliation.LedgerEntry): void {
    const known = this.#paid.get(entry.key) ?? []
    this.#paid.set(entry.key, [...known, OpenItems.storedEntry(entry, this.#asOfDay)])
  }

  *#payoutTexts(): Generator<string> {
    for (const [id, known] of this.#payouts.known()) {
      const day = known.day || this.#asOfDay
      const entries = [
        ...known.entries.map((entry) => OpenItems.storedEntry(entry, this.#asOfDay)),
        ...(this.#paid.get(id) ?? []),
      ]
      const last = entries.reduce((latest, { since }) => (since > latest ? since : latest), day)
      if (Day.between(last, this.#asOfDay) > OpenItems.payoutDays) continue
      yield JSON.stringify(OpenItems.storedPayout(id, { ...known, day }, entries))
    }
  }

  #addSeen(day: string, hash: string): void {
    this.#seen.add(`${day} ${hash}`, JSON.stringify([day, hash]))
  }

  #addUnused(transfer: Transfer): void {
    this.#unused.add(transfer.id, JSON.stringify(transfer))
  }

  /** A transfer whose amount has changed is cleared with the old one, and new with the other. */
  #addTransfer(transfer: Transfer): void {
    const amount = this.#amountOf(transfer)
    if (amount === undefined) return
    const carried = this.#carried.get(transfer.id)
    const before = carried && this.#amountOf(carried)
    const isSame = before !== undefined && Money.equals(before, amount)
    this.#rollForward.addOpen("service", { rows: 1, amount }, isSame ? { rows: 1, amount } : undefined)
  }

  #amountOf(transfer: Transfer): Money.Money | undefined {
    return ComparedAmount.of(transfer, this.#settings.amount)
  }
}
