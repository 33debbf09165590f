/**
 * The transfer search as somebody would write it for a test: rows in memory, binary search, JSON.stringify.
 * `node hand-server.mjs constant|fastify|hono PORT ROWS`, where ROWS is a JSON file or how many rows to generate.
 */
import { readFileSync } from "node:fs"
import { createServer } from "node:http"

const [framework, port, source] = process.argv.slice(2)
const rows = source.endsWith(".json")
  ? JSON.parse(readFileSync(source, "utf8"))
  : (await import("../SearchData.ts")).rows(Number(source))
const credentials = `Basic ${btoa("demo:demo-secret")}`
const hostname = "127.0.0.1"

const firstAtOrAfter = (instant) => {
  let [low, high] = [0, rows.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (rows[middle].created_at < instant) low = middle + 1
    else high = middle
  }
  return low
}

const search = ({ created_at, limit, after_cursor }) => {
  const bound = (operator) => created_at.find((value) => value.startsWith(`${operator}:`))?.slice(operator.length + 1)
  const [from, to] = [bound("gte"), bound("lt")]
  const start = after_cursor === undefined ? (from === undefined ? 0 : firstAtOrAfter(from)) : Number(after_cursor)
  const end = to === undefined ? rows.length : firstAtOrAfter(to)
  const next = Math.min(start + limit, end)
  return { results: rows.slice(start, next), page_info: { end_cursor: String(next), has_next_page: next < end } }
}

const start = {
  constant: async () => {
    const body = Buffer.from(JSON.stringify(search({ created_at: [], limit: 20 })))
    createServer((_, response) => {
      response.writeHead(200, { "content-type": "application/json", "content-length": body.length })
      response.end(body)
    }).listen(Number(port), hostname)
  },
  fastify: async () => {
    const { default: fastify } = await import("fastify")
    const app = fastify()
    app.get("/v1/transfers/search", (request, reply) => {
      if (request.headers.authorization !== credentials) return reply.code(401).send()
      const { created_at = [], limit = "20", after_cursor } = request.query
      return reply.send(search({ created_at: [created_at].flat(), limit: Number(limit), after_cursor }))
    })
    await app.listen({ port: Number(port), host: hostname })
  },
  hono: async () => {
    const { serve } = await import("@hono/node-server")
    const { Hono } = await import("hono")
    const app = new Hono()
    app.get("/v1/transfers/search", (context) => {
      if (context.req.header("authorization") !== credentials) return context.body(null, 401)
      return context.json(
        search({
          created_at: context.req.queries("created_at") ?? [],
          limit: Number(context.req.query("limit") ?? 20),
          after_cursor: context.req.query("after_cursor"),
        }),
      )
    })
    serve({ fetch: app.fetch, port: Number(port), hostname })
  },
}

await start[framework]()
