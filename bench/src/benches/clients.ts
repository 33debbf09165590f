import { createHash } from "node:crypto"
import { Agent, get } from "node:http"
import { performance } from "node:perf_hooks"
import type { Bench, Contestant } from "../Bench.ts"
import * as PageChecks from "../PageChecks.ts"
import * as ServerProcess from "../ServerProcess.ts"

/** What a client without a pager needs: the text of a page, or its parsed body. */
type GetPage = (url: string) => Promise<Page>

interface Page {
  readonly results: ReadonlyArray<{ readonly id: string }>
  readonly page_info: { readonly has_next_page: boolean; readonly end_cursor?: unknown }
}

/** Reads everything there is behind a base URL and gives each id to `see`. */
type ReadAll = (baseUrl: string, see: (id: string) => void) => Promise<void>

const authorization = `Basic ${btoa("demo:demo-secret")}`

/** The loop that people write. */
const loop =
  (getPage: GetPage): ReadAll =>
  async (baseUrl, see) => {
    let cursor = ""
    for (;;) {
      const page = await getPage(`${baseUrl}/v1/transfers/search?limit=20${cursor}`)
      for (const { id } of page.results) see(id)
      if (!page.page_info.has_next_page) return
      cursor = `&after_cursor=${encodeURIComponent(String(page.page_info.end_cursor))}`
    }
  }

const pages = 2000
const warmUp = 500
const latePages = 40
const latency = 50

/** A contestant of this benchmark. */
export const contestant = (
  name: string,
  packages: ReadonlyArray<string>,
  load: () => Promise<ReadAll>,
  isOurs = false,
): Contestant => ({
  name,
  packages,
  isOurs,
  load: async () => {
    const readAll = await load()
    const count = async (pageCount: number, delay: number) => {
      await using server = await ServerProcess.start("PageServer", [pageCount, delay])
      let rows = 0
      const [start, cpu] = [performance.now(), process.cpuUsage()]
      await readAll(server.url, () => void rows++)
      const [wall, spent] = [performance.now() - start, process.cpuUsage(cpu)]
      if (rows !== pageCount * 20) throw new Error(`${name} read ${rows} transfers`)
      return { wall: wall / pageCount, cpu: (spent.user + spent.system) / 1000 / pageCount }
    }
    return {
      answer: async () => {
        await using server = await ServerProcess.start("PageServer", [50, 0])
        const ids: Array<string> = []
        await readAll(server.url, (id) => ids.push(id))
        return `${ids.length} ${createHash("sha256").update(ids.join()).digest("hex")}`
      },
      measure: async () => {
        await count(warmUp, 0)
        const near = await count(pages, 0)
        const memory = process.resourceUsage().maxRSS / 1024
        const far = await count(latePages, latency)
        return { cpu: near.cpu * 1000, wall: near.wall * 1000, far: far.wall - latency, memory }
      },
      operations: { cpu: () => count(200, 0) },
    }
  },
})

