/** Runs `transfers report`. */
import { join } from "node:path"
import type * as Capabilities from "@transferkit/domain/Capabilities"
import * as CreatedAt from "@transferkit/domain/CreatedAt"
import { counted } from "@transferkit/domain/Quantity"
import * as TimeSpan from "@transferkit/domain/TimeSpan"
import * as Timestamp from "@transferkit/domain/Timestamp"
import type { Transfer } from "@transferkit/domain/Transfer"
import { TransferApi } from "@transferkit/domain/TransferApi"
import * as TransferFilter from "@transferkit/domain/TransferFilter"
import * as FileError from "@transferkit/files/FileError"
import * as TransferDecoder from "@transferkit/files/formats/TransferDecoder"
import * as AtomicFile from "@transferkit/files/node/AtomicFile"
import * as ScratchFile from "@transferkit/files/node/ScratchFile"
import * as Spool from "@transferkit/files/node/Spool"
import * as TextFile from "@transferkit/files/node/TextFile"
import * as CreationOrder from "@transferkit/files/partitions/CreationOrder"
import * as Partitions from "@transferkit/files/partitions/Partitions"
import { SortedTexts } from "@transferkit/files/partitions/SortedTexts"
import * as MonthPage from "@transferkit/report/MonthPage"
import * as MonthReport from "@transferkit/report/MonthReport"
import * as Period from "@transferkit/report/Period"
import * as ReconciliationLines from "@transferkit/report/ReconciliationLines"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Iterable from "effect/Iterable"
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"
import manifest from "../../../package.json" with { type: "json" }
import { Findings } from "../../Failure.ts"
import { now } from "../../filter/Now.ts"
import { Globals, isForScript, override } from "../../flags/Globals.ts"
import * as Layers from "../../Layers.ts"
import * as Scan from "../../progress/Scan.ts"
import * as Settings from "../../service/Settings.ts"
import * as Source from "../../source/Source.ts"
import { Screen } from "../../terminal/Screen.ts"
import { UsageError } from "../../UsageError.ts"
import { preferSmallHeap } from "../HeapTuning.ts"
import { guarded } from "../MemoryLimit.ts"
import * as BookRules from "../reconcile/BookRules.ts"
import * as Flags from "../reconcile/Flags.ts"
import type * as LedgerReconciliation from "../reconcile/LedgerReconciliation.ts"
import * as LedgerPart from "./LedgerPart.ts"

/** The flags of the command. */
export interface Input extends LedgerReconciliation.Input {
  readonly month: string | undefined
  readonly since: string | undefined
  readonly until: string | undefined
  readonly time_zone: string | undefined
  readonly html: string
}

export const run = Effect.fn("transfers report")(
  function* (input: Input) {
    preferSmallHeap()
    const screen = yield* Screen
    const made_at = yield* now
    const { period, flags, timeZone } = yield* Effect.fromResult(periodOf(input, made_at))
    if (yield* TextFile.isFolder(input.html)) {
      return yield* new FileError.FileError({ path: input.html, reason: "it is a folder: name a file in it" })
    }
    const by = lengthOf(period, made_at) > longestByDay ? "month" : "day"
    const { from } = yield* Globals
    const asked = yield* Source.ask({ period, only: {} })
    const rules = yield* BookRules.read(input, { period, timeZone })
    const { capabilities, transfers } = yield* from !== undefined && Layers.isFile(from)
      ? ofFile(from, rules.searched)
      : ofService(rules.searched).pipe(Effect.provide(Layers.transfers))
    const report = yield* MonthReport.make(within(transfers, rules), { capabilities, by })
    const reconciliation = yield* LedgerPart.make(transfers, input, rules)
    const words = [...flags, ...(yield* sourceFlags)].map(word).join(" ")
    const breaks = reconciliation && ReconciliationLines.failures(reconciliation.reconciled)
    const subject: MonthPage.PageOptions = {
      ...(yield* originOf),
      period,
      made_at,
      by,
      version: manifest.version,
      settlement: rules.settlement,
      ...(reconciliation && { reconciliation }),
      commands: {
        report: `transfers report ${[words, ...input.ledger.flatMap((path) => ["--ledger", word(path)]), ...(input.ledger.length === 0 ? [] : Flags.wordsOf(input).map(word))].join(" ")} --html ${word(input.html)}`,
        exported: `transfers export ${words} --out transfers.ndjson`,
        audit: `transfers audit ${words} --output csv`,
      },
    }
    const page = yield* FileError.attempt(() => MonthPage.render(report, subject))
    yield* AtomicFile.writeText(input.html, page)
    const found = (report.findings?.length ?? 0) + (breaks ?? 0)
    if (yield* isForScript)
      yield* screen.print(
        `${JSON.stringify({ ...toJson(report, period), breaks: breaks ?? null, source: Source.toJson(asked) }, undefined, 2)}\n`,
      )
    else {
      const told = [
        counted(report.transfers, "transfer"),
        `${report.open.length} open`,
        counted(report.findings?.length ?? 0, "finding"),
        ...(breaks === undefined ? [] : [counted(breaks, "break")]),
      ]
      yield* screen.note(`${input.html}: ${Period.name(period)}, ${told.join(", ")}\n`)
    }
    if (found > 0) return yield* new Findings({ count: found })
  },
  Effect.scoped,
  guarded,
)

