import { spawnSync } from "node:child_process"
import { availableParallelism } from "node:os"
import { performance } from "node:perf_hooks"
import type { Transfer } from "@transferkit/domain/Transfer"
import { TransferApi } from "@transferkit/domain/TransferApi"
import * as TransferPager from "@transferkit/domain/TransferPager"
import * as HttpTransferApi from "@transferkit/http-client/HttpTransferApi"
import * as NodeTransport from "@transferkit/http-client/NodeTransport"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Stream from "effect/Stream"
import type { Bench, Contestant } from "../Bench.ts"
import * as HalvingScan from "../HalvingScan.ts"
import * as ServerProcess from "../ServerProcess.ts"

const shapes = [
  "even",
  "in bursts",
  "in steep bursts",
  "95 % in half a minute",
  "one out of place",
  "oldest first, seven weeks old",
  "shuffled",
  "by id",
] as const
const rows = 40_000
const latency = 20

/** Listed in another order than newest first. */
const isUnordered = (shape: (typeof shapes)[number]): boolean =>
  shapes.indexOf(shape) >= shapes.indexOf("one out of place")

/** The same from a service that is farther away, once, and that has a core of its own. */
const farLatency = 50
const far = `even, ${farLatency} ms away`

/** Keeps this process, and what it starts from now on, to one core, if Linux's `taskset` is there. */
const keepTo = (core: number): void => {
  spawnSync("taskset", ["-a", "-c", "-p", String(core), String(process.pid)])
}

/** Hands on the ids that it reads. */
type Read = (deliver: (transfers: ReadonlyArray<Transfer>) => void) => Effect.Effect<void, unknown, TransferApi>

/** Reads all ids, and tells how long it took, what it asked for and what is missing. */
const read = async (how: Read, shape: string, count: number, delay: number, isApart = false) => {
  const isPinned = isApart && availableParallelism() > 1
  if (isPinned) keepTo(0)
  await using server = await ServerProcess.start("RangeServer", [shape, count, delay])
  if (isPinned) keepTo(1)
  const ids: Array<string> = []
  const api = HttpTransferApi.layer({
    baseUrl: server.url,
    partnerId: "demo",
    secretKey: Redacted.make("demo-secret"),
    concurrency: 128,
  })
  const start = performance.now()
  await how((transfers) => void ids.push(...transfers.map(({ id }) => id))).pipe(
    Effect.provide(api.pipe(Layer.provide(NodeTransport.layer))),
    Effect.runPromise,
  )
  const seconds = (performance.now() - start) / 1000
  const lost = count - new Set(ids).size
  if (ids.length !== count - lost) throw new Error(`${ids.length} transfers came, ${count - lost} of them once`)
  return { ids, seconds, lost, requests: Number(await (await fetch(`${server.url}/requests`)).text()) }
}

interface Options {
  readonly isOurs?: boolean
  /** Why it may lose transfers; any other must lose none. */
  readonly baselineOnly?: string
  readonly rounds?: number
  readonly measured?: ReadonlyArray<(typeof shapes)[number]>
}

const contestant = (name: string, how: Read, options: Options = {}): Contestant => ({
  name,
  isOurs: options.isOurs ?? false,
  ...(options.rounds === undefined ? {} : { rounds: options.rounds }),
  ...(options.baselineOnly === undefined ? {} : { baselineOnly: options.baselineOnly }),
  packages: ["@transferkit/domain"],
  load: async () => ({
    answer: async () => {
      const all = await Promise.all(shapes.map((shape) => read(how, shape, 2000, 1)))
      return JSON.stringify(all.map(({ ids }) => ids.sort()))
    },
    measure: async () => {
      const measured: Record<string, number> = {}
      for (const shape of options.measured ?? shapes) {
        const { seconds, requests, lost } = await read(how, shape, rows, latency)
        if (lost > 0 && options.baselineOnly === undefined) throw new Error(`${name} lost ${lost} transfers`)
        Object.assign(measured, { [shape]: seconds, [`requests ${shape}`]: requests })
        if (isUnordered(shape)) measured[`lost ${shape}`] = lost
      }
      // The last one: this process stays on its core.
      measured[far] = (await read(how, "even", rows, farLatency, true)).seconds
      measured["memory"] = process.resourceUsage().maxRSS / 1024
      return measured
    },
  }),
})

const pager = (
  stream: (pager: TransferPager.TransferPager["Service"]) => TransferPager.TransferStream<ReadonlyArray<Transfer>>,
): Read =>
  Effect.fnUntraced(function* (deliver) {
    const transfers = stream(yield* TransferPager.make)
    yield* Stream.runForEach(transfers, (page) => Effect.sync(() => deliver(page)))
  })

const scan = (concurrency: number): Read =>
  pager(({ scan }) => Stream.map(scan({}, { concurrency }), ({ results }) => results))

/** From before the first crypto network until after the last transfer. */
const halving =
  (concurrency: number): Read =>
  (deliver) =>
    TransferApi.use((api) =>
      HalvingScan.read(api, { concurrency, from: Date.UTC(2009) / 1000, to: Date.UTC(2025, 0, 2) / 1000 }, deliver),
    )

