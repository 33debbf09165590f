import { writeFileSync } from "node:fs"
import { join } from "node:path"
import autocannon from "autocannon"
import type { Bench, Contestant } from "../Bench.ts"
import * as SearchData from "../SearchData.ts"
import { byHand, headers, inFolder, launch, ours, resultsOf, searchPath, type SearchServer } from "../SearchServer.ts"

const bin = (name: string): string => join(import.meta.dirname, "../../node_modules/.bin", name)

const rowsOf = (body: unknown): ReadonlyArray<{ readonly id: string }> => body as ReadonlyArray<{ readonly id: string }>

/** Sixteen connections, for a while. */
const load = async (server: SearchServer, url: string, rows: number, duration: number) => {
  const requests = SearchData.windows(rows).map((window) => ({ path: server.path(window), headers }))
  const result = await autocannon({ url, connections: 16, duration, requests })
  if (result.errors > 0 || result.non2xx > 0) throw new Error(`${result.errors} errors, ${result.non2xx} not 200`)
  return { count: result["2xx"], seconds: result.duration }
}

const pageCost = (server: SearchServer, rows: number) =>
  inFolder(async (folder) => {
    const { running, startUp } = await launch(server, rows, folder)
    await using process = running
    await load(server, process.url, rows, 2)
    const before = process.cost().cpu
    const { count, seconds } = await load(server, process.url, rows, 4)
    const { cpu, memory } = process.cost()
    return { startUp, memory, cpu: ((cpu - before) / count) * 1e6, wall: (seconds / count) * 1e6 }
  })

const contestant = (
  name: string,
  packages: ReadonlyArray<string>,
  server: SearchServer,
  options: { readonly sizes: ReadonlyArray<3 | 5 | 6>; readonly isOurs?: boolean; readonly baselineOnly?: string },
): Contestant => ({
  name,
  packages,
  isOurs: options.isOurs ?? false,
  ...(options.baselineOnly === undefined ? {} : { baselineOnly: options.baselineOnly }),
  load: async () => ({
    answer: () =>
      inFolder(async (folder) => {
        const { running } = await launch(server, 1000, folder)
        await using process = running
        const pages: Array<ReadonlyArray<string>> = []
        for (const window of SearchData.windows(1000).slice(0, 40)) {
          const response = await fetch(process.url + server.path(window), { headers })
          pages.push(server.results(await response.json()).map(({ id }) => id))
        }
        return JSON.stringify(pages)
      }),
    measure: async () => {
      const measured: Record<string, number> = {}
      for (const size of options.sizes) {
        const { startUp, memory, cpu, wall } = await pageCost(server, 10 ** size)
        Object.assign(measured, { [`cpu${size}`]: cpu, [`wall${size}`]: wall })
        if (size === 3) Object.assign(measured, { startUp, memory })
      }
      return measured
    },
  }),
})

