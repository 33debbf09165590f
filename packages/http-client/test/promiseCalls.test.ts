/** The options of a call of the Promise client, and what it reports. */
import { describe, expect, expectTypeOf, test, vi } from "vitest"
import type { Transfer } from "../src/promise.ts"
import { promiseModules } from "./PromiseModules.ts"
import * as Service from "./Service.ts"

const total = 7

/** Seven transfers, three a page; the last page has one of them again, and one of another year. */
const paged: Service.Responder = (request, response) => {
  const from = Number(new URL(request.url ?? "", "http://x").searchParams.get("after_cursor") ?? 0)
  const transfer = (id: number, year = 2024) => ({
    id: `t${id}`,
    kind: "cash_in",
    status: "complete",
    created_at: `${year}-09-01T00:00:0${id}Z`,
  })
  const own = Array.from({ length: Math.min(3, total - from) }, (_, i) => transfer(from + i))
  const results = from + own.length < total ? own : [...own, transfer(0), transfer(9, 2031)]
  const page_info = { end_cursor: String(from + own.length), has_next_page: from + own.length < total }
  const headers = { "content-type": "application/json", "x-request-id": `page-${from}` }
  response.writeHead(200, headers).end(JSON.stringify({ results, page_info }))
}

const sequence = <A>(...values: ReadonlyArray<A>) => {
  let at = 0
  return () => values[Math.min(at++, values.length - 1)] as A
}

