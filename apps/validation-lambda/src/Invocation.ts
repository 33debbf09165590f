/** One invocation, from the event to the value that Lambda returns, within the time that is left. */
import type { TransferApi } from "@transferkit/domain/TransferApi"
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import * as References from "effect/References"
import * as Result from "effect/Result"
import { Deadline } from "./Deadline.ts"
import * as HttpResponse from "./event/HttpResponse.ts"
import * as InvocationEvent from "./event/InvocationEvent.ts"
import * as RequestBody from "./event/RequestBody.ts"
import * as ResultSize from "./event/ResultSize.ts"
import { type Failure, type Identifiers, internalError, statusOf, toError, toHttp } from "./Failure.ts"
import * as Log from "./Log.ts"
import { OutOfTime } from "./OutOfTime.ts"
import * as CapabilitiesCache from "./service/CapabilitiesCache.ts"
import { PartnerKey } from "./service/PartnerKey.ts"
import { ServiceCalls } from "./service/ServiceCalls.ts"
import { Settings } from "./Settings.ts"
import * as Queue from "./verdict/Queue.ts"
import * as Verdicts from "./verdict/Verdicts.ts"

/** What is read of Lambda's context. */
export interface InvocationContext {
  readonly awsRequestId: string
  readonly xRayTraceId?: string
  readonly getRemainingTimeInMillis: () => number
}

/** Everything an invocation is given besides its event. */
export interface InvocationOptions {
  readonly context: InvocationContext
  /** Whether it is the first one of this process. */
  readonly isCold: boolean
}

/** What invocations share. */
export type Services = CapabilitiesCache.CapabilitiesCache | PartnerKey | Settings | TransferApi

/** The value to return, and the fields to log. */
export interface Outcome {
  readonly value: unknown
  readonly entry: Log.Entry
}

/**
 * Handles an event. Over HTTP a failure is a response too; otherwise it is an `Error` named by its tag, for the caller
 * of a direct invocation or for the queue.
 */
export const run = (event: unknown, options: InvocationOptions): Effect.Effect<unknown, Error, Services> =>
  Result.match(InvocationEvent.parse(event), {
    onFailure: (unknown) => Effect.mapError(logged(Effect.fail(unknown), "Unknown", identify({}, options)), toError),
    onSuccess: (known) => {
      const identity = identify("correlation" in known ? known.correlation : {}, options)
      const outcome = Effect.andThen(readKey, handle(known)).pipe(
        Effect.tap(({ value }) => Effect.fromResult(ResultSize.check(known, value))),
      )
      const value = logged(withinTime(outcome, options.context), known._tag, identity)
      return known._tag === "Http" ? overHttp(known, value, identity) : Effect.mapError(value, toError)
    },
  })

interface Identity {
  readonly identifiers: Identifiers
  readonly isCold: boolean
  /** The header of the invocation's own trace. */
  readonly trace: string | undefined
}

const identify = (correlation: InvocationEvent.Correlation, { context, isCold }: InvocationOptions): Identity => {
  const trace = context.xRayTraceId ?? process.env["_X_AMZN_TRACE_ID"]
  const trace_id = InvocationEvent.traceIdOf(trace)
  const own = trace_id === undefined ? {} : { trace_id }
  return { identifiers: { request_id: context.awsRequestId, ...own, ...correlation }, isCold, trace }
}

/** The value of an outcome, after its metrics and one entry that says how it ended. */
const logged = (
  outcome: Effect.Effect<Outcome, Failure, Services>,
  event: string,
  { identifiers, isCold, trace }: Identity,
): Effect.Effect<unknown, Failure, Services> => {
  const { request_id: requestId, ...correlation } = identifiers
  return Effect.gen(function* () {
    const startedAt = yield* Clock.currentTimeMillis
    const serviceLatency: Array<number> = []
    const calls = { latencies: serviceLatency, trace }
    const exit = yield* Effect.exit(Effect.provideService(outcome, ServiceCalls, calls))
    const endedAt = yield* Clock.currentTimeMillis
    const duration_ms = endedAt - startedAt
    const { metricsNamespace } = yield* Settings
    if (metricsNamespace !== undefined) {
      const Metrics = yield* Effect.promise(() => import("./Metrics.ts"))
      const measurements = { entry: measured(exit), duration_ms, serviceLatency, endedAt }
      for (const entry of Metrics.toEntries(metricsNamespace, measurements)) yield* Log.info("metrics", entry)
    }
    yield* Effect.annotateLogs(logExit(exit), { duration_ms })
    return (yield* exit).value
  }).pipe(sampled(requestId), Effect.annotateLogs({ requestId, event, cold_start: isCold, ...correlation }))
}

