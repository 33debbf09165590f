/**
 * A batch of queue messages. A message that cannot be read goes back to the queue, which moves it to its dead-letter
 * queue in time; the others are judged, and one bad message never holds up the rest.
 */
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type { QueueMessage } from "../event/InvocationEvent.ts"
import * as Log from "../Log.ts"
import * as Proposals from "../Proposals.ts"
import * as CapabilitiesCache from "../service/CapabilitiesCache.ts"
import type { Settings } from "../Settings.ts"
import * as Verdicts from "./Verdicts.ts"

/** What Lambda reads from the answer: the messages to give back to the queue. */
export interface BatchResponse {
  readonly batchItemFailures: ReadonlyArray<{ readonly itemIdentifier: string }>
}

/** Judges the messages. With `invalidMessages: "reject"` those with a violation go back to the queue too. */
export const judge = Effect.fnUntraced(function* (
  messages: ReadonlyArray<QueueMessage>,
  { invalidMessages, duplicateCheck }: Pick<Settings, "invalidMessages" | "duplicateCheck">,
) {
  const snapshot = yield* (yield* CapabilitiesCache.CapabilitiesCache).current
  const failed: Array<QueueMessage> = []
  for (const message of messages) {
    if (isBehindFailure(message, failed)) {
      failed.push(message)
      continue
    }
    const proposals = Proposals.parse(message.body)
    if (Result.isFailure(proposals)) {
      failed.push(message)
      yield* Effect.logWarning("message refused").pipe(
        Effect.annotateLogs({ message_id: message.id, error: proposals.failure._tag }),
      )
      continue
    }
    const { verdicts } = yield* Verdicts.judgeBy(proposals.success, snapshot, duplicateCheck)
    const invalid = verdicts.filter(({ valid }) => !valid)
    if (invalid.length > 0 && invalidMessages === "reject") failed.push(message)
    yield* Log.info("message judged", { message_id: message.id, ...Log.counts(verdicts) })
  }
  const response: BatchResponse = { batchItemFailures: failed.map(({ id }) => ({ itemIdentifier: id })) }
  const entry = { messages: messages.length, failed: failed.length, capabilities: CapabilitiesCache.used(snapshot) }
  return { value: response, entry }
})

/** In a FIFO queue no message may overtake a failed one of its group. */
const isBehindFailure = ({ group }: QueueMessage, failed: ReadonlyArray<QueueMessage>): boolean =>
  group !== undefined && failed.some((message) => message.group === group)
