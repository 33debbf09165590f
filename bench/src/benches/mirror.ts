import { execFileSync } from "node:child_process"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { performance } from "node:perf_hooks"
import * as CreatedAt from "@transferkit/domain/CreatedAt"
import * as Transfer from "@transferkit/domain/Transfer"
import * as TransferGenerator from "@transferkit/in-memory/TransferGenerator"
import { TransferMirror } from "@transferkit/mirror/TransferMirror"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Driver from "../../../packages/mirror/src/internal/Driver.ts"
import * as Rows from "../../../packages/mirror/src/internal/Rows.ts"
import * as SyncTables from "../../../packages/mirror/src/internal/SyncTables.ts"
import type { Bench, Contestant } from "../Bench.ts"
import { withService } from "../FakeService.ts"
import * as Mirrors from "../Mirrors.ts"
import * as Program from "../Program.ts"

const compared = 500
const loaded = 100_000
/** Transfers of a load from a service that is far away, of one that workers share, and the milliseconds for a page. */
const far = { transfers: 40_000, shared: 480_000, latency: 50 }
const asked = 1_000_000
/** Transfers to a transaction, as in a load. */
const batch = 2000
const partner_id = "demo"

const micros = (seconds: number, transfers: number): number => (seconds / transfers) * 1e6

// ---------------------------------------------------------------------------------------------------- a load

/** How a command ends that found something: no money has moved for a transfer that was declined. */
const found = 1

/** A schedule without a row that fits, so that each fee is a finding. */
const noFees = { fee_schedule: 1, rows: [{ fee: "service_fee", currency: "fiat/XXX", fixed: "1" }] }

/** What reads the transfers again: a summary, a reconciliation with a ledger that has all of them, and an audit. */
const reading = async (source: string, folder: string, transfers: Iterable<string>, env: NodeJS.ProcessEnv) => {
  const file = (name: string): string => join(folder, name)
  const [ledger, fees, capabilities] = [file("ledger.csv"), file("fees.json"), file("capabilities.json")]
  writeLedger(ledger, transfers)
  writeFileSync(fees, JSON.stringify(noFees))
  const [program, ...args] = Program.transfers("capabilities", "--output", "json")
  writeFileSync(capabilities, execFileSync(program, args, { env: { ...process.env, ...env } }))
  const of = async (...args: ReadonlyArray<string>): Promise<number> => {
    const command = Program.transfers(...args, "--from", source, "--quiet", "--output", "json")
    return (await Program.run(command, env, [0, found])).cpu
  }
  return {
    summary: await of("summary"),
    reconciled: await of("reconcile", ledger, "--key", "id", "--map", "key=id"),
    audited: await of("audit", "--fees", fees, "--capabilities", capabilities),
  }
}

/** The ledger of transfers, each as JSON. */
const writeLedger = (file: string, transfers: Iterable<string>): void => {
  const lines = Array.from(transfers, (text): string => {
    const { id, source_total } = JSON.parse(text)
    return source_total === undefined ? "" : `${id},${source_total.amount},${source_total.currency_code}\n`
  })
  writeFileSync(file, `id,amount,currency_code\n${lines.join("")}`)
}

const exporting: Contestant = {
  name: "transfers export, ndjson",
  isOurs: true,
  packages: [],
  load: async () => {
    const exported = async (folder: string, env: NodeJS.ProcessEnv) => {
      const file = join(folder, "transfers.ndjson")
      const cost = await Program.run(Program.transfers("export", "--out", file, "--quiet"), env)
      return { file, cost, lines: readFileSync(file, "utf8").trimEnd().split("\n") }
    }
    return {
      answer: () =>
        withService(compared, async (folder, env) => {
          const { lines } = await exported(folder, env)
          const ids = lines.map((line): string => JSON.parse(line).id)
          return Mirrors.hashOf(ids.toSorted().map((id) => ({ id })))
        }),
      measure: () =>
        withService(loaded, async (folder, env) => {
          const { file, cost, lines } = await exported(folder, env)
          const again = await reading(file, folder, lines, env)
          return { cpu: micros(cost.cpu, loaded), memory: cost.memory, ...again }
        }),
    }
  },
}

