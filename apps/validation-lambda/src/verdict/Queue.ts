/**
 * A batch of queue messages. A message that cannot be read goes back to the queue, which moves it to its dead letters
 * in time. The others are validated: one bad message never holds up the rest.
 */
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type { QueueMessage } from "../event/InvocationEvent.ts"
import * as RequestBody from "../event/RequestBody.ts"
import * as Log from "../Log.ts"
import * as CapabilitiesCache from "../service/CapabilitiesCache.ts"
import { Settings } from "../Settings.ts"
import * as Verdicts from "./Verdicts.ts"

/** What Lambda reads from the result: the messages to return to the queue. */
export interface BatchResponse {
  readonly batchItemFailures: ReadonlyArray<{ readonly itemIdentifier: string }>
}

/** Validates the messages. With `invalidMessages: "reject"` those with a violation go back to the queue too. */
export const validate = Effect.fnUntraced(function* (messages: ReadonlyArray<QueueMessage>) {
  const { invalidMessages } = yield* Settings
  const snapshot = yield* (yield* CapabilitiesCache.CapabilitiesCache).current
  const failed: Array<QueueMessage> = []
  for (const message of messages) {
    if (isBehindFailure(message, failed)) {
      failed.push(message)
      continue
    }
    const proposals = RequestBody.parse(message.body)
    if (Result.isFailure(proposals)) {
      failed.push(message)
      yield* Effect.logWarning("message rejected").pipe(
        Effect.annotateLogs({ message_id: message.id, error: proposals.failure._tag }),
      )
      continue
    }
    const validation = yield* Effect.result(Verdicts.validateAgainst(proposals.success, snapshot))
    if (Result.isFailure(validation)) {
      failed.push(message)
      yield* Effect.logError("message not validated").pipe(
        Effect.annotateLogs({ message_id: message.id, error: validation.failure._tag }),
      )
      continue
    }
    const { verdicts } = validation.success
    if (invalidMessages === "reject" && verdicts.some(({ valid }) => !valid)) failed.push(message)
    yield* Log.info("message validated", { message_id: message.id, ...Log.counts(verdicts) })
  }
  const value: BatchResponse = { batchItemFailures: failed.map(({ id }) => ({ itemIdentifier: id })) }
  const entry = { messages: messages.length, failed: failed.length, capabilities: CapabilitiesCache.used(snapshot) }
  return { value, entry }
})

/** In a FIFO queue no message may overtake a failed one of its group. */
const isBehindFailure = ({ group }: QueueMessage, failed: ReadonlyArray<QueueMessage>): boolean =>
  group !== undefined && failed.some((message) => message.group === group)
