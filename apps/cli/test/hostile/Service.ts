/** Services that attack whoever reads them: each mode is one response, sent to every request. */
import * as Http from "node:http"
import type { AddressInfo } from "node:net"
import { brotliCompressSync, gzipSync } from "node:zlib"
import * as SampleCapabilities from "@transferkit/in-memory/SampleCapabilities"

/** Writes one response. */
export type Mode = (response: Http.ServerResponse, url: URL) => void

const row = (fields: object): string =>
  JSON.stringify({ id: "tr_1", kind: "cash_in", status: "complete", created_at: "2024-09-01T00:00:00Z", ...fields })

const pageOf = (rows: string, info = '{"has_next_page":false}'): string => `{"results":[${rows}],"page_info":${info}}`

const json =
  (status: number, body: string | Buffer, headers: Http.OutgoingHttpHeaders = {}): Mode =>
  (response) =>
    void response.writeHead(status, { "content-type": "application/json", ...headers }).end(body)

const nested = (levels: number): string => "[".repeat(levels) + "]".repeat(levels)
const withField = (name: string, value: string): string => `${row({}).slice(0, -1)},"${name}":${value}}`
const bomb = (megabytes: number): Buffer => Buffer.alloc(megabytes << 20, " ")

/** Sends a piece again and again, until the other side has had enough. */
const endless =
  (piece: string | Buffer, every = 0): Mode =>
  (response) => {
    response.writeHead(200, { "content-type": "application/json" })
    const send = (): void => {
      if (response.destroyed) return
      if (!response.write(piece)) response.once("drain", () => setTimeout(send, every))
      else setTimeout(send, every)
    }
    send()
  }

/** Writes to the socket past Node's own checks. */
const raw =
  (text: string): Mode =>
  (response) =>
    void response.socket?.end(text)

const okHead = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"

/** The modes that no reader can turn into transfers. */
export const rejected: Readonly<Record<string, Mode>> = {
  "an unknown field that nests 200,000 levels": json(200, pageOf(withField("colour", nested(200_000)))),
  "an unknown field of 30,000 nested objects": json(
    200,
    pageOf(withField("colour", `${'{"a":'.repeat(30_000)}1${"}".repeat(30_000)}`)),
  ),
  "a page that is a deep value itself": json(200, nested(200_000)),
  "deep results": json(200, `{"results":${nested(200_000)},"page_info":{"has_next_page":false}}`),
  "a deep amount": json(200, pageOf(withField("source_total", `{"amount":${nested(200_000)}}`))),
  "a deep error body of a 400": json(400, `{"errors":${nested(200_000)}}`),
  "a deep error body of a 500": json(500, nested(200_000)),
  "an error with a message of 8 MB": json(400, `{"errors":[{"code":"x","message":"${"m".repeat(8 << 20)}"}]}`),
  "200,000 errors": json(400, `{"errors":[${'{"code":"c","message":"m"},'.repeat(200_000)}{"code":"c"}]}`),
  "a number of a million digits for an amount": json(
    200,
    pageOf(withField("source_total", `{"amount":${"9".repeat(1_000_000)},"currency_code":"fiat/USD"}`)),
  ),
  "an amount of a million digits": json(
    200,
    pageOf(withField("source_total", `{"amount":"${"9".repeat(1_000_000)}","currency_code":"fiat/USD"}`)),
  ),
  "an id that is an object with __proto__": json(200, pageOf(withField("id", '{"__proto__":{"length":1}}'))),
  "__proto__ for results": json(200, '{"__proto__":{"results":[]},"page_info":{"has_next_page":false}}'),
  "a gzip bomb of 512 MB": json(200, gzipSync(bomb(512)), { "content-encoding": "gzip" }),
  "a Brotli bomb of 512 MB": json(200, brotliCompressSync(bomb(512)), { "content-encoding": "br" }),
  "gzip within gzip": json(200, gzipSync(gzipSync(pageOf(row({})))), { "content-encoding": "gzip, gzip, gzip" }),
  "UTF-16": json(200, Buffer.from(pageOf(row({})), "utf16le")),
  "cp1252 that says UTF-8": json(200, Buffer.from(pageOf(row({ external_id: "K\u00f6ln" })), "latin1"), {
    "content-type": "application/json; charset=utf-8",
  }),
  "a body cut in the middle of a character": json(200, Buffer.from(pageOf(row({ external_id: "€" }))).subarray(0, 120)),
  "a Content-Length beyond its body": raw(`${okHead}Content-Length: 1000000000\r\n\r\n{"results":[`),
  "an endless body": endless(Buffer.alloc(1 << 20, "[")),
  "headers of a megabyte": raw(`${okHead}X-Flood: ${"x".repeat(1 << 20)}\r\n\r\n`),
  "100,000 headers": raw(`${okHead}${"X-Flood: x\r\n".repeat(100_000)}\r\n`),
  "no HTTP at all": raw("\u0000\u0001\u0002SSH-2.0-hostile\r\n"),
  "a status line of a megabyte": raw(`HTTP/1.1 200 ${"O".repeat(1 << 20)}\r\n\r\n`),
  "a redirect to itself": (response, url) => void response.writeHead(302, { location: url.href }).end(),
  "a redirect to a file": (response) => void response.writeHead(302, { location: "file:///etc/passwd" }).end(),
}

