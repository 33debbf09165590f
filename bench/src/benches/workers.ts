import { readFileSync } from "node:fs"
import { join } from "node:path"
import { performance } from "node:perf_hooks"
import * as Checkpoint from "@transferkit/domain/Checkpoint"
import * as Timestamp from "@transferkit/domain/Timestamp"
import { TransferApi } from "@transferkit/domain/TransferApi"
import { TransferPager } from "@transferkit/domain/TransferPager"
import * as InMemoryTransferApi from "@transferkit/in-memory/InMemoryTransferApi"
import * as TransferGenerator from "@transferkit/in-memory/TransferGenerator"
import * as MirrorWorkers from "@transferkit/mirror/MirrorWorkers"
import { TransferMirror } from "@transferkit/mirror/TransferMirror"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import type { Bench, Contestant } from "../Bench.ts"
import { withService } from "../FakeService.ts"
import * as Mirrors from "../Mirrors.ts"
import * as Program from "../Program.ts"
import { inFolder } from "../SearchServer.ts"

const transfers = 6_000
const latency = 50
/** Requests at once, of all processes together. */
const atOnce = 32
const compared = 500

// ---------------------------------------------------------------------------------------------------- the program

/** Runs the program against a fake of its own, and tells the time and the CPU seconds of its processes. */
const transfersProgram = (args: ReadonlyArray<string>, { count, delay }: Size, processes = 1) =>
  withService(
    count,
    async (_, env) => {
      const command = Program.transfers(...args, "--concurrency", String(atOnce / processes), "--quiet")
      const { wall, cpu, memory } = await Program.run(command, env)
      return { load: wall, cpu: (cpu / count) * 1e6, ...(processes === 1 ? { memory } : {}) }
    },
    delay,
  )

/** How many transfers, and the milliseconds that the service takes for a page. */
interface Size {
  readonly count: number
  readonly delay: number
}

const [few, all]: readonly [Size, Size] = [
  { count: compared, delay: 1 },
  { count: transfers, delay: latency },
]

/** `transfers sync`, also with the CPU time of the database. */
const sync = async (mirror: Mirrors.Mirror, size: Size, processes: number) => {
  const database = mirror.cpuSeconds()
  const workers = processes === 1 ? [] : ["--workers", String(processes)]
  const measured = await transfersProgram(["sync", "--to", mirror.address, ...workers], size, processes)
  if (database === undefined) return measured
  return { ...measured, database: (((mirror.cpuSeconds() ?? 0) - database) / size.count) * 1e6 }
}

const loading = (kind: Mirrors.Kind, processes: number): Contestant => ({
  name: `${kind.name}, ${processes === 1 ? "no queue" : named(processes)}`,
  isOurs: true,
  packages: [],
  load: async () => ({
    answer: async () => {
      await using mirror = await kind.make()
      await sync(mirror, few, processes)
      return await Mirrors.contentOf(mirror.address)
    },
    measure: async () => {
      await using mirror = await kind.make()
      const measured = await sync(mirror, all, processes)
      return { ...measured, size: ((await mirror.megabytes()) * 1000) / transfers }
    },
  }),
})

/** The same transfers in a file: what reading them costs. */
const exporting: Contestant = {
  name: "transfers export, ndjson",
  isOurs: true,
  packages: [],
  load: async () => {
    const exported = (size: Size) =>
      inFolder(async (folder) => {
        const file = join(folder, "transfers.ndjson")
        const measured = await transfersProgram(["export", "--format", "ndjson", "--out", file], size)
        return { measured, text: readFileSync(file, "utf8") }
      })
    return {
      answer: async () => {
        const lines = (await exported(few)).text.trimEnd().split("\n")
        const ids = lines.map((line): string => JSON.parse(line).id).toSorted()
        return Mirrors.hashOf(ids.map((id) => ({ id })))
      },
      measure: async () => (await exported(all)).measured,
    }
  },
}

/** What the latency allows, if nothing else took any time. */
const ideal: Contestant = {
  name: "ideal",
  isOurs: false,
  packages: [],
  baselineOnly: `it is ${(transfers / 20).toLocaleString("en")} pages × ${latency} ms / ${atOnce}, computed`,
  load: async () => ({
    answer: () => "",
    measure: async () => ({ load: ((transfers / 20) * latency) / 1000 / atOnce }),
  }),
}

const named = (processes: number): string => `${processes} processes`

// ---------------------------------------------------------------------------------------------------- windows

/** Windows of a load, transfers of each, and how many loads are measured, one after the other. */
const [windows, transfersOfWindow, loads] = [32, 20, 5]
/** Requests at once of a worker. */
const concurrency = 8

const year = { gte: Timestamp.parseUnsafe("2024-01-01T00:00:00Z"), lt: TransferGenerator.defaultTo }

/** Reads the transfers of a year, and tells how many milliseconds it took. */
type Read = (partner_id: string) => Effect.Effect<number, unknown, TransferApi | TransferMirror | TransferPager>

const queued: Read = Effect.fnUntraced(function* (partner_id) {
  const load = { run_id: 1n, remaining: [year], until: year.lt, workers: Effect.void, onProgress: () => Effect.void }
  yield* MirrorWorkers.load({ partner_id, worker: "bench", concurrency }, load)
  // Until the last window was written: whoever waits for the load looks five times a second.
  const { query } = yield* TransferMirror
  const { rows } = yield* query(
    `SELECT MIN(claimed_at) AS "from", MAX(updated_at) AS "to" FROM sync_windows WHERE partner_id = '${partner_id}'`,
    { allowSuperuser: true },
  )
  return Date.parse(String(rows[0]?.["to"])) - Date.parse(String(rows[0]?.["from"]))
})

