import { startFakeServer } from "@transferkit/fake/FakeServer"
import { describe, expect, it } from "vitest"
import { makeLambda } from "./invoke.ts"
import { proposal, proposalOf } from "./proposal.ts"
import { sendCapabilities, startService } from "./service.ts"

const transfer = (id: string, external_id: string) => ({
  id,
  external_id,
  kind: "cash_in",
  status: "complete",
  created_at: "2024-09-01T00:00:00Z",
})

const startFake = () =>
  startFakeServer({ partners: ["partner:key"], data: [transfer("tr_1", "order-1"), transfer("tr_2", "order 2/ü+&")] })

const on = { TRANSFERS_DUPLICATE_CHECK: "required", TRANSFERS_DUPLICATE_CHECK_TIMEOUT: "50 seconds" }

describe("the duplicate check", () => {
  it("finds external_ids that transfers have, whatever characters they contain", async () => {
    await using fake = await startFake()
    const transfers = [proposalOf("order-1"), proposalOf("order-3"), proposalOf("order 2/ü+&"), proposal]
    expect(await makeLambda(fake.url, on).invoke({ transfers })).toMatchObject({
      valid: false,
      results: [
        {
          valid: false,
          violations: [
            {
              code: "duplicate_external_id",
              path: "/external_id",
              message: "The transfer tr_1 has this external_id. Give each transfer one of its own.",
              actual: "order-1",
            },
          ],
        },
        { valid: true },
        { valid: false, violations: [{ actual: "order 2/ü+&" }] },
        { valid: true },
      ],
      duplicates: { checked: 3, unchecked: 0 },
    })
  })

  it("reports an external_id once even if the request repeats it", async () => {
    await using fake = await startFake()
    const result = await makeLambda(fake.url, on).invoke({ transfers: [proposalOf("order-1"), proposalOf("order-1")] })
    expect(result).toMatchObject({ results: [{ violations: { length: 1 } }, { violations: { length: 1 } }] })
    expect(result).toMatchObject({ duplicates: { checked: 1 } })
  })

  it("is off by default", async () => {
    await using fake = await startFake()
    const result = await makeLambda(fake.url).invoke(proposalOf("order-1"))
    expect(result).toMatchObject({ valid: true })
    expect(result).not.toHaveProperty("duplicates")
  })

  it("makes at most eight look-ups at a time", async () => {
    let inFlight = 0
    let most = 0
    await using service = await startService((request, response) => {
      if (request.url === "/v1/capabilities") return sendCapabilities(request, response)
      most = Math.max(most, (inFlight += 1))
      setTimeout(() => {
        inFlight -= 1
        response.setHeader("content-type", "application/json")
        response.end('{"results":[],"page_info":{"has_next_page":false}}')
      }, 5)
    })
    const transfers = Array.from({ length: 100 }, (_, index) => proposalOf(`order-${index}`))
    const result = await makeLambda(service.url, on).invoke({ transfers })
    expect(result).toMatchObject({ valid: true, duplicates: { checked: 100 } })
    expect(most).toBe(8)
    expect(service.requests).toHaveLength(101)
  })

  describe("with an external_id that the service rejects", () => {
    /** Knows `order-1`, rejects `bad`, and responds with 431 to a URI that is too long. */
    const start = () =>
      startService((request, response) => {
        if (request.url === "/v1/capabilities") return sendCapabilities(request, response)
        const id = new URL(request.url ?? "", "http://service").searchParams.get("external_id") ?? ""
        const results = id === "order-1" ? [transfer("tr_1", id)] : []
        const status = id === "bad" ? 400 : id.length > 2000 ? 431 : 200
        const errors = [{ code: "invalid_parameter", message: "external_id has a bad form" }]
        const body = status === 200 ? { results, page_info: { has_next_page: false } } : { errors }
        response.writeHead(status, { "content-type": "application/json" })
        response.end(status === 431 ? "" : JSON.stringify(body))
      })
    const transfers = ["bad", "order-1", "x".repeat(3000), "x".repeat(100_000), "\ud800", "order-2"].map(proposalOf)
    const rejected = { valid: false, violations: [{ code: "invalid_external_id", path: "/external_id" }] }

    it.each(["best-effort", "required"])("reports that one, and checks all others, if it is %s", async (mode) => {
      await using service = await start()
      const lambda = makeLambda(service.url, { ...on, TRANSFERS_DUPLICATE_CHECK: mode })
      expect(await lambda.invoke({ transfers })).toMatchObject({
        valid: false,
        results: [
          rejected,
          { valid: false, violations: [{ code: "duplicate_external_id" }] },
          rejected,
          rejected,
          rejected,
          { valid: true },
        ],
        duplicates: { checked: 6, unchecked: 0 },
      })
      expect(service.requests.filter((request) => request.includes("bad"))).toHaveLength(1)
    })
  })

  describe("with a service whose pages", () => {
    interface Page {
      readonly results: ReadonlyArray<object>
      readonly page_info: { readonly has_next_page: boolean; readonly end_cursor?: string }
    }
    const empty = (end_cursor?: string): Page => ({
      results: [],
      page_info: { has_next_page: true, ...(end_cursor === undefined ? {} : { end_cursor }) },
    })
    const last = (...ids: ReadonlyArray<string>): Page => ({
      results: ids.map((id, index) => transfer(`tr_${index}`, id)),
      page_info: { has_next_page: false },
    })
    /** The page after a cursor; what is none is the status of an error. */
    const start = (pageAfter: (cursor: string) => Page | number) =>
      startService((request, response) => {
        if (request.url === "/v1/capabilities") return sendCapabilities(request, response)
        const page = pageAfter(new URL(request.url ?? "", "http://service").searchParams.get("after_cursor") ?? "")
        const errors = [{ code: "invalid_parameter", message: "the cursor has expired" }]
        response.writeHead(typeof page === "number" ? page : 200, { "content-type": "application/json" })
        response.end(JSON.stringify(typeof page === "number" ? { errors } : page))
      })
    const next = (cursor: string) => `${Number(cursor) + 1}`

    it.each<readonly [string, (cursor: string) => Page, boolean]>([
      ["are empty before the one with the transfer", (at) => (at === "2" ? last("order-1") : empty(next(at))), false],
      ["are empty to the end", (at) => (at === "2" ? last() : empty(next(at))), true],
      ["have the transfer beside another", () => last("order-9", "order-1"), false],
      ["are 100 empty ones and the last", (at) => (at === "100" ? last("order-1") : empty(next(at))), false],
    ])("%s, knows the answer", async (_, pageAfter, valid) => {
      await using service = await start(pageAfter)
      expect(await makeLambda(service.url, on).invoke(proposalOf("order-1"))).toMatchObject({
        valid,
        duplicates: { checked: 1, unchecked: 0 },
      })
    })

    it.each<readonly [string, (cursor: string) => Page | number]>([
      ["have transfers with other external_ids", () => last("order-9")],
      ["have such transfers, and others follow", () => ({ ...last("order-9"), page_info: empty("1").page_info })],
      ["have such transfers after an empty one", (at) => (at === "" ? empty("1") : last("order-9"))],
      ["do not say where the next is", () => empty()],
      ["repeat a cursor", (at) => empty(at === "1" ? "2" : "1")],
      ["are empty without end", (at) => empty(next(at))],
      ["are followed by one that the service rejects", (at) => (at === "" ? empty("1") : 400)],
    ])("%s, says that it is unchecked, or fails if it is required", async (_, pageAfter) => {
      await using service = await start(pageAfter)
      const bestEffort = { ...on, TRANSFERS_DUPLICATE_CHECK: "best-effort" }
      expect(await makeLambda(service.url, bestEffort).invoke(proposalOf("order-1"))).toMatchObject({
        results: [{ violations: [] }],
        duplicates: { checked: 0, unchecked: 1 },
      })
      await expect(makeLambda(service.url, on).invoke(proposalOf("order-1"))).rejects.toMatchObject({
        name: "DuplicatesUnchecked",
      })
      expect(service.requests.length).toBeLessThanOrEqual(2 * 102)
    })
  })

  it("returns only the messages to the queue whose external_ids could not be looked up", async () => {
    await using service = await startService((request, response) => {
      if (request.url === "/v1/capabilities") return sendCapabilities(request, response)
      const isDown = request.url?.includes("unlucky")
      response.writeHead(isDown ? 503 : 200, { "content-type": "application/json" })
      response.end(isDown ? "{}" : '{"results":[],"page_info":{"has_next_page":false}}')
    })
    const record = (messageId: string, external_id: string, MessageGroupId: string) => ({
      messageId,
      eventSource: "aws:sqs",
      body: JSON.stringify(proposalOf(external_id)),
      attributes: { MessageGroupId },
    })
    const lambda = makeLambda(service.url, on)
    const Records = [record("m-1", "unlucky", "a"), record("m-2", "order-1", "b"), record("m-3", "order-2", "a")]
    expect(await lambda.invoke({ Records })).toEqual({
      batchItemFailures: [{ itemIdentifier: "m-1" }, { itemIdentifier: "m-3" }],
    })
    expect(lambda.log).toContainEqual(
      expect.objectContaining({ level: "ERROR", message_id: "m-1", error: "DuplicatesUnchecked" }),
    )
    // The third message is behind the first.
    expect(lambda.log.at(-1)).toMatchObject({ messages: 3, failed: 2, duplicates: { checked: 2, unchecked: 1 } })
  })

  it("ends in time to return the messages that there was no time for", async () => {
    await using service = await startService((request, response) => {
      if (request.url === "/v1/capabilities") sendCapabilities(request, response)
    })
    const Records = ["m-1", "m-2"].map((messageId) => ({
      messageId,
      eventSource: "aws:sqs",
      body: JSON.stringify(proposalOf("order-1")),
    }))
    expect(await makeLambda(service.url, on).invoke({ Records }, 4000)).toEqual({
      batchItemFailures: [{ itemIdentifier: "m-1" }, { itemIdentifier: "m-2" }],
    })
  })

  it("stops after eight failures of the service", async () => {
    await using service = await startService((request, response) => {
      if (request.url === "/v1/capabilities") sendCapabilities(request, response)
      else response.writeHead(503).end()
    })
    const transfers = Array.from({ length: 100 }, (_, index) => proposalOf(`order-${index}`))
    const lambda = makeLambda(service.url, { ...on, TRANSFERS_DUPLICATE_CHECK: "best-effort" })
    expect(await lambda.invoke({ transfers })).toMatchObject({ duplicates: { checked: 0, unchecked: 100 } })
    expect(service.requests.length).toBeLessThanOrEqual(1 + 2 * 8)
  })

  describe.each([
    ["slow", () => undefined],
    ["failing", (response: { readonly destroy: () => unknown }) => void response.destroy()],
  ])("with a %s search", (_, misbehave) => {
    const start = () =>
      startService((request, response) =>
        request.url === "/v1/capabilities" ? sendCapabilities(request, response) : misbehave(response),
      )
    const limit = { TRANSFERS_DUPLICATE_CHECK_TIMEOUT: "100 millis" }

    it("gives no verdict if it is required", async () => {
      await using service = await start()
      await expect(makeLambda(service.url, { ...on, ...limit }).invoke(proposalOf("order-1"))).rejects.toMatchObject({
        name: "DuplicatesUnchecked",
        message: expect.stringContaining("1 of 1 external_ids could not be looked up"),
      })
    })

    it("counts the unchecked ones if it is best-effort", async () => {
      await using service = await start()
      const lambda = makeLambda(service.url, { TRANSFERS_DUPLICATE_CHECK: "best-effort", ...limit })
      expect(await lambda.invoke({ transfers: [proposalOf("order-1"), proposalOf("order-2")] })).toMatchObject({
        valid: true,
        duplicates: { checked: 0, unchecked: 2 },
      })
    })
  })
})
