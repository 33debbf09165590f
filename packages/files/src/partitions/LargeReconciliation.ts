/**
 * Reconciles a ledger with transfers, both of any size, in bounded memory. The rules are those of `Reconciliation`, which
 * concern one key each: so each partition is reconciled by itself.
 */
import type { CurrencyCode } from "@transferkit/domain/CurrencyCode"
import * as Money from "@transferkit/domain/Money"
import * as Reconciliation from "@transferkit/domain/Reconciliation"
import * as Timestamp from "@transferkit/domain/Timestamp"
import type { Transfer } from "@transferkit/domain/Transfer"
import * as Brand from "effect/Brand"
import * as Result from "effect/Result"
import * as CreationOrder from "./CreationOrder.ts"
import { defaultLimit, type LargeKey, Partitions, type RowFormat, type Spread } from "./Partitions.ts"
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

/** A row and its place among those of its side. */
interface Placed<A> {
  readonly place: string
  readonly row: A
}

export class LargeReconciliation {
  readonly #options: LargeReconciliationOptions
  readonly #use: (found: Found) => void
  readonly #partitions: Partitions<Placed<Reconciliation.LedgerEntry>, Placed<Transfer>>
  readonly #totals = new Totals()
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
      left: entryFormat,
      right: transferFormat(options),
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
    const transfer = slim(whole, this.#options)
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

  #pair(left: ReadonlyArray<Placed<Reconciliation.LedgerEntry>>, right: ReadonlyArray<Placed<Transfer>>): void {
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
    const [amountAt, codeAt, statusAt] = comparedAt(entry)
    const hasStatus = entry[statusAt] !== '"'
    const end = hasStatus ? entry.indexOf(between, statusAt) + between.length : statusAt
    if (!transfer.startsWith(entry.slice(0, end))) return false
    this.#equal.push(
      moneyOf(entry.slice(amountAt, codeAt - between.length), entry.slice(codeAt, statusAt - between.length)),
    )
    return true
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
  #largeKey({ key, counts, left, right }: LargeKey<Placed<Reconciliation.LedgerEntry>, Placed<Transfer>>): void {
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

  *#inOrder(blocks: Iterable<ReadonlyArray<Placed<Transfer>>>): Generator<ReadonlyArray<Placed<Transfer>>> {
    const { scratch, spread, order = "added" } = this.#options
    if (order === "added") return yield* blocks
    const { encode, decode } = transferFormat(this.#options)
    const sorted = new SortedTexts(scratch, spread?.limit ?? defaultLimit)
    for (const block of blocks) for (const placed of block) sorted.add(placed.place, encode(placed))
    for (const { text } of sorted.rows()) yield decode([text])
  }
}

const keyOf = (outcome: Reconciliation.Outcome, field: Reconciliation.KeyField): string => {
  if (outcome._tag === "Ambiguous") return outcome.key
  return outcome._tag === "MissingHere" || outcome._tag === "Attempt"
    ? (outcome.transfer[field] ?? "")
    : outcome.entry.key
}

/** The entries of a key, added block after block. */
const groupOf = (blocks: Iterable<ReadonlyArray<Placed<Reconciliation.LedgerEntry>>>) => {
  let place = ""
  let entries: ReadonlyArray<Reconciliation.LedgerEntry> = []
  for (const block of blocks) {
    place ||= block[0]?.place ?? ""
    entries = Reconciliation.group([...entries, ...rowsOf(block)])
  }
  return entries.map((row) => ({ place, row }))
}

const rowsOf = <A>(placed: ReadonlyArray<Placed<A>>): ReadonlyArray<A> => placed.map(({ row }) => row)

// ---------------------------------------------------------------------------------------------------- places

/** Compared as text. */
const placeOf = (index: number): string => index.toString(36).padStart(10, "0")

/** After all ledger entries. */
const creationPlace = (transfer: Transfer): string => `1${CreationOrder.of(transfer)}`

const creationPlaceOf = (outcome: Reconciliation.Outcome): string =>
  outcome._tag === "MissingHere" ? creationPlace(outcome.transfer) : ""

// ---------------------------------------------------------------------------------------------------- rows as text

const parseRows = (texts: ReadonlyArray<string>) => JSON.parse(`[${texts.join(",")}]`)

const codeOf = Brand.nominal<CurrencyCode>()

const moneyOf = (amount: string, code: string): Money.Money => Money.parseUnsafe(amount, codeOf(code))

/** A record begins with what is compared: the key, the amount, its currency and the status. */
const between = '","'

const keyIn = (text: string): string => text.slice(2, text.indexOf(between))

/** Where its amount, its currency and its status begin. */
const comparedAt = (text: string): readonly [amount: number, code: number, status: number] => {
  const amount = text.indexOf(between) + between.length
  const code = text.indexOf(between, amount) + between.length
  return [amount, code, text.indexOf(between, code) + between.length]
}

/** Apart from an absent one. */
const statusCell = (status: string | undefined): string => (status === undefined ? "" : `=${status}`)