describe.each(promiseModules)("from %s", (_, { createTransferClient, InvalidConfiguration, Unauthorized }) => {
  const clientOf = (baseUrl: string, options = {}) =>
    createTransferClient({ baseUrl, partnerId: "demo", secretKey: "demo-secret", retries: 0, ...options })

  describe("a list", () => {
    const query = { created_at: { lt: "2030-01-01T00:00:00Z" } }

    test("comes page by page, with a report that counts what was dropped", async () => {
      await using service = await Service.start(paged)
      const list = clientOf(service.url).list(query)
      const sizes: Array<number> = []
      for await (const page of list.pages()) {
        expectTypeOf(page).toEqualTypeOf<ReadonlyArray<Transfer>>()
        sizes.push(page.length)
      }
      expect(sizes).toEqual([3, 3, 1])
      expect(list.report()).toEqual({
        isComplete: true,
        // Three of them to find the one outside by the second that it shows.
        pages: 6,
        transfers: 7,
        duplicates: 1,
        outside: 1,
        oversized: 0,
        rejected: 0,
      })
    })

    test("ends as an array of at most so many, and requests no page that it does not need", async () => {
      await using service = await Service.start(paged)
      const list = clientOf(service.url).list(query, { prefetch: 0, limit: 3 })
      expect((await list.toArray({ limit: 4 })).map(({ id }) => id)).toEqual(["t0", "t1", "t2", "t3"])
      expect(service.requests).toHaveLength(2)
      expect(list.report()).toMatchObject({ isComplete: false, cutBy: "consumer" })
      expect(await list.toArray({ limit: 1000 })).toHaveLength(7)
      expect(list.report().isComplete).toBe(true)
      for (const limit of [0, Number.NaN, 1.5]) {
        await expect(list.toArray({ limit })).rejects.toMatchObject({ code: "invalid_configuration", setting: "limit" })
      }
    })

    test("requests as many pages ahead as the option says", async () => {
      await using service = await Service.start(paged)
      for await (const _ of clientOf(service.url).list(query, { prefetch: 5 })) {
        await expect.poll(() => service.requests.length).toBe(6)
        break
      }
    })

    test("reports a scan as well", async () => {
      await using service = await Service.start(paged)
      const scan = clientOf(service.url).scan(query)
      let count = 0
      for await (const { results } of scan) count += results.length
      expect(scan.report()).toMatchObject({ isComplete: true, transfers: count })
    })
  })

  describe("a call", () => {
    test("tells how its result came about, without being part of it", async () => {
      await using service = await Service.start(Service.respond(503, ""), paged)
      const page = await clientOf(service.url, { retries: 1 }).search()
      expect(page.response).toMatchObject({ attempts: 2, status: 200, requestId: "page-0" })
      expect(Object.keys(page)).toEqual(["results", "page_info"])
    })

    test("has its own retries, time limits and headers", async () => {
      await using service = await Service.start(Service.respond(503, ""), paged, () => undefined)
      const client = clientOf(service.url, { retries: 0 })
      const headers = { "X-Trace": "abc", Accept: "application/json; v=2" }
      expect((await client.search({}, { retries: 1, headers })).results).toHaveLength(3)
      expect(service.requests.map((request) => request.headers["x-trace"])).toEqual(["abc", "abc"])
      expect(service.requests[1]?.headers.accept).toBe("application/json; v=2")
      await expect(client.search({}, { attemptTimeout: 30 })).rejects.toMatchObject({ code: "timed_out" })
      await expect(client.get("/x", {}, { deadline: 30 })).rejects.toMatchObject({ code: "timed_out" })
      await expect(client.list({}, { deadline: 30 }).toArray({ limit: 1 })).rejects.toMatchObject({ code: "timed_out" })
    })

    test("replaces a header of the client by its own, whatever its case", async () => {
      await using service = await Service.start(paged)
      for (const options of [{}, { fetch: globalThis.fetch }]) {
        await clientOf(service.url, options).search({}, { headers: { ACCEPT: "application/json; v=2" } })
      }
      expect(service.requests.map((request) => request.headers.accept)).toEqual(Array(2).fill("application/json; v=2"))
    })

    test.each([
      ["retries", { retries: -1 }],
      ["deadline", { deadline: Number.NaN }],
      ["attemptTimeout", { attemptTimeout: -1 }],
      ["headers.Authorization", { headers: { Authorization: "Basic x" } }],
      ["headers.Content-Length", { headers: { "Content-Length": "5" } }],
      ["headers.transfer-encoding", { headers: { "transfer-encoding": "chunked" } }],
      ["headers.host", { headers: { host: "other.example" } }],
      ["headers.x", { headers: { x: "a\nb" } }],
      ["headers.a b", { headers: { "a b": "c" } }],
      ["headers.n", { headers: { n: 7 as never } }],
      ["headers", { headers: null as never }],
      ["headers", { headers: "x: y" as never }],
    ])("rejects a wrong %s before it sends anything", async (setting, options) => {
      await using service = await Service.start(paged)
      const client = clientOf(service.url)
      await expect(client.search({}, options)).rejects.toMatchObject({ code: "invalid_configuration", setting })
      const scanned = client.scan({}, options)[Symbol.asyncIterator]().next()
      await expect(scanned).rejects.toMatchObject({ setting })
      expect(service.requests).toEqual([])
    })

    test("has the headers and the text of its response on demand, without the credentials", async () => {
      const text = Service.emptyPage.replace("{", '{ "echo": "demo-secret", ')
      await using service = await Service.start(
        Service.respond(200, text, { "x-ratelimit-remaining": "7", "x-demo-secret": "1" }),
      )
      for (const options of [{}, { fetch: globalThis.fetch }]) {
        const { response } = await clientOf(service.url, options).search()
        expect(response.status).toBe(200)
        const headers = { "x-ratelimit-remaining": "7", "x-request-id": "req-1", "x-<redacted>": "1" }
        expect(response.headers()).toMatchObject(headers)
        expect(response.text()).toBe(text.replace("demo-secret", "<redacted>"))
      }
    })

    test("gets the JSON of a path that the contract does not name", async () => {
      await using service = await Service.start(Service.respond(200, '{"id":"t1"}'), Service.respond(200, "oops"))
      const client = clientOf(`${service.url}/base`)
      expect(await client.get("/transfers/t1", { expand: ["a b", "c"], n: 1, yes: true })).toEqual({ id: "t1" })
      expect(service.requests[0]?.url).toBe("/base/v1/transfers/t1?expand=a+b&expand=c&n=1&yes=true")
      await expect(client.get("/transfers/t1")).rejects.toMatchObject({ code: "malformed_response" })
      for (const path of ["transfers", "/a?b=c", "//elsewhere.example", "/a/../b", "/%2e%2e/x", "https://a.example/"]) {
        await expect(client.get(path)).rejects.toMatchObject({ setting: "path" })
      }
      expect(service.requests).toHaveLength(2)
    })
  })

  test("a call whose turn does not come fails at its deadline, and leaves its place to others", async () => {
    const held = Promise.withResolvers<undefined>()
    await using service = await Service.start(
      (request, response, number) =>
        void held.promise.then(() => Service.respond(200, Service.emptyPage)(request, response, number)),
    )
    const client = createTransferClient({ baseUrl: service.url, partnerId: "p", secretKey: "s", concurrency: 1 })
    const first = client.search()
    const late = { code: "timed_out", after: 50 }
    await expect(client.search({}, { deadline: 50 })).rejects.toMatchObject(late)
    await expect(client.search({}, { deadline: 50 })).rejects.toMatchObject(late)
    held.resolve(undefined)
    expect((await first).response.status).toBe(200)
    expect((await client.search()).response.status).toBe(200)
    expect(service.requests).toHaveLength(2)
  })

  test("a response that switches protocols fails the call at once", async () => {
    await using service = await Service.start((request) => {
      request.socket.write("HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: h2c\r\n\r\n")
    })
    const config = { baseUrl: service.url, partnerId: "p", secretKey: "s" }
    await expect(createTransferClient(config).search()).rejects.toMatchObject({
      code: "unexpected_status",
      status: 101,
      attempts: 1,
    })
    const fetch = (url: string, init: RequestInit) => globalThis.fetch(url, init)
    await expect(createTransferClient({ ...config, fetch }).search()).rejects.toMatchObject({
      code: "connection_failed",
      reason: "bad upgrade",
      attempts: 1,
    })
  })

  test("hooks that fail beside a logger that fails do not end the call", async () => {
    const fail = () => {
      throw new Error("no")
    }
    const rejecting = async () => fail()
    for (const write of [fail, rejecting]) {
      await using service = await Service.start(
        Service.respond(503, ""),
        Service.respond(200, Service.emptyPage),
        Service.respond(418, ""),
      )
      const client = createTransferClient({
        baseUrl: service.url,
        partnerId: "p",
        secretKey: "s",
        logger: { warn: write, info: write, debug: write },
        logLevel: "debug",
        onRequest: fail,
        onResponse: rejecting,
      })
      expect((await client.search()).response.attempts).toBe(2)
      await expect(client.search()).rejects.toMatchObject({ code: "unexpected_status" })
    }
  })

  describe("credentials", () => {
    const authorizationOf = (secret: string) => `Basic ${Buffer.from(`p:${secret}`).toString("base64")}`
    const onlyNew: Service.Responder = (request, response, number) =>
      Service.respond(request.headers.authorization === authorizationOf("new") ? 200 : 401, Service.emptyPage)(
        request,
        response,
        number,
      )

    test("from a function are asked for once, and again after a 401", async () => {
      await using service = await Service.start(onlyNew)
      const secret = sequence("old", "new")
      const credentials = vi.fn(async () => ({ partnerId: "p", secretKey: secret() }))
      const client = createTransferClient({ baseUrl: service.url, credentials })
      const pages = await Promise.all([client.search(), client.search(), client.search()])
      expect(pages.map(({ response }) => response.status)).toEqual([200, 200, 200])
      await client.search()
      expect(credentials).toHaveBeenCalledTimes(2)
    })

    test("that do not come fail the call at its deadline, and are awaited by the next", async () => {
      await using service = await Service.start(onlyNew)
      const opened = Promise.withResolvers<{ partnerId: string; secretKey: string }>()
      const credentials = vi.fn(() => opened.promise)
      const client = createTransferClient({ baseUrl: service.url, credentials })
      const next = client.search()
      await expect(client.search({}, { deadline: 50 })).rejects.toMatchObject({
        code: "timed_out",
        after: 50,
        attempts: 0,
      })
      opened.resolve({ partnerId: "p", secretKey: "new" })
      expect((await next).response.attempts).toBe(1)
      expect(credentials).toHaveBeenCalledTimes(1)
    })

    test("of another partner end a list, which would mix the transfers of both", async () => {
      const page = '{"results":[],"page_info":{"has_next_page":true,"end_cursor":"2"}}'
      await using service = await Service.start(
        Service.respond(200, page),
        Service.respond(401, ""),
        Service.respond(200, Service.emptyPage),
      )
      const partner = sequence("first", "second")
      const client = createTransferClient({
        baseUrl: service.url,
        credentials: () => ({ partnerId: partner(), secretKey: "s" }),
      })
      await expect(client.list().toArray({ limit: 100 })).rejects.toMatchObject({
        code: "invalid_configuration",
        setting: "partnerId",
        message: expect.stringContaining('it was "first" before, and is "second" now'),
      })
      expect(service.requests).toHaveLength(2)
    })

    test("that stay wrong fail the call after one more attempt", async () => {
      await using service = await Service.start(onlyNew)
      const client = createTransferClient({
        baseUrl: service.url,
        credentials: () => ({ partnerId: "p", secretKey: "old" }),
      })
      await expect(client.search()).rejects.toMatchObject({ code: "unauthorized", attempts: 2 })
      await expect(client.search()).rejects.toBeInstanceOf(Unauthorized)
      expect(service.requests).toHaveLength(4)
    })

    test("from a function that fails reject the call with its error, and are asked for by the next", async () => {
      await using service = await Service.start(onlyNew)
      const vault = new Error("the vault is sealed")
      let isSealed = true
      const credentials = () => {
        if (isSealed) throw vault
        return { partnerId: "p", secretKey: "new" }
      }
      const client = createTransferClient({ baseUrl: service.url, credentials })
      await expect(client.search()).rejects.toBe(vault)
      isSealed = false
      expect((await client.search()).response.status).toBe(200)
      const wrong = createTransferClient({ baseUrl: service.url, credentials: () => ({}) as never })
      await expect(wrong.search()).rejects.toMatchObject({ code: "invalid_configuration", setting: "partnerId" })
    })
  })

  describe("settings", () => {
    test("come from the environment, unless they are passed", async () => {
      await using service = await Service.start(Service.respond(200, Service.emptyPage))
      vi.stubEnv("TRANSFERS_BASE_URL", service.url)
      vi.stubEnv("TRANSFERS_PARTNER_ID", "from-env")
      vi.stubEnv("TRANSFERS_SECRET_KEY", "s")
      await createTransferClient().search()
      await createTransferClient({ partnerId: "passed" }).search()
      expect(() => createTransferClient({ secretKey: process.env["NO_SUCH_VARIABLE"] as string })).toThrow(
        "Invalid secretKey: it must be a text.",
      )
      vi.unstubAllEnvs()
      const users = service.requests.map(({ headers }) => Buffer.from(headers.authorization?.slice(6) ?? "", "base64"))
      expect(users.map(String)).toEqual(["from-env:s", "passed:s"])
      expect(() => createTransferClient()).toThrow(InvalidConfiguration)
      expect(() => createTransferClient()).toThrow(
        "Invalid baseUrl: it must be passed, or set as TRANSFERS_BASE_URL, not missing.",
      )
    })

    test("name the program in the User-Agent", async () => {
      await using service = await Service.start(Service.respond(200, Service.emptyPage))
      await clientOf(service.url).search()
      const appInfo = { name: "ledger", version: "2.1", url: "https://ledger.example" }
      await clientOf(service.url, { appInfo }).search()
      const own = `transferkit/0.1.0 Node.js/${process.versions.node.split(".")[0]}`
      expect(service.requests.map(({ headers }) => headers["user-agent"])).toEqual([
        own,
        `${own} ledger/2.1 (https://ledger.example)`,
      ])
      expect(() => clientOf(service.url, { appInfo: { name: "a\r\nb" } })).toThrow("Invalid appInfo.name")
      expect(() => clientOf(service.url, { appInfo: {} })).toThrow("Invalid appInfo.name")
    })

    test("choose what is logged, never with the secret", async () => {
      await using service = await Service.start(Service.respond(503, ""), Service.respond(200, Service.emptyPage))
      const lines: Array<string> = []
      const log = (level: string) => (line: string) => void lines.push(`${level} ${line}`)
      const logger = { warn: log("warn"), info: log("info"), debug: log("debug") }
      await clientOf(service.url, { logger, logLevel: "debug", retries: 1 }).search()
      expect(lines).toEqual([
        expect.stringMatching(/^debug curl --user 'demo:<secret key>' /),
        expect.stringMatching(/^debug 503 after \d+ ms, request id req-1$/),
        expect.stringMatching(/^info retry 1 in \d+ ms: The service failed with status 503/),
        expect.stringMatching(/^debug curl/),
        expect.stringMatching(/^debug 200/),
      ])
      expect(lines.join()).not.toContain("demo-secret")
      lines.length = 0
      await clientOf(service.url, { logger }).search()
      await clientOf(service.url, { logger, logLevel: "off", onRequest: () => Promise.reject(new Error()) }).search()
      expect(lines).toEqual([])
      expect(() => clientOf(service.url, { logLevel: "loud" })).toThrow("Invalid logLevel")
    })

    test("print what the service says without what a terminal would interpret, a line each", async () => {
      const body = { errors: [{ code: "\u001b]0;x\u0007", message: "boo \u001b[2J\u202e\u009b31m\nfake line" }] }
      await using service = await Service.start(
        Service.respond(503, JSON.stringify(body), { "x-request-id": "\u009b2Jid" }),
        Service.respond(200, Service.emptyPage),
      )
      const printed = vi.mocked(console.error).mockImplementation(() => undefined)
      await clientOf(service.url, { logLevel: "debug", retries: 1 }).search()
      const lines = printed.mock.calls.map(([line]) => String(line))
      printed.mockClear()
      expect(lines[2]).toContain(String.raw`boo \x1b[2J\u202e\x9b31m\nfake line [\x1b]0;x\x07]`)
      expect(lines[1]).toContain(String.raw`request id \x9b2Jid`)
      expect(lines.join("")).not.toMatch(/[\p{Cc}\p{Cf}]/u)
    })

    test("take the level of the log from TRANSFERKIT_LOG", async () => {
      await using service = await Service.start(Service.respond(200, Service.emptyPage))
      const printed = vi.mocked(console.error).mockImplementation(() => undefined)
      vi.stubEnv("TRANSFERKIT_LOG", "debug")
      await clientOf(service.url).search()
      expect(printed.mock.calls.map(([line]) => line)).toEqual([
        expect.stringMatching(/^transferkit: curl/),
        expect.stringMatching(/^transferkit: 200/),
      ])
      printed.mockClear()
      vi.stubEnv("TRANSFERKIT_LOG", "loud")
      expect(() => clientOf(service.url)).toThrow("Invalid TRANSFERKIT_LOG")
      vi.unstubAllEnvs()
    })
  })
})
