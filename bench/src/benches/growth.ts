import { Agent, get } from "node:http"
import autocannon from "autocannon"
import type { Bench, Contestant } from "../Bench.ts"
import * as SearchData from "../SearchData.ts"
import { byHand, headers, inFolder, launch, ours, type SearchServer } from "../SearchServer.ts"

/** One request at a time over one connection; the body and what it took, in microseconds. */
const ask = (url: string, agent: Agent) =>
  new Promise<{ readonly body: string; readonly micros: number }>((resolve, reject) => {
    const start = performance.now()
    get(url, { headers, agent }, (response) => {
      const chunks: Array<Buffer> = []
      response.on("data", (chunk: Buffer) => chunks.push(chunk))
      response.on("end", () =>
        resolve({ body: Buffer.concat(chunks).toString("utf8"), micros: (performance.now() - start) * 1000 }),
      )
    }).on("error", reject)
  })

const connections = 16

/** How many requests warm the server up, are made at once for its CPU time, and one after the other for the times. */
const requests = { toWarmUp: 5000, atOnce: 10_000, inTurn: 10_000 }

/**
 * The times of requests one after the other, in order of length. This process collects its own garbage between them:
 * its pauses would be among the one in a hundred that are slower, and they are not the server's.
 */
const timesOf = async (paths: Iterable<string>, url: string): Promise<ReadonlyArray<number>> => {
  const agent = new Agent({ keepAlive: true })
  const times: Array<number> = []
  for (const path of paths) {
    if (times.length % 100 === 0) globalThis.gc?.({ type: "minor" })
    times.push((await ask(url + path, agent)).micros)
  }
  agent.destroy()
  return times.toSorted((a, b) => a - b)
}

const percentile = (sorted: ReadonlyArray<number>, share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN

const contestant = (
  name: string,
  server: SearchServer,
  options: { readonly rows: number; readonly isOurs?: boolean; readonly packages: ReadonlyArray<string> },
): Contestant => {
  const { rows, isOurs = false, packages } = options
  /** No page is requested twice. */
  let asked = 0
  const next = (): string => server.path(SearchData.freshWindow(rows, asked++))
  return {
    name,
    packages,
    isOurs,
    load: async () => ({
      answer: () =>
        inFolder(async (folder) => {
          const { running } = await launch(server, rows, folder)
          await using process = running
          const agent = new Agent({ keepAlive: true })
          const pages: Array<string> = []
          for (let n = 0; n < 40; n++) {
            const { from, to } = SearchData.freshWindow(rows, n)
            const { body } = await ask(process.url + server.path({ from, to }), agent)
            const results: ReadonlyArray<SearchData.Row> = JSON.parse(body).results
            const isInside = results.every(({ created_at }) => created_at >= from && created_at < to)
            pages.push(`${results.length} transfers, ${isInside ? "all" : "not all"} in the range`)
          }
          agent.destroy()
          return JSON.stringify(pages)
        }),
      measure: () =>
        inFolder(async (folder) => {
          const { running } = await launch(server, rows, folder)
          await using process = running
          const load = (amount: number) =>
            autocannon({
              url: process.url,
              connections,
              amount,
              requests: [{ setupRequest: (request) => ({ ...request, path: next(), headers }) }],
            })
          await load(requests.toWarmUp)
          const before = process.cost().cpu
          const { "2xx": answered, errors, non2xx } = await load(requests.atOnce)
          if (errors > 0 || non2xx > 0) throw new Error(`${errors} errors, ${non2xx} not 200`)
          const cpu = ((process.cost().cpu - before) / answered) * 1e6
          const times = await timesOf(Array.from({ length: requests.inTurn }, next), process.url)
          return { cpu, p50: percentile(times, 0.5), p99: percentile(times, 0.99), memory: process.cost().memory }
        }),
    }),
  }
}

const ourSizes = [1e3, 1e4, 1e5, 1e6, 1e7]

export const bench: Bench = {
  name: "growth",
  title: "Serve pages for the first time, as the data grows",
  work:
    `GET the first 20 transfers of a range, each range once: ${requests.atOnce.toLocaleString("en")} over ${connections} connections for the CPU ` +
    `time, and ${requests.inTurn.toLocaleString("en")} one after the other for the times. The answer is that 40 pages are full and within their ranges.`,
  rounds: 5,
  metrics: [
    { key: "cpu", title: "CPU time of the server, a page", unit: "µs" },
    { key: "p50", title: "Time of one request at a time, median", unit: "µs" },
    { key: "p99", title: "Time of one request at a time, 99th percentile", unit: "µs" },
    { key: "memory", title: "Peak memory", unit: "MB" },
  ],
  notes: [
    "Our transfers are generated on request, 20 for each page, and kept only if there are no more than 16,384; beyond that, neither the cost of a page nor the memory depends on their number. A server by hand has all its transfers as objects, made before it listens.",
    "A range that is requested again costs less; see the benchmark before this one.",
    "The target is at most the processor time of Fastify by hand at every size. With 1,000 transfers ours executes half of its instructions, with 100,000 as many and a tenth more. Where ours goes, by a profile, with 100,000 transfers: two fifths is the kernel, which copies 22 kB to the client; a sixth writes the 20 rows as bytes, and this is what separates it from a server whose rows are objects in memory, of 350 MB and seconds of start; the rest is Node's HTTP, the query with every parameter checked, the credentials, the signature of the cursor, the journal and a copy for the console. With 100,000 it takes 1.23 times the processor time, on two processors, and with a million 1.07 times and less. To keep more than 16,384 rows would save the sixth and cost a kilobyte of memory for each.",
  ],
  contestants: [
    ...ourSizes.map((rows) =>
      contestant(`TransferKit, ${rows.toLocaleString("en")} transfers`, ours, {
        rows,
        isOurs: true,
        packages: ["@transferkit/in-memory"],
      }),
    ),
    ...[1e3, 1e5, 1e6].map((rows) =>
      contestant(`Fastify by hand, ${rows.toLocaleString("en")} transfers`, byHand("fastify"), {
        rows,
        packages: ["fastify"],
      }),
    ),
  ],
}