const measured = (exit: Exit.Exit<Outcome, Failure>): Log.Entry => {
  if (Exit.isSuccess(exit)) return exit.value.entry
  const failure = Option.getOrUndefined(Exit.findErrorOption(exit))
  return failure?._tag === "DuplicatesUnchecked" ? { duplicates: failure } : {}
}

/** Logs at level DEBUG too for a share of the invocations, chosen by the last digits of their random identifier. */
const sampled =
  (requestId: string) =>
  <A, E>(invocation: Effect.Effect<A, E, Services>): Effect.Effect<A, E, Services> =>
    Effect.flatMap(Settings, ({ debugSample }) =>
      debugSample > 0 && Number.parseInt(requestId.slice(-8), 16) < debugSample * 2 ** 32
        ? Effect.provideService(invocation, References.MinimumLogLevel, "Debug")
        : invocation,
    )

const logExit = (exit: Exit.Exit<Outcome, Failure>): Effect.Effect<void> => {
  if (Exit.isSuccess(exit)) return Log.info("succeeded", exit.value.entry)
  const failure = Cause.findErrorOption(exit.cause)
  if (Option.isNone(failure)) return Effect.logError("crashed", exit.cause)
  const fields = { error: failure.value._tag, reason: failure.value.message }
  return statusOf(failure.value) < 500
    ? Effect.annotateLogs(Effect.logWarning("rejected"), fields)
    : Effect.annotateLogs(Effect.logError("failed"), fields)
}

/** Read first: without the key nothing can be requested, and only here can its failure become a response. */
const readKey = Effect.flatMap(PartnerKey, ({ current }) => current)

const handle = (event: InvocationEvent.InvocationEvent): Effect.Effect<Outcome, Failure, Services> => {
  switch (event._tag) {
    case "Http":
      return Effect.flatMap(Effect.fromResult(RequestBody.ofHttp(event)), Verdicts.validate)
    case "Direct":
      return Effect.flatMap(Effect.fromResult(RequestBody.fromJson(event.payload)), Verdicts.validate)
    case "Capabilities":
      return capabilitiesOf(event.hash)
    case "Queue":
      return Queue.validate(event.messages)
    case "Schedule":
      return Effect.flatMap(jobs, ({ auditScheduled }) => auditScheduled(event.time))
    case "Audit":
      return Effect.flatMap(jobs, ({ audit }) => audit(event.request))
    case "File":
      return Effect.flatMap(jobs, ({ validateFile }) => validateFile(event.request))
  }
}

const capabilitiesOf = Effect.fnUntraced(function* (hash: string) {
  const value = yield* (yield* CapabilitiesCache.CapabilitiesCache).withHash(hash)
  return { value, entry: { capabilities: { hash } } }
})

/** Imported when needed: they double what there is to load. */
const jobs = Effect.promise(() => import("./Jobs.ts"))

/**
 * Kept back from the time left, to send the response and the log: a fifth, from 200 to 500. In milliseconds. A function
 * with little memory has a share of a core, and a module that loads then delays a timer by so much.
 */
const marginOf = (left: number): number => Math.min(500, Math.max(200, left / 5))

/** What runs out of time is interrupted, but its end is not waited for: a connection may take any time to close. */
const withinTime = <R>(outcome: Effect.Effect<Outcome, Failure, R>, context: InvocationContext) =>
  Effect.gen(function* () {
    const left = context.getRemainingTimeInMillis()
    const duration = Math.max(0, left - marginOf(left))
    const deadline = (yield* Clock.currentTimeMillis) + duration
    const fiber = yield* Effect.forkDetach(Effect.provideService(outcome, Deadline, deadline))
    return yield* Fiber.join(fiber).pipe(
      Effect.timeoutOrElse({
        duration,
        orElse: () => {
          fiber.interruptUnsafe()
          return Effect.fail(new OutOfTime())
        },
      }),
    )
  })

const overHttp = <R>(
  event: InvocationEvent.HttpEvent,
  value: Effect.Effect<unknown, Failure, R>,
  { identifiers }: Identity,
): Effect.Effect<HttpResponse.HttpResult, never, R> =>
  value.pipe(
    Effect.map((body) => ({ status: 200, headers: {}, body })),
    Effect.catch((failure) => Effect.succeed(toHttp(failure, identifiers))),
    Effect.map((response) => HttpResponse.render(event, response)),
    Effect.catchDefect(() => Effect.succeed(HttpResponse.render(event, internalError(identifiers)))),
  )