const sync = (mirror: Mirrors.Mirror, ...flags: ReadonlyArray<string>): Program.Command =>
  Program.transfers("sync", "--to", mirror.address, "--quiet", ...flags)

const loading = (kind: Mirrors.Kind): Contestant => ({
  name: `${kind.name}, load`,
  isOurs: true,
  packages: [],
  load: async () => ({
    answer: () =>
      withService(compared, async (_, env) => {
        await using mirror = await kind.make()
        await Program.run(sync(mirror), env)
        return await Mirrors.contentOf(mirror.address)
      }),
    measure: () =>
      withService(loaded, async (folder, env) => {
        await using mirror = await kind.make()
        const before = mirror.cpuSeconds()
        const { cpu, memory } = await Program.run(sync(mirror), env)
        const after = mirror.cpuSeconds()
        const pass = await Program.run(sync(mirror), env)
        const rows = await Mirrors.query(mirror.address, "SELECT body FROM transfers")
        const bodies = rows.map(({ body }) => String(body))
        return {
          cpu: micros(cpu, loaded),
          memory,
          ...(before === undefined || after === undefined ? {} : { database: micros(after - before, loaded) }),
          pass: pass.cpu,
          ...(await reading(mirror.address, folder, bodies, env)),
        }
      }),
  }),
})

// ---------------------------------------------------------------------------------------------------- without a service

const generated = (count: number) => {
  const generator = TransferGenerator.make({ count })
  return (first: number): ReadonlyArray<Transfer.Transfer> =>
    Array.from({ length: Math.min(batch, count - first) }, (_, index) =>
      Result.getOrThrow(Transfer.fromJson(TransferGenerator.json(generator, first + index))),
    )
}

const seen_at = "2025-01-01T00:00:00.000Z"

/** Nothing but the rows of a load and their indexes, in transactions of the same size. */
const inserting = (kind: Mirrors.Kind): Contestant => ({
  name: `${kind.name}, the inserts alone`,
  isOurs: false,
  packages: [],
  baselineOnly: "its rows are in memory",
  load: async () => ({
    answer: () => "",
    measure: async () => {
      await using mirror = await kind.make()
      const transfersFrom = generated(loaded)
      const dialect = kind.name === "PostgreSQL" ? "pg" : "sqlite"
      const rows = Array.from({ length: loaded / batch }, (_, index) =>
        transfersFrom(index * batch).map((transfer) => {
          const body = Rows.toBody(transfer)
          const isOpen = () => false
          return Rows.ofTransfer(dialect, { partner_id, transfer, body, first_seen_at: seen_at, seen_at, isOpen })
            .values
        }),
      )
      const inserted = Effect.gen(function* () {
        const { sql, transaction } = Driver.of(yield* TransferMirror)
        const [own, database] = [process.cpuUsage(), mirror.cpuSeconds()]
        const target = { table: "mirrored_transfers", columns: Rows.columnsOf(dialect), key: [] }
        for (const some of rows) yield* transaction(Rows.upsertValues(sql, target, some))
        yield* SyncTables.completeIndexes
        const { user, system } = process.cpuUsage(own)
        const after = mirror.cpuSeconds()
        return {
          cpu: micros((user + system) / 1e6, loaded),
          ...(database === undefined || after === undefined ? {} : { database: micros(after - database, loaded) }),
        }
      })
      return await Effect.runPromise(Effect.provide(inserted, TransferMirror.layer(mirror.address)))
    },
  }),
})

// ---------------------------------------------------------------------------------------------------- a service far away

