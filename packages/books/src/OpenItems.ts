/**
 * The rows of both sides that books leave open: the next books carry them over. An entry keeps the day since which it is
 * open. A transfer has been open since its creation.
 */
import { createHash } from "node:crypto"
import * as CreatedAt from "@transferkit/domain/CreatedAt"
import * as CurrencyCode from "@transferkit/domain/CurrencyCode"
import * as Day from "@transferkit/domain/Day"
import * as JsonDepth from "@transferkit/domain/JsonDepth"
import * as JsonDocument from "@transferkit/domain/JsonDocument"
import * as Money from "@transferkit/domain/Money"
import * as Reconciliation from "@transferkit/domain/Reconciliation"
import * as Timestamp from "@transferkit/domain/Timestamp"
import type { Transfer } from "@transferkit/domain/Transfer"
import * as TransferDecoder from "@transferkit/files/formats/TransferDecoder"
import * as Result from "effect/Result"
import * as S from "effect/Schema"
import * as BookBase from "./BookBase.ts"

const DayText = S.String.check(
  S.makeFilter((text) => Result.isSuccess(CreatedAt.day(text, Day.utc)) || "Expected a day such as 2024-09-30"),
)

/** A row of a ledger, as stored. */
const Entry = S.Struct({
  reference: S.String,
  key: S.String,
  amount: S.String,
  currency_code: S.String,
  status: S.optionalKey(S.String),
  date: S.optionalKey(DayText),
  at: S.optionalKey(S.String),
  rows: S.optionalKey(S.Int.check(S.isGreaterThanOrEqualTo(1))),
  payout: S.optionalKey(S.String),
  /** Of rows that were added: money in and money out. */
  gross: S.optionalKey(S.Tuple([S.String, S.String])),
  /** The day since which it is open. */
  since: DayText,
})

/** See the schema. */
export type StoredEntry = typeof Entry.Type

const Payout = S.Struct({
  id: S.NonEmptyString,
  /** The last day of the rows that name it, how many they are, and what they add up to in each currency. */
  day: DayText,
  rows: S.Int.check(S.isGreaterThanOrEqualTo(1)),
  sums: S.Array(S.Tuple([S.String, S.String])).check(S.isMinLength(1)),
  /** Its own rows, if they were that sum: it is compared again when another row names it. */
  entries: S.Array(Entry),
})

/** What is compared of a transfer, as the service writes it. */
const Fields = S.Record(S.String, S.Json)

/** An item, as stored. */
export const Item = S.Struct({
  outcome: S.Literals(Reconciliation.outcomeTags),
  since: S.optionalKey(DayText),
  fingerprint: S.optionalKey(S.String),
  entries: S.Array(Entry),
  transfers: S.Array(Fields),
})

/** See the schema. */
export type Item = typeof Item.Type

/** A file of open items. */
export const Stored = S.Struct({
  open_items: S.Literal(1),
  as_of_day: DayText,
  /** What the books that carry them over must have in common with those that left them. */
  base: BookBase.BookBase,
  items: S.Array(Item),
  /** Transfers that needed no booking, as they were still open at the service, or had just failed or been left out. */
  unused: S.Array(Fields),
  /** The payouts that rows of the ledgers name: the next books add their own rows. */
  payouts: S.Array(Payout),
  /**
   * The rows of the last days, which the next ledger may have again: from when on, and the day and a hash of each. One that
   * names a payout has a second hash, with it.
   */
  seen: S.Struct({ since: DayText, rows: S.Array(S.Tuple([DayText, S.String])) }),
})

/** The open rows of earlier books. */
export interface OpenItems {
  readonly asOfDay: string
  readonly base: BookBase.BookBase
  readonly entries: ReadonlyArray<Reconciliation.LedgerEntry>
  readonly transfers: ReadonlyArray<Transfer>
  /** Transfers that needed no booking. They may have one in the next books, and those that are settled by then must. */
  readonly unused: ReadonlyArray<Transfer>
  /** Transfers of that period that the books did not have, or had as failed. Only a close can know them. */
  readonly late: ReadonlyArray<Transfer>
  readonly payouts: ReadonlyMap<string, Reconciliation.KnownPayout>
  readonly seen: SeenRows
}

/** The rows that books had, in the days of which they say so. */
export interface SeenRows extends Pick<(typeof Stored.Type)["seen"], "since" | "rows"> {
  /** How many rows like one they had. */
  readonly count: (entry: Reconciliation.LedgerEntry) => number
  /** How many of these named its payout. */
  readonly named: (entry: Reconciliation.LedgerEntry) => number
}

