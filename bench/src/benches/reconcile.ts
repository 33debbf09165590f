import { once } from "node:events"
import { createWriteStream, existsSync, mkdirSync, writeFileSync, type WriteStream } from "node:fs"
import { join } from "node:path"
import { performance } from "node:perf_hooks"
import { finished } from "node:stream/promises"
import type { Bench, Contestant } from "../Bench.ts"
import * as Fixture from "../Fixture.ts"

/** A transfer as the fixture makes it, as far as the ledger repeats it. */
interface Wire {
  readonly id: string
  readonly external_id: string
  readonly source_total: { readonly amount: string; readonly currency_code: string }
}

/** How many outcomes there are of each kind. */
interface Counts {
  readonly matched: number
  readonly differs: number
  readonly missingHere: number
  readonly missingThere: number
  readonly ambiguous: number
}

/** So many transfers are made. Later ones are the same with other keys, because making one takes longer than all else. */
const made = 10_000

/** The two files, made once: of a thousand entries ten differ, ten are missing on each side and five stand twice. */
const files = async (rows: number) => {
  const folder = join(import.meta.dirname, "../../.cache/reconcile", String(rows))
  const [transfers, ledger, done] = ["transfers.ndjson", "ledger.csv", "done"].map((name) => join(folder, name))
  if (transfers === undefined || ledger === undefined || done === undefined) throw new Error("no paths")
  if (existsSync(done)) return { transfers, ledger }
  mkdirSync(folder, { recursive: true })
  const all = Fixture.transfers(Fixture.random(200), made) as ReadonlyArray<Wire>
  const [ndjson, csv] = [createWriteStream(transfers), createWriteStream(ledger)]
  await write(csv, "external_id,amount,currency_code\n")
  for (let i = 0; i < rows; i += 1000) {
    const [from, turn] = [i % made, Math.floor(i / made)]
    const some = all
      .slice(from, from + 1000)
      .map((transfer) => ({ ...transfer, id: `${transfer.id}${turn}`, external_id: `${transfer.external_id}-${turn}` }))
    await write(ndjson, some.map((transfer) => `${JSON.stringify(transfer)}\n`).join(""))
    const entries = some.flatMap(({ external_id, source_total: { amount, currency_code } }, index) => {
      if (index < 10) return []
      const entry = `${external_id},${index < 20 ? `1${amount}` : amount},${currency_code}\n`
      return index >= 20 && index < 25 ? [entry, entry] : [entry]
    })
    const foreign = Array.from({ length: 10 }, (_, index) => `other-${i + index},1.00,fiat/EUR\n`)
    await write(csv, [...entries, ...foreign].join(""))
  }
  for (const stream of [ndjson, csv]) {
    stream.end()
    await finished(stream)
  }
  writeFileSync(done, "")
  return { transfers, ledger }
}

/** Waits until there is room, so that files may be larger than memory. */
const write = async (stream: WriteStream, text: string): Promise<void> => {
  if (!stream.write(text)) await once(stream, "drain")
}

/** A way to reconcile two files. */
interface Reconciler {
  readonly name: string
  readonly packages: ReadonlyArray<string>
  readonly isOurs?: boolean
  readonly reconcile: (paths: { readonly transfers: string; readonly ledger: string }) => Promise<Counts>
}

/** How many rows are measured, and how many suffice to compare the answers. */
interface Sizes {
  readonly rows: number
  readonly compared: number
}

const contestant = ({ name, packages, isOurs = false, reconcile }: Reconciler, sizes: Sizes): Contestant => ({
  name,
  packages,
  isOurs,
  load: async () => ({
    answer: async () => {
      const counts = await reconcile(await files(sizes.compared))
      if (Object.values(counts).includes(0)) throw new Error(`an outcome never occurs: ${JSON.stringify(counts)}`)
      return JSON.stringify(counts)
    },
    measure: async () => {
      const paths = await files(sizes.rows)
      const [start, before] = [performance.now(), process.cpuUsage()]
      await reconcile(paths)
      const [wall, { user, system }] = [(performance.now() - start) / 1000, process.cpuUsage(before)]
      return { wall, cpu: (user + system) / 1e6, memory: process.resourceUsage().maxRSS / 1024 }
    },
  }),
})

const reconcilers: ReadonlyArray<Reconciler> = [
  {
    name: "TransferKit",
    packages: ["@transferkit/domain", "@transferkit/files", "csv-parse"],
    isOurs: true,
    reconcile: async (paths) => {
      const LedgerFile = await import("@transferkit/files/node/LedgerFile")
      const ScratchFile = await import("@transferkit/files/node/ScratchFile")
      const TransferFile = await import("@transferkit/files/node/TransferFile")
      const { LargeReconciliation } = await import("@transferkit/files/partitions/LargeReconciliation")
      const Effect = await import("effect/Effect")
      const Stream = await import("effect/Stream")
      const { setFlagsFromString } = await import("node:v8")
      // As the command does: by default, V8 lets garbage grow to many times the live data.
      setFlagsFromString("--semi-space-growth-factor=1")
      setFlagsFromString("--heap-growing-percent=30")
      const program = Effect.gen(function* () {
        const self = new LargeReconciliation({ scratch: yield* ScratchFile.make, matched: false }, () => {})
        const { entries } = yield* LedgerFile.open(paths.ledger, LedgerFile.detectAll)
        yield* Stream.runForEach(entries, (batch) => Effect.sync(() => batch.forEach((entry) => self.addEntry(entry))))
        const source = { path: paths.transfers, format: "ndjson", csvRaw: false } as const
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
        missingHere: totals.MissingHere.outcomes,
        missingThere: totals.MissingThere.outcomes,
        ambiguous: totals.Ambiguous.outcomes,
      }
    },
  },
  {
    name: "DuckDB",
    packages: ["@duckdb/node-api"],
    reconcile: async ({ transfers, ledger }) => {
      const { DuckDBInstance } = await import("@duckdb/node-api")
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
          coalesce(sum(t) filter (h is null), 0) as "missingHere",
          coalesce(sum(h) filter (t is null), 0) as "missingThere",
          count(*) filter (h is not null and t is not null and (h > 1 or t > 1)) as ambiguous
        from pairs`)
      const [row = {}] = reader.getRowObjects()
      const count = (name: keyof Counts): number => Number(row[name])
      return {
        matched: count("matched"),
        differs: count("differs"),
        missingHere: count("missingHere"),
        missingThere: count("missingThere"),
        ambiguous: count("ambiguous"),
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
    contestants: reconcilers.map((reconciler) => contestant(reconciler, sizes)),
  }
}

export const bench: Bench = benchOf({ name: "reconcile", rounds: 3, rows: 200_000, compared: 200_000 }, [
  "Memory does not grow with the rows: both sides are spread over partitions in a temporary file by a hash of the key, and reconciled one partition at a time. Where the time goes, by a profile: four tenths parse and check 210 MB of JSON; about a tenth each reads its lines, reads the CSV, writes the partitions, reads them back and pairs their rows, and collects garbage. Rows that are equal in all that is compared pair by their text, without decimals or objects. DuckDB reads only the three columns it is asked for, on both cores, and computes in DECIMAL(38,18), which ends where an amount has more digits.",
])
