/** One invocation, from the event to the value that Lambda sends back, within the time that is left. */
import type { TransferApi } from "@transferkit/domain/TransferApi"
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as HttpResponse from "./event/HttpResponse.ts"
import * as InvocationEvent from "./event/InvocationEvent.ts"
import { type Failure, OutOfTime, RequestRefused, crash, statusOf, toError, toHttp } from "./Failure.ts"
import * as Log from "./Log.ts"
import * as Proposals from "./Proposals.ts"
import type * as Searching from "./Searching.ts"
import type { CapabilitiesCache } from "./service/CapabilitiesCache.ts"
import { PartnerKey } from "./service/PartnerKey.ts"
import type { Settings } from "./Settings.ts"
import * as Queue from "./verdict/Queue.ts"
import * as Verdicts from "./verdict/Verdicts.ts"

/** What is read of Lambda's context. */
export interface InvocationContext {
  readonly awsRequestId: string
  readonly getRemainingTimeInMillis: () => number
}

/** Everything an invocation is given besides its event. */
export interface InvocationOptions {
  readonly context: InvocationContext
  readonly settings: Settings
  /** Whether it is the first one of this process. */
  readonly isCold: boolean
}

/** What invocations share. */
export type Services = CapabilitiesCache | PartnerKey | TransferApi

/** A value to answer with, and what to log of it. */
export interface Outcome {
  readonly value: unknown
  readonly entry: Log.Entry
}

/**
 * Answers an event. Over HTTP a failure is an answer too; elsewhere it is an `Error` named by its tag, which the
 * caller of a direct invocation or the queue gets.
 */
export const run = (event: unknown, options: InvocationOptions): Effect.Effect<unknown, Error, Services> =>
  Result.match(InvocationEvent.parse(event), {
    onFailure: (unknown) => reported(Effect.fail(unknown), "Unknown", options).pipe(Effect.mapError(toError)),
    onSuccess: (known) => {
      const value = reported(
        withinTime(Effect.andThen(keyInHand, work(known, options)), options.context),
        known._tag,
        options,
      )
      return known._tag === "Http" ? overHttp(known, value) : Effect.mapError(value, toError)
    },
  })

/** The value of an outcome, after one entry that says how it ended. */
const reported = <R>(
  outcome: Effect.Effect<Outcome, Failure, R>,
  event: string,
  { context, isCold }: InvocationOptions,
): Effect.Effect<unknown, Failure, R> =>
  Effect.gen(function* () {
    const startedAt = yield* Clock.currentTimeMillis
    const exit = yield* Effect.exit(outcome)
    const duration_ms = (yield* Clock.currentTimeMillis) - startedAt
    yield* Effect.annotateLogs(entryOf(exit), { duration_ms })
    return (yield* exit).value
  }).pipe(Effect.annotateLogs({ requestId: context.awsRequestId, event, cold_start: isCold }))

const entryOf = (exit: Exit.Exit<Outcome, Failure>): Effect.Effect<void> => {
  if (Exit.isSuccess(exit)) return Log.info("answered", exit.value.entry)
  const failure = Cause.findErrorOption(exit.cause)
  if (Option.isNone(failure)) return Effect.logError("crashed", exit.cause)
  const fields = { error: failure.value._tag, reason: failure.value.message }
  return statusOf(failure.value) < 500
    ? Effect.annotateLogs(Effect.logWarning("refused"), fields)
    : Effect.annotateLogs(Effect.logError("failed"), fields)
}

/** Without a key nothing can be asked of the service, and only here is it known what to answer then. */
const keyInHand = Effect.flatMap(PartnerKey, ({ current }) => current)

const work = (
  event: InvocationEvent.InvocationEvent,
  { context, settings }: InvocationOptions,
): Effect.Effect<Outcome, Failure, Services> => {
  const judge = (proposals: ReadonlyArray<unknown>) => Verdicts.judge(proposals, settings.duplicateCheck)
  switch (event._tag) {
    case "Http":
      return Effect.flatMap(Effect.fromResult(proposalsOf(event)), judge)
    case "Direct":
      return Effect.flatMap(Effect.fromResult(Proposals.fromJson(event.payload)), judge)
    case "Queue":
      return Queue.judge(event.messages, settings)
    case "Schedule":
      return withSearching(context, ({ auditBefore }, endsAt) => auditBefore(event.time, settings.auditWindow, endsAt))
    case "Audit":
      return withSearching(context, ({ audit }, endsAt) => audit(event.request, endsAt))
  }
}

/** Audits with the time that is left, less what its own answer takes. */
const withSearching = <R>(
  context: InvocationContext,
  audit: (searching: typeof Searching, endsAt: number) => Effect.Effect<Outcome, Failure, R>,
) =>
  Effect.gen(function* () {
    const endsAt = (yield* Clock.currentTimeMillis) + context.getRemainingTimeInMillis() - 2 * margin
    return yield* audit(yield* Effect.promise(() => import("./Searching.ts")), endsAt)
  })

const proposalsOf = (event: InvocationEvent.HttpEvent): Result.Result<ReadonlyArray<unknown>, Failure> => {
  if (event.method !== "POST") {
    const reason = `${event.method} is not answered here. POST a proposal, or {"transfers":[…]}.`
    return Result.fail(new RequestRefused({ status: 405, reason }))
  }
  const type = event.headers["content-type"]
  if (type !== undefined && !isJson.test(type)) {
    const reason = "The content type is not JSON. Send application/json."
    return Result.fail(new RequestRefused({ status: 415, reason }))
  }
  return Proposals.parse(event.body)
}

const isJson = /^application\/([\w.+-]+\+)?json\s*(;|$)/i

/** Kept back from the time left, to send the answer and the log. In milliseconds. */
const margin = 200

const withinTime = <R>(outcome: Effect.Effect<Outcome, Failure, R>, context: InvocationContext) =>
  Effect.suspend(() =>
    Effect.timeoutOrElse(outcome, {
      duration: Math.max(0, context.getRemainingTimeInMillis() - margin),
      orElse: () => Effect.fail(new OutOfTime()),
    }),
  )

const overHttp = <R>(
  event: InvocationEvent.HttpEvent,
  value: Effect.Effect<unknown, Failure, R>,
): Effect.Effect<HttpResponse.HttpResult, never, R> =>
  value.pipe(
    Effect.map((body) => ({ status: 200, headers: {}, body })),
    Effect.catch((failure) => Effect.succeed(toHttp(failure))),
    Effect.map((reply) => HttpResponse.render(event, reply)),
    Effect.catchDefect(() => Effect.succeed(HttpResponse.render(event, crash))),
  )
