/** The results of messages and audits, sent to a queue, a topic or an event bus. */
import { startFakeServer } from "@transferkit/fake/FakeServer"
import { describe, expect, it } from "vitest"
import { credentials, Raw, startAws } from "./aws.ts"
import { makeLambda } from "./invoke.ts"
import { startService } from "./service.ts"

const proposal = (external_id: string, amount = "100.00") => ({
  external_id,
  country_code: "US",
  payment_method: "debit_card",
  source: { amount, currency_code: "fiat/USD" },
  destination_currency_code: "ethereum/USDC",
})

const record = (messageId: string, body: string, group?: string) => ({
  messageId,
  body,
  eventSource: "aws:sqs",
  attributes: group === undefined ? {} : { MessageGroupId: group },
})

const settings = (aws: string, arn: string) => ({
  ...credentials,
  AWS_ENDPOINT_URL: aws,
  TRANSFERS_DESTINATION_ARN: arn,
})

const queue = "arn:aws:sqs:eu-west-1:123456789012:verdicts"
const topic = "arn:aws:sns:eu-west-1:123456789012:verdicts"
const bus = "arn:aws:events:eu-west-1:123456789012:event-bus/transfers"

interface Entry {
  readonly Id: string
  readonly MessageBody: string
  readonly MessageGroupId?: string
  readonly MessageDeduplicationId?: string
}

/** A queue that fails some of the entries, by their message id, some number of times. */
const startQueue = async (failing: Readonly<Record<string, number>> = {}) => {
  const calls: Array<ReadonlyArray<Entry>> = []
  const arrivals: Array<number> = []
  const left = { ...failing }
  const aws = await startAws({
    "AmazonSQS.SendMessageBatch": ({ QueueUrl, Entries }) => {
      expect(QueueUrl).toMatch(/\/123456789012\/verdicts(\.fifo)?$/)
      const entries = Entries as ReadonlyArray<Entry>
      calls.push(entries)
      arrivals.push(performance.now())
      const Failed = entries.flatMap(({ Id, MessageBody }) => {
        const id: string = JSON.parse(MessageBody).message_id
        const times = left[id] ?? 0
        left[id] = times - 1
        return times > 0 ? [{ Id, Code: "InternalError", SenderFault: false }] : []
      })
      return { Successful: [], Failed }
    },
  })
  const sent = () => calls.map((entries) => entries.map(({ MessageBody }) => JSON.parse(MessageBody).message_id))
  /** Milliseconds between the calls. */
  const waits = () => arrivals.slice(1).map((at, index) => at - (arrivals[index] ?? 0))
  return { ...aws, calls, sent, waits }
}

describe("the verdicts of queue messages", () => {
  it("are sent in batches of ten, with the message's id and what a direct invocation returns", async () => {
    await using service = await startService()
    await using aws = await startQueue()
    const lambda = makeLambda(service.url, settings(aws.url, queue))
    const Records = Array.from({ length: 12 }, (_, index) => record(`m-${index}`, JSON.stringify(proposal("order-1"))))
    expect(await lambda.invoke({ Records })).toEqual({ batchItemFailures: [] })
    expect(aws.sent().map(({ length }) => length)).toEqual([10, 2])
    const { message_id, ...result } = JSON.parse(aws.calls[0]?.[0]?.MessageBody ?? "")
    expect(message_id).toBe("m-0")
    expect(result).toEqual(await lambda.invoke(proposal("order-1")))
  })

  it("are sent for invalid messages that are accepted, not for messages that go back to the queue", async () => {
    await using service = await startService()
    const Records = [record("m-1", JSON.stringify(proposal("order-1", "0.01"))), record("m-2", "poison")]
    for (const [mode, sent] of [
      ["accept", [["m-1"]]],
      ["reject", []],
    ] as const) {
      await using aws = await startQueue()
      const more = { TRANSFERS_INVALID_MESSAGES: mode }
      await makeLambda(service.url, { ...settings(aws.url, queue), ...more }).invoke({ Records })
      expect(aws.sent()).toEqual(sent)
    }
  })

  it("are retried by themselves, and their message goes back to the queue if that does not help", async () => {
    await using service = await startService()
    await using aws = await startQueue({ "m-1": 1, "m-2": 9 })
    const lambda = makeLambda(service.url, settings(aws.url, queue))
    const Records = ["m-0", "m-1", "m-2"].map((id) => record(id, JSON.stringify(proposal(id))))
    expect(await lambda.invoke({ Records })).toEqual({ batchItemFailures: [{ itemIdentifier: "m-2" }] })
    expect(aws.sent()).toEqual([["m-0", "m-1", "m-2"], ["m-1", "m-2"], ["m-2"]])
    // 100 and 200 ms, less what a timer may be early.
    const [first = 0, second = 0] = aws.waits()
    expect(first).toBeGreaterThan(95)
    expect(second).toBeGreaterThan(195)
    expect(lambda.log).toContainEqual(
      expect.objectContaining({
        level: "ERROR",
        message: "verdicts not sent",
        message_id: "m-2",
        reason: "InternalError",
      }),
    )
  })

  it("keep the order of a FIFO group, whose rest is not sent after a failure", async () => {
    await using service = await startService()
    await using aws = await startQueue({ "m-1": 9 })
    const lambda = makeLambda(service.url, settings(aws.url, `${queue}.fifo`))
    const Records = [
      record("m-1", JSON.stringify(proposal("order-1")), "a"),
      record("m-2", JSON.stringify(proposal("order-2")), "b"),
      record("m-3", JSON.stringify(proposal("order-3")), "a"),
      record("m-4", JSON.stringify(proposal("order-4")), "b"),
    ]
    expect(await lambda.invoke({ Records })).toEqual({
      batchItemFailures: [{ itemIdentifier: "m-1" }, { itemIdentifier: "m-3" }],
    })
    expect(aws.sent()).toEqual([["m-1", "m-2"], ["m-1"], ["m-1"], ["m-4"]])
    expect(aws.calls[0]?.[1]).toMatchObject({ MessageGroupId: "b", MessageDeduplicationId: "m-2" })
  })

  it("send their messages back to the queue if the function may not send", async () => {
    await using service = await startService()
    await using aws = await startAws({ "AmazonSQS.SendMessageBatch": () => "AccessDeniedException" })
    const Records = [record("m-1", JSON.stringify(proposal("order-1")))]
    const lambda = makeLambda(service.url, settings(aws.url, queue))
    expect(await lambda.invoke({ Records })).toEqual({ batchItemFailures: [{ itemIdentifier: "m-1" }] })
    expect(lambda.log).toContainEqual(expect.objectContaining({ reason: "AccessDeniedException" }))
  })
})

