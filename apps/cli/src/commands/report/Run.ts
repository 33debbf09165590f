/** Runs `transfers report`. */
import * as BookSettings from "@transferkit/books/BookSettings"
import * as CreatedAt from "@transferkit/domain/CreatedAt"
import { counted } from "@transferkit/domain/Quantity"
import * as TimeSpan from "@transferkit/domain/TimeSpan"
import type * as Timestamp from "@transferkit/domain/Timestamp"
import type { Transfer } from "@transferkit/domain/Transfer"
import * as TransferFilter from "@transferkit/domain/TransferFilter"
import { TransferSource } from "@transferkit/domain/TransferSource"
import * as FileError from "@transferkit/files/FileError"
import * as AtomicFile from "@transferkit/files/node/AtomicFile"
import * as FeeScheduleFile from "@transferkit/files/node/FeeScheduleFile"
import * as OrderedTransfers from "@transferkit/files/node/OrderedTransfers"
import * as OutputFiles from "@transferkit/files/node/OutputFiles"
import * as MonthDocument from "@transferkit/report/MonthDocument"
import * as MonthPage from "@transferkit/report/MonthPage"
import * as MonthReport from "@transferkit/report/MonthReport"
import * as Period from "@transferkit/report/Period"
import * as ReconciliationLines from "@transferkit/report/ReconciliationLines"
import * as SourceWords from "@transferkit/report/SourceWords"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"
import manifest from "../../../package.json" with { type: "json" }
import { Findings } from "../../Failure.ts"
import * as GivenMonth from "../../filter/GivenMonth.ts"
import { now } from "../../filter/Now.ts"
import { Globals, isForScript, only, withoutRows } from "../../flags/Globals.ts"
import * as Scan from "../../progress/Scan.ts"
import * as GivenSource from "../../source/GivenSource.ts"
import * as Source from "../../source/Source.ts"
import { Screen } from "../../terminal/Screen.ts"
import { word } from "../../terminal/ShellWord.ts"
import { UsageError } from "../../UsageError.ts"
import { preferSmallHeap } from "../HeapTuning.ts"
import { guarded } from "../MemoryLimit.ts"
import * as GivenBooks from "../reconcile/GivenBooks.ts"
import * as LedgerPart from "./LedgerPart.ts"

/** The flags of the command. */
export interface Input extends GivenBooks.Input {
  readonly month: string | undefined
  readonly since: string | undefined
  readonly until: string | undefined
  readonly time_zone: string | undefined
  readonly html: string
  readonly fees: string | undefined
}

/** Rejects flags that cannot be read, and standard input that would be read twice. */
export const check = Effect.fnUntraced(function* (input: Input) {
  yield* only("report", withoutRows)
  yield* GivenBooks.check(input, yield* Effect.fromResult(periodOf(input, yield* now)))
})

