/** A line on standard error for each call of a tool: the client, the arguments and the outcome. */
import * as McpServer from "effect/ai/McpServer"
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Predicate from "effect/Predicate"
import * as Ref from "effect/Ref"
import type * as Mask from "../Mask.ts"
import { Progress } from "./Progress.ts"
import * as ServiceData from "./ServiceData.ts"
import * as Turns from "./Turns.ts"

/** Milliseconds between two messages about the progress of a call. */
const pause = 200

/** Runs around every call. */
export const layer = (mask: Mask.Mask) =>
  McpServer.middleware(
    Effect.gen(function* () {
      const turnsOf = yield* Turns.make
      const { notifications } = yield* McpServer.McpServer
      /** Reports the number of transfers read to a client that gave a token: a growing number, not too often. */
      const progressOf = ({ requestMetadata }: { readonly requestMetadata?: unknown }) => {
        const token = Predicate.hasProperty(requestMetadata, "progressToken")
          ? requestMetadata.progressToken
          : undefined
        if (typeof token !== "string" && typeof token !== "number") return () => Effect.void
        const reported = Ref.makeUnsafe({ progress: 0, at: -Infinity })
        return (progress: number): Effect.Effect<void> =>
          Effect.gen(function* () {
            const at = yield* Clock.currentTimeMillis
            const last = yield* Ref.get(reported)
            if (progress <= last.progress || at - last.at < pause) return
            yield* Ref.set(reported, { progress, at })
            const message = `${progress} transfers read`
            yield* notifications["notifications/progress"]({ progressToken: token, progress, message })
          }).pipe(Effect.timeoutOption("1 second"), Effect.ignore)
      }
      return (call, { target, payload, requestContext, sessionId }) =>
        Effect.flatMap(Clock.currentTimeMillis, (started) =>
          Effect.onExit(
            call.pipe(
              Effect.provideService(Progress, progressOf(requestContext)),
              Effect.provideService(Turns.Turn, turnsOf(sessionId)),
            ),
            (exit) =>
              Effect.flatMap(Clock.currentTimeMillis, (ended) =>
                Console.error(
                  JSON.stringify({
                    time: new Date(started).toISOString(),
                    client: ServiceData.clean(requestContext.clientInfo?.name ?? ""),
                    tool: target,
                    arguments: argumentsOf(payload, mask),
                    outcome: outcomeOf(exit),
                    ms: ended - started,
                  }),
                ),
              ),
          ),
        )
    }),
    { global: true },
  )

/** An `id` is an `external_id`, most of the time. */
const argumentsOf = (payload: unknown, mask: Mask.Mask): ServiceData.Json => {
  const given = Predicate.hasProperty(payload, "arguments") ? Object(payload.arguments) : {}
  const { proposal, id, ledger, ...others } = given
  const external = id === undefined ? {} : { id: mask({ external_id: id })["external_id"] }
  const proposed = Predicate.isReadonlyObject(proposal) ? { proposal: mask(proposal) } : {}
  const booked = Array.isArray(ledger) ? { ledger: `${ledger.length} rows` } : {}
  return ServiceData.bounded({ ...external, ...proposed, ...booked, ...others }).data
}

const outcomeOf = (exit: Exit.Exit<unknown, unknown>): string => {
  if (Exit.isFailure(exit)) return Cause.hasInterruptsOnly(exit.cause) ? "cancelled" : "rejected"
  const { value } = exit
  if (Predicate.hasProperty(value, "isError") && value.isError === true) return "failed"
  const answer = Predicate.hasProperty(value, "structuredContent") ? value.structuredContent : undefined
  return Predicate.hasProperty(answer, "truncated") && answer.truncated === true ? "truncated" : "done"
}
