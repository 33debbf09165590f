import { spawn, spawnSync } from "node:child_process"
import { createHash } from "node:crypto"
import { once } from "node:events"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { performance } from "node:perf_hooks"
import { parse } from "csv-parse/sync"
import type { Bench, Contestant } from "../Bench.ts"
import * as ServerProcess from "../ServerProcess.ts"

/** The command of a contestant: the file to execute and its arguments. */
type Command = readonly [file: string, ...args: ReadonlyArray<string>]

const root = join(import.meta.dirname, "../../..")
const transfers = join(root, "apps/cli/dist/transfers.cjs")
const peer = (name: string): string => join(import.meta.dirname, "../peers", name)
const rows = 100_000

/** Runs a command to its end and sees what it takes. */
const run = async ([file, ...args]: Command, env: NodeJS.ProcessEnv) => {
  const start = performance.now()
  const child = spawn(file, args, { env: { ...process.env, ...env }, stdio: ["ignore", "ignore", "inherit"] })
  const { cost } = ServerProcess.running(child, "")
  let memory = 0
  const watch = setInterval(() => {
    memory = Math.max(memory, cost().memory || 0)
  }, 20)
  const [code] = await once(child, "exit")
  clearInterval(watch)
  if (code !== 0) throw new Error(`${file} ${args.join(" ")} ended with ${code}`)
  return { wall: performance.now() - start, memory }
}

/** The fake service with so many transfers, and a folder to export into. */
const withService = async <A>(
  count: number,
  use: (folder: string, env: NodeJS.ProcessEnv) => Promise<A>,
): Promise<A> => {
  const folder = mkdtempSync(join(tmpdir(), "transferkit-bench-"))
  const fake = join(root, "apps/fake-server/dist/bin.js")
  try {
    await using service = await ServerProcess.startJson(fake, ["--port", "0", "--json", "--transfers", String(count)])
    const env = {
      TRANSFERS_BASE_URL: service.url,
      TRANSFERS_PARTNER_ID: "demo",
      TRANSFERS_SECRET_KEY: "demo-secret",
    }
    return await use(folder, env)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Each transfer's id and source amount, in an order of our own. */
const contentOf = (file: string): string => {
  const text = readFileSync(file, "utf8")
  const lines = file.endsWith(".csv")
    ? parse<Record<string, string>>(text, { columns: true }).map(
        (row) => `${row["id"]} ${row["source_total_amount"] ?? row["source_total.amount"]}`,
      )
    : file.endsWith(".json")
      ? (JSON.parse(text) as { readonly results: ReadonlyArray<Exported> }).results.map(line)
      : text
          .trimEnd()
          .split("\n")
          .map((each) => line(JSON.parse(each)))
  return `${lines.length} ${createHash("sha256").update(lines.sort().join("\n")).digest("hex")}`
}

interface Exported {
  readonly id: string
  readonly source_total?: { readonly amount: string }
}

const line = ({ id, source_total }: Exported): string => `${id} ${source_total?.amount}`

const contestant = (
  name: string,
  file: string,
  command: (out: string) => Command,
  options: { readonly isOurs?: boolean; readonly startUp?: Command; readonly share?: number } = {},
): Contestant => ({
  name,
  isOurs: options.isOurs ?? false,
  packages: [],
  load: async () => ({
    answer: () =>
      withService(2000, async (folder, env) => {
        await run(command(join(folder, file)), env)
        return contentOf(join(folder, file))
      }),
    measure: () =>
      withService(rows / (options.share ?? 1), async (folder, env) => {
        const { wall: took, memory } = await run(command(join(folder, file)), env)
        const wall = took * (options.share ?? 1)
        const { startUp } = options
        if (startUp === undefined) return { wall: wall / 1000, memory }
        const starts = Array.from({ length: 15 }, () => {
          const start = performance.now()
          spawnSync(startUp[0], startUp.slice(1))
          return performance.now() - start
        }).sort((a, b) => a - b)
        return { wall: wall / 1000, memory, startUp: starts[7] ?? Number.NaN }
      }),
  }),
})

const exportTo = (out: string): Command => [process.execPath, transfers, "export", "--out", out]

export const bench: Bench = {
  name: "cli",
  title: "Export 100,000 transfers",
  work:
    `${rows.toLocaleString("en")} transfers of the fake service, 5,000 pages, into a file; and the time of a process that does nothing but ` +
    "start. The answer is the id and the source amount of every transfer of a smaller export, in any order.",
  rounds: 3,
  metrics: [
    { key: "wall", title: "Export", unit: "s" },
    { key: "memory", title: "Peak memory", unit: "MB" },
    { key: "startUp", title: "Start: transfers --version, node -e 0", unit: "ms" },
  ],
  notes: [
    "Ours checks every transfer and writes the file under another name until it is complete. The fetch script trusts what comes, and the curl and jq loop starts three processes a page: it is measured on a twentieth of the transfers, and its time multiplied.",
    "Ours takes about twice the processor time of the fetch script. What for: every batch goes into a spool first, so that a killed export resumes; the rows are sorted, so that the same data gives the same bytes; and the manifest holds exact totals of ten fields and a hash.",
    "The fake service runs on the same machine: with the client's work it shares two cores.",
  ],
  contestants: [
    contestant("transfers export, ndjson", "out.ndjson", exportTo, {
      isOurs: true,
      startUp: [process.execPath, transfers, "--version"],
    }),
    contestant("transfers export, csv", "out.csv", exportTo),
    contestant("transfers export, json", "out.json", exportTo),
    contestant("fetch script, ndjson", "out.ndjson", (out) => [process.execPath, peer("fetch-export.mjs"), out], {
      startUp: [process.execPath, "-e", "0"],
    }),
    contestant("curl and jq loop, ndjson", "out.ndjson", (out) => [peer("curl-export.sh"), out], { share: 20 }),
  ],
}
