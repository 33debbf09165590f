/** Reconciles ledgers and transfers of any size in bounded memory, and finds what the books leave open. */
import { basename } from "node:path"
import * as BreakIdentity from "@transferkit/domain/BreakIdentity"
import * as ComparedAmount from "@transferkit/domain/ComparedAmount"
import * as CreatedAt from "@transferkit/domain/CreatedAt"
import * as Day from "@transferkit/domain/Day"
import * as Dialect from "@transferkit/domain/Dialect"
import type * as Origin from "@transferkit/domain/Origin"
import * as Reconciliation from "@transferkit/domain/Reconciliation"
import type { Transfer } from "@transferkit/domain/Transfer"
import * as FileError from "@transferkit/files/FileError"
import { KeyHints } from "@transferkit/files/ledgers/KeyHints"
import * as AcceptedDraft from "@transferkit/files/node/AcceptedDraft"
import * as AcceptedFile from "@transferkit/files/node/AcceptedFile"
import * as LedgerFile from "@transferkit/files/node/LedgerFile"
import * as ScratchFile from "@transferkit/files/node/ScratchFile"
import { LargeReconciliation } from "@transferkit/files/partitions/LargeReconciliation"
import * as Partitions from "@transferkit/files/partitions/Partitions"
import { SortedTexts } from "@transferkit/files/partitions/SortedTexts"
import { BatchProposals } from "@transferkit/report/BatchProposals"
import { BreakStates } from "@transferkit/report/BreakStates"
import * as ReconciliationLines from "@transferkit/report/ReconciliationLines"
import * as UsdValue from "@transferkit/report/UsdValue"
import * as Effect from "effect/Effect"
import * as Iterable from "effect/Iterable"
import * as Stream from "effect/Stream"
import * as BookSettings from "./BookSettings.ts"
import * as Carrying from "./Carrying.ts"
import type { LookUps } from "./LookUps.ts"
import { OpenBooks } from "./OpenBooks.ts"
import type * as OpenItems from "./OpenItems.ts"

/** A ledger: its path, and the name to show, if that is another. */
export interface LedgerPlace {
  readonly path: string
  readonly name?: string | undefined
}

/** What to reconcile, and how. */
export interface Options<E = never, R = never> {
  readonly settings: BookSettings.BookSettings
  /** Whose transfers they are, if that is known. */
  readonly origin: Origin.Origin | undefined
  readonly ledgers: ReadonlyArray<LedgerPlace>
  /** What to say of a key without a transfer. */
  readonly words: Pick<ReconciliationLines.LineOptions, "searched" | "absence">
  /** The order of transfers that the ledger lacks. */
  readonly order: "added" | "created"
  /** Whether to keep the lines of matches, too. */
  readonly matched: boolean
  /** Which transfers must be booked. */
  readonly isRequired: (transfer: Transfer) => boolean
  /** Accepted breaks. */
  readonly accepted?: ReadonlyArray<AcceptedFile.AcceptedBreak> | undefined
  /** What earlier books left open. */
  readonly carried?: OpenItems.OpenItems | undefined
  /** Whether to collect the breaks, to accept them. */
  readonly drafts?: boolean
  /** Whether to say what the transfers of the period, and breaks, are worth in US dollars. */
  readonly inDollars?: boolean
  /** How to ask the source for transfers that the period does not bring. */
  readonly lookUps: LookUps<E, R>
}

/** A reconciliation, and the open items that it leaves, if it is as of a day. */
export interface ReconciledBooks extends ReconciliationLines.Reconciled {
  readonly openItems: Iterable<string> | undefined
}

/**
 * Reads the ledgers. Then the transfers are added, and the reconciliation is finished, both until the scope ends.
 *
 * A short run pays for the rules of ledgers (totals, balances, words, look-ups): V8 compiles them for 0.2 s of CPU, so that
 * 20,000 rows and as many transfers of a file take 0.91 s, and took 0.71 s without them. A long run does not: 100,000 take
 * 2.9 s instead of 3.3.
 */