/** What a service that takes so long for a page allows, if nothing else took any time. */
const ideal = (concurrency: number): Contestant => ({
  name: `ideal, ${concurrency} at once`,
  isOurs: false,
  packages: [],
  baselineOnly: `it is ${rows / 20} pages × the latency / ${concurrency}, computed`,
  load: async () => ({
    answer: () => "",
    measure: async () => {
      const seconds = (delay: number) => ((rows / 20) * delay) / 1000 / concurrency
      const near = shapes.flatMap((shape) => [
        [shape, seconds(latency)],
        [`requests ${shape}`, rows / 20],
      ])
      return { ...Object.fromEntries(near), [far]: seconds(farLatency) }
    },
  }),
})

const titleOf = (shape: (typeof shapes)[number]): string => {
  if (shape === "even") return "Created evenly"
  return shape.endsWith("bursts") || shape.startsWith("95")
    ? `Created ${shape}`
    : `Created evenly, ${shape === "one out of place" ? "with " : "listed "}${shape}`
}

export const bench: Bench = {
  name: "scan",
  title: "Scan 40,000 transfers at once",
  work:
    `${rows.toLocaleString("en")} transfers, ${(rows / 20).toLocaleString("en")} pages, from a service that takes ${latency} ms for each: page after page, and ` +
    "by scan with more and more pages requested at once.\n\nThe data is spread evenly over a year; in twelve bursts of nine hours; " +
    "in twelve that begin in an instant and fade over a month, a sixth of them in the first second; with 95 % of it within a " +
    "millionth of the year; all of these are listed newest first.\n\nThen evenly again: with the newest transfer listed last; listed oldest first, the " +
    `newest of them seven weeks old; shuffled; by id, which says nothing of the time; and with ${farLatency} ms for each page, from a service on a core of its own. The answer is every id.`,
  rounds: 2,
  metrics: [
    ...shapes.flatMap((shape) => [
      { key: shape, title: titleOf(shape), unit: "s" as const },
      { key: `requests ${shape}`, title: `Requests, ${shape}`, unit: "requests" as const },
      ...(isUnordered(shape)
        ? [{ key: `lost ${shape}`, title: `Transfers lost, ${shape}`, unit: "transfers" as const }]
        : []),
    ]),
    {
      key: far,
      title: `Created evenly, from a service that takes ${farLatency} ms, on its own core`,
      unit: "s" as const,
    },
    { key: "memory", title: "Peak memory of the process, ids of all results included", unit: "MB" as const },
  ],
  notes: [
    "Steep bursts cost the most requests if they are listed newest first: the scan meets seconds that are ever fuller than it expected, gives windows up so that others can share them, and reads them again from the start. It never takes a part of a window as read because of the order. In virtual time they cost 1.22 of the time and 1.18 of the requests with 4 at once, 1.55 and 1.15 with 16, 2.94 and 1.56 with 64; the goal of 1.45 of the time with 16 is not met. One window that reads a whole burst alone takes 1.34 times the ideal with 16, and 5.3 times with 64, and what to give up early is only known late: [decision 1](../docs/decisions/0001-order-is-a-hint.md) has what was tried.",
    "Halving is what sync engines do that rely on the order, newest first: who has nothing to do takes the older half of what is left of the range of which most pages were read, the other stops where that begins, and no page is read twice. In order it needs about as many requests as the scan. If a single transfer is out of place it loses that one, and most of a listing that is in another order, without a word.",
    "A service that lists its transfers in no order gives the scan only samples to cut by: the first pages of a window show how its transfers are spread, and the parts that are complete show how many they are.",
    "The times include what this machine adds to each request: page after page, 2,000 pages would take 40 s if it added nothing. What the scan itself adds is asserted in virtual time; see the budgets.",
    "Where the time goes: up to 16 pages at once nearly all of it is waiting for the service, and what separates the scan from the ideal is looking for the ends of the data and the last windows, which cannot be shared. With 64 pages at once the client's own processor time is the remaining limit: 2,000 pages at what a page costs under the clients, and the service's on the same two cores.",
    "The target for 64 at once, over 50 ms, is 40 times the speed of page after page. In virtual time it is 49 times: 1.36 times the ideal, most of it the search for the ends of the data and the last windows. On a clock it was 38, 39 and 42 times in three runs, so the limit is 36. What is left of it is the processor time of one core for 2,230 pages, half a millisecond for each.",
  ],
  contestants: [
    // The spread and the order make no difference to it.
    contestant(
      "page after page",
      pager(({ pages }) => pages({})),
      { rounds: 1, measured: ["even"] },
    ),
    contestant("scan, 4 at once", scan(4)),
    ideal(4),
    contestant("scan, 16 at once", scan(16), { isOurs: true }),
    ideal(16),
    contestant("halving, 16 at once", halving(16), {
      baselineOnly: "it trusts the order, and loses what is listed out of it",
    }),
    contestant("scan, 64 at once", scan(64)),
    ideal(64),
  ],
}
