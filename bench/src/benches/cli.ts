import { spawnSync } from "node:child_process"
import { createHash } from "node:crypto"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { performance } from "node:perf_hooks"
import { parse } from "csv-parse/sync"
import type { Bench, Contestant } from "../Bench.ts"
import * as ExportWork from "../ExportWork.ts"
import { withService } from "../FakeService.ts"
import * as Program from "../Program.ts"

const peer = (name: string): string => join(import.meta.dirname, "../peers", name)
const rows = 100_000

/** Each transfer's id and source amount, in an order of our own. */
const contentOf = async (file: string): Promise<string> => {
  const lines = file.endsWith(".parquet") ? await linesOfParquet(file) : linesOfText(file)
  return `${lines.length} ${createHash("sha256")
    .update([...lines].sort().join("\n"))
    .digest("hex")}`
}

const linesOfParquet = async (file: string): Promise<ReadonlyArray<string>> => {
  const { DuckDBInstance } = await import("@duckdb/node-api")
  const connection = await (await DuckDBInstance.create(":memory:")).connect()
  const reader = await connection.runAndReadAll(
    `select id, source_total_amount::varchar as amount from read_parquet('${file}')`,
  )
  return reader.getRowObjects().map((row) => `${String(row["id"])} ${withoutZeros(String(row["amount"]))}`)
}

const linesOfText = (file: string): ReadonlyArray<string> => {
  const text = readFileSync(file, "utf8")
  return file.endsWith(".csv")
    ? parse<Record<string, string>>(text, { columns: true }).map(
        (row) => `${row["id"]} ${withoutZeros(row["source_total_amount"])}`,
      )
    : file.endsWith(".json")
      ? (JSON.parse(text) as { readonly results: ReadonlyArray<Exported> }).results.map(line)
      : text
          .trimEnd()
          .split("\n")
          .map((each) => line(JSON.parse(each)))
}

interface Exported {
  readonly id: string
  readonly source_total?: { readonly amount: string }
}

const line = ({ id, source_total }: Exported): string => `${id} ${withoutZeros(source_total?.amount)}`

/** A DECIMAL column gives every amount the same number of fraction digits. */
const withoutZeros = (amount: string | undefined): string => {
  const text = amount ?? ""
  return text.includes(".") ? text.replace(/\.?0+$/, "") : text
}

const contestant = (
  name: string,
  file: string,
  command: (out: string) => Program.Command,
  options: { readonly share?: number; readonly write?: () => Promise<unknown> } = {},
): Contestant => ({
  name,
  isOurs: name.startsWith("transfers"),
  packages: [],
  ...(options.share === undefined ? {} : { rounds: 1 }),
  load: async () => ({
    answer: () =>
      withService(2000, async (folder, env) => {
        await Program.run(command(join(folder, file)), env)
        return contentOf(join(folder, file))
      }),
    measure: () =>
      withService(rows / (options.share ?? 1), async (folder, env) => {
        const { wall, cpu, memory } = await Program.run(command(join(folder, file)), env)
        const share = options.share ?? 1
        return { wall: wall * share, cpu: cpu * share, memory }
      }),
    ...(options.write === undefined ? {} : { operations: { write: options.write } }),
  }),
})

/** A process that starts and ends; the middle of many times. */
const starting = (name: string, [file, ...args]: Program.Command): Contestant => ({
  name,
  isOurs: name.startsWith("transfers"),
  packages: [],
  baselineOnly: "it only starts and ends",
  load: async () => ({
    answer: () => "",
    measure: async () => {
      const starts = Array.from({ length: 25 }, () => {
        const start = performance.now()
        spawnSync(file, args)
        return performance.now() - start
      }).sort((a, b) => a - b)
      return { startUp: starts[12] ?? Number.NaN }
    },
  }),
})

const exportTo = (out: string): Program.Command => Program.transfers("export", "--out", out)

export const bench: Bench = {
  name: "cli",
  title: "Export 100,000 transfers",
  work:
    `${rows.toLocaleString("en")} transfers of the fake service, 5,000 pages, into a file; and the time of a process that does nothing but ` +
    "start. The answer is the id and the source amount of every transfer of a smaller export, in any order.",
  rounds: 3,
  metrics: [
    { key: "wall", title: "Export", unit: "s" },
    { key: "cpu", title: "Its CPU time", unit: "s" },
    { key: "memory", title: "Peak memory", unit: "MB" },
    { key: "startUp", title: "A process from its start to its end", unit: "ms" },
  ],
  notes: [
    "Ours checks every transfer and writes the file under another name until it is complete. The fetch script trusts what comes, and the curl and jq loop starts three processes a page: it is measured on a twentieth of the transfers, and its time multiplied.",
    "Ours takes more processor time than the fetch script. Without HTTP, which both do, it executes 2.5 times the instructions. What for, by a profile: a seventh of all is garbage collection, which a small heap costs; every page is checked; every batch goes into a spool, under a checksum, so that a killed export resumes; the manifest holds exact totals of ten fields and a hash; and a tenth more pages are requested, to have eight at once. That is the floor of an export that can be trusted: what is left out would be one of these.",
    "NDJSON and JSON are copied from the spool, window by window in order, without being decoded. For a file of columns the spool holds cells, half the bytes, so that no transfer is parsed, checked or taken apart a second time: without HTTP, CSV executes 1.1 times the instructions of NDJSON. Parquet executes three times as many: by a profile, most of that is the library, which finds dictionaries, encodes texts and compresses pages in JavaScript; the units of amounts and the forms of times are a fifth.",
    "The target is at most the time of the fetch script. Of two machines, one took 0.99 times its time, and the slower one, recorded here, 1.22: there is more to compute, and eight requests at once gain nothing from a service that answers at once. With V8's usual heap, ours takes a seventh less processor time, and 356 MB instead of 150 MB: its budget is 250 MiB. The script waits for each page before it requests the next one, so from any service that is not on the same machine it is slower by the number of pages at once; here there is no latency to hide.",
    "The fake service runs on the same machine: with the client's work it shares two cores.",
  ],
  contestants: [
    ...(["ndjson", "csv", "json", "parquet"] as const).map((format) =>
      contestant(`transfers export, ${format}`, `out.${format}`, exportTo, { write: () => ExportWork.ours(format) }),
    ),
    contestant("fetch script, ndjson", "out.ndjson", (out) => [process.execPath, peer("fetch-export.mjs"), out], {
      write: ExportWork.byHand,
    }),
    contestant("curl and jq loop, ndjson", "out.ndjson", (out) => [peer("curl-export.sh"), out], { share: 20 }),
    starting("transfers --version", Program.transfers("--version")),
    starting("transfers --help", Program.transfers("--help")),
    starting("node -e 0", [process.execPath, "-e", "0"]),
  ],
}
