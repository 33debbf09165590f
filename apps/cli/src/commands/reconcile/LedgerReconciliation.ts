/** Reconciles ledgers and transfers of any size in bounded memory, as the flags say. */
import { basename } from "node:path"
import * as BreakIdentity from "@transferkit/domain/BreakIdentity"
import * as ComparedAmount from "@transferkit/domain/ComparedAmount"
import * as CreatedAt from "@transferkit/domain/CreatedAt"
import * as Dialect from "@transferkit/domain/Dialect"
import * as Reconciliation from "@transferkit/domain/Reconciliation"
import type { Transfer } from "@transferkit/domain/Transfer"
import * as FileError from "@transferkit/files/FileError"
import { KeyHints } from "@transferkit/files/ledgers/KeyHints"
import * as AcceptedDraft from "@transferkit/files/node/AcceptedDraft"
import * as AcceptedFile from "@transferkit/files/node/AcceptedFile"
import * as LedgerFile from "@transferkit/files/node/LedgerFile"
import * as LedgerProfileFile from "@transferkit/files/node/LedgerProfileFile"
import * as ScratchFile from "@transferkit/files/node/ScratchFile"
import { LargeReconciliation } from "@transferkit/files/partitions/LargeReconciliation"
import * as Partitions from "@transferkit/files/partitions/Partitions"
import { SortedTexts } from "@transferkit/files/partitions/SortedTexts"
import { BreakStates } from "@transferkit/report/BreakStates"
import * as Period from "@transferkit/report/Period"
import * as ReconciliationLines from "@transferkit/report/ReconciliationLines"
import * as Effect from "effect/Effect"
import * as Iterable from "effect/Iterable"
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"
import { Globals } from "../../flags/Globals.ts"
import { standardInputFile } from "../../terminal/StandardInput.ts"
import { UsageError } from "../../UsageError.ts"
import type * as BookRules from "./BookRules.ts"
import * as Flags from "./Flags.ts"

/** What to reconcile, and how. */
export interface Input extends Flags.Input {
  readonly ledger: ReadonlyArray<string>
}