export const bench: Bench = {
  name: "servers",
  title: "Serve a page of a range",
  work:
    "GET the first 20 transfers of a fiftieth of the data, over 16 connections and 200 changing ranges, with 1,000, 100,000 and 1,000,000 " +
    "transfers; and what it takes from the start of the process to its first page. The answer is the ids of 40 first pages.",
  rounds: 3,
  metrics: [
    { key: "cpu3", title: "CPU time of the server, a page of 1,000 transfers", unit: "µs" },
    { key: "cpu5", title: "CPU time, a page of 100,000 transfers", unit: "µs" },
    { key: "cpu6", title: "CPU time, a page of 1,000,000 transfers", unit: "µs" },
    { key: "wall3", title: "Time, a page of 1,000 transfers", unit: "µs" },
    {
      key: "startUp",
      title: "CPU time from the start of the process to the first page, with 1,000 transfers",
      unit: "ms",
    },
    { key: "memory", title: "Peak memory under load, with 1,000 transfers", unit: "MB" },
  ],
  notes: [
    "Server and load generator (autocannon) share the machine, so CPU time is the figure to read; the wall time of the constant is the load generator's own limit.",
    "Where our time goes: rows exist as bytes and are joined, so a page costs less than encoding its objects does by hand. What is left is mostly Node's HTTP, which the constant page shows.",
    "Ours checks credentials, every parameter and the cursor's signature, and keeps a journal. Fastify and Hono by hand check the credentials and nothing else. json-server and Mockoon answer their own dialect of a range, without credentials and without a cursor.",
  ],
  contestants: [
    contestant("TransferKit, transfers-fake", ["@transferkit/in-memory"], ours, { sizes: [3, 5, 6], isOurs: true }),
    contestant("node:http, one constant page", [], byHand("constant"), {
      sizes: [3],
      baselineOnly: "it sends the same bytes for any request: the floor",
    }),
    contestant("Fastify, by hand", ["fastify"], byHand("fastify"), { sizes: [3, 5, 6] }),
    contestant("Hono, by hand", ["hono", "@hono/node-server"], byHand("hono"), { sizes: [3, 5, 6] }),
    contestant(
      "json-server",
      ["json-server"],
      {
        command: (port, rows, folder) => {
          writeFileSync(join(folder, "db.json"), JSON.stringify({ transfers: SearchData.rows(rows) }))
          return [bin("json-server"), "--quiet", "--host", "127.0.0.1", "--port", String(port), "db.json"]
        },
        path: ({ from, to }) => `/transfers?created_at_gte=${from}&created_at_lte=${to}&_limit=20`,
        results: rowsOf,
      },
      { sizes: [3] },
    ),
    contestant(
      "Mockoon",
      ["@mockoon/cli"],
      {
        command: (port, rows, folder) => {
          writeFileSync(join(folder, "mockoon.json"), JSON.stringify(mockoon(port, SearchData.rows(rows))))
          return [bin("mockoon-cli"), "start", "--data", "mockoon.json", "--disable-log-to-file", "--disable-admin-api"]
        },
        path: ({ from, to }) => `/transfers?created_at_gte=${from}&created_at_lt=${to}&limit=20`,
        results: rowsOf,
      },
      { sizes: [3] },
    ),
    contestant(
      "Prism",
      ["@stoplight/prism-cli"],
      {
        command: (port, rows, folder) => {
          writeFileSync(join(folder, "openapi.json"), JSON.stringify(openApi(SearchData.rows(rows).slice(0, 20))))
          return [bin("prism"), "mock", "-v", "silent", "-h", "127.0.0.1", "-p", String(port), "openapi.json"]
        },
        path: searchPath,
        results: resultsOf,
      },
      { sizes: [3], baselineOnly: "it sends the example of its OpenAPI document for any request" },
    ),
  ],
}

/** An environment of Mockoon's: one CRUD route over the transfers. */
const mockoon = (port: number, rows: ReadonlyArray<SearchData.Row>) => ({
  uuid: "bench",
  lastMigration: 33,
  name: "bench",
  hostname: "127.0.0.1",
  port,
  endpointPrefix: "",
  latency: 0,
  folders: [],
  routes: [
    {
      uuid: "transfers",
      type: "crud",
      documentation: "",
      method: "",
      endpoint: "transfers",
      responseMode: null,
      responses: [
        {
          uuid: "response",
          body: "{}",
          latency: 0,
          statusCode: 200,
          label: "",
          headers: [],
          bodyType: "DATABUCKET",
          filePath: "",
          databucketID: "rows",
          sendFileAsBody: false,
          rules: [],
          rulesOperator: "OR",
          disableTemplating: true,
          fallbackTo404: false,
          default: true,
          crudKey: "id",
          callbacks: [],
        },
      ],
    },
  ],
  rootChildren: [{ type: "route", uuid: "transfers" }],
  proxyMode: false,
  proxyHost: "",
  proxyRemovePrefix: false,
  tlsOptions: { enabled: false, type: "CERT", pfxPath: "", certPath: "", keyPath: "", caPath: "", passphrase: "" },
  cors: false,
  headers: [{ key: "content-type", value: "application/json" }],
  proxyReqHeaders: [],
  proxyResHeaders: [],
  data: [{ uuid: "data", id: "rows", name: "rows", documentation: "", value: JSON.stringify(rows) }],
  callbacks: [],
})

const openApi = (results: ReadonlyArray<SearchData.Row>) => ({
  openapi: "3.1.0",
  info: { title: "Transfers", version: "1" },
  paths: {
    "/v1/transfers/search": {
      get: {
        responses: {
          200: {
            description: "A page",
            content: {
              "application/json": {
                schema: { type: "object" },
                example: { results, page_info: { end_cursor: "20", has_next_page: true } },
              },
            },
          },
        },
      },
    },
  },
})
