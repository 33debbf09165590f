/** A service of another maker: no code of ours compares, orders, pages or rejects here. */
import * as Http from "node:http"
import type { AddressInfo } from "node:net"
import { gzipSync } from "node:zlib"

export interface Wire {
  readonly id: string
  readonly created_at: string
  readonly [name: string]: unknown
}

export interface Options {
  readonly data: ReadonlyArray<Wire>
  /** The header Server. */
  readonly server?: string
  /** Seconds that are added to every bound. */
  readonly offBy?: number
  /** Bounds count to the second. */
  readonly isCoarse?: boolean
  readonly fault?: Fault
}

export type Fault =
  | "loses a transfer of each page"
  | "gives all responses one request id"
  | "sends a header now and then"
  | "compresses for those who cannot read it"
  | "lists in another order later"
  | "forgets the filter behind a cursor"
  | "swaps bounds that exclude each other"
  | "ignores external_id"

const millis = (text: string): number => Date.parse(text)

/** Starts it on a free port. It is newest first, has seven transfers a page, problem+json and cursors that are offsets. */
export const start = async ({ data, server = "other/1", offBy = 0, isCoarse = false, fault }: Options) => {
  const rows = [...data].sort((a, b) => millis(b.created_at) - millis(a.created_at) || (a.id < b.id ? 1 : -1))
  const expected = `Basic ${Buffer.from("demo:demo-secret").toString("base64")}`
  let count = 0
  const listener = Http.createServer((request, response) => {
    count += 1
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://localhost")
    const isPacked = fault === "compresses for those who cannot read it"
    const send = (status: number, body: unknown, headers: Http.OutgoingHttpHeaders = {}) =>
      response
        .writeHead(status, {
          "content-type": "application/json; charset=utf-8",
          server,
          ...(fault === "gives all responses one request id" && { "x-request-id": "the-one" }),
          ...(fault === "sends a header now and then" && count % 2 === 0 && { "x-cache": "hit" }),
          ...(isPacked && { "content-encoding": "gzip" }),
          "x-trace": `t-${count}`,
          ...headers,
        })
        .end(isPacked ? gzipSync(JSON.stringify(body)) : JSON.stringify(body))
    const problem = (status: number, title: string, headers: Http.OutgoingHttpHeaders = {}) =>
      send(status, { title, status, trace: `t-${count}` }, { "content-type": "application/problem+json", ...headers })
    if (request.headers.authorization !== expected) {
      return request.headers.authorization === undefined
        ? problem(401, "Who are you?", { "www-authenticate": "Basic" })
        : problem(403, "Not you.")
    }
    if (pathname === "/v1/capabilities") {
      return send(200, {
        supported_countries: [],
        supported_currencies: [],
        supported_payment_methods: [],
        transfer_limits: {},
      })
    }
    if (pathname !== "/v1/transfers/search") return problem(404, "Nothing here.")
    const limit = searchParams.get("limit") ?? "7"
    if (!/^\d+$/.test(limit) || Number(limit) < 1) return problem(422, "Bad limit.")
    const after = searchParams.get("after_cursor") ?? "0"
    if (!/^\d+$/.test(after)) return problem(422, "Bad cursor.")
    const bounds = searchParams.getAll("created_at").map((value) => /^(gte|gt|lt|le):(.+)$/.exec(value))
    if (bounds.some((bound) => bound === null || Number.isNaN(millis(bound[2] ?? "")))) return problem(422, "Bad time.")
    const [lower, upper] = ["g", "l"].map((start) => bounds.find((bound) => bound?.[1]?.startsWith(start)))
    if (
      fault === "swaps bounds that exclude each other" &&
      lower &&
      upper &&
      millis(lower[2] ?? "") > millis(upper[2] ?? "")
    ) {
      ;[lower[2], upper[2]] = [upper[2] ?? "", lower[2] ?? ""]
    }
    const found = rows.filter((row) => {
      const id = searchParams.get("external_id")
      if (fault === "forgets the filter behind a cursor" && after !== "0") return true
      if (id !== null && fault !== "ignores external_id" && row["external_id"] !== id) return false
      return bounds.every((bound) => {
        const [, operator = "", text = ""] = bound ?? []
        // Longer fractions than milliseconds are not in the data of this service.
        const exact = millis(text) + (/\.\d{3}\d*[1-9]/.test(text) ? 0.5 : 0) + offBy * 1000
        const at = isCoarse ? Math.floor(exact / 1000) * 1000 : exact
        const own = millis(row.created_at)
        return { gte: own >= at, gt: own > at, lt: own < at, le: own <= at }[operator]
      })
    })
    const size = Math.min(Number(limit), 20)
    const from = Number(after)
    const page = found.slice(from, from + size)
    if (fault === "lists in another order later" && count > 12) page.reverse()
    const hasMore = from + size < found.length
    return send(200, {
      page_info: { has_next_page: hasMore, ...(hasMore ? { end_cursor: String(from + size) } : {}) },
      results: fault === "loses a transfer of each page" && page.length > 2 ? page.slice(1) : page,
      region: "eu",
    })
  })
  await new Promise<void>((resolve) => void listener.listen(0, "127.0.0.1", resolve))
  const { port } = listener.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    [Symbol.asyncDispose]: () =>
      new Promise<void>((resolve) => {
        listener.close(() => resolve())
        listener.closeAllConnections()
      }),
  }
}

/** Transfers a few hours apart, to the millisecond. */
export const data: ReadonlyArray<Wire> = Array.from({ length: 150 }, (_, index) => ({
  id: `o_${String((index * 37) % 150).padStart(3, "0")}`,
  kind: "cash_in",
  status: "complete",
  external_id: `order-${index}`,
  created_at: new Date(Date.UTC(2024, 8, 1) + index * 9_876_543 + 123).toISOString(),
}))