/** The report is of the period; only a ledger looks at the days of grace beyond its ends. */
const within = <E, R>(
  transfers: Stream.Stream<ReadonlyArray<Transfer>, E, R>,
  { period, searched }: BookRules.BookRules,
): Stream.Stream<ReadonlyArray<Transfer>, E, R> =>
  searched === period
    ? transfers
    : Stream.map(transfers, (batch) => batch.filter(({ created_at }) => CreatedAt.matches(period, created_at)))

/** In days: longer periods are shown by month. */
const longestByDay = 62

/** The period, and the flags that mean it whenever they are given again. */
const periodOf = (input: Input, at: Timestamp.Timestamp) =>
  Result.gen(function* () {
    const { month } = input
    if ((month === undefined) === (input.since === undefined && input.until === undefined)) {
      const message = "Give the period: --month 2024-09, or --since and --until."
      return yield* Result.fail(new UsageError({ message }))
    }
    if (month !== undefined && !/^\d{4}-\d{2}$/.test(month)) {
      const message = `--month: expected a month, such as 2024-09, found ${JSON.stringify(month)}.`
      return yield* Result.fail(new UsageError({ message }))
    }
    const { since = month, until = month } = input
    const timeZone = yield* TransferFilter.timeZoneOf(input.time_zone)
    const asked = yield* TimeSpan.toFilter({ since, until }, { now: at, zone: timeZone })
    // Transfers created from now on are not part of it, so that it has an end.
    const period = CreatedAt.and(asked, CreatedAt.lte(at))
    return {
      period: CreatedAt.implies(asked, CreatedAt.lte(at)) ? asked : period,
      timeZone,
      flags: [
        ...(input.time_zone === undefined ? [] : ["--time-zone", input.time_zone]),
        ...(since === undefined ? [] : ["--since", since]),
        ...(until === undefined ? [] : ["--until", until]),
      ],
    }
  })

const lengthOf = (period: CreatedAt.CreatedAt, at: Timestamp.Timestamp): number => {
  const ranges = CreatedAt.ranges(period)
  const [from, to = at] = [ranges[0]?.lower?.at, ranges.at(-1)?.upper?.at]
  if (from === undefined) return Number.POSITIVE_INFINITY
  return Duration.toDays(Timestamp.difference(to, from))
}

/** What a report is made of. The transfers are on disk, in order of creation, so that memory does not grow with them. */
interface Source {
  readonly capabilities: Capabilities.Capabilities | undefined
  readonly transfers: Stream.Stream<ReadonlyArray<Transfer>, FileError.FileError>
}

const filterOf = (period: CreatedAt.CreatedAt): TransferFilter.TransferFilter => ({
  query: { created_at: period },
  question: { period, only: {} },
  keeps: () => true,
  keepsStatus: undefined,
  isPartial: false,
  timeZone: undefined,
})