export const run = Effect.fn("transfers report")(
  function* (input: Input) {
    preferSmallHeap()
    const screen = yield* Screen
    const made_at = yield* now
    const { named, period, flags, timeZone } = yield* Effect.fromResult(periodOf(input, made_at))
    yield* OutputFiles.check({ ...(yield* Globals), ...input }, ["html", "write_open"])
    const by = Period.unit(period, made_at)
    const source = yield* TransferSource
    const fees = input.fees === undefined ? undefined : yield* FeeScheduleFile.read(input.fees)
    const settings = yield* GivenBooks.read(input, { period, timeZone })
    const asked = yield* Source.ask(BookSettings.question({ period: named, only: {} }, settings), ["json", "ndjson"])
    const capabilities = yield* source.capabilities ?? Effect.undefined
    const read = Scan.of({ created_at: BookSettings.searched(settings) })
    const transfers = yield* OrderedTransfers.keep(source, read, { once: input.ledger.length === 0 })
    const isOwn = ({ created_at }: Transfer) => CreatedAt.matches(period, created_at)
    // Only a ledger looks at the days of grace beyond the ends of the period.
    const own = settings.graceDays === 0 ? transfers : Stream.map(transfers, (batch) => batch.filter(isOwn))
    const report = yield* MonthReport.make(own, { capabilities, fees, by, timeZone })
    const reconciliation = yield* LedgerPart.make(transfers, input, { settings, asked })
    const words = [...flags, ...(yield* GivenSource.words(asked))].map(word).join(" ")
    const feeWords = input.fees === undefined ? "" : ` --fees ${word(input.fees)}`
    const breaks = reconciliation && ReconciliationLines.failures(reconciliation.reconciled)
    const subject: MonthPage.PageOptions = {
      partner: asked.source.origin?.partner_id ?? (yield* Globals).partnerId ?? source.name,
      source: SourceWords.facts(asked),
      period,
      made_at,
      as_of: SourceWords.asOf(asked, made_at),
      by,
      timeZone,
      version: manifest.version,
      settlement: settings.settlement,
      ...(reconciliation && { reconciliation }),
      commands: {
        report: `transfers report ${[words, ...input.ledger.flatMap((path) => ["--ledger", word(path)]), ...(input.ledger.length === 0 ? [] : GivenBooks.wordsOf(input, settings, asked).map(word))].join(" ")}${feeWords} --html ${word(input.html)}`,
        exported: `transfers export ${words} --out transfers.ndjson`,
        audit: `transfers audit ${words}${feeWords} --output csv`,
      },
    }
    yield* AtomicFile.writeText(input.html, yield* FileError.attempt(() => MonthPage.render(report, subject)))
    const found = (report.findings?.length ?? 0) + (breaks ?? 0)
    if (yield* isForScript) {
      const document = MonthDocument.make(report, {
        settings: { version: manifest.version, ...BookSettings.toStored(settings) },
        ledgers: reconciliation?.readings ?? [],
        period,
        breaks,
        asked,
        version: manifest.version,
      })
      const indent = (yield* Globals).output === "json" ? 2 : 0
      yield* screen.print(`${JSON.stringify(document, undefined, indent)}\n`)
    } else {
      const facts = [
        counted(report.transfers, "transfer"),
        `${report.open.length} open`,
        counted(report.findings?.length ?? 0, "finding"),
        ...(breaks === undefined ? [] : [counted(breaks, "break")]),
      ]
      yield* screen.note(`${input.html}: ${Period.name(period, timeZone)}, ${facts.join(", ")}\n`)
    }
    if (found > 0) return yield* new Findings({ count: found })
  },
  Effect.scoped,
  guarded,
)

/** The period, and the flags that mean it whenever they are given again. */
const periodOf = (input: Input, at: Timestamp.Timestamp) =>
  Result.gen(function* () {
    const { month } = input
    if ((month === undefined) === (input.since === undefined && input.until === undefined)) {
      const message = "Give the period: --month 2024-09, or --since and --until."
      return yield* Result.fail(new UsageError({ message }))
    }
    const { since = month, until = month } = input
    const timeZone = yield* TransferFilter.timeZoneOf(input.time_zone)
    if (month !== undefined) yield* GivenMonth.parse(month, timeZone)
    const named = yield* TimeSpan.toFilter({ since, until }, { now: at, zone: timeZone })
    // A page that is made again later is of the same transfers.
    const isOver = CreatedAt.implies(named, CreatedAt.lt(at))
    const fixed = TimeSpan.fixed({ since, until: isOver ? until : at.text }, { now: at, zone: timeZone })
    return {
      /** Asked of the source: one that is not over is answered to date. */
      named,
      // Transfers created from now on are not part of it, so that it has an end.
      period: isOver ? named : CreatedAt.and(named, CreatedAt.lt(at)),
      timeZone,
      flags: [
        ...(input.time_zone === undefined ? [] : ["--time-zone", input.time_zone]),
        ...(fixed.since === undefined ? [] : ["--since", fixed.since]),
        ...(fixed.until === undefined ? [] : ["--until", fixed.until]),
      ],
    }
  })