describe("verdicts that are larger than the destination takes", () => {
  it.each([
    ["queue", queue, 4000],
    ["topic", topic, 900],
    ["bus", bus, 900],
  ])("are not sent to a %s, by name, and hold up no other message", async (_, arn, length) => {
    await using service = await startService()
    const received: Array<string> = []
    const take = (input: object) => {
      received.push(JSON.stringify(input))
      return new Raw(200, "{}")
    }
    const names = ["AmazonSQS.SendMessageBatch", "PublishBatch", "AWSEvents.PutEvents"]
    await using aws = await startAws(Object.fromEntries(names.map((name) => [name, take])))
    const lambda = makeLambda(service.url, settings(aws.url, arn))
    const many = Array.from({ length }, (__, index) => proposal(`large-${index}`, "x".repeat(200)))
    const parts = Array.from({ length: Math.ceil(length / 1000) }, (__, part) =>
      many.slice(part * 1000, part * 1000 + 1000),
    )
    const large = parts.map((part, index) => record(`large-${index}`, JSON.stringify(part)))
    const Records = [
      record("m-1", JSON.stringify(proposal("order-1"))),
      ...large,
      record("m-2", JSON.stringify(proposal("order-2"))),
    ]
    const expected = arn === queue ? [] : [{ itemIdentifier: "large-0" }]
    expect(await lambda.invoke({ Records })).toEqual({ batchItemFailures: expected })
    expect(received.some((text) => text.includes("order-1"))).toBe(true)
    expect(received.some((text) => text.includes("order-2"))).toBe(true)
    expect(received.some((text) => text.includes("large-5"))).toBe(arn === queue)
    for (const { message_id, reason } of lambda.log.filter(({ message }) => message === "verdicts not sent")) {
      expect([message_id, reason]).toEqual(["large-0", expect.stringMatching(/^TooLarge: it has \d+ bytes/)])
    }
  })
})