export const open = Effect.fnUntraced(function* <E = never, R = never>(options: Options<E, R>) {
  const { settings, origin, words, order, matched, isRequired, accepted, carried } = options
  const { drafts = false, inDollars = false } = options
  const { key, amount, settlement, period, timeZone, asOfDay } = settings
  const scratch = yield* ScratchFile.make
  const texts = new SortedTexts(scratch, Partitions.defaultLimit)
  const gone = new Set<string>()
  const isGone = ({ id }: Transfer) => gone.has(id)
  const lineOptions = { key, amount, settlement, timeZone, isGone, ...words }
  const rules = Carrying.toOptions(settings, carried)
  const payouts = Reconciliation.payouts(rules)
  const book = { ...rules, payouts }
  const batches = settings.batches ? new BatchProposals(book) : undefined
  const states = accepted && asOfDay !== undefined ? new BreakStates({ accepted, asOfDay }) : undefined
  const draft = drafts ? new AcceptedDraft.AcceptedDraft(accepted ?? []) : undefined
  const dollars = inDollars ? new UsdValue.ByClass() : undefined
  const isWithin = Reconciliation.within(BookSettings.toOptions(settings)).transfer
  const isAll = period === CreatedAt.all
  const { covered } = options.lookUps
  const find = options.lookUps.byKey && Carrying.once(options.lookUps.byKey, key)
  const earlier = yield* Carrying.read(carried, settings, { ...options.lookUps, byKey: find })
  const openBooks =
    asOfDay === undefined
      ? undefined
      : new OpenBooks({ settings, origin, asOfDay, inDollars, carried, payouts, scratch })
  const reconciliation = new LargeReconciliation(
    {
      ...book,
      scratch,
      order,
      matched,
      inDollars,
      isRequired,
      lookUps: find === undefined || isAll ? 0 : settings.lookUps,
      // Without a period, everything that the source holds is read.
      ...(isAll && find !== undefined ? { isEverywhere: () => true } : {}),
    },
    ({ outcome, order: place, whole }) => {
      openBooks?.see(outcome)
      if (!matched && !ReconciliationLines.isListed(outcome)) return
      const isBreak = Reconciliation.isBreak(outcome)
      const identity = isBreak && whole === undefined ? BreakIdentity.of(outcome, book) : undefined
      const fingerprint = identity && AcceptedFile.fingerprint(identity)
      if (isBreak) states?.add(fingerprint)
      const canAddUp = !Reconciliation.transfersOf(outcome).some(isGone)
      if (fingerprint !== undefined && canAddUp) batches?.add(outcome, fingerprint)
      if (identity !== undefined && fingerprint !== undefined) draft?.add(fingerprint, identity)
      const open_since = openBooks?.add(outcome, place, fingerprint)
      // A break of the days of grace may be younger than the as-of day.
      const age_days =
        open_since === undefined || asOfDay === undefined ? undefined : Math.max(0, Day.between(open_since, asOfDay))
      for (const line of ReconciliationLines.linesOf(outcome, lineOptions, whole))
        texts.add(place, JSON.stringify({ ...line, fingerprint, open_since, age_days }))
    },
  )
  for (const entry of earlier.entries) reconciliation.addEntry(entry)
  const keyHints = new KeyHints()
  const readings = yield* readLedgers(options, (entry) => {
    keyHints.addEntry(entry.key)
    openBooks?.seeRow(entry)
    reconciliation.addEntry(entry)
  })
  const { payout } = settings.ledger.columns
  if (payout !== undefined && readings.every(({ columns }) => columns.payout === undefined)) {
    const reason = `--map payout=${payout}: no ledger has this column`
    return yield* new FileError.FileError({
      path: options.ledgers.map(({ name, path }) => name ?? path).join(", "),
      reason,
    })
  }
  const addTransfer = (transfer: Transfer) => {
    openBooks?.seeTransfer(transfer)
    reconciliation.addTransfer(transfer)
  }
  const addGone = (transfer: Transfer) => {
    gone.add(transfer.id)
    openBooks?.seeTransfer(transfer)
    reconciliation.addUnpaired(transfer)
  }
  earlier.transfers.forEach(addTransfer)
  earlier.gone.forEach(addGone)
  const awaited = new Map(earlier.awaited)
  const lines = Iterable.map({ [Symbol.iterator]: () => texts.rows() }, ({ text }) =>
    ReconciliationLines.fromJson(text),
  )
  const contradictions: { count: number; first: string | undefined } = { count: 0, first: undefined }
  const add = (transfer: Transfer) => {
    const contradiction = amount === "fiat" ? ComparedAmount.contradiction(transfer) : undefined
    if (contradiction !== undefined) {
      contradictions.count++
      contradictions.first ??= contradiction
    }
    if (dollars !== undefined && isWithin(transfer)) {
      dollars.add(Dialect.classOf(settlement, transfer.status), ComparedAmount.inDollars(transfer, amount))
    }
    keyHints.addTransfer(transfer[key])
    awaited.delete(transfer.id)
    addTransfer(transfer)
  }
  return {
    readings,
    /** Of kinds and fiat sides. Only the first is kept: all transfers may have one. */
    contradictions,
    keyHints,
    add: (transfers: ReadonlyArray<Transfer>) => FileError.attempt(() => transfers.forEach(add)),
    draft,
    finish: Effect.gen(function* () {
      yield* FileError.attempt(() =>
        awaited.forEach((transfer) => {
          if (CreatedAt.matches(covered, transfer.created_at)) addGone(transfer)
          else addTransfer(transfer)
        }),
      )
      const totals = yield* finished(reconciliation.reconcile())
      const keys = reconciliation.unknownKeys
      const statuses = statusesOf(reconciliation, settlement)
      const of = (all: Reconciliation.Totals): ReconciledBooks => ({
        totals: all,
        lines: states === undefined ? lines : { [Symbol.iterator]: () => states.lines(lines) },
        statuses,
        states: states?.counts(Reconciliation.breaks(all)),
        proposals: batches
          ?.all((fingerprint) => states?.isExplained(fingerprint) === true)
          .map(({ proposal, identity }) => {
            if (identity !== undefined) draft?.addBatch(identity)
            return proposal
          }),
        refusal: batches?.refusal,
        dollars: dollars?.lines,
        ageing: openBooks?.ageing,
        rollForward: openBooks?.rollForward,
        openItems: openBooks?.file(),
      })
      if (find === undefined || keys.length === 0) return of(totals)
      const found = yield* find(keys)
      if (openBooks !== undefined) for (const transfer of found) openBooks.seeTransfer(transfer)
      return of(yield* FileError.attempt(() => reconciliation.lookedUp(found)))
    }),
  }
})

