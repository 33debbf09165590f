/** Runs `transfers reconcile`. */
import * as Path from "node:path"
import * as CreatedAt from "@transferkit/domain/CreatedAt"
import type { Transfer } from "@transferkit/domain/Transfer"
import * as FileError from "@transferkit/files/FileError"
import * as TransferFormat from "@transferkit/files/formats/TransferFormat"
import * as AtomicFile from "@transferkit/files/node/AtomicFile"
import * as LedgerFile from "@transferkit/files/node/LedgerFile"
import * as ScratchFile from "@transferkit/files/node/ScratchFile"
import * as TransferFile from "@transferkit/files/node/TransferFile"
import { LargeReconciliation } from "@transferkit/files/partitions/LargeReconciliation"
import * as Partitions from "@transferkit/files/partitions/Partitions"
import { SortedTexts } from "@transferkit/files/partitions/SortedTexts"
import * as Effect from "effect/Effect"
import * as Iterable from "effect/Iterable"
import * as Stream from "effect/Stream"
import { Findings } from "../../Failure.ts"
import { now } from "../../filter/Now.ts"
import * as TransferFilter from "../../filter/TransferFilter.ts"
import type { Globals } from "../../flags/GlobalFlags.ts"
import * as Layers from "../../Layers.ts"
import * as Pieces from "../../output/Pieces.ts"
import { counted } from "../../output/Quantity.ts"
import * as Report from "../../output/Report.ts"
import * as ReconciliationPage from "../../pages/ReconciliationPage.ts"
import * as Scan from "../../progress/Scan.ts"
import { escapeControls } from "../../terminal/Escape.ts"
import { Screen } from "../../terminal/Screen.ts"
import { preferSmallHeap } from "../HeapTuning.ts"
import { guarded } from "../MemoryLimit.ts"
import * as Flags from "./Flags.ts"
import * as ReconciliationJunit from "./Junit.ts"
import * as LedgerReport from "./LedgerReport.ts"
import * as ReconciliationReport from "./Report.ts"

/** The arguments of the command. */
export interface Input extends TransferFilter.FilterFlags, Flags.Input {
  readonly ledger: ReadonlyArray<string>
  readonly transfers: string | undefined
  readonly group: boolean
  readonly matched: boolean
  readonly html: string | undefined
  readonly junit: string | undefined
}

export const run = Effect.fn("transfers reconcile")(
  function* (input: Input, globals: Globals) {
    preferSmallHeap()
    const screen = yield* Screen
    const at = yield* now
    const filter = yield* TransferFilter.read(input, globals)
    const tolerance = yield* Effect.forEach(input.tolerance, (text) => Effect.fromResult(Flags.parseTolerance(text)))
    const options = yield* Effect.fromResult(Flags.toOptions(input, filter.query.created_at ?? CreatedAt.all))
    const scratch = yield* ScratchFile.make
    const texts = new SortedTexts(scratch, Partitions.defaultLimit)
    const reconciliation = new LargeReconciliation(
      {
        scratch,
        key: input.key,
        amount: input.amount,
        tolerance,
        group: input.group,
        order: input.transfers === undefined ? "created" : "added",
      },
      ({ outcome, order, whole }) => {
        if (!input.matched && !ReconciliationReport.isBreak(outcome._tag)) return
        for (const line of ReconciliationReport.linesOf(outcome, input, whole)) texts.add(order, JSON.stringify(line))
      },
    )

    const several = input.ledger.length > 1
    const readings = yield* Effect.forEach(input.ledger, (path) =>
      Effect.gen(function* () {
        const placeOf = several ? (place: string) => `${Path.basename(path)} ${place}` : undefined
        const { entries, reading } = yield* LedgerFile.open(path, options, placeOf)
        yield* Stream.runForEach(entries, (batch) =>
          FileError.attempt(() => batch.forEach((entry) => reconciliation.addEntry(entry))),
        )
        return yield* reading
      }),
    )
    const output = yield* Report.outputOf(globals, "json")
    if (output === "table")
      yield* screen.note(readings.map((reading) => `${escapeControls(LedgerReport.sentence(reading))}\n`).join(""))
    let transfers = 0
    const take = (batch: ReadonlyArray<Transfer>) =>
      FileError.attempt(() => {
        for (const transfer of batch) {
          if (!filter.keeps(transfer)) continue
          transfers++
          reconciliation.addTransfer(transfer)
        }
      })
    yield* input.transfers === undefined
      ? fromService(filter, globals, take)
      : fromExport(input.transfers, filter, take)
    const totals = yield* finished(reconciliation.reconcile())
    const lines = Iterable.map({ [Symbol.iterator]: () => texts.rows() }, ({ text }) =>
      ReconciliationReport.fromJson(text),
    )
    const result = { totals, lines }

    yield* Report.print(ReconciliationReport.make(result, { ledgers: readings }), output)
    if (input.html !== undefined) {
      const page = yield* FileError.attempt(() =>
        ReconciliationPage.render(result, {
          ...input,
          ledger: input.ledger.map((path) => Path.basename(path)).join(", "),
          read_as: readings.map(LedgerReport.sentence),
          period: filter.query.created_at ?? CreatedAt.all,
          made_at: at,
        }),
      )
      yield* AtomicFile.writeText(input.html, page)
    }
    if (input.junit !== undefined) {
      yield* AtomicFile.write(input.junit, (append) => Pieces.write(ReconciliationJunit.render(result), append))
    }
    const breaks = ReconciliationReport.breaks(result)
    if (output === "table") {
      const rows = readings.reduce((sum, reading) => sum + reading.rows - (reading.outside ?? 0), 0)
      const found = counted(transfers, "transfer")
      yield* screen.note(`${counted(rows, "ledger row")}, ${found}, ${counted(breaks, "break")}\n`)
    }
    if (breaks > 0) return yield* new Findings({ count: breaks })
  },
  Effect.scoped,
  guarded,
)

/** Runs all steps. Lets an interruption through between them. */
const finished = Effect.fnUntraced(function* <A>(steps: Generator<void, A>) {
  for (;;) {
    const step = yield* FileError.attempt(() => steps.next())
    if (step.done === true) return step.value
    yield* Effect.yieldNow
  }
})

type Take = (batch: ReadonlyArray<Transfer>) => Effect.Effect<void, FileError.FileError>

const fromService = (filter: TransferFilter.TransferFilter, globals: Globals, take: Take) =>
  Stream.runForEach(Scan.of(filter, globals), ({ results }) => take(results)).pipe(
    Effect.provide(Layers.service(globals)),
  )

const fromExport = Effect.fnUntraced(function* (path: string, { query }: TransferFilter.TransferFilter, take: Take) {
  const format = yield* Effect.fromResult(TransferFormat.toRead(path))
  const { created_at = CreatedAt.all, external_id } = query
  yield* Stream.runForEach(TransferFile.transfers({ path, format, csvRaw: false }), (batch) =>
    take(
      batch.filter(
        (transfer) =>
          CreatedAt.matches(created_at, transfer.created_at) &&
          (external_id === undefined || external_id === transfer.external_id),
      ),
    ),
  )
})