type EntryCells = readonly [
  key: string,
  amount: string,
  code: string,
  status: string,
  place: string,
  reference: string,
  date: string | null,
  rows: number | null,
]

const entryFormat: RowFormat<Placed<Reconciliation.LedgerEntry>> = {
  keyOf: ({ row }) => row.key,
  lengthOf: ({ row }) => 80 + row.key.length + row.reference.length + row.amount.text.length,
  encode: ({ place, row: { key, amount, status, reference, date = null, rows = null } }) => {
    const { text, currency_code } = amount
    const cells: EntryCells = [key, text, currency_code, statusCell(status), place, reference, date, rows]
    return JSON.stringify(cells)
  },
  keyIn,
  decode: (texts) => {
    const records: ReadonlyArray<EntryCells> = parseRows(texts)
    return records.map(([key, amount, code, status, place, reference, date, rows]) => ({
      place,
      row: {
        reference,
        key,
        amount: moneyOf(amount, code),
        ...(status === "" ? {} : { status: status.slice(1) }),
        ...(date === null ? {} : { date }),
        ...(rows === null ? {} : { rows }),
      },
    }))
  },
}

const idOf = Brand.nominal<Transfer["id"]>()

/** Only the fields that the rules and reports look at: whole transfers would take ten times the room. */
const slim = (
  whole: Transfer,
  { key = "external_id", amount = "source_total" }: Reconciliation.ReconciliationOptions,
): Transfer => {
  const { id, kind, status, created_at, [key]: value, [amount]: money } = whole
  return {
    id,
    kind,
    status,
    created_at,
    ...(key === "id" || value === undefined ? {} : { [key]: value }),
    ...(money === undefined ? {} : { [amount]: money }),
  }
}

const transferFormat = ({
  key = "external_id",
  amount = "source_total",
}: Reconciliation.ReconciliationOptions): RowFormat<Placed<Transfer>> => ({
  keyOf: ({ row }) => row[key] ?? "",
  lengthOf: ({ row }) => 100 + row.id.length + (row[key]?.length ?? 0) + (row[amount]?.text.length ?? 0),
  encode: ({ place, row }) => {
    const { text = "", currency_code = "" } = row[amount] ?? {}
    const { id, kind, status, created_at } = row
    return JSON.stringify([row[key], text, currency_code, statusCell(status), place, id, kind, created_at.text])
  },
  keyIn,
  decode: (texts) => {
    const records: ReadonlyArray<ReadonlyArray<string>> = parseRows(texts)
    return records.map(([value = "", text = "", code = "", status = "", place = "", id = "", kind = "", at = ""]) => ({
      place,
      row: {
        id: idOf(id),
        kind,
        status: status.slice(1),
        created_at: Timestamp.parseUnsafe(at),
        ...(key === "id" ? {} : { [key]: value }),
        ...(text === "" ? {} : { [amount]: moneyOf(text, code) }),
      },
    }))
  },
})

// ---------------------------------------------------------------------------------------------------- totals

class Totals {
  readonly #byTag = {
    Matched: new TagTotals(),
    Differs: new TagTotals(),
    MissingHere: new TagTotals(),
    MissingThere: new TagTotals(),
    Ambiguous: new TagTotals(),
    Attempt: new TagTotals(),
  }

  add(more: Partial<Reconciliation.Reconciliation["totals"]>): void {
    for (const tag of Reconciliation.outcomeTags) {
      const own = more[tag]
      if (own !== undefined) this.#byTag[tag].add(own)
    }
  }

  all(): Reconciliation.Reconciliation["totals"] {
    const { Matched, Differs, MissingHere, MissingThere, Ambiguous, Attempt } = this.#byTag
    return {
      Matched: Matched.all(),
      Differs: Differs.all(),
      MissingHere: MissingHere.all(),
      MissingThere: MissingThere.all(),
      Ambiguous: Ambiguous.all(),
      Attempt: Attempt.all(),
    }
  }
}

class TagTotals {
  readonly #counts = { outcomes: 0, entries: 0, transfers: 0 }
  readonly #ledger = new Map<string, Money.Money>()
  readonly #service = new Map<string, Money.Money>()

  add({ outcomes, entries, transfers, ledger, service }: Reconciliation.OutcomeTotals): void {
    this.#counts.outcomes += outcomes
    this.#counts.entries += entries
    this.#counts.transfers += transfers
    for (const money of ledger) addTo(this.#ledger, money)
    for (const money of service) addTo(this.#service, money)
  }

  all(): Reconciliation.OutcomeTotals {
    return { ...this.#counts, ledger: sorted(this.#ledger), service: sorted(this.#service) }
  }
}

const addTo = (sums: Map<string, Money.Money>, money: Money.Money): void => {
  const sum = sums.get(money.currency_code)
  sums.set(money.currency_code, sum === undefined ? money : Result.getOrThrow(Money.add(sum, money)))
}

const sorted = (sums: ReadonlyMap<string, Money.Money>): ReadonlyArray<Money.Money> =>
  [...sums.values()].sort(Money.Order)
