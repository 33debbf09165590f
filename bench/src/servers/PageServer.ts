/**
 * A service that costs next to nothing, so that the cost of a client shows: pages made beforehand, each with the cursor
 * of the next, sent after a delay. `node PageServer.ts PAGES LATENCY_MS`
 */
import { Buffer } from "node:buffer"
import { createServer } from "node:http"
import * as Fixture from "../Fixture.ts"

const [pages = 1, latency = 0] = process.argv.slice(2).map(Number)
const next = Fixture.random(2000)
const bodies = Array.from({ length: pages }, (_, index) =>
  Buffer.from(
    JSON.stringify({
      results: Fixture.transfers(next, 20),
      page_info: { end_cursor: `page-${index + 1}`, has_next_page: index + 1 < pages },
    }),
  ),
)

const server = createServer((request, response) => {
  const cursor = /after_cursor=page-(\d+)/.exec(request.url ?? "")?.[1] ?? "0"
  const body = bodies[Number(cursor)]
  const send = (): void => {
    response.writeHead(body === undefined ? 404 : 200, {
      "content-type": "application/json",
      "content-length": body?.length ?? 0,
    })
    response.end(body)
  }
  if (latency === 0) send()
  else setTimeout(send, latency)
})
// A client under Valgrind, on a busy machine, takes seconds between two requests.
server.keepAliveTimeout = 60_000
server.listen(0, "127.0.0.1", () => {
  const address = server.address()
  process.stdout.write(`${typeof address === "object" ? address?.port : ""}\n`)
})
