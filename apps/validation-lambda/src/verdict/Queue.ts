/**
 * A batch of queue messages. A message that cannot be read goes back to the queue, which moves it to its dead letters
 * in time. The others are validated: one bad message never holds up the rest.
 */
import * as Validation from "@transferkit/domain/Validation"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type { QueueMessage } from "../event/InvocationEvent.ts"
import * as RequestBody from "../event/RequestBody.ts"
import * as Log from "../Log.ts"
import * as CapabilitiesCache from "../service/CapabilitiesCache.ts"
import type { Delivery } from "../service/DestinationCall.ts"
import { type Destination, Settings } from "../Settings.ts"
import * as DuplicateCheck from "./DuplicateCheck.ts"
import { FailedMessages } from "./FailedMessages.ts"
import * as Verdicts from "./Verdicts.ts"

/** What Lambda reads from the result: the messages to return to the queue. */
export interface BatchResponse {
  readonly batchItemFailures: ReadonlyArray<{ readonly itemIdentifier: string }>
}

/**
 * Judges the messages as one list, in the order of their arrival, and sends the verdicts to the destination if there is
 * one. With `invalidMessages: "reject"` those with a violation go back to the queue too, and their verdicts are not sent.
 */
export const validate = Effect.fnUntraced(function* (batch: ReadonlyArray<QueueMessage>) {
  const { destination, invalidMessages } = yield* Settings
  const snapshot = yield* (yield* CapabilitiesCache.CapabilitiesCache).current
  // A queue may deliver a message twice: it is no duplicate of itself.
  const messages = [...new Map(batch.map((message) => [message.id, message] as const)).values()]
  const failed = new FailedMessages(messages)
  const readable = yield* read(messages, failed)
  const judged = judge(readable, snapshot)
  const asked = judged.filter(({ message }) => !failed.isBehind(message)).flatMap(({ verdicts }) => verdicts)
  const found = yield* Verdicts.lookUp(asked)
  const deliveries: Array<Delivery> = []
  const results: Array<Validation.Verdict> = []
  for (const { message, verdicts } of judged) {
    if (failed.isBehind(message)) {
      failed.add(message)
      continue
    }
    const ids = idsOf(message)
    const result = yield* Effect.result(Verdicts.resultOf(verdicts, found, snapshot))
    if (Result.isFailure(result)) {
      failed.add(message)
      yield* Effect.logError("message not validated").pipe(Effect.annotateLogs({ ...ids, error: result.failure._tag }))
      continue
    }
    results.push(...result.success.results)
    if (invalidMessages === "reject" && !result.success.valid) failed.add(message)
    else {
      const { id, group } = message
      const detail = { ...ids, ...result.success }
      deliveries.push({ id, ...(group === undefined ? {} : { group }), type: "TransferVerdicts", detail })
    }
    yield* Log.info("message validated", { ...ids, ...Log.counts(result.success.results) })
  }
  if (destination !== undefined && deliveries.length > 0) {
    const undelivered = yield* deliver(destination, deliveries)
    for (const message of messages) {
      if (undelivered.has(message.id) || failed.isBehind(message)) failed.add(message)
    }
  }
  const batchItemFailures = messages.flatMap((message) => (failed.has(message) ? [{ itemIdentifier: message.id }] : []))
  const value: BatchResponse = { batchItemFailures }
  const entry = {
    messages: messages.length,
    failed: failed.size,
    ...Log.counts(results),
    ...(found === undefined ? {} : { duplicates: DuplicateCheck.coverageOf(asked, found) }),
    capabilities: CapabilitiesCache.used(snapshot),
  }
  return { value, entry }
})

interface Readable {
  readonly message: QueueMessage
  readonly proposals: ReadonlyArray<unknown>
}

/** The messages that hold proposals, those behind a failure included. The others fail. */
const read = Effect.fnUntraced(function* (messages: ReadonlyArray<QueueMessage>, failed: FailedMessages) {
  const readable: Array<Readable> = []
  for (const message of messages) {
    const proposals = RequestBody.parse(message.body)
    if (Result.isSuccess(proposals)) {
      readable.push({ message, proposals: proposals.success })
      continue
    }
    const isFirst = !failed.isBehind(message)
    failed.add(message)
    if (!isFirst) continue
    const fields = { ...idsOf(message), error: proposals.failure._tag }
    yield* Effect.logWarning("message rejected").pipe(Effect.annotateLogs(fields))
  }
  return readable
})

/**
 * The verdicts of each message, with the index within it. An external_id belongs to the first message that has it,
 * also if that one goes back to the queue: it is judged later, and both would be valid otherwise.
 */
const judge = (readable: ReadonlyArray<Readable>, { capabilities }: CapabilitiesCache.Current) => {
  const places = readable.flatMap(({ message, proposals }) => proposals.map((_, index) => ({ message, index })))
  const nameOf = (earlier: number, later: number): string => {
    const { message, index } = places[earlier] ?? {}
    return message === places[later]?.message ? `The proposal at index ${index}` : `The message ${message?.id}`
  }
  const all = Validation.validateAll(
    readable.flatMap(({ proposals }) => proposals),
    capabilities,
    nameOf,
  )
  let start = 0
  return readable.map(({ message, proposals }) => {
    const verdicts = all.slice(start, (start += proposals.length)).map((verdict, index) => ({ ...verdict, index }))
    return { message, verdicts }
  })
}

const idsOf = ({ id, correlation }: QueueMessage) => ({ message_id: id, ...correlation })

const deliver = Effect.fnUntraced(function* (destination: Destination, deliveries: ReadonlyArray<Delivery>) {
  const { send } = yield* Effect.promise(() => import("../service/Delivery.ts"))
  const undelivered = yield* send(destination, deliveries)
  for (const [message_id, reason] of undelivered) {
    yield* Effect.logError("verdicts not sent").pipe(Effect.annotateLogs({ message_id, reason }))
  }
  return undelivered
})
