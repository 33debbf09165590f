/**
 * A service with a search that costs next to nothing: rows whose JSON exists already, found by created_at, sent after a delay.
 * `node RangeServer.ts SHAPE ROWS LATENCY_MS`. `GET /requests` returns the number of pages requested.
 */
import { createHash } from "node:crypto"
import { createServer } from "node:http"
import * as Fixture from "../Fixture.ts"

const [shape = "even", rows = "1000", latency = "0"] = process.argv.slice(2)
const count = Number(rows)
const start = Date.UTC(2024, 0, 1)
const span = 366 * 86_400_000
const next = Fixture.random(40)

const even = () => start + next() * span

/** When the transfers are created, in milliseconds. */
const shapes: Readonly<Record<string, () => number>> = {
  even,
  "in bursts": () => start + ((Math.floor(next() * 12) + 0.5) / 12 + next() * 0.001) * span,
  "in steep bursts": () => start + (Math.floor(next() * 12) + next() ** 8) * (span / 12),
  "95 % in half a minute": () => start + span / 2 + (next() < 0.95 ? next() * 31_622 : (next() - 0.5) * span),
  shuffled: even,
  "by id": even,
  "one out of place": even,
  "oldest first, seven weeks old": () => even() - 49 * 86_400_000,
}
const createdAt = shapes[shape]
if (createdAt === undefined) throw new Error(`No shape ${shape}`)

const table = Array.from({ length: count }, () => Math.floor(createdAt()))
  .sort((a, b) => b - a)
  .map((at, index) => {
    const created_at = new Date(at).toISOString()
    const digest = createHash("md5").update(String(index)).digest("hex")
    const id = `tr_${digest.slice(0, 16)}`
    const [transfer] = Fixture.transfers(next, 1)
    return { at, digest, json: JSON.stringify({ ...Object(transfer), id, created_at, updated_at: created_at }) }
  })
if (shape === "shuffled") shuffle()
if (shape === "by id") table.sort((a, b) => (a.digest < b.digest ? -1 : 1))
if (shape === "one out of place") table.push(...table.splice(0, 1))
if (shape.startsWith("oldest first")) table.reverse()

/** Fisher and Yates: every order is as likely. */
function shuffle(): void {
  for (let last = table.length - 1; last > 0; last--) {
    const other = Math.floor(next() * (last + 1))
    const [a, b] = [table[last], table[other]]
    if (a !== undefined && b !== undefined) [table[last], table[other]] = [b, a]
  }
}

/** The rows of a range, kept for the pages that follow. */
const found = new Map<string, ReadonlyArray<string>>()
const search = (values: ReadonlyArray<string>): ReadonlyArray<string> => {
  const key = values.join()
  const known = found.get(key)
  if (known !== undefined) return known
  const bounds = values.map((value) => {
    const colon = value.indexOf(":")
    return { operator: value.slice(0, colon), at: Date.parse(value.slice(colon + 1)) }
  })
  const matching = table
    .filter(({ at }) =>
      bounds.every(({ operator, at: bound }) =>
        operator === "lt" ? at < bound : operator === "gt" ? at > bound : at >= bound,
      ),
    )
    .map(({ json }) => json)
  found.set(key, matching)
  return matching
}

let requests = 0
const server = createServer((request, response) => {
  const url = new URL(request.url ?? "", "http://localhost")
  if (url.pathname === "/requests") return void response.end(String(requests))
  requests++
  const matching = search(url.searchParams.getAll("created_at"))
  const from = Number(url.searchParams.get("after_cursor")?.slice(5) ?? 0)
  const to = from + Number(url.searchParams.get("limit") ?? 20)
  const page_info = JSON.stringify({ end_cursor: `page-${to}`, has_next_page: to < matching.length })
  setTimeout(() => {
    response.writeHead(200, { "content-type": "application/json" })
    response.end(`{"results":[${matching.slice(from, to).join()}],"page_info":${page_info}}`)
  }, Number(latency))
})
// A client under Valgrind, on a busy machine, takes seconds between two requests.
server.keepAliveTimeout = 60_000
server.listen(0, "127.0.0.1", () => {
  const address = server.address()
  process.stdout.write(`${typeof address === "object" ? address?.port : ""}\n`)
})
