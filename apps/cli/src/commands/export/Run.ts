/** Runs `transfers export`. */
import * as CreatedAt from "@transferkit/domain/CreatedAt"
import { counted, grouped } from "@transferkit/domain/Quantity"
import * as Timestamp from "@transferkit/domain/Timestamp"
import * as TransferFilter from "@transferkit/domain/TransferFilter"
import { emptyReport, type Tally, TransferPager } from "@transferkit/domain/TransferPager"
import * as ExportManifest from "@transferkit/files/exports/ExportManifest"
import { FileError, mapTo } from "@transferkit/files/FileError"
import type * as CsvDialect from "@transferkit/files/formats/CsvDialect"
import * as TransferFormat from "@transferkit/files/formats/TransferFormat"
import * as ExportContinuation from "@transferkit/files/node/ExportContinuation"
import * as ExportFile from "@transferkit/files/node/ExportFile"
import * as FileLock from "@transferkit/files/node/FileLock"
import * as OutputFiles from "@transferkit/files/node/OutputFiles"
import * as Spool from "@transferkit/files/node/Spool"
import * as TextFile from "@transferkit/files/node/TextFile"
import * as Period from "@transferkit/report/Period"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Option from "effect/Option"
import * as Ref from "effect/Ref"
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"
import * as GivenFilter from "../../filter/GivenFilter.ts"
import { now } from "../../filter/Now.ts"
import type { FilterFlags } from "../../flags/FilterFlags.ts"
import { Globals, isForScript, only, withoutRows } from "../../flags/Globals.ts"
import * as Listing from "../../output/Listing.ts"
import * as Progress from "../../progress/Progress.ts"
import * as Source from "../../source/Source.ts"
import { Screen } from "../../terminal/Screen.ts"
import { UsageError } from "../../UsageError.ts"
import { preferSmallHeap } from "../HeapTuning.ts"

/** The flags of the command. */
export interface Input extends FilterFlags {
  readonly out: string
  readonly format: TransferFormat.ExportFormat | undefined
  readonly concurrency: number
  readonly resume: boolean
  readonly force: boolean
  readonly create_table: boolean
  readonly amounts: TransferFormat.AmountForm | undefined
  readonly csv_dialect: CsvDialect.CsvDialect | undefined
  readonly csv_raw: boolean
  readonly columns: string | undefined
}

/** An export to make. Scripts read its manifest and get no other output. */
interface Job extends Input {
  readonly isQuiet: boolean
  /** What people know the file by. */
  readonly name: string
}

/** Rejects flags that contradict each other or cannot be read. */
export const check = Effect.fnUntraced(function* (input: Input) {
  if (input.out !== "-") yield* only("export", withoutRows)
  if (input.resume && input.force)
    return yield* new UsageError({ message: "--resume continues, and --force starts again: remove one of them." })
  const format = yield* formatOf(input)
  const columns = yield* columnsOf(input, format)
  if (input.out === "-") yield* checkStream(input, format)
  yield* GivenFilter.parse(input)
  return { format, columns }
})

export const run = Effect.fn("transfers export")(function* (flags: Input) {
  preferSmallHeap()
  const { format, columns } = yield* check(flags)
  const isQuiet = yield* isForScript
  const isStream = flags.out === "-"
  const input: Job = isStream
    ? { ...flags, out: yield* temporaryFile, name: "standard output", isQuiet }
    : { ...flags, name: flags.out, isQuiet }
  const filter = yield* GivenFilter.read(input)
  yield* OutputFiles.check({ ...(yield* Globals), ...input, name: undefined }, ["out"], {
    beside: ExportManifest.pathOf(""),
  })
  yield* FileLock.hold(input.out)
  yield* ExportFile.spare({ path: input.out, format, createTable: input.create_table })
  const replaces = input.force || (yield* TextFile.exists(input.out))
  const at = yield* now
  const asked = yield* Source.ask(filter.question, ["json", "ndjson"])
  const spool = yield* ExportContinuation.open({
    nameOf: Period.name,
    ...input,
    origin: asked.source.origin,
    filters: TransferFilter.toRecord(input),
    asked: { created_at: filter.query.created_at ?? CreatedAt.all, only: filter.question.only },
    source: asked.source.coverage,
    claim: Source.derived(asked),
    isFinal: asked.source.kind === "file",
    started_at: at,
    written: {
      format,
      ...(columns && { columns: columns.map(({ name }) => name) }),
      csv_dialect: input.csv_dialect ?? "rfc4180",
      csv_raw: input.csv_raw,
    },
  })
  if (spool === undefined) {
    yield* note(input, "nothing to resume: it is complete")
    return yield* printManifest(yield* ExportFile.readManifest(input.out))
  }
  const before = Spool.count(spool)
  const target = {
    path: input.out,
    format,
    csvRaw: input.csv_raw,
    csvDialect: input.csv_dialect,
    columns,
    amounts: input.amounts,
    createTable: input.create_table,
    replaces,
  }
  const { tally, manifest } = yield* Effect.gen(function* () {
    const tally = yield* receive(spool, filter, input)
    // Sorting and writing this many takes seconds without a sign of life.
    if (Spool.count(spool) >= 20_000) {
      yield* note(input, `received ${counted(Spool.count(spool), "transfer")}, sorting and writing them`)
    }
    return { tally, manifest: yield* Progress.during("sorting and writing")(ExportFile.write(spool, target)) }
  }).pipe(Effect.onError((cause) => keepOrRemove(spool, input, cause)))
  yield* Spool.remove(spool.path)
  if (isStream) yield* printFile(input.out)
  yield* note(input, summaryOf(Spool.count(spool), before, tally))
  if (!isQuiet) yield* (yield* Screen).warn(remarks(tally))
  yield* printManifest(manifest)
}, Effect.scoped)