export const bench: Bench = {
  name: "clients",
  title: "Read 2,000 pages, one after the other",
  work:
    `${pages.toLocaleString("en")} pages of 20 transfers over HTTP on one machine, each page's cursor taken from the page before; then ` +
    `${latePages} pages from a service that takes ${latency} ms to answer. The answer is every id, in order.`,
  rounds: 3,
  metrics: [
    { key: "cpu", title: "CPU time of the client, a page", unit: "µs" },
    { key: "wall", title: "Time, a page", unit: "µs" },
    { key: "far", title: `Time above the ${latency} ms of a slow service, a page`, unit: "ms" },
    { key: "memory", title: "Peak memory", unit: "MB" },
  ],
  notes: [
    "node:http by hand is the floor. On Node ours uses the same transport. Where its time goes, by a profile: half is Node's HTTP and a tenth JSON.parse, which are that floor; a sixth are Effect's fibers, which carry the deadline, the retries, the throttle, the span and the metrics of a request; an eighth checks the page, see decode, and finds duplicates; a twentieth is the rest of the client, and a tenth collects garbage. So even without a fiber a checked page would take more than 1.5 times the floor. 2.2 times were recorded on one processor, and 2.4 times on another. The Promise client takes the same transport where it finds itself on Node.",
    "Ours checks every field of every transfer, drops duplicates, guards against cursor cycles, bounds bodies, and would retry. The others parse JSON and trust it, unless their name says that they check it.",
    `At ${latency} ms no client decides how long an export takes; the sequence of requests does. See the scan.`,
  ],
  contestants: [
    contestant(
      "TransferKit, Effect on Node",
      ["@transferkit/http-client", "effect"],
      async () => {
        const TransferPager = await import("@transferkit/domain/TransferPager")
        const HttpTransferApi = await import("@transferkit/http-client/HttpTransferApi")
        const NodeTransport = await import("@transferkit/http-client/NodeTransport")
        const Effect = await import("effect/Effect")
        const Layer = await import("effect/Layer")
        const Redacted = await import("effect/Redacted")
        const Stream = await import("effect/Stream")
        return (baseUrl, see) =>
          TransferPager.TransferPager.use((pager) =>
            Stream.runForEachArray(pager.transfers({}), (transfers) =>
              Effect.sync(() => {
                for (const { id } of transfers) see(id)
              }),
            ),
          ).pipe(
            Effect.provide(
              TransferPager.TransferPager.layer.pipe(
                Layer.provide(
                  HttpTransferApi.layer({ baseUrl, partnerId: "demo", secretKey: Redacted.make("demo-secret") }),
                ),
                Layer.provide(NodeTransport.layer),
              ),
            ),
            Effect.runPromise,
          )
      },
      true,
    ),
    contestant(
      "TransferKit, Promise client",
      ["@transferkit/http-client", "effect"],
      async () => {
        const { createTransferClient } = await import("@transferkit/http-client/promise")
        return async (baseUrl, see) => {
          const client = createTransferClient({ baseUrl, partnerId: "demo", secretKey: "demo-secret" })
          for await (const { id } of client.list()) see(id)
        }
      },
      true,
    ),
    contestant("node:http, by hand", [], async () => {
      const agent = new Agent({ keepAlive: true })
      return loop(
        (url) =>
          new Promise((resolve, reject) => {
            get(url, { agent, headers: { authorization } }, (response) => {
              const chunks: Array<Uint8Array> = []
              response.on("data", (chunk: Uint8Array) => chunks.push(chunk))
              response.on("end", () => resolve(JSON.parse(Buffer.concat(chunks).toString("utf8"))))
              response.on("error", reject)
            }).on("error", reject)
          }),
      )
    }),
    contestant("fetch", [], async () =>
      loop(async (url) => JSON.parse(await (await fetch(url, { headers: { authorization } })).text())),
    ),
    contestant("undici.request", ["undici"], async () => {
      const { request } = await import("undici")
      return loop(async (url) => JSON.parse(await (await request(url, { headers: { authorization } })).body.text()))
    }),
    contestant("axios", ["axios"], async () => {
      const { default: axios } = await import("axios")
      const httpAgent = new Agent({ keepAlive: true })
      return loop(async (url) => (await axios.get<Page>(url, { headers: { authorization }, httpAgent })).data)
    }),
    contestant("axios, checked by zod", ["axios", "zod"], async () => {
      const [{ default: axios }, check] = [await import("axios"), await PageChecks.zod()]
      const httpAgent = new Agent({ keepAlive: true })
      const options = {
        headers: { authorization },
        httpAgent,
        responseType: "text",
        transformResponse: String,
      } as const
      return loop(async (url) => check((await axios.get<string>(url, options)).data))
    }),
    contestant("got", ["got"], async () => {
      const { default: got } = await import("got")
      const agent = { http: new Agent({ keepAlive: true }) }
      return loop((url) => got(url, { headers: { authorization }, agent }).json<Page>())
    }),
    contestant("got, checked by ajv", ["got", "ajv"], async () => {
      const [{ default: got }, check] = [await import("got"), await PageChecks.ajv()]
      const agent = { http: new Agent({ keepAlive: true }) }
      return loop(async (url) => check(await got(url, { headers: { authorization }, agent }).text()))
    }),
    contestant("ky", ["ky"], async () => {
      const { default: ky } = await import("ky")
      return loop((url) => ky.get<Page>(url, { headers: { authorization } }).json())
    }),
    contestant("ky, checked by valibot", ["ky", "valibot"], async () => {
      const [{ default: ky }, check] = [await import("ky"), await PageChecks.valibot()]
      return loop(async (url) => check(await ky.get(url, { headers: { authorization } }).text()))
    }),
    contestant("openapi-fetch", ["openapi-fetch"], async () => {
      const { default: createClient } = await import("openapi-fetch")
      interface Paths {
        "/v1/transfers/search": {
          get: {
            parameters: { query: { limit?: string; after_cursor?: string } }
            responses: { 200: { content: { "application/json": Page } } }
          }
        }
      }
      return async (baseUrl, see) => {
        const client = createClient<Paths>({ baseUrl, headers: { authorization } })
        await loop(async (url) => {
          const query = Object.fromEntries(new URL(url).searchParams)
          const { data } = await client.GET("/v1/transfers/search", { params: { query } })
          if (data === undefined) throw new Error("no page")
          return data as unknown as Page
        })(baseUrl, see)
      }
    }),
  ],
}