/** A load from far away, whose figures begin with a name. */
const fetching = (metric: "far" | "shared", name: string, ...flags: ReadonlyArray<string>): Contestant => ({
  name: `SQLite, ${name}`,
  isOurs: true,
  packages: [],
  rounds: 1,
  load: async () => {
    const [kind] = Mirrors.kinds
    if (kind === undefined) throw new Error("There is no SQLite.")
    const count = metric === "far" ? far.transfers : far.shared
    return {
      answer: () =>
        withService(compared, async (_, env) => {
          await using mirror = await kind.make()
          await Program.run(sync(mirror, ...flags), env)
          return await Mirrors.contentOf(mirror.address)
        }),
      measure: () =>
        withService(
          count,
          async (_, env) => {
            await using mirror = await kind.make()
            const { wall, cpu } = await Program.run(sync(mirror, ...flags), env)
            const [row] = await Mirrors.query(mirror.address, "SELECT SUM(pages) AS pages FROM sync_runs")
            const requests = Number(row?.["pages"])
            return { [metric]: wall, [`${metric} cpu`]: micros(cpu, count), [`${metric} requests`]: requests }
          },
          far.latency,
        ),
    }
  },
})

// ---------------------------------------------------------------------------------------------------- questions

const questions = {
  month: "SELECT * FROM daily_totals WHERE created_day >= '2024-09-01' AND created_day < '2024-10-01'",
  fees: "SELECT * FROM fees_by_currency WHERE status = 'complete' AND created_month = '2024-09'",
  day: `SELECT status, COUNT(*) AS transfers FROM transfers WHERE partner_id = '${partner_id}' AND created_day = '2024-09-10' GROUP BY status`,
}

/** A mirror of generated transfers, as a first load leaves it. */
const fill = Effect.fnUntraced(function* (count: number) {
  const mirror = yield* TransferMirror
  const transfersFrom = generated(count)
  for (let first = 0; first < count; first += batch) {
    const transfers = transfersFrom(first)
    // No window: nothing that is there can be missing.
    const window = CreatedAt.none
    yield* mirror.apply({ partner_id, window, transfers, seen_at, run_id: 1n, logsCreated: false, isFirst: true })
  }
  yield* SyncTables.completeTotals(partner_id)
  yield* SyncTables.completeIndexes
})

/** The middle of five answers, in milliseconds: of SQLite, which answers in this process, the CPU time. */
const asking = Effect.fnUntraced(function* (text: string) {
  const { run, sql } = Driver.of(yield* TransferMirror)
  const isHere = sql.onDialectOrElse({ pg: () => false, orElse: () => true })
  const samples: Array<number> = []
  for (let index = 0; index < 5; index++) {
    const [start, before] = [performance.now(), process.cpuUsage()]
    yield* run((client) => client.unsafe(text))
    const { user, system } = process.cpuUsage(before)
    samples.push(isHere ? (user + system) / 1000 : performance.now() - start)
  }
  return samples.toSorted((a, b) => a - b)[2] ?? Number.NaN
})

const questioning = (kind: Mirrors.Kind): Contestant => ({
  name: `${kind.name}, ${asked.toLocaleString("en")} transfers`,
  isOurs: true,
  packages: [],
  rounds: 1,
  load: async () => ({
    answer: async () => {
      await using mirror = await kind.make()
      await Effect.runPromise(Effect.provide(fill(compared), TransferMirror.layer(mirror.address)))
      return await Mirrors.contentOf(mirror.address)
    },
    measure: async () => {
      await using mirror = await kind.make()
      await Effect.runPromise(Effect.provide(fill(asked), TransferMirror.layer(mirror.address)))
      const answers = Effect.all({
        month: asking(questions.month),
        fees: asking(questions.fees),
        day: asking(questions.day),
      })
      return await Effect.runPromise(Effect.provide(answers, TransferMirror.layer(mirror.address, { readOnly: true })))
    },
  }),
})