/** Receives what the spool lacks, and returns the counts. Sends no request if nothing is missing. */
const receive = Effect.fnUntraced(function* (
  spool: Spool.Spool,
  filter: TransferFilter.TransferFilter,
  { concurrency }: Job,
) {
  const pager = yield* TransferPager
  const report = yield* Ref.make(emptyReport)
  const resume = Spool.checkpoint(spool)
  const { created_at: covered, read = covered } = spool.header
  // Times without an end would end now.
  const created_at = CreatedAt.and(Result.getOrThrow(CreatedAt.fromParams(read)), CreatedAt.lte(Timestamp.latest))
  const fraction = Progress.fractions()
  const show = yield* Progress.forPeople({ rows: Spool.count(spool), fraction: undefined })
  yield* Stream.runForEach(
    pager.scan(
      { ...filter.query, created_at },
      {
        report,
        concurrency,
        delivered: Spool.ids(spool),
        isKept: filter.keeps,
        ...(resume === undefined ? {} : { resume }),
      },
    ),
    Effect.fnUntraced(function* (batch) {
      yield* Spool.append(spool, batch.results.filter(filter.keeps), batch.checkpoint)
      yield* show(() => ({ rows: Spool.count(spool), fraction: fraction(batch.checkpoint.transfers, batch.expected) }))
    }),
  )
  return (yield* Ref.get(report)).tally
}, Effect.scoped)

const summaryOf = (count: number, before: number, tally: Tally): string => {
  const pages = counted(tally.pages, "page")
  return before === 0
    ? `${counted(count, "transfer")} in ${pages}`
    : `${counted(count, "transfer")}, ${grouped(count - before)} of them from this run in ${pages}`
}

interface Failed {
  readonly _tag: string
  readonly missingFrom?: ReadonlyArray<string>
}

/**
 * An empty spool is removed: it has nothing to resume and would only require --force. So is one of which a transfer has
 * moved, because it may hold the earlier state, and one that lacks a transfer which the service left out.
 */
const keepOrRemove = (spool: Spool.Spool, input: Job, cause: Cause.Cause<Failed>) => {
  const isUseless = Option.exists(
    Cause.findErrorOption(cause),
    ({ _tag, missingFrom }) => _tag === "MovedTransfer" || missingFrom !== undefined,
  )
  const removed = Effect.ignore(Spool.remove(spool.path))
  if (isUseless) return Effect.andThen(removed, note(input, "not complete; nothing was written"))
  if (input.name !== input.out) return note(input, "not complete; nothing was written")
  if (Spool.count(spool) === 0) return removed
  const what = Cause.hasInterruptsOnly(cause) ? "interrupted" : "not complete"
  const there = counted(Spool.count(spool), "transfer")
  return note(input, `${what}; run the same command with --resume to continue after ${there}`)
}

