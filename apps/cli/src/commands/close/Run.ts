/** Runs `transfers close`. */
import * as BookSettings from "@transferkit/books/BookSettings"
import * as Closable from "@transferkit/books/close/Closable"
import * as Closing from "@transferkit/books/close/Closing"
import * as PreviousClose from "@transferkit/books/close/PreviousClose"
import * as Dialect from "@transferkit/domain/Dialect"
import { counted } from "@transferkit/domain/Quantity"
import * as TransferFilter from "@transferkit/domain/TransferFilter"
import * as FileError from "@transferkit/files/FileError"
import * as FileLock from "@transferkit/files/node/FileLock"
import * as OutputFiles from "@transferkit/files/node/OutputFiles"
import * as TextFile from "@transferkit/files/node/TextFile"
import * as LedgerReading from "@transferkit/report/LedgerReading"
import * as ReconciliationLines from "@transferkit/report/ReconciliationLines"
import * as Effect from "effect/Effect"
import manifest from "../../../package.json" with { type: "json" }
import { Findings } from "../../Failure.ts"
import * as GivenMonth from "../../filter/GivenMonth.ts"
import { now } from "../../filter/Now.ts"
import { Globals } from "../../flags/Globals.ts"
import * as Report from "../../output/Report.ts"
import * as Scan from "../../progress/Scan.ts"
import * as GivenSource from "../../source/GivenSource.ts"
import * as Source from "../../source/Source.ts"
import { Screen } from "../../terminal/Screen.ts"
import { UsageError } from "../../UsageError.ts"
import { preferSmallHeap } from "../HeapTuning.ts"
import { guarded } from "../MemoryLimit.ts"
import * as Flags from "../reconcile/Flags.ts"
import * as GivenBooks from "../reconcile/GivenBooks.ts"
import * as ReconciliationReport from "../reconcile/Report.ts"

/** The flags of the command. */
export interface Input extends Omit<GivenBooks.Input, "carry" | "write_open"> {
  readonly month: string
  readonly time_zone: string | undefined
  readonly previous: string | undefined
  readonly previous_key: string | undefined
  readonly previous_ledger: ReadonlyArray<string>
  readonly out: string | undefined
  readonly sign_key: string | undefined
  readonly without_ledgers: boolean
  readonly force: boolean
}

/** Rejects flags that cannot be read, and standard input that would be read twice. */
export const check = Effect.fnUntraced(function* (given: Input) {
  const input = { ...given, carry: undefined, write_open: undefined }
  if (input.ledger.length === 0) return yield* new UsageError({ message: "Give the ledger: --ledger bank.csv." })
  if (input.previous === undefined && (input.previous_key ?? input.previous_ledger[0]) !== undefined)
    return yield* new UsageError({ message: "--previous-key and --previous-ledger are for --previous." })
  const timeZone = yield* Effect.fromResult(TransferFilter.timeZoneOf(input.time_zone))
  const times = { period: yield* Effect.fromResult(GivenMonth.parse(input.month, timeZone)), timeZone }
  yield* GivenBooks.check(input, times)
  return { input, times }
})

export const run = Effect.fn("transfers close")(
  function* (given: Input) {
    preferSmallHeap()
    const screen = yield* Screen
    const { input, times: own } = yield* check(given)
    const closedAt = yield* now
    const { month, out = `close-${month}.zip` } = input
    yield* OutputFiles.check({ ...(yield* Globals), ...input, out }, ["out"])
    if (!/\.zip$/i.test(out)) {
      const message = `--out: expected a name that ends in .zip, such as close-${month}.zip, found ${JSON.stringify(out)}.`
      return yield* new UsageError({ message })
    }
    yield* FileLock.hold(out)
    if (!input.force && (yield* TextFile.exists(out))) {
      const reason = "it exists, and a close is evidence. Name another with --out, or replace it with --force"
      return yield* new FileError.FileError({ path: out, reason })
    }
    const settings = yield* GivenBooks.read(input, own)
    const early = Closable.running(settings, month, closedAt)
    if (early !== undefined) return yield* new UsageError({ message: early })
    const theirs = { key: input.previous_key, ledgers: input.previous_ledger }
    const previous = input.previous === undefined ? undefined : yield* PreviousClose.open(input.previous, theirs)
    const earlier = previous && (yield* PreviousClose.read(previous))
    const times = Closing.timesOf(settings, earlier)
    const final = Dialect.finalStatuses(settings.settlement)
    const asked = yield* Source.ask({ period: times, only: {}, final })
    const lacking = Closable.lacking(asked)
    if (lacking !== undefined) return yield* new UsageError({ message: lacking })
    const { origin, name, coverage } = asked.source
    const other = earlier && PreviousClose.otherBase(earlier, settings, origin)
    if (other !== undefined) return yield* new FileError.FileError({ path: input.previous ?? "", reason: other })
    const { ledgers, accepted, words, lookUps } = yield* GivenBooks.parts(input, settings, asked)
    const { books, readings, sha256, changes } = yield* Closing.write({
      out,
      month,
      settings,
      ledgers,
      words,
      accepted,
      previous,
      transfers: Scan.of({ created_at: times }),
      lookUps,
      origin,
      source: name,
      as_of: coverage?.as_of.text ?? "",
      version: manifest.version,
      command: yield* commandOf(input, out),
      closedAt,
      signKey: input.sign_key,
      withoutLedgers: input.without_ledgers,
      replaces: input.force,
    })
    const count = ReconciliationLines.failures(books)
    const output = yield* Report.outputOf("json")
    // JSON has it in the document.
    if (output !== "json") yield* Effect.forEach(readings, (reading) => screen.say(LedgerReading.sentence(reading)))
    const kept = { version: manifest.version, ...BookSettings.toStored(settings) }
    const report = Source.withSource(ReconciliationReport.make(books, { ledgers: readings, settings: kept }), asked)
    const { transfers: _, ...counts } = changes ?? { transfers: [] }
    const close = { file: out, sha256, month, changes: changes === undefined ? null : counts }
    yield* Report.print({ ...report, json: { close, ...Object(report.json) } }, output)
    if (output === "table") {
      if (changes !== undefined)
        yield* screen.say(
          `Since ${changes.month} was closed: ${counted(changes.changed, "transfer")} changed, ${changes.added} added, ${changes.removed} removed`,
        )
      yield* screen.say(
        `${ReconciliationLines.verdict(books)}. Statuses ${ReconciliationLines.classes(books, settings.settlement)}`,
      )
      const outcome = count === 0 ? "is closed" : `is kept with ${counted(count, "break")} to resolve`
      yield* screen.note(`${out}: ${month} ${outcome}, close.json SHA-256 ${sha256}\n`)
    }
    if (count > 0) return yield* new Findings({ count })
  },
  Effect.scoped,
  guarded,
)

/** The command as it was given, without what names a secret. */
const commandOf = Effect.fnUntraced(function* (input: GivenBooks.Input & Input, out: string) {
  const names = "month time_zone previous previous_key previous_ledger out without_ledgers ledger".split(" ")
  const named = { ...input, out }
  const words = [...Flags.wordsOf(named, names), ...(yield* GivenSource.words()), ...Flags.wordsOf(input)]
  return ["transfers", "close", ...words]
})
