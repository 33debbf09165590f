import { once } from "node:events"
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { Agent, request } from "node:http"
import { createConnection, type Socket } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Client } from "@modelcontextprotocol/sdk/client/index.js"
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js"
import { type RunningFakeServer, startFakeServer } from "@transferkit/fake/FakeServer"
import { afterEach, beforeEach, expect, test } from "vitest"
import * as Waiting from "../../../scripts/test/Waiting.ts"
import { demo, run, start } from "./Cli.ts"
import * as Fake from "./Fake.ts"
import { call } from "./Mcp.ts"

let fake: RunningFakeServer
let folder: string
const running: Array<ReturnType<typeof start>> = []

beforeEach(async () => {
  fake = await startFakeServer({ transfers: 100 })
  folder = await mkdtemp(join(tmpdir(), "transfers-mcp-"))
})

afterEach(async () => {
  for (const child of running.splice(0)) {
    if (child.exitCode === null) {
      child.kill()
      await once(child, "close")
    }
  }
  await fake.close()
  await rm(folder, { recursive: true })
})

/** Starts the server, and returns its address. */
const listen = async (args: ReadonlyArray<string> = [], env: Readonly<Record<string, string>> = {}) => {
  const child = start(["mcp", "--http", "--port", "0", ...args], { env: { ...demo(fake.url), ...env } })
  running.push(child)
  let stderr = ""
  child.stderr.setEncoding("utf8").on("data", (chunk: string) => (stderr += chunk))
  const url = await Waiting.until(() => /Listening on (\S+)/.exec(stderr)?.[1])
  return { child, url: new URL(url), stderr: () => stderr }
}

const connect = async (url: URL, headers: Readonly<Record<string, string>> = {}): Promise<Client> => {
  const client = new Client({ name: "tester", version: "1.0.0" })
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }))
  return client
}

const initialize = JSON.stringify({
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "raw", version: "1" } },
})

/** Posts a body, with any headers, and returns the status. */
const post = (url: URL, headers: Readonly<Record<string, string>> = {}, body = initialize): Promise<number> =>
  new Promise((resolve, reject) => {
    const all = { "content-type": "application/json", accept: "application/json, text/event-stream", ...headers }
    const sent = request(url, { method: "POST", headers: all }, (response) => {
      response.resume()
      resolve(response.statusCode ?? 0)
    })
    sent.on("error", reject).end(body)
  })

test("serves several official clients at once", async () => {
  const { url, stderr } = await listen()
  expect(url).toMatchObject({ hostname: "127.0.0.1", pathname: "/mcp" })
  const clients = await Promise.all([connect(url), connect(url)])
  for (const client of clients) {
    expect((await client.listTools()).tools).toHaveLength(9)
    const { answer } = await call(client, "search_transfers", { limit: 1 })
    expect(answer.data.transfers).toHaveLength(1)
    await client.close()
  }
  expect(stderr()).not.toContain("demo-secret")
  expect(stderr().match(/"tool":"search_transfers"/g)).toHaveLength(2)
})

test("rejects requests by another host name or from another site", async () => {
  const { url } = await listen(["--allow-origin", "http://localhost:6274"])
  expect(await post(url)).toBe(200)
  expect(await post(url, { host: `localhost:${url.port}` })).toBe(200)
  expect(await post(url, { host: `rebound.example:${url.port}` })).toBe(403)
  expect(await post(url, { host: "127.0.0.1.rebound.example" })).toBe(403)
  expect(await post(url, { origin: "https://evil.example" })).toBe(403)
  expect(await post(url, { origin: "null" })).toBe(403)
  expect(await post(url, { origin: "http://localhost:6274" })).toBe(200)
})

test("needs a token where others can reach it, and takes no other", async () => {
  const file = join(folder, "token")
  await writeFile(file, "open sesame\n".replace(" ", "-"), { mode: 0o600 })
  const { url, stderr } = await listen(["--host", "0.0.0.0", "--token-file", file])
  url.hostname = "127.0.0.1"
  expect(await post(url)).toBe(401)
  expect(await post(url, { authorization: "Bearer open-sesam" })).toBe(401)
  expect(await post(url, { authorization: "Bearer " })).toBe(401)
  expect(await post(url, { authorization: "Basic open-sesame" })).toBe(401)
  const client = await connect(url, { authorization: "Bearer open-sesame" })
  expect((await client.listTools()).tools).toHaveLength(9)
  await client.close()
  expect(stderr()).not.toContain("sesame")
  const variable = await listen([], { TRANSFERS_MCP_TOKEN: "from-environment" })
  expect(await post(variable.url)).toBe(401)
  expect(await post(variable.url, { authorization: "Bearer from-environment" })).toBe(200)
})