export const bench: Bench = {
  name: "mirror",
  title: "Load a mirror, and ask it",
  work:
    `A first \`transfers sync\` of ${loaded.toLocaleString("en")} transfers into SQLite and PostgreSQL, beside an export of the same transfers and beside the inserts and their indexes alone; ` +
    "then a pass, and from the mirror and from the exported file a summary, a reconciliation with a ledger that has them, and an audit. " +
    `Then ${far.transfers.toLocaleString("en")} transfers from a service that takes ${far.latency} ms for each page, and ${far.shared.toLocaleString("en")} by one process and by four, with 32 requests at once altogether. ` +
    `Then questions of docs/sql.md to ${asked.toLocaleString("en")} transfers. The answer is every id.`,
  rounds: 2,
  metrics: [
    { key: "cpu", title: "CPU time of the program, a transfer", unit: "µs" },
    { key: "database", title: "CPU time of the database's processes, a transfer", unit: "µs" },
    { key: "memory", title: "Peak memory of the program", unit: "MB" },
    { key: "pass", title: "CPU time of a pass", unit: "s" },
    { key: "summary", title: "CPU time of a summary", unit: "s" },
    { key: "reconciled", title: "CPU time of a reconciliation", unit: "s" },
    { key: "audited", title: "CPU time of an audit that finds something on each transfer", unit: "s" },
    { key: "far", title: `Load over ${far.latency} ms, from the program's start to its end`, unit: "s" },
    { key: "far cpu", title: `Load over ${far.latency} ms, CPU time of all processes, a transfer`, unit: "µs" },
    { key: "far requests", title: `Load over ${far.latency} ms, requests`, unit: "requests" },
    { key: "shared", title: `Load of ${far.shared.toLocaleString("en")}, 32 requests at once`, unit: "s" },
    {
      key: "shared cpu",
      title: `Load of ${far.shared.toLocaleString("en")}, CPU time of all processes, a transfer`,
      unit: "µs",
    },
    { key: "shared requests", title: `Load of ${far.shared.toLocaleString("en")}, requests`, unit: "requests" },
    { key: "month", title: "The totals of each day of a month", unit: "ms" },
    { key: "fees", title: "The fees of a month", unit: "ms" },
    { key: "day", title: "The transfers of a day, by status", unit: "ms" },
  ],
  notes: [
    "PostgreSQL runs with its own settings: each commit is flushed to the disk.",
    "The time of a question is that of the answer in PostgreSQL, and the CPU time in SQLite: the middle of five.",
    "Why a load costs more than an export: it does what an export does, and then a quarter of its time runs statements of the database: the rows, and four indexes at its end. The totals take a twentieth, since the amounts of a day and a status are one row; an eighth went to garbage collection. No other function takes more than a twentieth.",
    "Why PostgreSQL takes more than the inserts alone: a transaction also checks its lease, saves its position and adds up its totals. COPY in place of INSERT saved nothing.",
    "Why the memory: sixteen pages are read at once, and two thousand transfers are written in a transaction, both as text and as transfers. An export holds a window. Smaller transactions write each page of an index more often.",
    "A load from far away is bound by the CPU time of one process: 2,000 pages at 50 ms, 16 at once, could arrive in 6 s, and to start, read and store them takes 7 s here and 14 s on a slower processor. More requests at once help until its core is busy.",
    "Why workers cost more than one process: each starts, compiles and warms up, which takes a second, and each window is read to its own end, which takes more requests. The more there is to load, the less that is: 160,000 take 1.33 times one process. Workers are for several machines, or for idle cores.",
    "Why reports from a mirror cost more than from a file: each row passes through the database, and PostgreSQL's through its protocol and a driver that makes an object of it. A summary reads totals instead.",
  ],
  contestants: [
    exporting,
    ...Mirrors.kinds.map(loading),
    ...Mirrors.kinds.map(inserting),
    fetching("far", "as it comes"),
    fetching("far", "16 requests at once", "--concurrency", "16"),
    fetching("far", "one worker", "--workers", "1"),
    fetching("far", "32 requests at once", "--concurrency", "32"),
    fetching("shared", "by one process", "--concurrency", "32"),
    fetching("shared", "by 4 workers", "--workers", "4", "--concurrency", "8"),
    ...Mirrors.kinds.map(questioning),
  ],
}
