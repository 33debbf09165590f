import { describe, expect, expectTypeOf, test } from "vitest"
import { promiseModules } from "./PromiseModules.ts"
import * as Service from "./Service.ts"

const transfer = (id: number) => ({
  id: `t${id}`,
  external_id: `order-${id}`,
  kind: "cash_in",
  status: "complete",
  created_at: `2024-09-01T00:00:${String(id).padStart(2, "0")}Z`,
})

const total = 5

/** Five transfers, two a page. */
const paged: Service.Responder = (request, response) => {
  const from = Number(new URL(request.url ?? "", "http://x").searchParams.get("after_cursor") ?? 0)
  const results = Array.from({ length: Math.min(2, total - from) }, (_, i) => transfer(from + i))
  const page_info = { end_cursor: String(from + results.length), has_next_page: from + results.length < total }
  response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ results, page_info }))
}

const collect = async <A>(items: AsyncIterable<A>): Promise<Array<A>> => {
  const found: Array<A> = []
  for await (const item of items) found.push(item)
  return found
}

describe.each(promiseModules)("from %s", (_, module) => {
  const {
    CheckpointMismatch,
    createTransferClient,
    InvalidCheckpoint,
    InvalidConfiguration,
    InvalidTimestamp,
    RateLimited,
  } = module
  const clientOf = (baseUrl: string, options = {}) =>
    createTransferClient({ baseUrl, partnerId: "demo", secretKey: "demo-secret", retries: 0, ...options })

  test("search returns one page, and requests exactly its bounds", async () => {
    await using service = await Service.start(paged)
    const page = await clientOf(service.url).search({
      external_id: "order-0",
      created_at: { gte: "2024-09-01T00:00:00Z", lte: new Date("2024-09-01T00:00:00.000Z") },
      after_cursor: "0",
    })
    // `lte` has no token, so the next second's transfer comes too; it is dropped.
    expect(page.results.map(({ id }) => id)).toEqual(["t0"])
    expect(service.requests[0]?.url).toBe(
      "/v1/transfers/search?external_id=order-0&created_at=gte:2024-09-01T00:00:00Z&created_at=lt:2024-09-01T00:00:01Z&limit=20&after_cursor=0",
    )
  })

  test("search returns no transfer of another external_id, whatever the service matches", async () => {
    await using service = await Service.start(paged)
    const { results, page_info } = await clientOf(service.url).search({ external_id: "order-1" })
    expect(results.map(({ id }) => id)).toEqual(["t1"])
    expect(page_info).toEqual({ end_cursor: "2", has_next_page: true })
  })

  test("an empty range sends no request", async () => {
    await using service = await Service.start(paged)
    const client = clientOf(service.url)
    const nothing = { created_at: { gte: "2024-09-02T00:00:00Z", lt: "2024-09-01T00:00:00Z" } }
    expect((await client.search(nothing)).results).toEqual([])
    expect(await collect(client.list(nothing))).toEqual([])
    expect(service.requests).toEqual([])
  })

  test("list delivers every transfer once, in the order of the service", async () => {
    await using service = await Service.start(paged)
    const transfers = await collect(clientOf(service.url).list())
    expect(transfers.map((transfer) => JSON.parse(JSON.stringify(transfer)))).toEqual([0, 1, 2, 3, 4].map(transfer))
  })

  test("scan resumes after any batch, without a gap or an overlap", async () => {
    await using service = await Service.start(paged)
    const client = clientOf(service.url)
    const whole = (await collect(client.scan())).flatMap((batch) => batch.results.map(({ id }) => id))
    for (let stop = 1; stop <= 3; stop++) {
      const ids: Array<string> = []
      let saved = ""
      let batches = 0
      for await (const { results, checkpoint } of client.scan()) {
        ids.push(...results.map(({ id }) => id))
        saved = JSON.stringify(checkpoint)
        if (++batches === stop) break
      }
      for await (const { results } of client.scan({}, { resume: saved })) ids.push(...results.map(({ id }) => id))
      expect(ids.sort()).toEqual([...whole].sort())
    }
  })

  test("a signal stops a call and a loop with its reason", async () => {
    await using service = await Service.start(() => undefined)
    const client = clientOf(service.url)
    const reason = new Error("enough")
    const signal = () => AbortSignal.any([AbortSignal.timeout(30)])
    await expect(client.search({}, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
    await expect(client.capabilities({ signal: signal() })).rejects.toMatchObject({ name: "TimeoutError" })
    await expect(collect(client.list({}, { signal: signal() }))).rejects.toMatchObject({ name: "TimeoutError" })
    await expect(collect(client.scan({}, { signal: AbortSignal.abort(reason) }))).rejects.toBe(reason)
  })

  test("leaving a loop early requests no more than the page ahead", async () => {
    await using service = await Service.start(paged)
    for await (const _ of clientOf(service.url).list()) break
    await new Promise((resolve) => void setTimeout(resolve, 60))
    expect(service.requests.length).toBeLessThanOrEqual(2)
  })

  test("uses node:http on Node, unless a fetch is passed", async () => {
    await using service = await Service.start(Service.respond(200, Service.emptyPage))
    await clientOf(service.url).search()
    await clientOf(service.url, { fetch: (url: string, init: RequestInit) => fetch(url, init) }).search()
    // Only Node's fetch sends this header.
    expect(service.requests.map(({ headers }) => "sec-fetch-mode" in headers)).toEqual([false, true])
  })

  test("clients share connections", async () => {
    await using service = await Service.start(Service.respond(200, Service.emptyPage))
    for (let i = 0; i < 5; i++) await clientOf(service.url).search()
    expect(service.connections()).toBe(1)
  })

  test("every error is an instance of its exported class", async () => {
    await using service = await Service.start(Service.respond(429, "", { "retry-after": "3" }))
    const client = clientOf(service.url)
    await expect(client.search()).rejects.toBeInstanceOf(RateLimited)
    await expect(collect(client.list())).rejects.toBeInstanceOf(RateLimited)
    await expect(collect(client.list({ created_at: { gte: "yesterday" } }))).rejects.toBeInstanceOf(InvalidTimestamp)
    expect(() => clientOf("http://example.com")).toThrow(InvalidConfiguration)
  })

  test("rejects an invalid checkpoint, and one of another query, before it sends anything", async () => {
    await using service = await Service.start(paged)
    const client = clientOf(service.url)
    const [batch] = await collect(client.scan())
    const sent = service.requests.length
    await expect(collect(client.scan({}, { resume: "{}" }))).rejects.toBeInstanceOf(InvalidCheckpoint)
    await expect(collect(client.scan({}, { resume: JSON.parse('{"version":2}') }))).rejects.toBeInstanceOf(
      InvalidCheckpoint,
    )
    await expect(
      collect(client.scan({ external_id: "order-1" }, { resume: batch?.checkpoint })),
    ).rejects.toBeInstanceOf(CheckpointMismatch)
    const resumed: object = { resume: batch?.checkpoint }
    await expect(collect(client.list({}, resumed))).rejects.toThrow(
      "Invalid resume: a list has no checkpoints; use scan.",
    )
    expect(service.requests.length).toBe(sent)
  })

  test("calls the fetch that is passed", async () => {
    const sent: Array<string> = []
    const fetch = async (url: string) => {
      sent.push(url)
      return new Response(Service.emptyPage, { headers: { "content-type": "application/json" } })
    }
    await clientOf("https://example.com/base", { fetch }).search()
    expect(sent).toEqual(["https://example.com/base/v1/transfers/search?limit=20"])
  })

  test("reports each request and each response", async () => {
    await using service = await Service.start(Service.respond(200, Service.emptyPage))
    const requests: Array<string> = []
    const responses: Array<unknown> = []
    const onRequest = (curl: string) => void requests.push(curl)
    await clientOf(service.url, { onRequest, onResponse: (response: unknown) => responses.push(response) }).search()
    expect(requests.join()).toMatch(/^curl --user 'demo:<secret key>' .*limit=20'$/)
    expect(responses).toMatchObject([{ status: 200, requestId: "req-1", curl: requests[0] }])
  })

  test("money and instants have their exact text", async () => {
    await using service = await Service.start(paged)
    const [first] = await collect(clientOf(service.url).list())
    expectTypeOf(first?.source_total?.text).toEqualTypeOf<string | undefined>()
    expect(first?.created_at.text).toBe("2024-09-01T00:00:00Z")
  })
})