test("keeps the connection of a client while 250 strangers without its token come", async () => {
  const { url } = await listen([], { TRANSFERS_MCP_TOKEN: "open-sesame" })
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const ask = () =>
    new Promise<readonly [status: number | undefined, isSame: boolean]>((resolve, reject) => {
      const sent = request(url, { agent, headers: { authorization: "Bearer open-sesame" } }, (response) => {
        response.resume().on("end", () => resolve([response.statusCode, sent.reusedSocket]))
      })
      sent.on("error", reject).end()
    })
  const [status, isSame] = await ask()
  expect(status).not.toBe(401)
  expect(isSame).toBe(false)
  const strangers: Array<Socket> = []
  for (let count = 0; count < 250; count++) {
    const stranger = createConnection(Number(url.port), url.hostname).on("error", () => {})
    strangers.push(stranger)
    const answered = once(stranger, "data")
    stranger.write(`GET ${url.pathname} HTTP/1.1\r\nhost: ${url.host}\r\nauthorization: Bearer open\r\n\r\n`)
    expect(String(await answered)).toMatch(/^HTTP\/1.1 401 /)
  }
  expect(await ask()).toEqual([status, true])
  for (const stranger of strangers) stranger.destroy()
  agent.destroy()
})

test("rejects a token file whose first line is empty, which would let everybody in", async () => {
  const file = join(folder, "token")
  for (const text of ["", "\n", "\nopen-sesame\n"]) {
    await writeFile(file, text, { mode: 0o600 })
    expect(
      await run(["mcp", "--http", "--host", "0.0.0.0", "--token-file", file], { env: demo(fake.url) }),
    ).toMatchObject({ code: 2, stderr: expect.stringContaining("its first line is empty") })
  }
})

test("a call that goes on and a session in use survive 300 other sessions, and the oldest of these end", async () => {
  const { url } = await listen()
  const headers = { "content-type": "application/json", accept: "application/json, text/event-stream" }
  const open = async () =>
    (await fetch(url, { method: "POST", headers, body: initialize })).headers.get("mcp-session-id") ?? ""
  const use = (session: string, method = "tools/list", params = {}) =>
    post(url, { "mcp-session-id": session }, JSON.stringify({ jsonrpc: "2.0", id: 2, method, params }))
  const [slow, used, unused] = [await open(), await open(), await open()]
  await Fake.addFaults(fake.url, { fault: "latency", ms: 600_000 })
  const call = use(slow, "tools/call", { name: "search_transfers", arguments: {} })
  call.catch(() => {})
  await Waiting.until(async () => (await Fake.journal(fake.url)).length > 0)
  for (let count = 0; count < 300; count++) {
    if (count % 50 === 0) expect(await use(used)).toBe(200)
    await open()
  }
  expect([await use(unused), await use(used), await use(await open())]).toEqual([404, 200, 200])
  expect(await Promise.race([call, Promise.resolve("under way")])).toBe("under way")
  expect(await use(slow)).toBe(200)
})

test("rejects a token file that others can read, and a port that is taken", async () => {
  const file = join(folder, "token")
  await writeFile(file, "token", { mode: 0o644 })
  const env = demo(fake.url)
  expect(await run(["mcp", "--http", "--token-file", file], { env })).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("chmod 600"),
  })
  const { port } = new URL(fake.url)
  expect(await run(["mcp", "--http", "--port", port], { env })).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/Cannot listen on 127\.0\.0\.1, port \d+: .*EADDRINUSE/),
  })
})

