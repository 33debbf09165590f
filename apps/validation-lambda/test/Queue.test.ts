/** A batch of queue messages is judged as one list. */
import { startFakeServer } from "@transferkit/fake/FakeServer"
import { describe, expect, it } from "vitest"
import { credentials, startAws } from "./aws.ts"
import { makeLambda } from "./invoke.ts"
import { sendCapabilities, startService } from "./service.ts"

const proposal = (external_id: string, amount = "100.00") => ({
  external_id,
  country_code: "US",
  payment_method: "debit_card",
  source: { amount, currency_code: "fiat/USD" },
  destination_currency_code: "ethereum/USDC",
})

const record = (messageId: string, body: unknown, group?: string) => ({
  messageId,
  eventSource: "aws:sqs",
  body: typeof body === "string" ? body : JSON.stringify(body),
  attributes: group === undefined ? {} : { MessageGroupId: group },
})

/** Invokes the function with a batch, and returns the messages that go back and the verdicts that are sent. */
const judge = async (Records: ReadonlyArray<object>, variables: Readonly<Record<string, string>> = {}) => {
  const sent = new Map<string, Verdicts>()
  await using aws = await startAws({
    "AmazonSQS.SendMessageBatch": ({ Entries }) => {
      for (const { MessageBody } of Object(Entries)) {
        const detail = JSON.parse(MessageBody)
        sent.set(detail.message_id, detail)
      }
      return { Failed: [] }
    },
  })
  await using service = await startService()
  const lambda = makeLambda(service.url, {
    ...credentials,
    AWS_ENDPOINT_URL: aws.url,
    TRANSFERS_DESTINATION_ARN: "arn:aws:sqs:eu-west-1:123456789012:verdicts",
    ...variables,
  })
  const { batchItemFailures } = Object(await lambda.invoke({ Records }))
  const failed = batchItemFailures.map(({ itemIdentifier }: Item) => itemIdentifier)
  return { failed, sent, log: lambda.log }
}

interface Item {
  readonly itemIdentifier: string
}

interface Verdicts {
  readonly results: ReadonlyArray<{
    readonly index: number
    readonly valid: boolean
    readonly violations: ReadonlyArray<{ readonly code: string; readonly message: string }>
  }>
}

/** The verdicts of a message: each with its index, and the messages of its violations. */
const saidOf = (sent: ReadonlyMap<string, Verdicts>, id: string) =>
  sent.get(id)?.results.map(({ index, violations }) => [index, ...violations.map(({ message }) => message)])

const has = (owner: string) => `${owner} has this external_id too. Give each transfer one of its own.`

