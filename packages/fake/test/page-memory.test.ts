/** Pages are written into reused memory: whatever clients do, none sees another's page. */
import * as http from "node:http"
import * as zlib from "node:zlib"
import { startFakeServer } from "@transferkit/fake/FakeServer"
import { expect, test } from "vitest"

interface Row {
  readonly id: string
  readonly created_at: string
}

test("keeps pages whole and separate while clients read, compress and disconnect", async () => {
  const partners = ["a:1", "b:2"]
  await using fake = await startFakeServer({ transfers: 50_000, partners })
  const agent = new http.Agent({ keepAlive: true, maxSockets: 40 })
  const seen = new Map(partners.map((partner) => [partner, new Set<string>()]))
  let pages = 0
  /** Every fifth goes away in the middle, every third takes gzip. No page is asked for twice. */
  const ask = (n: number) =>
    new Promise<void>((resolve, reject) => {
      const auth = partners[n % 2] ?? ""
      const before = new Date(Date.UTC(2024, 1, 1) + n * 7_919_000).toISOString().slice(0, 19)
      const headers = n % 3 === 0 ? { "accept-encoding": "gzip" } : {}
      const url = `${fake.url}/v1/transfers/search?created_at=lt:${before}Z`
      const request = http.get(url, { agent, auth, headers }, (response) => {
        const chunks: Array<Buffer> = []
        response.on("data", (chunk: Buffer) => {
          chunks.push(chunk)
          if (n % 5 === 0) request.destroy()
        })
        response.on("end", () => {
          const body = Buffer.concat(chunks)
          const text = response.headers["content-encoding"] === "gzip" ? zlib.gunzipSync(body) : body
          const results: ReadonlyArray<Row> = JSON.parse(text.toString("utf8")).results
          expect(results.every(({ created_at }) => created_at < before)).toBe(true)
          for (const { id } of results) seen.get(auth)?.add(id)
          pages += 1
        })
      })
      request.on("error", (error) => (n % 5 === 0 ? undefined : reject(error)))
      request.on("close", () => resolve())
    })
  let next = 0
  const client = async () => {
    while (next < 2000) await ask(next++)
  }
  await Promise.all(Array.from({ length: 60 }, client))
  agent.destroy()
  expect(pages).toBeGreaterThanOrEqual(1600)
  const [a = new Set(), b = new Set()] = seen.values()
  expect(Math.min(a.size, b.size)).toBeGreaterThan(5000)
  expect([...a].filter((id) => b.has(id))).toEqual([])
})