const inTurn: Read = Effect.fnUntraced(function* (partner_id) {
  const [pager, mirror] = [yield* TransferPager, yield* TransferMirror]
  const start = performance.now()
  for (const remaining of Checkpoint.divide([year], windows)) {
    const created_at = Checkpoint.remaining({ version: 2, query: "", transfers: 0, remaining })
    yield* Stream.runForEach(pager.scan({ created_at }, { concurrency }), ({ results, window }) =>
      mirror.apply({
        partner_id,
        window,
        transfers: results,
        run_id: 1n,
        logsCreated: false,
        seen_at: new Date().toISOString(),
      }),
    )
  }
  return performance.now() - start
})

const run = <A>(
  mirror: Mirrors.Mirror,
  count: number,
  body: Effect.Effect<A, unknown, TransferApi | TransferMirror | TransferPager>,
) => {
  const api = Layer.succeed(TransferApi, InMemoryTransferApi.make({ transfers: count }))
  const services = Layer.merge(TransferPager.layer.pipe(Layer.provideMerge(api)), TransferMirror.layer(mirror.address))
  return Effect.runPromise(Effect.provide(body, services))
}

const reading = (kind: Mirrors.Kind, name: string, read: Read): Contestant => ({
  name: `${kind.name}, ${name}`,
  isOurs: true,
  packages: [],
  load: async () => ({
    answer: async () => {
      await using mirror = await kind.make()
      await run(mirror, compared, read("demo"))
      return await Mirrors.contentOf(mirror.address)
    },
    measure: async () => {
      await using mirror = await kind.make()
      const count = windows * transfersOfWindow
      const measured = Effect.gen(function* () {
        // The first load warms up.
        yield* read("warm-up")
        const [cpu, database] = [process.cpuUsage(), mirror.cpuSeconds()]
        let millis = 0
        for (let index = 0; index < loads; index++) millis += yield* read(`partner-${index}`)
        const { user, system } = process.cpuUsage(cpu)
        const spent = { window: millis, "window cpu": (user + system) / 1000 }
        const ofDatabase =
          database === undefined ? {} : { "window database": ((mirror.cpuSeconds() ?? 0) - database) * 1000 }
        return Object.entries({ ...spent, ...ofDatabase }).map(([key, total]) => [key, total / (windows * loads)])
      })
      return Object.fromEntries(await run(mirror, count, measured))
    },
  }),
})

export const bench: Bench = {
  name: "workers",
  title: "Load a mirror with several processes",
  work:
    `\`transfers sync\` of ${transfers.toLocaleString("en")} transfers, ${(transfers / 20).toLocaleString("en")} pages, from the fake, which takes ${latency} ms for each, ` +
    `with ${atOnce} requests at once altogether: by one process without a queue, and by 2 and 4 processes with \`--workers\`, into SQLite and PostgreSQL; beside them, an export of the same transfers. ` +
    `Then windows alone, ${windows} of ${transfersOfWindow} transfers each, ${loads} times, from a service in memory: by a worker, which takes them from the queue, and by a loop. ` +
    "The answer is every id.",
  rounds: 2,
  metrics: [
    { key: "load", title: "Load, from the program's start to its end", unit: "s" },
    { key: "cpu", title: "CPU time of all processes, a transfer", unit: "µs" },
    { key: "database", title: "CPU time of the database's processes, a transfer", unit: "µs" },
    { key: "memory", title: "Peak memory of one process", unit: "MB" },
    { key: "size", title: "Size of the mirror, a transfer", unit: "kB" },
    { key: "window", title: "Time of a window", unit: "ms" },
    { key: "window cpu", title: "CPU time of a window", unit: "ms" },
    { key: "window database", title: "CPU time of the database's processes, a window", unit: "ms" },
  ],
  notes: [
    `The CPU time of a load has the start of each process in it, which is shared by only ${transfers.toLocaleString("en")} transfers. The service runs on the same machine, and its CPU time is not counted.`,
    "The overhead of an item is the difference between a window of the queue and one in a loop: the queue hands it out, the worker claims it, the progress is written, and the queue learns that it is done.",
    "With as many requests at once, one process is the cheapest. Workers take up to 1.8 times its CPU time: several processes start and compile, each reads its windows to their ends with smaller transactions and a third more requests, and the queue adds its statements. So workers are for several machines, and for one whose cores a process cannot use.",
    "More requests at once cost more of them: 40,000 transfers, 2,000 pages, took 2,279 requests with 8 at once, 2,325 with 16, the default of a first load, and 2,644 with 32.",
    "PostgreSQL runs with its own settings: each commit is flushed to the disk.",
  ],
  contestants: [
    ...Mirrors.kinds.flatMap((kind) => [1, 2, 4].map((processes) => loading(kind, processes))),
    exporting,
    ideal,
    ...Mirrors.kinds.flatMap((kind) => [
      reading(kind, "windows of the queue", queued),
      reading(kind, "windows in a loop", inTurn),
    ]),
  ],
}
