/** One batch of results, as the call that an SQS queue, an SNS topic or an EventBridge bus takes. */
import * as Effect from "effect/Effect"
import * as AwsRequest from "../aws/AwsRequest.ts"
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

/** The reasons of failures, by the ids of their deliveries. */
export type Failures = ReadonlyMap<string, string>

type Batch = ReadonlyArray<Delivery>

/** Sends a batch and returns the deliveries that the destination rejects. Fails if it rejects all of them. */
export const send = (destination: Destination, batch: Batch): Effect.Effect<Failures, AwsRequest.AwsRequestFailed> => {
  switch (destination._tag) {
    case "Queue":
      return toQueue(destination, batch)
    case "Topic":
      return toTopic(destination, batch)
    case "EventBus":
      return toEventBus(destination, batch)
  }
}

const toQueue = Effect.fnUntraced(function* ({ path, access }: Destination & { readonly _tag: "Queue" }, batch: Batch) {
  const QueueUrl = new URL(path, AwsRequest.endpointOf("sqs", access)).href
  const Entries = batch.map((delivery, index) => ({
    Id: String(index),
    MessageBody: JSON.stringify(delivery.detail),
    MessageAttributes: { type: { DataType: "String", StringValue: delivery.type } },
    ...fifo(path, delivery),
  }))
  const operation = { service: "sqs", target: "AmazonSQS.SendMessageBatch", input: { QueueUrl, Entries } } as const
  const output = yield* AwsRequest.call(operation, access)
  return failuresOf(listOf(output, "Failed").map((failed) => [batch[Number(failed["Id"])], failed["Code"]]))
})

/** SNS takes forms and returns XML. */
const toTopic = Effect.fnUntraced(function* ({ arn, access }: Destination & { readonly _tag: "Topic" }, batch: Batch) {
  const form = new URLSearchParams({ Action: "PublishBatch", Version: "2010-03-31", TopicArn: arn })
  for (const [index, delivery] of batch.entries()) {
    const fields = {
      Id: String(index),
      Message: JSON.stringify(delivery.detail),
      "MessageAttributes.entry.1.Name": "type",
      "MessageAttributes.entry.1.Value.DataType": "String",
      "MessageAttributes.entry.1.Value.StringValue": delivery.type,
      ...fifo(arn, delivery),
    }
    for (const [name, value] of Object.entries(fields)) {
      form.append(`PublishBatchRequestEntries.member.${index + 1}.${name}`, value)
    }
  }
  const headers = { "content-type": "application/x-www-form-urlencoded; charset=utf-8" }
  const { status, text } = yield* AwsRequest.send({ service: "sns", headers, body: form.toString() }, access)
  if (status !== 200)
    return yield* new AwsRequest.AwsRequestFailed({ reason: AwsRequest.elementIn(text, "Code") ?? `status ${status}` })
  const failed = (AwsRequest.elementIn(text, "Failed") ?? "").split("</member>")
  return failuresOf(
    failed.map((member) => [batch[Number(AwsRequest.elementIn(member, "Id"))], AwsRequest.elementIn(member, "Code")]),
  )
})

const toEventBus = Effect.fnUntraced(function* (
  { arn, access }: Destination & { readonly _tag: "EventBus" },
  batch: Batch,
) {
  const Entries = batch.map(({ type, detail }) => ({
    EventBusName: arn,
    Source: "transferkit.validation",
    DetailType: type,
    Detail: JSON.stringify(detail),
  }))
  const operation = { service: "events", target: "AWSEvents.PutEvents", input: { Entries } } as const
  const output = yield* AwsRequest.call(operation, access)
  return failuresOf(listOf(output, "Entries").map((entry, index) => [batch[index], entry["ErrorCode"]]))
})

const fifo = (name: string, { id, group, type }: Delivery) =>
  name.endsWith(".fifo") ? { MessageGroupId: group ?? type, MessageDeduplicationId: id } : {}

const failuresOf = (outcomes: ReadonlyArray<readonly [Delivery | undefined, code: unknown]>): Failures =>
  new Map(
    outcomes.flatMap(([delivery, code]) =>
      delivery === undefined || code === undefined ? [] : [[delivery.id, String(code)] as const],
    ),
  )

const listOf = (output: unknown, field: string): ReadonlyArray<{ readonly [field: string]: unknown }> => {
  const list: unknown = Object(output)[field]
  return Array.isArray(list) ? list.map(Object) : []
}
