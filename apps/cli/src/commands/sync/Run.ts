/** Runs `transfers sync`. */
import { counted, duration } from "@transferkit/domain/Quantity"
import { escapeControls } from "@transferkit/domain/SafeText"
import * as Timestamp from "@transferkit/domain/Timestamp"
import * as MirrorLease from "@transferkit/mirror/MirrorLease"
import * as MirrorSync from "@transferkit/mirror/MirrorSync"
import * as RequestRate from "@transferkit/mirror/RequestRate"
import { TransferMirror } from "@transferkit/mirror/TransferMirror"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Random from "effect/Random"
import * as Result from "effect/Result"
import * as Delivery from "../../events/Delivery.ts"
import * as EventPrinter from "../../events/EventPrinter.ts"
import { Findings, UndeliveredEvents } from "../../Failure.ts"
import { now } from "../../filter/Now.ts"
import { Globals, isForScript, type Output } from "../../flags/Globals.ts"
import * as MirrorTarget from "../../mirror/MirrorTarget.ts"
import * as SharedRate from "../../mirror/SharedRate.ts"
import * as Report from "../../output/Report.ts"
import * as TransferTable from "../../output/TransferTable.ts"
import * as Progress from "../../progress/Progress.ts"
import { Screen } from "../../terminal/Screen.ts"
import { UsageError } from "../../UsageError.ts"
import { preferSmallHeap } from "../HeapTuning.ts"
import * as Accounts from "./Accounts.ts"
import * as SyncMetrics from "./SyncMetrics.ts"
import * as WorkerProcesses from "./WorkerProcesses.ts"

/** The flags of the command. */
export interface Flags {
  readonly to: string | undefined
  readonly follow: boolean
  readonly interval: number
  readonly look_back: number
  readonly concurrency: number
  readonly workers: number
  readonly rate_limit: number
  readonly status: boolean
  readonly verify: boolean
  readonly wait: boolean
  readonly allow_vanished: number
  readonly metrics: string | undefined
  readonly exec: string | undefined
}

type Input = Flags & { readonly to: string }

export const run = Effect.fn("transfers sync")(function* (flags: Flags) {
  preferSmallHeap()
  const input = { ...flags, to: yield* MirrorTarget.of(flags.to) }
  const output = yield* Report.streamedOutputOf("table")
  if (input.follow && output === "json") {
    return yield* new UsageError({
      message: "--follow has no end, so it cannot be one JSON document: use --output ndjson.",
    })
  }
  const globals = yield* Globals
  if (globals.from !== undefined) return yield* new UsageError({ message: "sync reads the service: remove --from." })
  if (input.status) {
    const Status = yield* Effect.promise(() => import("./Status.ts"))
    return yield* Status.print(input.to, yield* Report.outputOf("json"))
  }
  if (input.workers > 1 && globals.secretKeyStdin) {
    return yield* new UsageError({
      message: "--workers starts processes that cannot read standard input: give --secret-key-file instead.",
    })
  }
  yield* serveMetrics(input)
  // Before the mirror: it is not created for settings that cannot be used.
  const accounts = yield* Accounts.all
  const job = { input, accounts, output }
  const screen = yield* Screen
  const onWait = input.wait ? screen.note("waiting for another sync to end\n") : undefined
  const partners = accounts.map(({ partner_id }) => partner_id)
  yield* passes(job).pipe(
    MirrorLease.holding(partners, { onWait }),
    Effect.scoped,
    Effect.provide(TransferMirror.layer(input.to)),
  )
}, Effect.scoped)

const serveMetrics = Effect.fnUntraced(function* ({ metrics, follow }: Input) {
  if (metrics === undefined) return
  if (!follow) return yield* new UsageError({ message: "--metrics lasts as long as the sync: give --follow, too." })
  const MetricsServer = yield* Effect.promise(() => import("../../telemetry/MetricsServer.ts"))
  yield* MetricsServer.serve(yield* Effect.fromResult(MetricsServer.parseAddress(metrics)))
})

interface Job {
  readonly input: Input
  readonly accounts: ReadonlyArray<Accounts.Account>
  readonly output: Output
}