/** The modes that hold transfers: odd, but within the contract. */
export const accepted: Readonly<Record<string, Mode>> = {
  "an id of 300 kB": json(200, pageOf(row({ id: "i".repeat(300_000) }))),
  "NUL, escapes and line breaks in an id": json(200, pageOf(row({ id: "a\u0000\u001b[2J\r\n=1+1" }))),
  "a time of a million digits": json(200, pageOf(row({ created_at: `2024-09-01T00:00:00.${"1".repeat(1_000_000)}Z` }))),
  "a currency of a million characters": json(
    200,
    pageOf(row({ source_total: { amount: "1", currency_code: `a/${"b".repeat(1_000_000)}` } })),
  ),
  "__proto__ and constructor as fields": json(
    200,
    pageOf(withField("__proto__", '{"polluted":true},"constructor":{"prototype":{"polluted":true}}')),
  ),
  "10,000 unknown fields": json(
    200,
    pageOf(row(Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`f${index}`, index])))),
  ),
  "an unknown field of 8 MB": json(200, pageOf(row({ colour: "x".repeat(8 << 20) }))),
  "the same field twice": json(200, pageOf(`${row({}).slice(0, -1)},"status":"declined"}`)),
  "lone surrogates": json(200, pageOf(withField("external_id", String.raw`"\ud800 \udfff"`))),
  "5,000 rows in a page of 20": json(
    200,
    pageOf(Array.from({ length: 5_000 }, (_, index) => row({ id: `tr_${index}` })).join(",")),
  ),
}

/** A page and blanks, each byte in a chunk of its own: this many, or without an end. */
export const bytewise =
  (blanks: number): Mode =>
  ({ socket }) => {
    if (socket === null) return
    const chunked = (text: string) => [...text].map((byte) => `1\r\n${byte}\r\n`).join("")
    socket.write(`${okHead}Transfer-Encoding: chunked\r\n\r\n${chunked(pageOf(row({})))}`)
    const some = Buffer.from(chunked(" ".repeat(10_000)))
    let left = blanks
    const send = (): void => {
      if (socket.destroyed) return
      if (left <= 0) return void socket.write("0\r\n\r\n")
      left -= 10_000
      if (socket.write(some)) setImmediate(send)
      else socket.once("drain", send)
    }
    send()
  }

/** Pages without an end, of 16 MB each and 19 kB on the wire, of transfers that were created when the query begins. */
export const inflated: Mode = (response, url) => {
  if (url.pathname.endsWith("/capabilities")) return json(200, JSON.stringify(SampleCapabilities.sample))(response, url)
  const from =
    url.searchParams.getAll("created_at").find((bound) => bound.startsWith("gt")) ?? "gte:2024-09-01T00:00:00Z"
  const bound = Date.parse(from.slice(from.indexOf(":") + 1)) + (from.startsWith("gt:") ? 1 : 0)
  const created_at = new Date(bound).toISOString()
  const cursor = Math.random()
  const note = "x".repeat(790_000)
  const rows = Array.from({ length: 20 }, (_, index) => row({ id: `${cursor}-${index}`, created_at, note }))
  const page = pageOf(rows.join(","), JSON.stringify({ end_cursor: `${cursor}`, has_next_page: true }))
  json(200, gzipSync(page, { level: 1 }), { "content-encoding": "gzip" })(response, url)
}

/** A running service. */
export interface Service extends AsyncDisposable {
  readonly url: string
}

/** Starts a service in a mode, on a free port. */
export const start = async (mode: Mode): Promise<Service> => {
  const server = Http.createServer((request, response) => {
    response.on("error", () => {})
    mode(response, new URL(request.url ?? "/", `http://${request.headers.host}`))
  })
  server.on("connection", (socket) => socket.on("error", () => {}))
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
