/** Runs `transfers sync`. */
import { counted, duration } from "@transferkit/domain/Quantity"
import { escapeControls } from "@transferkit/domain/SafeText"
import * as Timestamp from "@transferkit/domain/Timestamp"
import type { AmountForm } from "@transferkit/files/formats/TransferFormat"
import * as EventDelivery from "@transferkit/mirror/EventDelivery"
import * as MirrorFollower from "@transferkit/mirror/MirrorFollower"
import * as MirrorLease from "@transferkit/mirror/MirrorLease"
import * as MirrorSync from "@transferkit/mirror/MirrorSync"
import * as RequestRate from "@transferkit/mirror/RequestRate"
import * as SyncMetrics from "@transferkit/mirror/SyncMetrics"
import { TransferMirror } from "@transferkit/mirror/TransferMirror"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Ref from "effect/Ref"
import * as Result from "effect/Result"
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
import * as Dataset from "./Dataset.ts"
import * as WorkerProcesses from "./WorkerProcesses.ts"

/** The flags of the command. */
export interface Flags {
  readonly to: string | undefined
  readonly follow: boolean
  readonly interval: number
  readonly look_back: number | undefined
  readonly verify_budget: number | undefined
  readonly concurrency: number | undefined
  readonly workers: number
  readonly rate_limit: number
  readonly status: boolean
  readonly verify: boolean
  readonly wait: boolean
  readonly allow_vanished: number
  readonly metrics: string | undefined
  readonly exec: string | undefined
  readonly dataset: string | undefined
  readonly amounts: AmountForm | undefined
}

type Input = Flags & { readonly to: string }