const ofService = Effect.fnUntraced(function* (period: CreatedAt.CreatedAt) {
  const capabilities = yield* Effect.flatMap(TransferApi, (api) => api.capabilities)
  const files = yield* FileSystem.FileSystem
  const folder = yield* FileError.mapTo("the folder for temporary files")(files.makeTempDirectoryScoped())
  const spool = yield* Spool.create(join(folder, "transfers.spool"), { filters: {}, created_at: [], started_at: "" })
  yield* Stream.runForEach(Scan.of(filterOf(period)), ({ results, checkpoint }) =>
    Spool.append(spool, results, checkpoint),
  )
  const source: Source = { capabilities, transfers: Spool.sorted(spool) }
  return source
})

/** A file has no capabilities, and need not be in order. */
const ofFile = Effect.fnUntraced(function* (path: string, period: CreatedAt.CreatedAt) {
  const FileSource = yield* Effect.promise(() => import("../../files/FileSource.ts"))
  const texts = new SortedTexts(yield* ScratchFile.make, Partitions.defaultLimit)
  yield* Stream.runForEach(yield* FileSource.selected(path, filterOf(period)), (batch) =>
    FileError.attempt(() =>
      batch.forEach((transfer) => texts.add(CreationOrder.of(transfer), JSON.stringify(transfer))),
    ),
  )
  async function* batches() {
    let last = ""
    for (const rows of Iterable.chunksOf({ [Symbol.iterator]: () => texts.rows() }, 500)) {
      for (const { order } of rows) {
        if (order === last) throw new FileError.FileError({ path, reason: "a transfer is in it more than once" })
        last = order
      }
      yield Result.getOrThrow(TransferDecoder.fromJsonTexts(rows.map(({ text }) => text)))
    }
  }
  const toError = (error: unknown) =>
    error instanceof FileError.FileError ? error : new FileError.FileError({ path, reason: FileError.reasonOf(error) })
  const source: Source = {
    capabilities: undefined,
    transfers: Stream.suspend(() => Stream.fromAsyncIterable(batches(), toError)),
  }
  return source
})

/** Whose transfers they are and where they come from, without secrets. */
const originOf = Effect.gen(function* () {
  const { from, sandbox } = yield* Globals
  if (sandbox) return { partner: "the sandbox", source: "the sandbox: 5,000 made-up transfers" }
  if (from === undefined) {
    const { baseUrl, partnerId } = yield* override({ secretKeyStdin: false })(Settings.resolve)
    return { partner: partnerId?.value ?? "", source: `the service at ${baseUrl?.value ?? ""}` }
  }
  if (Layers.isFile(from)) {
    const FileSource = yield* Effect.promise(() => import("../../files/FileSource.ts"))
    return yield* FileSource.origin(from)
  }
  const MirrorSource = yield* Effect.promise(() => import("../../mirror/MirrorSource.ts"))
  return yield* MirrorSource.origin
})

const sourceFlags = Effect.map(Globals, ({ from, asOf, sandbox, partnerId, profile }): ReadonlyArray<string> => [
  ...(sandbox ? ["--sandbox"] : []),
  ...(from === undefined ? [] : ["--from", withoutPassword(from)]),
  ...(asOf === undefined ? [] : ["--as-of", asOf]),
  ...(profile === undefined ? [] : ["--profile", profile]),
  ...(partnerId === undefined ? [] : ["--partner-id", partnerId]),
])

const withoutPassword = (address: string): string => {
  const url = URL.parse(address)
  if (url === null || url.password === "") return address
  url.password = ""
  return url.href
}

/** A word of a command line, quoted if a shell would read it otherwise. */
const word = (text: string): string => (/^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`)

const toJson = (report: MonthReport.MonthReport, period: CreatedAt.CreatedAt) => ({
  created_at: CreatedAt.ranges(period).flatMap(CreatedAt.printRange),
  transfers: report.transfers,
  statuses: Object.fromEntries(report.statuses),
  totals: report.byStatus.groups,
  open: report.open,
  largest: report.largest,
  findings: report.findings ?? null,
  sha256: report.sha256,
})
