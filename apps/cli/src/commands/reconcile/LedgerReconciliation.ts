/** Reconciles ledgers and transfers of any size in bounded memory, as the flags say. */
import { basename } from "node:path"
import * as CreatedAt from "@transferkit/domain/CreatedAt"
import * as Dialect from "@transferkit/domain/Dialect"
import type { Transfer } from "@transferkit/domain/Transfer"
import * as FileError from "@transferkit/files/FileError"
import * as LedgerFile from "@transferkit/files/node/LedgerFile"
import * as LedgerProfileFile from "@transferkit/files/node/LedgerProfileFile"
import * as ScratchFile from "@transferkit/files/node/ScratchFile"
import { LargeReconciliation } from "@transferkit/files/partitions/LargeReconciliation"
import * as Partitions from "@transferkit/files/partitions/Partitions"
import { SortedTexts } from "@transferkit/files/partitions/SortedTexts"
import * as Period from "@transferkit/report/Period"
import * as ReconciliationLines from "@transferkit/report/ReconciliationLines"
import * as Effect from "effect/Effect"
import * as Iterable from "effect/Iterable"
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"
import { Globals } from "../../flags/Globals.ts"
import { standardInputFile } from "../../terminal/StandardInput.ts"
import { UsageError } from "../../UsageError.ts"
import * as Flags from "./Flags.ts"

/** What to reconcile, and how. */
export interface Input extends Flags.Input {
  readonly ledger: ReadonlyArray<string>
}

interface Options {
  readonly period: CreatedAt.CreatedAt
  /** The order of transfers that the ledger lacks. */
  readonly order: "added" | "created"
  /** Whether to keep the lines of matches, too. */
  readonly matched: boolean
  /** Which transfers must be booked. */
  readonly isRequired: (transfer: Transfer) => boolean
}

/** Reads the ledgers. Then the transfers are added, and the reconciliation is finished, both until the scope ends. */
export const open = Effect.fnUntraced(function* (input: Input, { period, order, matched, isRequired }: Options) {
  const tolerance = yield* Effect.forEach(input.tolerance, (text) => Effect.fromResult(Flags.parseTolerance(text)))
  const options = yield* optionsOf(input, period)
  const scratch = yield* ScratchFile.make
  const texts = new SortedTexts(scratch, Partitions.defaultLimit)
  const { key, amount, group } = input
  const settlement = Dialect.standard
  const searched = period === CreatedAt.all ? "the transfers that were read" : `the transfers of ${Period.name(period)}`
  const lineOptions = { key, amount, settlement, timeZone: undefined, searched, source: "the service" }
  const reconciliation = new LargeReconciliation(
    { scratch, key, amount, tolerance, group, order, matched, settlement, isRequired },
    ({ outcome, order: place, whole }) => {
      if (!matched && !ReconciliationLines.isListed(outcome)) return
      for (const line of ReconciliationLines.linesOf(outcome, lineOptions, whole))
        texts.add(place, JSON.stringify(line))
    },
  )
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
        FileError.attempt(() => batch.forEach((entry) => reconciliation.addEntry(entry))),
      )
      return { ...(yield* reading), file: isStandardInput(path) ? name : path }
    }),
  )
  const lines = Iterable.map({ [Symbol.iterator]: () => texts.rows() }, ({ text }) =>
    ReconciliationLines.fromJson(text),
  )
  return {
    readings,
    add: (transfers: ReadonlyArray<Transfer>) =>
      FileError.attempt(() => transfers.forEach((transfer) => reconciliation.addTransfer(transfer))),
    finish: Effect.suspend(() => Effect.map(finished(reconciliation.reconcile()), (totals) => ({ totals, lines }))),
  }
})

const isStandardInput = (path: string): boolean => path === "-"

const nameOf = (path: string): string => (isStandardInput(path) ? "standard input" : basename(path))

/** The names of the ledgers, for people. */
export const namesOf = ({ ledger }: Input): string => ledger.map(nameOf).join(", ")

/** How to read the ledgers, by their profile and the flags. */
const optionsOf = Effect.fnUntraced(function* (input: Input, period: CreatedAt.CreatedAt) {
  const { secretKeyStdin } = yield* Globals
  if (input.ledger.filter(isStandardInput).length > (secretKeyStdin ? 0 : 1)) {
    return yield* new UsageError({
      message: "Standard input can be read once: as one ledger (-), or as the secret key.",
    })
  }
  const given = yield* Effect.fromResult(Flags.toOptions(input, period))
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