describe("a batch of messages", () => {
  it("has a duplicate where two messages have an external_id, and the first keeps its verdict", async () => {
    const { failed, sent } = await judge([
      record("m-1", proposal("order-1")),
      record("m-2", [proposal("order-2"), proposal("order-1"), proposal("order-2")]),
      record("m-3", proposal("order-1", "0.01")),
      record("m-4", proposal("order-4")),
    ])
    expect(failed).toEqual([])
    expect(saidOf(sent, "m-1")).toEqual([[0]])
    expect(saidOf(sent, "m-2")).toEqual([[0], [1, has("The message m-1")], [2, has("The proposal at index 0")]])
    expect(saidOf(sent, "m-3")).toEqual([[0, has("The message m-1"), expect.stringContaining("at least")]])
    expect(saidOf(sent, "m-4")).toEqual([[0]])
  })

  it("returns a message that lost a character, and validates the others", async () => {
    const { failed, sent } = await judge([record("m-1", proposal("M\ufffdller-1")), record("m-2", proposal("order-2"))])
    expect(failed).toEqual(["m-1"])
    expect([...sent.keys()]).toEqual(["m-2"])
  })

  it("returns the later message only if invalid messages go back", async () => {
    const Records = [record("m-1", proposal("order-1")), record("m-2", proposal("order-1"))]
    const { failed, sent } = await judge(Records, { TRANSFERS_INVALID_MESSAGES: "reject" })
    expect(failed).toEqual(["m-2"])
    expect([...sent.keys()]).toEqual(["m-1"])
  })

  it("gives an external_id to the first message that has it, also if that one goes back", async () => {
    const { failed, sent } = await judge([
      record("m-1", "not JSON", "a"),
      record("m-2", proposal("order-1"), "a"),
      record("m-3", proposal("order-1"), "b"),
      record("m-4", proposal("order-4"), "b"),
    ])
    expect(failed).toEqual(["m-1", "m-2"])
    expect(saidOf(sent, "m-3")).toEqual([[0, has("The message m-2")]])
    expect([...sent.keys()]).toEqual(["m-3", "m-4"])
  })

  it("keeps the order of a FIFO group: what is behind an invalid message goes back too", async () => {
    const { failed, sent } = await judge(
      [
        record("m-1", proposal("order-1"), "a"),
        record("m-2", proposal("order-1"), "a"),
        record("m-3", proposal("order-3"), "a"),
        record("m-4", proposal("order-4"), "b"),
      ],
      { TRANSFERS_INVALID_MESSAGES: "reject" },
    )
    expect(failed).toEqual(["m-2", "m-3"])
    expect([...sent.keys()]).toEqual(["m-1", "m-4"])
  })

  it("returns nothing that is before a failed message of its group", async () => {
    const { failed, sent } = await judge([
      record("m-1", proposal("order-1"), "a"),
      record("m-2", "poison", "a"),
      record("m-3", proposal("order-3"), "a"),
    ])
    expect(failed).toEqual(["m-2", "m-3"])
    expect([...sent.keys()]).toEqual(["m-1"])
  })

  it("judges a message that was delivered twice once: it is no duplicate of itself", async () => {
    const again = record("m-1", proposal("order-1"))
    const { failed, sent, log } = await judge([again, again, record("m-2", "poison"), record("m-2", "poison")])
    expect(failed).toEqual(["m-2"])
    expect(saidOf(sent, "m-1")).toEqual([[0]])
    expect(log.at(-1)).toMatchObject({ messages: 2, failed: 1, proposals: 1, invalid: 0 })
  })

  it("returns a message without a proposal", async () => {
    const { failed, log } = await judge([record("m-1", []), record("m-2", { transfers: [] })])
    expect(failed).toEqual(["m-1", "m-2"])
    expect(log).toMatchObject([
      { message: "message rejected", error: "MalformedProposals" },
      { message: "message rejected" },
      {},
    ])
  })

  it("looks up each external_id of a batch once, eight at a time, and finds duplicates across batches", async () => {
    await using fake = await startFakeServer({
      partners: ["partner:key"],
      data: [
        { id: "tr_1", external_id: "taken", kind: "cash_in", status: "complete", created_at: "2024-09-01T00:00:00Z" },
      ],
    })
    let inFlight = 0
    let most = 0
    await using service = await startService(async (request, response) => {
      if (request.url === "/v1/capabilities") return sendCapabilities(request, response)
      most = Math.max(most, (inFlight += 1))
      const headers = { authorization: request.headers.authorization ?? "" }
      const found = await fetch(`${fake.url}${request.url}`, { headers })
      await new Promise((resolve) => setTimeout(resolve, 20))
      inFlight -= 1
      response.writeHead(found.status, { "content-type": "application/json" }).end(await found.text())
    })
    const lambda = makeLambda(service.url, {
      TRANSFERS_DUPLICATE_CHECK: "required",
      TRANSFERS_DUPLICATE_CHECK_TIMEOUT: "50 seconds",
      TRANSFERS_INVALID_MESSAGES: "reject",
    })
    const ids = ["taken", "order-1", "order-1", ...Array.from({ length: 20 }, (_, index) => `free-${index}`)]
    const Records = ids.map((id, index) => record(`m-${index}`, proposal(id)))
    expect(await lambda.invoke({ Records })).toEqual({
      batchItemFailures: [{ itemIdentifier: "m-0" }, { itemIdentifier: "m-2" }],
    })
    expect(service.requests).toHaveLength(1 + 22)
    expect(most).toBe(8)
    expect(lambda.log.at(-1)).toMatchObject({
      duplicates: { checked: 22, unchecked: 0 },
      violations: { duplicate_external_id: 2 },
    })
  })
})
