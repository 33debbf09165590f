/** Sends results to the destination of the settings: an SQS queue or an EventBridge bus, in batches. */
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import type { Destination } from "../Settings.ts"

/** A result to send. */
export interface Delivery {
  /** Unique among the deliveries of an invocation, and the same if the result is sent again. */
  readonly id: string
  /** The message group of a FIFO queue: its deliveries arrive in order. */
  readonly group?: string
  readonly type: "TransferVerdicts" | "TransferAudit"
  readonly detail: unknown
}

/** A result could not be sent. */
export class DeliveryFailed extends Data.TaggedError("DeliveryFailed")<{ readonly reason: string }> {
  override get message(): string {
    return `The result could not be sent to the destination: ${this.reason}. Check the destination and the function's role.`
  }
}

/** The reasons of failures, by the ids of their deliveries. */
export type Failures = ReadonlyMap<string, string>

/** Attempts in all, and milliseconds before the second one; the wait doubles each time. */
const attempts = 3
const firstWait = 100

/** Both services take ten entries in 256 KiB at most. */
const maxEntries = 10
const maxBytes = 240 * 1024

/** Sends deliveries in their order. After a failure the rest of its group is not sent and fails too: nothing overtakes. */
export const send = Effect.fnUntraced(function* (destination: Destination, deliveries: ReadonlyArray<Delivery>) {
  const failures = new Map<string, string>()
  const failedGroups = new Map<string, string>()
  for (const batch of batchesOf(deliveries)) {
    const failed = yield* sendBatch(
      destination,
      batch.filter(({ id, group = id }) => !failedGroups.has(group)),
    )
    for (const { id, group = id } of batch) {
      const reason = failed.get(id) ?? failedGroups.get(group)
      if (reason === undefined) continue
      failures.set(id, reason)
      failedGroups.set(group, reason)
    }
  }
  const found: Failures = failures
  return found
})

/** Within the limits, and at most one delivery of each group: the entries of a batch can fail one by one. */
const batchesOf = (deliveries: ReadonlyArray<Delivery>): ReadonlyArray<ReadonlyArray<Delivery>> => {
  const batches: Array<Array<Delivery>> = []
  let bytes = 0
  for (const delivery of deliveries) {
    const size = Buffer.byteLength(JSON.stringify(delivery))
    const last = batches.at(-1)
    const fits =
      last !== undefined &&
      last.length < maxEntries &&
      bytes + size <= maxBytes &&
      (delivery.group === undefined || last.every(({ group }) => group !== delivery.group))
    bytes = fits ? bytes + size : size
    if (fits) last.push(delivery)
    else batches.push([delivery])
  }
  return batches
}

const sendBatch = Effect.fnUntraced(function* (destination: Destination, batch: ReadonlyArray<Delivery>) {
  let open = batch
  let failures: Failures = new Map()
  for (let attempt = 0; attempt < attempts && open.length > 0; attempt += 1) {
    if (attempt > 0) yield* Effect.sleep(firstWait * 2 ** (attempt - 1))
    failures = yield* call(destination, open).pipe(
      Effect.catch(({ reason }) => Effect.succeed<Failures>(new Map(open.map(({ id }) => [id, reason])))),
    )
    open = open.filter(({ id }) => failures.has(id))
  }
  return failures
})

const call = Effect.fnUntraced(function* (destination: Destination, batch: ReadonlyArray<Delivery>) {
  const AwsRequest = yield* Effect.promise(() => import("./AwsRequest.ts"))
  const { access } = destination
  if (destination._tag === "EventBus") {
    const input = { Entries: batch.map((delivery) => eventOf(delivery, destination.arn)) }
    const output = yield* AwsRequest.call({ service: "events", target: "AWSEvents.PutEvents", input }, access)
    return failuresOf(listOf(output, "Entries").map((entry, index) => [batch[index], entry["ErrorCode"]]))
  }
  const QueueUrl = new URL(destination.path, AwsRequest.endpointOf("sqs", access)).href
  const isFifo = destination.path.endsWith(".fifo")
  const input = { QueueUrl, Entries: batch.map((delivery, index) => messageOf(delivery, index, isFifo)) }
  const output = yield* AwsRequest.call({ service: "sqs", target: "AmazonSQS.SendMessageBatch", input }, access)
  return failuresOf(listOf(output, "Failed").map((failed) => [batch[Number(failed["Id"])], failed["Code"]]))
})

const failuresOf = (outcomes: ReadonlyArray<readonly [Delivery | undefined, code: unknown]>): Failures =>
  new Map(
    outcomes.flatMap(([delivery, code]) =>
      delivery === undefined || code === undefined ? [] : [[delivery.id, String(code)] as const],
    ),
  )

const eventOf = ({ type, detail }: Delivery, bus: string) => ({
  EventBusName: bus,
  Source: "transferkit.validation",
  DetailType: type,
  Detail: JSON.stringify(detail),
})

const messageOf = ({ id, group, type, detail }: Delivery, index: number, isFifo: boolean) => ({
  Id: String(index),
  MessageBody: JSON.stringify(detail),
  MessageAttributes: { type: { DataType: "String", StringValue: type } },
  ...(isFifo ? { MessageGroupId: group ?? type, MessageDeduplicationId: id } : {}),
})

const listOf = (output: unknown, field: string): ReadonlyArray<{ readonly [field: string]: unknown }> => {
  const list: unknown = Object(output)[field]
  return Array.isArray(list) ? list.map(Object) : []
}