const formatOf = (input: Input): Effect.Effect<TransferFormat.ExportFormat, UsageError> => {
  if (input.out === "") return Effect.fail(new UsageError({ message: "--out: name a file." }))
  const format = input.format ?? TransferFormat.ofExport(input.out)
  if (format !== undefined) return Effect.succeed(format)
  const message =
    input.out === "-"
      ? "--out - has no name: give --format."
      : TransferFormat.unknownEnding(input.out, TransferFormat.exportFormats, ": give --format.").message
  return Effect.fail(new UsageError({ message }))
}

// ---------------------------------------------------------------------------------------------------- standard output

/** Rejects flags that need a file, or whose output would mix with the transfers. */
const checkStream = Effect.fnUntraced(function* (
  { resume, create_table, force }: Input,
  format: TransferFormat.ExportFormat,
) {
  const { output } = yield* Globals
  const { stdout } = yield* Screen
  const [wrong] = Object.entries({ resume, create_table, force, output: output !== undefined }).flatMap(
    ([name, isGiven]) => (isGiven ? [`--${name.replace("_", "-")}`] : []),
  )
  if (wrong !== undefined) {
    return yield* new UsageError({ message: `${wrong} cannot be combined with --out -: remove one of them.` })
  }
  if (stdout.isTerminal && (format === "xlsx" || format === "parquet")) {
    return yield* new UsageError({ message: `--out - with --format ${format} is binary: redirect it to a file.` })
  }
})

/** Nothing is printed before everything is there, so that a reader gets all transfers, in order, or none. */
const temporaryFile = Effect.gen(function* () {
  const files = yield* FileSystem.FileSystem
  const folder = yield* mapTo("standard output")(files.makeTempDirectoryScoped({ prefix: "transfers-" }))
  return `${folder}/export`
})

const printFile = Effect.fnUntraced(function* (path: string) {
  const files = yield* FileSystem.FileSystem
  const screen = yield* Screen
  const bytes = Stream.mapError(files.stream(path), (error) => new FileError({ path, reason: error.message }))
  yield* screen.stdout.isTerminal
    ? Stream.runForEach(Stream.decodeText(bytes), screen.print)
    : Stream.runForEach(bytes, screen.printBytes)
})

// ---------------------------------------------------------------------------------------------------- the flags

const columnsOf = Effect.fnUntraced(function* (input: Input, format: TransferFormat.ExportFormat) {
  const { columns, create_table, csv_dialect = "rfc4180" } = input
  if (columns !== undefined && format !== "csv" && format !== "xlsx") {
    return yield* new UsageError({
      message: `--columns: ${format} has every field. Only csv and xlsx can have fewer columns.`,
    })
  }
  if (create_table && format === "xlsx") {
    return yield* new UsageError({ message: "--create-table: no database loads a workbook. Export csv or parquet." })
  }
  if (input.amounts !== undefined && format !== "parquet") {
    return yield* new UsageError({ message: `--amounts is for Parquet, and ${input.out} is ${format}.` })
  }
  if (csv_dialect !== "rfc4180" && format !== "csv") {
    return yield* new UsageError({ message: `--csv-dialect is for CSV, and ${input.out} is ${format}.` })
  }
  const other = columns === undefined ? (csv_dialect === "rfc4180" ? undefined : "--csv-dialect") : "--columns"
  if (create_table && other !== undefined) {
    return yield* new UsageError({ message: `--create-table is for all columns in RFC 4180: remove it, or ${other}.` })
  }
  return columns === undefined ? undefined : yield* Effect.fromResult(Listing.columnsOf(columns))
})

const note = Effect.fnUntraced(function* (input: Job, what: string) {
  const screen = yield* Screen
  if (!input.isQuiet) yield* screen.note(`${input.name}: ${what}\n`)
})

const printManifest = Effect.fnUntraced(function* (manifest: ExportManifest.ExportManifest) {
  const { output } = yield* Globals
  const screen = yield* Screen
  if (output === "json") yield* screen.print(`${JSON.stringify(manifest, undefined, 2)}\n`)
  if (output === "ndjson") yield* screen.print(`${JSON.stringify(manifest)}\n`)
})

const remarks = (tally: Tally): string =>
  [
    tally.duplicates === 0
      ? ""
      : `warning: the service sent ${counted(tally.duplicates, "transfer")} more than once; each is written once\n`,
    tally.outside === 0
      ? ""
      : `warning: the service sent ${counted(tally.outside, "transfer")} outside the filters; they are left out\n`,
    tally.rejected === 0
      ? ""
      : `warning: the service rejected ${counted(tally.rejected, "cursor")}; what they led to was read again\n`,
  ].join("")