/** The names of ledgers in places: no two are the same, because open items know a row by its place. */
const namesOf = (ledgers: Options["ledgers"]): ReadonlyArray<string> => {
  const given = ledgers.map(({ path, name }) => name ?? path)
  const names: Array<string> = []
  for (const path of given) {
    const name = basename(path)
    const shown = given.filter((other) => basename(other) === name).length === 1 ? name : path
    let free = shown
    // The same ledger may be given twice.
    for (let count = 2; names.includes(free); count++) free = `${shown} (${count})`
    names.push(free)
  }
  return names
}

/** Reads the rows of all ledgers. Places in them have their names, if there are several. */
const readLedgers = (
  { ledgers, settings }: Pick<Options, "ledgers" | "settings">,
  use: (entry: Reconciliation.LedgerEntry) => void,
) => {
  const names = namesOf(ledgers)
  const byHash = new Map<string, string>()
  return Effect.forEach(
    ledgers,
    Effect.fnUntraced(function* ({ path, name }, index) {
      const placeOf = ledgers.length > 1 ? (place: string) => `${names[index]} ${place}` : undefined
      const toError = ({ path: read, reason }: FileError.FileError) =>
        new FileError.FileError({ path: name ?? read, reason })
      const { entries, reading, sha256 } = yield* Effect.mapError(
        LedgerFile.open(path, settings.ledger, placeOf),
        toError,
      )
      yield* Stream.runForEach(Stream.mapError(entries, toError), (batch) =>
        FileError.attempt(() => batch.forEach(use)),
      )
      const hash = yield* Effect.mapError(sha256, toError)
      const same_as = byHash.get(hash)
      if (same_as === undefined) byHash.set(hash, names[index] ?? path)
      return { ...(yield* reading), file: name ?? path, ...(same_as !== undefined && { same_as }), sha256: hash }
    }),
  )
}

/** How many transfers of the period have each status, and its class. */
const statusesOf = (
  { statuses }: LargeReconciliation,
  settlement: Dialect.Settlement,
): ReadonlyArray<ReconciliationLines.StatusCount> =>
  [...statuses]
    .map(([status, transfers]) => ({ status, class: Dialect.classOf(settlement, status), transfers }))
    .toSorted((one, other) => (one.status < other.status ? -1 : 1))

/** Runs all steps. Lets an interruption through between them. */
const finished = Effect.fnUntraced(function* <A>(steps: Generator<void, A>) {
  for (;;) {
    const step = yield* FileError.attempt(() => steps.next())
    if (step.done === true) return step.value
    yield* Effect.yieldNow
  }
})