/** How many days a payout is known after the last row that names or is it. */
export const payoutDays = 366

/** A transfer is four levels below the file. */
const read = JsonDocument.reader(Stored, { levels: JsonDepth.maxDepth + 4 })

/** Reads the text of a file; or says, as a clause, why it cannot. */
export const parse = (text: string): Result.Result<OpenItems, string> =>
  Result.gen(function* () {
    const none = (reason: string) => `it is no file of open items: ${reason.split("\n")[0]}`
    const { as_of_day, base, items, unused, payouts, seen } = yield* Result.mapError(read(text), none)
    const decoded = (all: ReadonlyArray<typeof Fields.Type>) =>
      Result.mapError(TransferDecoder.fromJsonTexts(all.map((one) => JSON.stringify(one))), ({ message }) => message)
    const transfers = yield* decoded(items.flatMap((item) => item.transfers))
    const others = yield* decoded(unused)
    const [entries, known] = yield* Result.mapError(
      Result.try(() => [items.flatMap((item) => item.entries.map(entryOf)), payouts.map(knownOf)] as const),
      (error) => none(error instanceof Error ? error.message : String(error)),
    )
    const twice =
      firstRepeat([...transfers, ...others].map(({ id }) => `the transfer ${id}`)) ??
      firstRepeat(payouts.map(({ id }) => `the payout ${id}`)) ??
      firstRepeat([...items, ...payouts].flatMap((of) => of.entries.map((entry) => `the row ${JSON.stringify(entry)}`)))
    if (twice !== undefined) return yield* Result.fail(`it has ${twice.slice(0, 200)} twice: remove one of the two`)
    const open = { entries, transfers, unused: others, late: [], payouts: new Map(known) }
    return { asOfDay: as_of_day, base, ...open, seen: seenIn(seen) }
  })

const seenIn = ({ since, rows }: (typeof Stored.Type)["seen"]): SeenRows => {
  const counts = new Map<string, number>()
  for (const [, hash] of rows) counts.set(hash, (counts.get(hash) ?? 0) + 1)
  // One without a day is not among them, and not late.
  const of = (nameOf: typeof Reconciliation.namingOf) => (entry: Reconciliation.LedgerEntry) =>
    entry.date === undefined ? Number.POSITIVE_INFINITY : (counts.get(hashOf(nameOf(entry) ?? "")) ?? 0)
  return { since, rows, count: of(Reconciliation.likenessOf), named: of(Reconciliation.namingOf) }
}

/** A row as the file names it, and with its payout, if it names one: what it says stays out of the file. */
export const hashesOf = (entry: Reconciliation.LedgerEntry): ReadonlyArray<string> => {
  const naming = Reconciliation.namingOf(entry)
  const likeness = hashOf(Reconciliation.likenessOf(entry))
  return naming === undefined ? [likeness] : [likeness, hashOf(naming)]
}

const hashOf = (name: string): string => createHash("sha256").update(name).digest("base64url").slice(0, 16)

const firstRepeat = (texts: ReadonlyArray<string>): string | undefined => {
  const seen = new Set<string>()
  return texts.find((text) => seen.size === seen.add(text).size)
}

/** Throws if an amount or an instant cannot be read. */
const entryOf = (stored: typeof Entry.Type): Reconciliation.LedgerEntry => {
  const { reference, key, amount, currency_code, status, date, at, rows, payout, gross, since } = stored
  const code = Result.getOrThrow(CurrencyCode.parse(currency_code))
  const money = (text: string) => Result.getOrThrow(Money.parse(text, code))
  return {
    reference,
    key,
    amount: money(amount),
    carried: since,
    ...(status === undefined ? {} : { status }),
    ...(date === undefined ? {} : { date }),
    ...(at === undefined ? {} : { at: Timestamp.parseUnsafe(at) }),
    ...(rows === undefined ? {} : { rows }),
    ...(payout === undefined ? {} : { payout }),
    ...(gross === undefined ? {} : { gross: { in: money(gross[0]), out: money(gross[1]) } }),
  }
}

/** Throws if an amount cannot be read, or a row is not one of the payout. */
const knownOf = ({ id, rows, day, sums, entries }: typeof Payout.Type): [string, Reconciliation.KnownPayout] => {
  const own = entries.map(entryOf)
  if (own.some(({ key }) => key !== id))
    throw new Error(`the payout ${JSON.stringify(id.slice(0, 64))} has a row of another key`)
  const money = sums.map(([amount, code]) =>
    Result.getOrThrow(Result.flatMap(CurrencyCode.parse(code), (currency) => Money.parse(amount, currency))),
  )
  return [id, { rows, day, sums: money, entries: own }]
}