export const run = Effect.fn("transfers sync")(function* (flags: Flags) {
  preferSmallHeap()
  const input = { ...flags, to: yield* MirrorTarget.of(flags.to, "sync") }
  const output = yield* input.status ? Report.outputOf("json") : Report.streamedOutputOf("table")
  if (input.follow && output === "json") {
    return yield* new UsageError({
      message: "--follow has no end, so it cannot be one JSON document: use --output ndjson.",
    })
  }
  const globals = yield* Globals
  if (globals.from !== undefined) return yield* new UsageError({ message: "sync reads the service: remove --from." })
  if (input.status) {
    const Status = yield* Effect.promise(() => import("./Status.ts"))
    return yield* Status.print(input.to, output)
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
    Effect.onInterrupt(() => screen.note("interrupted: what was read is stored; the same command continues\n")),
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
  const partners = accounts.map(({ partner_id }) => partner_id)
  const perSecond = input.rate_limit === 0 ? undefined : input.rate_limit
  yield* Effect.forEach(accounts, ({ partner_id }) => RequestRate.limit(partner_id, perSecond), { discard: true })
  const prints = input.follow || (yield* Globals).output !== undefined
  const isQuiet = (yield* isForScript) || accounts.length > 1
  // One JSON document has no place for events.
  const printer = prints && output !== "json" ? yield* EventPrinter.make({ output, hasSeenAt: true }) : undefined
  const deliver = EventDelivery.make({
    command: input.exec,
    env: process.env,
    interval: input.follow ? input.interval : undefined,
    select: (event) => event,
    print: printer?.print ?? (() => Effect.void),
    onFailure: EventPrinter.warn,
  })
  const warned = new Set<string>()
  const jobs = yield* Effect.forEach(accounts, (account) => Effect.map(onceOf(input), (once) => ({ account, once })))
  // A database that is away may be back for the next pass, which makes up for it.
  const isLater = (error: MirrorFollower.PassError) => input.follow && MirrorFollower.isTransient(error)
  const pass = Effect.gen(function* () {
    const results = yield* Effect.forEach(
      jobs,
      ({ account, once }) => Effect.result(syncOne(account, { ...input, isQuiet, warned, once })),
      { concurrency: jobs.length },
    )
    const outcomes = yield* Effect.forEach(accounts, ({ partner_id }) =>
      deliver(partner_id).pipe(Effect.catchIf(isLater, () => Effect.succeed({ events: 0, failed: 0 }))),
    )
    const at = yield* now
    yield* Effect.forEach(results, (result, index) =>
      SyncMetrics.record(accounts[index]?.partner_id ?? "", result, { at, failed: outcomes[index]?.failed ?? 0 }).pipe(
        Effect.catchIf(isLater, () => Effect.void),
      ),
    )
    if (input.dataset !== undefined) {
      const complete = results.flatMap((one, index) => (Result.isSuccess(one) ? (partners[index] ?? []) : []))
      yield* Dataset.write({ folder: input.dataset, amounts: input.amounts }, complete).pipe(
        Effect.catchIf(isLater, () => Effect.void),
      )
    }
    yield* report(results, accounts, { input, output })
    const failures = results.flatMap((result) => (Result.isFailure(result) ? [result.failure] : []))
    // A follower goes on while one partner can be read, or may be later.
    const isOver = !input.follow || failures.length === accounts.length
    const failure = (input.follow ? failures.find(MirrorFollower.isTransient) : undefined) ?? failures[0]
    if (failure !== undefined && isOver) return yield* Effect.fail(failure)
    return { results, outcomes }
  })
  if (input.follow) {
    return yield* MirrorFollower.follow(Effect.asVoid(pass), { interval: Duration.seconds(input.interval) })
  }
  const { results, outcomes } = yield* pass
  const events = outcomes.reduce((sum, one) => sum + one.events, 0)
  const failed = outcomes.reduce((sum, one) => sum + one.failed, 0)
  const retry = "The next run with the same --to retries."
  if (failed > 0) return yield* new UndeliveredEvents({ failed, events, retry })
  const missed = results.flatMap((result) => (Result.isSuccess(result) ? result.success : [])).flatMap(missedOf)
  if (missed.length > 0) return yield* new Findings({ count: missed.length })
})

/** What holds for one pass of a partner, the first that succeeds: a follower makes many. */
interface Once {
  readonly verify: Ref.Ref<boolean>
  readonly allowVanished: Ref.Ref<number>
}

const onceOf = ({ verify, allow_vanished }: Input): Effect.Effect<Once> =>
  Effect.all({ verify: Ref.make(verify), allowVanished: Ref.make(allow_vanished) })

interface Pass extends Input {
  readonly isQuiet: boolean
  /** What was warned about. */
  readonly warned: Set<string>
  readonly once: Once
}

const syncOne = ({ partner_id, services }: Accounts.Account, { isQuiet, warned, once, ...input }: Pass) =>
  Effect.gen(function* () {
    const screen = yield* Screen
    const show = yield* isQuiet ? Progress.none : Progress.make({ rows: 0, fraction: undefined })
    const options: MirrorSync.Options = {
      partner_id,
      lookBack: input.look_back === undefined ? undefined : Duration.seconds(input.look_back),
      rereads: input.verify_budget,
      onWarning: ({ about, message }) => {
        // Each pass has the same doubts.
        if (warned.has(about)) return Effect.void
        warned.add(about)
        return screen.warn(`${escapeControls(`${partner_id}: ${message}`)}.\n`)
      },
      allowVanished: once.allowVanished,
      concurrency: input.concurrency,
      ...(input.workers > 1
        ? {
            workers: WorkerProcesses.run(input).pipe(
              Effect.provideService(Screen, screen),
              Effect.provideContext(services),
            ),
          }
        : {}),
      onProgress: ({ transfers, share, kind }) =>
        show(() => ({ rows: transfers, fraction: kind === "pass" ? undefined : share })),
    }
    const runs = yield* MirrorSync.sync(options)
    const verified = (yield* Ref.get(once.verify)) ? [yield* MirrorSync.verify(options)] : []
    yield* Ref.set(once.verify, false)
    yield* Ref.set(once.allowVanished, 0)
    return [...runs, ...verified]
  }).pipe(SharedRate.share(partner_id), Effect.scoped, Effect.provide(services))

const missedOf = ({ missed = [] }: MirrorSync.Report) => missed

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
    yield* screen.say(`${one.partner_id}: ${describe(one, at)}`)
  }
})

const describe = (run: MirrorSync.Report, at: Timestamp.Timestamp): string => {
  const found = `${run.created} new, ${run.changed} changed, ${run.vanished} vanished`
  const what =
    run.kind === "backfill"
      ? `loaded ${counted(run.transfers, "transfer")}`
      : run.kind === "verify"
        ? `read ${counted(run.transfers, "transfer")} again: ${found}${named(missedOf(run))}`
        : found
  const lag =
    run.watermark === undefined
      ? ", not complete yet"
      : `, complete up to ${TransferTable.terminalTime(run.watermark)} (${duration(secondsBetween(run.watermark, at))} ago)`
  return `${what}, in ${counted(run.pages, "page")}; ${run.open} open${lag}`
}

/** How many names fit a screen; all of them are in NDJSON, as events. */
const mostNamed = 20

const named = (missed: ReadonlyArray<MirrorSync.Missed>): string => {
  const names = missed.slice(0, mostNamed).map(({ kind, id }) => `${id} (${kind})`)
  const more = missed.length > mostNamed ? `, and ${missed.length - mostNamed} more` : ""
  return missed.length === 0 ? ", nothing missed" : `, ${missed.length} missed: ${names.join(", ")}${more}`
}

const secondsBetween = (from: Timestamp.Timestamp, to: Timestamp.Timestamp): number =>
  Math.max(0, Math.trunc(Duration.toSeconds(Timestamp.difference(to, from))))
