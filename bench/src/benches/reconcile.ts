import { execFileSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { performance } from "node:perf_hooks"
import type { Bench, Contestant } from "../Bench.ts"
import * as ReconcileFiles from "../ReconcileFiles.ts"

/** How many outcomes there are of each kind. */
interface Counts {
  readonly matched: number
  readonly differs: number
  readonly notInLedger: number
  readonly notAtService: number
  readonly ambiguous: number
}

/** The two files, made once, and not in this process, whose memory is measured. */
const files = (rows: number): ReconcileFiles.Paths => {
  execFileSync(process.execPath, [ReconcileFiles.program, String(rows)])
  return ReconcileFiles.pathsOf(rows)
}

/** A way to reconcile two files. */
interface Reconciler {
  readonly name: string
  readonly packages: ReadonlyArray<string>
  readonly isOurs?: boolean
  /** The most rows that it has the memory for. */
  readonly atMost?: number
  /** Loads what it needs. `limit` is how much ours holds in memory, to count the instructions of spreading few rows. */
  readonly load: () => Promise<(paths: ReconcileFiles.Paths, limit?: number) => Promise<Counts>>
}

/** How many rows are measured, and how many suffice to compare the answers. */
interface Sizes {
  readonly rows: number
  readonly compared: number
}

const contestant = ({ name, packages, isOurs = false, load }: Reconciler, sizes: Sizes): Contestant => ({
  name,
  packages,
  isOurs,
  load: async () => {
    const reconcile = await load()
    return {
      answer: async () => {
        const counts = await reconcile(files(sizes.compared))
        if (Object.values(counts).includes(0)) throw new Error(`an outcome never occurs: ${JSON.stringify(counts)}`)
        return JSON.stringify(counts)
      },
      measure: async () => {
        const paths = files(sizes.rows)
        const [start, before] = [performance.now(), process.cpuUsage()]
        await reconcile(paths)
        const [wall, { user, system }] = [(performance.now() - start) / 1000, process.cpuUsage(before)]
        return { wall, cpu: (user + system) / 1e6, memory: process.resourceUsage().maxRSS / 1024 }
      },
      operations: { pair: () => reconcile(files(2000), 100_000) },
    }
  },
})

const linesOf = (path: string): ReadonlyArray<string> => readFileSync(path, "utf8").trimEnd().split("\n")

const reconcilers: ReadonlyArray<Reconciler> = [
  {
    name: "TransferKit",
    packages: ["@transferkit/domain", "@transferkit/files", "csv-parse"],
    isOurs: true,
    load: async () => {
      const LedgerFile = await import("@transferkit/files/node/LedgerFile")
      const ScratchFile = await import("@transferkit/files/node/ScratchFile")
      const TransferFile = await import("@transferkit/files/node/TransferFile")
      const { LargeReconciliation } = await import("@transferkit/files/partitions/LargeReconciliation")
      const Effect = await import("effect/Effect")
      const Stream = await import("effect/Stream")
      const { preferSmallHeap } = await import("../../../apps/cli/src/commands/HeapTuning.ts")
      preferSmallHeap()
      return async (paths, limit) => {
        const program = Effect.gen(function* () {
          const self = new LargeReconciliation(
            { scratch: yield* ScratchFile.make, matched: false, ...(limit === undefined ? {} : { spread: { limit } }) },
            () => {},
          )
          const { entries } = yield* LedgerFile.open(paths.ledger, LedgerFile.detectAll)
          yield* Stream.runForEach(entries, (batch) =>
            Effect.sync(() => batch.forEach((entry) => self.addEntry(entry))),
          )
          const source = { path: paths.transfers, format: "ndjson" } as const
          yield* Stream.runForEach(TransferFile.transfers(source), (batch) =>
            Effect.sync(() => batch.forEach((transfer) => self.addTransfer(transfer))),
          )
          const steps = self.reconcile()
          for (;;) {
            const step = steps.next()
            if (step.done === true) return step.value
          }
        })
        const totals = await Effect.runPromise(Effect.scoped(program))
        return {
          matched: totals.Matched.outcomes,
          differs: totals.Differs.outcomes,
          notInLedger: totals.NotInLedger.outcomes,
          notAtService: totals.NotAtService.outcomes,
          ambiguous: totals.Ambiguous.outcomes,
        }
      }
    },
  },
  {
    name: "Node, by hand in memory",
    packages: [],
    atMost: 200_000,
    load: async () => async (paths) => {
      const entries = linesOf(paths.ledger)
        .slice(1)
        .map((line) => line.split(","))
      const transfers = linesOf(paths.transfers).map((line): ReconcileFiles.Wire => JSON.parse(line))
      const here = Map.groupBy(entries, ([key]) => key)
      const there = Map.groupBy(transfers, ({ external_id }) => external_id)
      const counts = { matched: 0, differs: 0, notInLedger: 0, notAtService: 0, ambiguous: 0 }
      for (const [key = "", [entry = [], ...others]] of here) {
        const [transfer, ...more] = there.get(key) ?? []
        if (transfer === undefined) counts.notAtService += 1 + others.length
        else if (others.length > 0 || more.length > 0) counts.ambiguous++
        else if (entry[1] === transfer.source_total.amount && entry[2] === transfer.source_total.currency_code)
          counts.matched++
        else counts.differs++
      }
      for (const [key, own] of there) if (!here.has(key)) counts.notInLedger += own.length
      return counts
    },
  },
  {
    name: "DuckDB",
    packages: ["@duckdb/node-api"],
    load: async () => {
      const { DuckDBInstance } = await import("@duckdb/node-api")
      return async ({ transfers, ledger }) => {
        const connection = await (await DuckDBInstance.create(":memory:")).connect()
        const reader = await connection.runAndReadAll(`
        with here as (
          select external_id as key, count(*) as n, any_value(amount::decimal(38, 18)) as amount, any_value(currency_code) as code
          from read_csv('${ledger}', all_varchar = true) group by external_id
        ), there as (
          select external_id as key, count(*) as n, any_value(source_total.amount::decimal(38, 18)) as amount,
            any_value(source_total.currency_code) as code
          from read_json('${transfers}', format = 'newline_delimited',
            columns = {external_id: 'VARCHAR', source_total: 'STRUCT(amount VARCHAR, currency_code VARCHAR)'})
          group by external_id
        ), pairs as (
          select here.n as h, there.n as t, here.amount = there.amount and here.code = there.code as same
          from here full join there using (key)
        )
        select count(*) filter (h = 1 and t = 1 and same) as matched,
          count(*) filter (h = 1 and t = 1 and not same) as differs,
          coalesce(sum(t) filter (h is null), 0) as "notInLedger",
          coalesce(sum(h) filter (t is null), 0) as "notAtService",
          count(*) filter (h is not null and t is not null and (h > 1 or t > 1)) as ambiguous
        from pairs`)
        const [row = {}] = reader.getRowObjects()
        const count = (name: keyof Counts): number => Number(row[name])
        return {
          matched: count("matched"),
          differs: count("differs"),
          notInLedger: count("notInLedger"),
          notAtService: count("notAtService"),
          ambiguous: count("ambiguous"),
        }
      }
    },
  },
]

/** The benchmark with some number of rows. */
export const benchOf = (
  { name, rounds, ...sizes }: Sizes & { readonly name: string; readonly rounds: number },
  notes: ReadonlyArray<string>,
): Bench => {
  const count = sizes.rows.toLocaleString("en")
  return {
    name,
    title: `Reconcile ${count} rows with ${count} transfers`,
    work:
      `A ledger of ${count} CSV rows and as many transfers as NDJSON, from the files to the number of pairs that match, that differ in ` +
      "amount, that are missing on either side and that are ambiguous. The answer is these five numbers" +
      (sizes.compared === sizes.rows ? "." : `, compared with ${sizes.compared.toLocaleString("en")} rows.`),
    rounds,
    metrics: [
      { key: "wall", title: "From the files to the numbers", unit: "s" },
      { key: "cpu", title: "CPU time, of all cores", unit: "s" },
      { key: "memory", title: "Peak memory", unit: "MB" },
    ],
    notes,
    contestants: reconcilers
      .filter(({ atMost = Infinity }) => sizes.rows <= atMost)
      .map((reconciler) => contestant(reconciler, sizes)),
  }
}

export const bench: Bench = benchOf({ name: "reconcile", rounds: 3, rows: 200_000, compared: 200_000 }, [
  "Memory does not grow with the rows: both sides are spread over partitions in a temporary file by a hash of the key, and reconciled one partition at a time. Where the time goes, by a profile: four tenths parse and check 210 MB of JSON; about a tenth each reads its lines, reads the CSV, writes the partitions, reads them back and pairs their rows, and collects garbage. Rows that are equal in all that is compared pair by their text, without decimals or objects. DuckDB reads only the three columns it is asked for, on both cores, and computes in DECIMAL(38,18), which ends where an amount has more digits.",
  "Ours uses one core. The half of its time that parses could move to a second one, but a thread that only parses this file takes 105 MB beside, for a heap and the code of its own: with it, ours would exceed the 256 MB that reconcile may take. It would also need a program of its own in the bundle and in the executable, and filters as data.",
  "By hand in memory, Node parses each line and compares texts, in as many rows as fit. It is the floor of JSON.parse: it checks no transfer, knows no status and no period, and holds everything. It takes as much processor time as DuckDB, which reads three columns of each row and skips the rest of its text, so no program that parses each transfer can take less.",
])
