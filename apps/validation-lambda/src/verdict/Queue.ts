/**
 * A batch of queue messages. A message that cannot be read goes back to the queue, which moves it to its dead letters
 * in time. The others are validated: one bad message never holds up the rest.
 */
import type * as Validation from "@transferkit/domain/Validation"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type { QueueMessage } from "../event/InvocationEvent.ts"
import * as RequestBody from "../event/RequestBody.ts"
import * as Log from "../Log.ts"
import * as CapabilitiesCache from "../service/CapabilitiesCache.ts"
import type { Delivery } from "../service/DestinationCall.ts"
import { type Destination, Settings } from "../Settings.ts"
import * as Verdicts from "./Verdicts.ts"

/** What Lambda reads from the result: the messages to return to the queue. */
export interface BatchResponse {
  readonly batchItemFailures: ReadonlyArray<{ readonly itemIdentifier: string }>
}

/**
 * Validates the messages, and sends the verdicts to the destination if there is one. With `invalidMessages: "reject"`
 * those with a violation go back to the queue too, and their verdicts are not sent.
 */
export const validate = Effect.fnUntraced(function* (messages: ReadonlyArray<QueueMessage>) {
  const { destination, duplicateCheck, invalidMessages } = yield* Settings
  const snapshot = yield* (yield* CapabilitiesCache.CapabilitiesCache).current
  const failed = new Set<QueueMessage>()
  const deliveries: Array<Delivery> = []
  const verdicts: Array<Validation.Verdict> = []
  const duplicates = { checked: 0, unchecked: 0 }
  for (const message of messages) {
    if (isBehindFailure(message, failed)) {
      failed.add(message)
      continue
    }
    const { id, group, correlation } = message
    const ids = { message_id: id, ...correlation }
    const proposals = RequestBody.parse(message.body)
    if (Result.isFailure(proposals)) {
      failed.add(message)
      yield* Effect.logWarning("message rejected").pipe(Effect.annotateLogs({ ...ids, error: proposals.failure._tag }))
      continue
    }
    const validation = yield* Effect.result(Verdicts.validateAgainst(proposals.success, snapshot))
    if (Result.isFailure(validation)) {
      failed.add(message)
      duplicates.checked += validation.failure.checked
      duplicates.unchecked += validation.failure.unchecked
      yield* Effect.logError("message not validated").pipe(
        Effect.annotateLogs({ ...ids, error: validation.failure._tag }),
      )
      continue
    }
    const result = validation.success
    verdicts.push(...result.results)
    duplicates.checked += result.duplicates?.checked ?? 0
    duplicates.unchecked += result.duplicates?.unchecked ?? 0
    if (invalidMessages === "reject" && !result.valid) failed.add(message)
    else
      deliveries.push({
        id,
        ...(group === undefined ? {} : { group }),
        type: "TransferVerdicts",
        detail: { ...ids, ...result },
      })
    yield* Log.info("message validated", { ...ids, ...Log.counts(result.results) })
  }
  if (destination !== undefined && deliveries.length > 0) {
    const undelivered = yield* deliver(destination, deliveries)
    for (const message of messages) {
      if (undelivered.has(message.id) || isBehindFailure(message, failed)) failed.add(message)
    }
  }
  const batchItemFailures = messages.flatMap((message) => (failed.has(message) ? [{ itemIdentifier: message.id }] : []))
  const value: BatchResponse = { batchItemFailures }
  const entry = {
    messages: messages.length,
    failed: failed.size,
    ...Log.counts(verdicts),
    ...(duplicateCheck.mode === "off" ? {} : { duplicates }),
    capabilities: CapabilitiesCache.used(snapshot),
  }
  return { value, entry }
})

const deliver = Effect.fnUntraced(function* (destination: Destination, deliveries: ReadonlyArray<Delivery>) {
  const { send } = yield* Effect.promise(() => import("../service/Delivery.ts"))
  const undelivered = yield* send(destination, deliveries)
  for (const [message_id, reason] of undelivered) {
    yield* Effect.logError("verdicts not sent").pipe(Effect.annotateLogs({ message_id, reason }))
  }
  return undelivered
})

/** In a FIFO queue no message may overtake a failed one of its group. */
const isBehindFailure = ({ group }: QueueMessage, failed: ReadonlySet<QueueMessage>): boolean =>
  group !== undefined && [...failed].some((message) => message.group === group)