describe("the verdicts sent to a topic", () => {
  const published = (...failed: ReadonlyArray<string>) => {
    const members = failed.map(
      (id) => `<member><Id>${id}</Id><Code>InternalError</Code><SenderFault>false</SenderFault></member>`,
    )
    const result = `<Successful/>\n<Failed>\n${members.join("\n")}\n</Failed>`
    return new Raw(
      200,
      `<PublishBatchResponse><PublishBatchResult>${result}</PublishBatchResult></PublishBatchResponse>`,
    )
  }
  const Records = [
    record("m-1", JSON.stringify(proposal("Grüße & <1>")), "a"),
    record("m-2", JSON.stringify(proposal("order-2")), "b"),
  ]

  it("are entries of a batch, with the message's group if it is a FIFO topic", async () => {
    await using service = await startService()
    for (const [arn, group] of [
      [topic, undefined],
      [`${topic}.fifo`, "a"],
    ] as const) {
      let form: { readonly [field: string]: unknown } = {}
      await using aws = await startAws({
        PublishBatch: (given) => {
          form = given
          return published()
        },
      })
      const lambda = makeLambda(service.url, settings(aws.url, arn))
      expect(await lambda.invoke({ Records })).toEqual({ batchItemFailures: [] })
      const entry = "PublishBatchRequestEntries.member.1"
      expect(form).toMatchObject({ TopicArn: arn, Version: "2010-03-31", [`${entry}.Id`]: "0" })
      expect(form[`${entry}.MessageAttributes.entry.1.Value.StringValue`]).toBe("TransferVerdicts")
      expect(form[`${entry}.MessageGroupId`]).toBe(group)
      expect(form[`${entry}.MessageDeduplicationId`]).toBe(group && "m-1")
      expect(JSON.parse(String(form[`${entry}.Message`]))).toMatchObject({
        message_id: "m-1",
        results: [{ external_id: "Grüße & <1>" }],
      })
    }
  })

  it("are retried by themselves, and their message goes back to the queue if that does not help", async () => {
    await using service = await startService()
    const sizes: Array<number> = []
    await using aws = await startAws({
      PublishBatch: (form) => {
        sizes.push(Object.keys(form).filter((name) => name.endsWith(".Message")).length)
        return published(sizes.length === 1 ? "1" : "0")
      },
    })
    expect(await makeLambda(service.url, settings(aws.url, topic)).invoke({ Records })).toEqual({
      batchItemFailures: [{ itemIdentifier: "m-2" }],
    })
    expect(sizes).toEqual([2, 1, 1])
  })

  it("send their messages back to the queue, with AWS's reason in the log, if the function may not publish", async () => {
    await using service = await startService()
    const denied = "<ErrorResponse><Error><Type>Sender</Type><Code>AuthorizationError</Code></Error></ErrorResponse>"
    await using aws = await startAws({ PublishBatch: () => new Raw(403, denied) })
    const lambda = makeLambda(service.url, settings(aws.url, topic))
    expect(await lambda.invoke({ Records })).toMatchObject({ batchItemFailures: { length: 2 } })
    expect(lambda.log).toContainEqual(expect.objectContaining({ reason: "AuthorizationError" }))
  })
})

describe("the results of audits", () => {
  const audit = { audit: { since: "2024-09-01T00:00:00Z", until: "2024-09-02T00:00:00Z" } }

  it("are sent to an event bus", async () => {
    await using service = await startFakeServer({ partners: ["partner:key"] })
    let input = {}
    await using aws = await startAws({
      "AWSEvents.PutEvents": (given) => {
        input = given
        return { FailedEntryCount: 0, Entries: [{ EventId: "1" }] }
      },
    })
    // The signature is for the function alone.
    const { signature, ...result } = Object(await makeLambda(service.url, settings(aws.url, bus)).invoke(audit))
    expect(signature).toMatch(/^[\da-f]{64}$/)
    expect(input).toEqual({
      Entries: [
        {
          EventBusName: bus,
          Source: "transferkit.validation",
          DetailType: "TransferAudit",
          Detail: JSON.stringify(result),
        },
      ],
    })
  })

  it("have different deduplication ids in a FIFO queue, unless a part is audited again", async () => {
    await using service = await startFakeServer({ partners: ["partner:key"] })
    const ids: Array<unknown> = []
    await using aws = await startAws({
      "AmazonSQS.SendMessageBatch": ({ Entries }) => {
        ids.push(Object(Entries)[0].MessageDeduplicationId)
        return { Failed: [] }
      },
    })
    const lambda = makeLambda(service.url, settings(aws.url, `${queue}.fifo`))
    const { parts } = Object(await lambda.invoke({ audit: { ...audit.audit, split: 2 } }))
    for (const part of [parts[0], parts[1], parts[0]]) await lambda.invoke(JSON.parse(JSON.stringify(part)))
    expect(ids).toEqual([expect.stringMatching(/^[\da-f]{64}$/), expect.any(String), ids[0]])
    expect(ids[1]).not.toBe(ids[0])
  })

  it("fail the invocation by name if they cannot be sent", async () => {
    await using service = await startFakeServer({ partners: ["partner:key"] })
    await using aws = await startAws({
      "AWSEvents.PutEvents": () => ({ FailedEntryCount: 1, Entries: [{ ErrorCode: "ThrottlingException" }] }),
    })
    await expect(makeLambda(service.url, settings(aws.url, bus)).invoke(audit)).rejects.toMatchObject({
      name: "DeliveryFailed",
      message: expect.stringContaining("ThrottlingException"),
    })
  })
})

it("rejects a destination of another kind", () => {
  const stream = "arn:aws:kinesis:eu-west-1:123456789012:stream/verdicts"
  expect(() => makeLambda("http://127.0.0.1:1", settings("http://127.0.0.1:1", stream))).toThrow(
    "TRANSFERS_DESTINATION_ARN is not the ARN of a queue, a topic or an event bus",
  )
})