/** A payout as it is stored. */
export const storedPayout = (
  id: string,
  { day, rows, sums }: Reconciliation.KnownPayout,
  entries: ReadonlyArray<StoredEntry>,
): typeof Payout.Type => ({
  id,
  day,
  rows,
  sums: sums.map(({ text, currency_code }) => [text, currency_code]),
  entries,
})

/** An entry as it is stored. Its reference begins with the day of these books, so that no row of the next has the same. */
export const storedEntry = (entry: Reconciliation.LedgerEntry, asOfDay: string): typeof Entry.Type => {
  const { reference, key, amount, status, date, at, rows, payout, gross } = entry
  const carried = Reconciliation.carriedOf(entry)
  return {
    reference: carried === undefined ? `${asOfDay} ${reference}` : reference,
    key,
    amount: amount.text,
    currency_code: amount.currency_code,
    ...(status === undefined ? {} : { status }),
    ...(date === undefined ? {} : { date }),
    ...(at === undefined ? {} : { at: at.text }),
    ...(rows === undefined ? {} : { rows }),
    ...(payout === undefined ? {} : { payout }),
    ...(gross === undefined ? {} : { gross: [gross.in.text, gross.out.text] }),
    since: carried?.since ?? date ?? asOfDay,
  }
}

/** What a file has many of: texts of JSON. */
export interface Parts {
  readonly items: Iterable<string>
  readonly unused: Iterable<string>
  readonly payouts: Iterable<string>
  readonly seen: { readonly since: string; readonly rows: Iterable<string> }
}

/** The file, in parts. */
export function* render(
  { asOfDay, base }: Pick<OpenItems, "asOfDay" | "base">,
  { items, unused, payouts, seen }: Parts,
): Generator<string> {
  yield `{"open_items":1,"as_of_day":${JSON.stringify(asOfDay)},"base":${JSON.stringify(base)},"items":[`
  yield* lines(items)
  yield `],"unused":[`
  yield* lines(unused)
  yield `],"payouts":[`
  yield* lines(payouts)
  yield `],"seen":{"since":"${seen.since}","rows":[`
  yield* lines(seen.rows)
  yield "]}}\n"
}

function* lines(texts: Iterable<string>): Generator<string> {
  let isFirst = true
  for (const text of texts) {
    yield `${isFirst ? "" : ","}\n${text}`
    isFirst = false
  }
  if (!isFirst) yield "\n"
}

/** The rows that an outcome leaves open; none of what is matched, or need not be booked. */
export const rowsOf = (
  outcome: Reconciliation.Outcome,
  { partOf, isUsed }: ReturnType<typeof Reconciliation.places>,
): { readonly entries: ReadonlyArray<Reconciliation.LedgerEntry>; readonly transfers: ReadonlyArray<Transfer> } => {
  switch (outcome._tag) {
    case "Matched":
    case "NothingToBook":
      return { entries: [], transfers: [] }
    case "Payout":
      // The next books have rows of a sum that is preliminary.
      return {
        entries: outcome.differences.length === 0 && !outcome.isPreliminary ? [] : [outcome.entry],
        transfers: [],
      }
    case "OtherPeriod": {
      const { entry, transfer, differences } = outcome
      // The next books have the counterpart.
      if (partOf.entry(entry) === "later") return { entries: [], transfers: [transfer] }
      if (partOf.transfer(transfer) === "later") return { entries: [entry], transfers: [] }
      // Earlier books have another row for it, so that this one has none.
      if (isUsed(transfer)) return { entries: [entry], transfers: [] }
      return differences.length === 0 ? { entries: [], transfers: [] } : { entries: [entry], transfers: [transfer] }
    }
    case "Differs":
    case "NotInLedger":
    case "NotAtService":
    case "NotSettled":
    case "Ambiguous":
    case "Expected":
      // The next books have those of the days after the period.
      return {
        entries: Reconciliation.entriesOf(outcome).filter((entry) => partOf.entry(entry) !== "later"),
        transfers: Reconciliation.transfersOf(outcome).filter((transfer) => partOf.transfer(transfer) !== "later"),
      }
  }
}

/** The day since which rows are open: the first that one of them has. */
export const sinceOf = (
  { entries, transfers }: ReturnType<typeof rowsOf>,
  dayOf: (transfer: Transfer) => string = ({ created_at }) => Day.of(created_at, Day.utc),
): string | undefined =>
  [
    ...entries.flatMap((entry) => Reconciliation.carriedOf(entry)?.since ?? entry.date ?? []),
    ...transfers.map(dayOf),
  ].toSorted()[0]
