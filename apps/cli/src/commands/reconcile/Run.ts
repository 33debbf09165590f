/** Runs `transfers reconcile`. */
import * as CreatedAt from "@transferkit/domain/CreatedAt"
import { counted } from "@transferkit/domain/Quantity"
import { escapeControls } from "@transferkit/domain/SafeText"
import type { Transfer } from "@transferkit/domain/Transfer"
import type * as TransferFilter from "@transferkit/domain/TransferFilter"
import * as FileError from "@transferkit/files/FileError"
import * as AcceptedFile from "@transferkit/files/node/AcceptedFile"
import * as AtomicFile from "@transferkit/files/node/AtomicFile"
import * as LedgerReading from "@transferkit/report/LedgerReading"
import * as ReconciliationJunit from "@transferkit/report/ReconciliationJunit"
import * as ReconciliationLines from "@transferkit/report/ReconciliationLines"
import * as ReconciliationPage from "@transferkit/report/ReconciliationPage"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { Findings } from "../../Failure.ts"
import * as GivenFilter from "../../filter/GivenFilter.ts"
import { now } from "../../filter/Now.ts"
import type { FilterFlags } from "../../flags/FilterFlags.ts"
import { Globals } from "../../flags/Globals.ts"
import * as Layers from "../../Layers.ts"
import * as Pieces from "../../output/Pieces.ts"
import * as Report from "../../output/Report.ts"
import * as Scan from "../../progress/Scan.ts"
import * as Source from "../../source/Source.ts"
import { Screen } from "../../terminal/Screen.ts"
import { preferSmallHeap } from "../HeapTuning.ts"
import { guarded } from "../MemoryLimit.ts"
import * as BookRules from "./BookRules.ts"
import * as LedgerReconciliation from "./LedgerReconciliation.ts"
import * as LookUps from "./LookUps.ts"
import * as ReconciliationReport from "./Report.ts"
import * as SettingsOf from "./SettingsOf.ts"

/** The arguments of the command. */
export interface Input extends FilterFlags, LedgerReconciliation.Input {
  readonly matched: boolean
  readonly write_accepted: string | undefined
  readonly html: string | undefined
  readonly junit: string | undefined
}

export const run = Effect.fn("transfers reconcile")(
  function* (input: Input) {
    preferSmallHeap()
    const screen = yield* Screen
    const at = yield* now
    const filter = yield* GivenFilter.read({ ...input, currency_of: [input.amount] })
    const period = filter.query.created_at ?? CreatedAt.all
    const { from } = yield* Globals
    const file = from !== undefined && Layers.isFile(from) ? from : undefined
    const order = file === undefined ? "created" : "added"
    // Matching sees every transfer of the period: a filter narrows which of them must be booked.
    const rules = yield* BookRules.read(input, { period, timeZone: filter.timeZone })
    const everything = { ...filter, query: { created_at: rules.searched } }
    const isRequired = ({ external_id }: Transfer) =>
      filter.query.external_id === undefined || external_id === filter.query.external_id
    // A filter narrows what must be booked, not what was read.
    const asked = yield* Source.ask({ ...filter.question, only: {} })
    const { readings, contradictions, keyHints, add, finish, draft } = yield* LedgerReconciliation.open(input, {
      ...input,
      rules,
      order,
      drafts: input.write_accepted !== undefined,
      lookUp: yield* LookUps.of(input.key),
      isRequired: (transfer) => filter.keeps(transfer) && isRequired(transfer),
    })
    const output = yield* Report.outputOf("json")
    if (output === "table")
      yield* screen.note(readings.map((reading) => `${escapeControls(LedgerReading.sentence(reading))}\n`).join(""))
    yield* file === undefined ? fromService(everything, add) : fromFile(file, everything, add)
    const result = yield* finish
    const [contradiction] = contradictions
    for (const { form, matches, of, advice } of keyHints.hints.slice(0, 2)) {
      yield* screen.note(`${matches} of ${counted(of, "key")} without a match would match ${form}. ${advice}.\n`)
    }
    if (contradiction !== undefined) {
      yield* screen.note(
        `${counted(contradictions.length, "transfer")} of another direction than its kind: ${escapeControls(contradiction)}\n`,
      )
    }

    const settings = SettingsOf.make(input, rules)
    yield* Report.print(
      Source.withSource(ReconciliationReport.make(result, { ledgers: readings, settings }), asked),
      output,
    )
    if (input.html !== undefined) {
      const page = yield* FileError.attempt(() =>
        ReconciliationPage.render(result, {
          ...input,
          ledger: LedgerReconciliation.namesOf(input),
          read_as: readings.map(LedgerReading.sentence),
          period,
          settlement: rules.settlement,
          made_at: at,
        }),
      )
      yield* AtomicFile.writeText(input.html, page)
    }
    if (input.write_accepted !== undefined && draft !== undefined) {
      yield* AcceptedFile.write(input.write_accepted, draft.breaks)
    }
    if (input.junit !== undefined) {
      yield* AtomicFile.write(input.junit, (append) => Pieces.write(ReconciliationJunit.render(result), append))
    }
    const failures = ReconciliationLines.failures(result)
    if (output === "table") {
      const rows = readings.reduce((sum, reading) => sum + reading.rows - (reading.outside ?? 0), 0)
      const found = counted(
        result.statuses.reduce((sum, { transfers }) => sum + transfers, 0),
        "transfer",
      )
      const classes = ReconciliationLines.classes(result, rules.settlement)
      yield* screen.note(
        `${counted(rows, "ledger row")}, ${found}, ${ReconciliationLines.verdict(result)}. Statuses ${classes}\n`,
      )
    }
    if (failures > 0) return yield* new Findings({ count: failures })
  },
  Effect.scoped,
  guarded,
)

type Take = (batch: ReadonlyArray<Transfer>) => Effect.Effect<void, FileError.FileError>

const fromFile = Effect.fnUntraced(function* (
  path: string,
  filter: Pick<TransferFilter.TransferFilter, "query">,
  take: Take,
) {
  const FileSource = yield* Effect.promise(() => import("../../files/FileSource.ts"))
  yield* Stream.runForEach(yield* FileSource.selected(path, filter), take)
})

const fromService = (filter: Pick<TransferFilter.TransferFilter, "query">, take: Take) =>
  Stream.runForEach(Scan.of(filter), ({ results }) => take(results)).pipe(Effect.provide(Layers.transfers))