test("bounds what it takes, and goes on", async () => {
  const { url } = await listen()
  const padded = (bytes: number) => initialize.replace('"raw"', `"${"x".repeat(bytes)}"`)
  const body = async (text: string): Promise<string> => {
    const headers = { "content-type": "application/json", accept: "application/json, text/event-stream" }
    return (await fetch(url, { method: "POST", headers, body: text })).text().catch(() => "closed")
  }
  expect(await body(padded(500_000))).toContain('"result"')
  expect(await body(padded(2_000_000)).catch(() => "closed")).toMatch(/closed|"error"/)
  expect(await body("{")).toContain('"error"')
  expect(await post(url, {}, "{")).toBe(400)
  const batch = (length: number) =>
    fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json", accept: "application/json, text/event-stream" },
      body: `[${Array.from({ length }, () => initialize).join()}]`,
    }).then((response) => response.text())
  expect(await batch(20)).not.toContain("a batch has at most")
  expect(await batch(21)).toContain("a batch has at most 20 messages")
  expect(await body(`${"[".repeat(100_000)}${"]".repeat(100_000)}`).catch(() => "closed")).not.toContain('"result"')
  // Parsed, the number would be another, and so would be the id of the answer.
  expect(await body(initialize.replace('"id":1,', '"id":9007199254740993,'))).toContain("of at most 9007199254740991")
  expect(await post(url, { "content-type": "text/plain" })).toBe(415)
  expect(await post(new URL("/elsewhere", url))).toBe(404)
  expect((await fetch(url)).status).toBe(405)
  expect(await post(url, { "mcp-session-id": "guessed" }, initialize.replace("initialize", "tools/list"))).toBe(404)
  expect(await post(url)).toBe(200)
})

test.each([
  ["values", `[${"{},".repeat(340_000)}{}]`, null, "at most 25000 commas, 25000 lists and 25000 objects"],
  ["levels of one value", "[".repeat(500_000) + "]".repeat(500_000), null, "at most 25000 commas"],
  ["levels", "[".repeat(40) + "]".repeat(40), 7, "at most 32 levels"],
])("rejects a message of too many %s, and says what it takes", async (_, value, id, message) => {
  const { url } = await listen()
  const response = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", accept: "application/json, text/event-stream" },
    body: `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"reconcile","arguments":{"ledger":${value}}}}`,
  })
  expect(response.status).toBe(400)
  expect(await response.json()).toEqual({
    jsonrpc: "2.0",
    id,
    error: { code: -32600, message: expect.stringContaining(message) },
  })
})

test("answers a client while another waits for 24 calls", async () => {
  const { url } = await listen()
  await Fake.addFaults(fake.url, { fault: "latency", ms: 600_000 })
  const [busy, other] = await Promise.all([connect(url), connect(url)])
  for (let count = 0; count < 24; count++) call(busy, "search_transfers").catch(() => {})
  await Waiting.until(async () => (await Fake.journal(fake.url)).length >= 4)
  call(other, "lookup_transfer", { id: "order-of-other" }).catch(() => {})
  await Waiting.until(async () => JSON.stringify(await Fake.journal(fake.url)).includes("order-of-other"))
  expect((await call(other, "explain_finding", { code: "not_fiat" })).isError).toBe(false)
})

test("ends by SIGTERM although a call is waiting", async () => {
  const { child, url } = await listen()
  await Fake.addFaults(fake.url, { fault: "latency", ms: 600_000 })
  const client = await connect(url)
  call(client, "search_transfers").catch(() => {})
  await Waiting.until(async () => (await Fake.journal(fake.url)).length > 0)
  child.kill("SIGTERM")
  const [code] = await once(child, "close")
  expect(code).toBe(143)
})

test("ends by SIGTERM although a request is not complete", async () => {
  const { child, url } = await listen()
  const socket = createConnection(Number(url.port), url.hostname).on("error", () => {})
  const head = `POST ${url.pathname} HTTP/1.1\r\nhost: ${url.host}\r\ncontent-type: application/json\r\ncontent-length: 9\r\n\r\n`
  socket.write(`${head}[`)
  await Waiting.until(() => socket.bytesWritten > head.length)
  // The server has the request once it answers a later one.
  expect(await post(url)).toBe(200)
  child.kill("SIGTERM")
  const started = Date.now()
  const [code] = await once(child, "close")
  expect(code).toBe(143)
  expect(Date.now() - started).toBeLessThan(10_000)
  socket.destroy()
})

test("rejects a message that is not UTF-8: the key in it would be another key", async () => {
  const { url } = await listen()
  const response = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", accept: "application/json, text/event-stream" },
    body: new Uint8Array(Buffer.from(initialize.replace("raw", "M\u00fcller"), "latin1")),
  })
  expect(response.status).toBe(400)
  expect(await response.text()).toContain("Parse error: the body is not UTF-8")
})