const passes = Effect.fnUntraced(function* ({ input, accounts, output }: Job) {
  const perSecond = input.rate_limit === 0 ? undefined : input.rate_limit
  yield* Effect.forEach(accounts, ({ partner_id }) => RequestRate.limit(partner_id, perSecond), { discard: true })
  const prints = input.follow || (yield* Globals).output !== undefined
  const isQuiet = (yield* isForScript) || accounts.length > 1
  // One JSON document has no place for events.
  const printer = prints && output !== "json" ? yield* EventPrinter.make({ output, hasSeenAt: true }) : undefined
  const deliver = yield* Delivery.make({
    exec: input.exec,
    interval: input.follow ? input.interval : undefined,
    print: printer?.print ?? (() => Effect.void),
  })
  for (let pass = 0; ; pass++) {
    const results = yield* Effect.forEach(
      accounts,
      (account) => Effect.result(syncOne(account, { ...input, verify: input.verify && pass === 0 }, isQuiet)),
      { concurrency: accounts.length },
    )
    const outcomes = yield* Effect.forEach(accounts, ({ partner_id }) => deliver(partner_id))
    const at = yield* now
    yield* Effect.forEach(results, (result, index) =>
      SyncMetrics.record(accounts[index]?.partner_id ?? "", result, { at, failed: outcomes[index]?.failed ?? 0 }),
    )
    yield* report(results, accounts, { input, output })
    const failures = results.flatMap((result) => (Result.isFailure(result) ? [result.failure] : []))
    const [failure] = failures
    // Retrying cannot help: every failure is permanent.
    const isOver = failures.length === accounts.length && !failures.some(isTransient)
    if (failure !== undefined && (!input.follow || isOver)) return yield* Effect.fail(failure)
    if (!input.follow) {
      const events = outcomes.reduce((sum, one) => sum + one.events, 0)
      const failed = outcomes.reduce((sum, one) => sum + one.failed, 0)
      const retry = "The next run with the same --to retries."
      if (failed > 0) return yield* new UndeliveredEvents({ failed, events, retry })
      const drift = results.flatMap((result) => (Result.isSuccess(result) ? result.success : [])).filter(isDrift)
      if (drift.length > 0) return yield* new Findings({ count: drift.length })
      return
    }
    // Jitter keeps followers that started together from polling together.
    const jitter = yield* Random.nextBetween(0.9, 1.1)
    yield* Effect.sleep(Duration.seconds(input.interval * jitter))
  }
})

const syncOne = ({ partner_id, services }: Accounts.Account, input: Input, isQuiet: boolean) =>
  Effect.gen(function* () {
    const screen = yield* Screen
    const show = yield* isQuiet ? Progress.none : Progress.make({ rows: 0, fraction: undefined })
    const options: MirrorSync.Options = {
      partner_id,
      lookBack: Duration.seconds(input.look_back),
      allowVanished: input.allow_vanished,
      concurrency: input.concurrency,
      ...(input.workers > 0
        ? {
            workers: WorkerProcesses.run(input).pipe(
              Effect.provideService(Screen, screen),
              Effect.provideContext(services),
            ),
          }
        : {}),
      onProgress: ({ transfers, expected, kind }) =>
        show(() => ({
          rows: transfers,
          fraction: kind === "pass" ? undefined : transfers / Math.max(1, transfers + expected),
        })),
    }
    const runs = yield* MirrorSync.sync(options)
    return input.verify ? [...runs, yield* MirrorSync.verify(options)] : runs
  }).pipe(SharedRate.share(partner_id), Effect.scoped, Effect.provide(services))

/** The pass before it has seen what changed as transfers do, so what a verification finds had been missed. */
const isDrift = ({ kind, created, changed, vanished }: MirrorSync.Report): boolean =>
  kind === "verify" && created + changed + vanished > 0

/** Errors after which the next pass may succeed. */
const isTransient = (error: { readonly _tag: string; readonly isRetryable?: boolean }): boolean =>
  error.isRetryable === true

// ---------------------------------------------------------------------------------------------------- reporting

const report = Effect.fnUntraced(function* <E extends { readonly message: string }>(
  results: ReadonlyArray<Result.Result<ReadonlyArray<MirrorSync.Report>, E>>,
  accounts: ReadonlyArray<Accounts.Account>,
  { input, output }: { readonly input: Input; readonly output: string },
) {
  const screen = yield* Screen
  const at = yield* now
  const runs = results.flatMap((result, index) => {
    const partner_id = accounts[index]?.partner_id ?? ""
    return Result.isSuccess(result) ? result.success.map((one) => ({ partner_id, ...one })) : []
  })
  if (output === "json") {
    const printed = runs.map((one) => ({ ...one, watermark: one.watermark?.text }))
    return yield* screen.print(
      `${JSON.stringify({ mirror: (yield* TransferMirror).address, runs: printed }, undefined, 2)}\n`,
    )
  }
  for (const [index, result] of results.entries()) {
    const name = escapeControls(accounts[index]?.partner_id ?? "")
    if (Result.isFailure(result) && (input.follow || accounts.length > 1)) {
      yield* screen.warn(`${name}: ${escapeControls(result.failure.message)}${input.follow ? " Retrying." : ""}\n`)
    }
  }
  if (output === "ndjson") return
  for (const one of runs) {
    // A follower speaks of what it finds.
    if (input.follow && one.kind === "pass" && one.created + one.changed + one.vanished === 0) continue
    yield* screen.note(`${escapeControls(one.partner_id)}: ${describe(one, at)}\n`)
  }
})

const describe = (run: MirrorSync.Report, at: Timestamp.Timestamp): string => {
  const found = `${run.created} new, ${run.changed} changed, ${run.vanished} vanished`
  const what =
    run.kind === "backfill"
      ? `loaded ${counted(run.transfers, "transfer")}`
      : run.kind === "verify"
        ? `read ${counted(run.transfers, "transfer")} again: ${found}`
        : found
  const lag =
    run.watermark === undefined
      ? ""
      : `, complete up to ${TransferTable.terminalTime(run.watermark)} (${duration(secondsBetween(run.watermark, at))} ago)`
  return `${what}, in ${counted(run.pages, "page")}; ${run.open} open${lag}`
}

const secondsBetween = (from: Timestamp.Timestamp, to: Timestamp.Timestamp): number =>
  Math.max(0, Math.trunc(Duration.toSeconds(Timestamp.difference(to, from))))
