/** Runs `transfers reconcile`. */
import * as Path from "node:path"
import * as CreatedAt from "@transferkit/domain/CreatedAt"
import * as Reconciliation from "@transferkit/domain/Reconciliation"
import type { Transfer } from "@transferkit/domain/Transfer"
import { FileError } from "@transferkit/files/FileError"
import * as TransferFormat from "@transferkit/files/formats/TransferFormat"
import * as AtomicFile from "@transferkit/files/node/AtomicFile"
import * as LedgerFile from "@transferkit/files/node/LedgerFile"
import * as TransferFile from "@transferkit/files/node/TransferFile"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { Findings } from "../../Failure.ts"
import { now } from "../../filter/Now.ts"
import * as TransferFilter from "../../filter/TransferFilter.ts"
import type { Globals } from "../../flags/GlobalFlags.ts"
import * as Layers from "../../Layers.ts"
import { counted } from "../../output/Quantity.ts"
import * as Report from "../../output/Report.ts"
import * as ReconciliationPage from "../../pages/ReconciliationPage.ts"
import * as Scan from "../../progress/Scan.ts"
import { escapeControls } from "../../terminal/Escape.ts"
import { Screen } from "../../terminal/Screen.ts"
import { preferSmallHeap } from "../HeapTuning.ts"
import * as Flags from "./Flags.ts"
import * as ReconciliationJunit from "./Junit.ts"
import * as LedgerReport from "./LedgerReport.ts"
import * as ReconciliationReport from "./Report.ts"

/** The arguments of the command. */
export interface Input extends TransferFilter.FilterFlags, Flags.Input {
  readonly ledger: ReadonlyArray<string>
  readonly transfers: string | undefined
  readonly matched: boolean
  readonly html: string | undefined
  readonly junit: string | undefined
}

export const run = Effect.fn("transfers reconcile")(function* (input: Input, globals: Globals) {
  preferSmallHeap()
  const screen = yield* Screen
  const at = yield* now
  const filter = yield* TransferFilter.read(input, globals)
  const tolerance = yield* Effect.forEach(input.tolerance, (text) => Effect.fromResult(Flags.parseTolerance(text)))
  const options = yield* Effect.fromResult(Flags.toOptions(input, filter.query.created_at ?? CreatedAt.all))
  const several = input.ledger.length > 1
  const ledgers = yield* Effect.forEach(input.ledger, (path) =>
    LedgerFile.read(path, options, several ? (place) => `${Path.basename(path)} ${place}` : undefined),
  )
  const ledger = ledgers.flatMap(({ entries }) => entries)
  const readings = ledgers.map(({ reading }) => reading)
  const output = yield* Report.outputOf(globals, "json")
  if (output === "table")
    yield* screen.note(readings.map((reading) => `${escapeControls(LedgerReport.sentence(reading))}\n`).join(""))
  const transfers: Array<Transfer> = []
  const take = (batch: ReadonlyArray<Transfer>) => {
    for (const transfer of batch) if (filter.keeps(transfer)) transfers.push(slim(transfer, input))
  }
  yield* input.transfers === undefined ? fromService(filter, globals, take) : fromExport(input.transfers, filter, take)
  const result = Reconciliation.reconcile(ledger, transfers, { key: input.key, amount: input.amount, tolerance })

  yield* Report.print(ReconciliationReport.make(result, { ...input, ledgers: readings }), output)
  if (input.html !== undefined) {
    const page = ReconciliationPage.render(result, {
      ...input,
      ledger: input.ledger.map((path) => Path.basename(path)).join(", "),
      read_as: readings.map(LedgerReport.sentence),
      period: filter.query.created_at ?? CreatedAt.all,
      made_at: at,
    })
    yield* AtomicFile.writeText(input.html, page)
  }
  if (input.junit !== undefined) {
    const xml = ReconciliationJunit.render(result, input)
    yield* AtomicFile.writeText(input.junit, xml)
  }
  const breaks = ReconciliationReport.breaks(result)
  if (output === "table") {
    const [rows, found] = [counted(ledger.length, "ledger row"), counted(transfers.length, "transfer")]
    yield* screen.note(`${rows}, ${found}, ${counted(breaks, "break")}\n`)
  }
  if (breaks > 0) return yield* new Findings({ count: breaks })
})

/** 200,000 whole transfers would take most of a gigabyte; the fields that are compared take a tenth of that. */
const slim = (transfer: Transfer, { key, amount }: Pick<Input, "key" | "amount">): Transfer => {
  const { id, kind, status, created_at } = transfer
  return {
    id,
    kind,
    status,
    created_at,
    ...(key === "id" || transfer[key] === undefined ? {} : { [key]: transfer[key] }),
    ...(transfer[amount] === undefined ? {} : { [amount]: transfer[amount] }),
  }
}

const fromService = (
  filter: TransferFilter.TransferFilter,
  globals: Globals,
  take: (batch: ReadonlyArray<Transfer>) => void,
) =>
  Stream.runForEach(Scan.of(filter, globals), ({ results }) => Effect.sync(() => take(results))).pipe(
    Effect.provide(Layers.service(globals)),
  )

const fromExport = Effect.fnUntraced(function* (
  path: string,
  { query }: TransferFilter.TransferFilter,
  take: (batch: ReadonlyArray<Transfer>) => void,
) {
  const format = TransferFormat.ofName(path)
  if (format === undefined)
    return yield* new FileError({ path, reason: "its name does not end in the name of a format" })
  const { created_at = CreatedAt.all, external_id } = query
  yield* Stream.runForEach(TransferFile.transfers({ path, format, csvRaw: false }), (batch) =>
    Effect.sync(() =>
      take(
        batch.filter(
          (transfer) =>
            CreatedAt.matches(created_at, transfer.created_at) &&
            (external_id === undefined || external_id === transfer.external_id),
        ),
      ),
    ),
  )
})