interface Options<E, R> {
  readonly rules: BookRules.BookRules
  /** The order of transfers that the ledger lacks. */
  readonly order: "added" | "created"
  /** Whether to keep the lines of matches, too. */
  readonly matched: boolean
  /** Which transfers must be booked. */
  readonly isRequired: (transfer: Transfer) => boolean
  /** Whether to collect the breaks, to accept them. */
  readonly drafts?: boolean
  /** Finds transfers by some keys, whatever the period; absent if the source cannot. */
  readonly lookUp?:
    | {
        /** For a sentence: "the service". */
        readonly source: string
        readonly find: (keys: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<Transfer>, E, R>
      }
    | undefined
}

/** Reads the ledgers. Then the transfers are added, and the reconciliation is finished, both until the scope ends. */
export const open = Effect.fnUntraced(function* <E = never, R = never>(
  input: Input,
  { rules, order, matched, isRequired, lookUp, drafts = false }: Options<E, R>,
) {
  const tolerance = yield* Effect.forEach(input.tolerance, (text) => Effect.fromResult(Flags.parseTolerance(text)))
  const options = yield* optionsOf(input, rules)
  const scratch = yield* ScratchFile.make
  const texts = new SortedTexts(scratch, Partitions.defaultLimit)
  const { key, amount, group } = input
  const { settlement, period, timeZone, asOfDay, graceDays } = rules
  const isAll = period === CreatedAt.all
  const searched = isAll ? "the transfers that were read" : `the transfers of ${Period.name(rules.searched)}`
  const lineOptions = { key, amount, settlement, timeZone, searched, source: lookUp?.source ?? "the service" }
  const book = {
    key,
    amount,
    tolerance,
    group,
    settlement,
    period,
    timeZone,
    graceDays,
    ...(asOfDay === undefined ? {} : { asOfDay }),
  }
  const accepted = input.accepted === undefined ? undefined : yield* AcceptedFile.read(input.accepted)
  if (accepted !== undefined && asOfDay === undefined) {
    const message = "--accepted compares days with a day: give --as-of-day 2024-09-30, or a period that ends."
    return yield* new UsageError({ message })
  }
  const states = accepted && new BreakStates({ accepted, asOfDay: asOfDay ?? "" })
  const draft = drafts ? new AcceptedDraft.AcceptedDraft(accepted ?? []) : undefined
  const lookUps = lookUp === undefined || isAll ? 0 : input.look_ups
  const reconciliation = new LargeReconciliation(
    {
      ...book,
      scratch,
      order,
      matched,
      isRequired,
      lookUps,
      // Without a period, everything that the source holds is read.
      ...(isAll && lookUp !== undefined ? { isEverywhere: () => true } : {}),
    },
    ({ outcome, order: place, whole }) => {
      if (!matched && !ReconciliationLines.isListed(outcome)) return
      const isBreak = Reconciliation.isBreak(outcome)
      const identity = isBreak && whole === undefined ? BreakIdentity.of(outcome, book) : undefined
      const fingerprint = identity && AcceptedFile.fingerprint(identity)
      if (isBreak) states?.add(fingerprint)
      if (identity !== undefined && fingerprint !== undefined) draft?.add(fingerprint, identity)
      for (const line of ReconciliationLines.linesOf(outcome, lineOptions, whole))
        texts.add(place, JSON.stringify({ ...line, fingerprint }))
    },
  )
  const keyHints = new KeyHints()
  const several = input.ledger.length > 1
  const readings = yield* Effect.forEach(
    input.ledger,
    Effect.fnUntraced(function* (path) {
      const name = nameOf(path)
      const placeOf = several ? (place: string) => `${name} ${place}` : undefined
      const toError = ({ path: read, reason }: FileError.FileError) =>
        new FileError.FileError({ path: isStandardInput(path) ? name : read, reason })
      const file = isStandardInput(path) ? yield* standardInputFile : path
      const { entries, reading } = yield* LedgerFile.open(file, options, placeOf).pipe(Effect.mapError(toError))
      yield* Stream.runForEach(Stream.mapError(entries, toError), (batch) =>
        FileError.attempt(() =>
          batch.forEach((entry) => {
            keyHints.addEntry(entry.key)
            reconciliation.addEntry(entry)
          }),
        ),
      )
      return { ...(yield* reading), file: isStandardInput(path) ? name : path }
    }),
  )
  const lines = Iterable.map({ [Symbol.iterator]: () => texts.rows() }, ({ text }) =>
    ReconciliationLines.fromJson(text),
  )
  const contradictions: Array<string> = []
  const add = (transfer: Transfer) => {
    const contradiction = amount === "fiat" ? ComparedAmount.contradiction(transfer) : undefined
    if (contradiction !== undefined) contradictions.push(contradiction)
    keyHints.addTransfer(transfer[key])
    reconciliation.addTransfer(transfer)
  }
  return {
    readings,
    /** Of kinds and fiat sides. */
    contradictions,
    keyHints,
    add: (transfers: ReadonlyArray<Transfer>) => FileError.attempt(() => transfers.forEach(add)),
    draft,
    finish: Effect.gen(function* () {
      const totals = yield* finished(reconciliation.reconcile())
      const keys = reconciliation.unknownKeys
      const statuses = statusesOf(reconciliation, settlement)
      const of = (all: Reconciliation.Totals): ReconciliationLines.Reconciled => ({
        totals: all,
        lines: states === undefined ? lines : { [Symbol.iterator]: () => states.lines(lines) },
        statuses,
        states: states?.counts(Reconciliation.breaks(all)),
      })
      if (lookUp === undefined || keys.length === 0) return of(totals)
      const found = yield* lookUp.find(keys)
      return of(yield* FileError.attempt(() => reconciliation.lookedUp(found)))
    }),
  }
})

const isStandardInput = (path: string): boolean => path === "-"

const nameOf = (path: string): string => (isStandardInput(path) ? "standard input" : basename(path))

/** How many transfers of the period have each status, and its class. */
const statusesOf = (
  { statuses }: LargeReconciliation,
  settlement: Dialect.Settlement,
): ReadonlyArray<ReconciliationLines.StatusCount> =>
  [...statuses]
    .map(([status, transfers]) => ({ status, class: Dialect.classOf(settlement, status), transfers }))
    .toSorted((one, other) => (one.status < other.status ? -1 : 1))

/** The names of the ledgers, for people. */
export const namesOf = ({ ledger }: Input): string => ledger.map(nameOf).join(", ")

/** How to read the ledgers, by their profile and the flags. */
const optionsOf = Effect.fnUntraced(function* (input: Input, rules: BookRules.BookRules) {
  const { secretKeyStdin } = yield* Globals
  if (input.ledger.filter(isStandardInput).length > (secretKeyStdin ? 0 : 1)) {
    return yield* new UsageError({
      message: "Standard input can be read once: as one ledger (-), or as the secret key.",
    })
  }
  const given = yield* Effect.fromResult(Flags.toOptions(input, rules))
  const profile = input.ledger_profile === undefined ? {} : yield* LedgerProfileFile.read(input.ledger_profile)
  const options = LedgerProfileFile.toOptions(profile, given, input.ledger_account)
  return yield* Effect.fromResult(
    Result.mapError(options, (reason) => new UsageError({ message: `--ledger-profile: ${reason}.` })),
  )
})

/** Runs all steps. Lets an interruption through between them. */
const finished = Effect.fnUntraced(function* <A>(steps: Generator<void, A>) {
  for (;;) {
    const step = yield* FileError.attempt(() => steps.next())
    if (step.done === true) return step.value
    yield* Effect.yieldNow
  }
})
