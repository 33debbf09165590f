/**
 * `pnpm demo`: a partner's morning. Starts the fake service with 5,000 transfers, runs the real CLI against it, and
 * checks the export and the totals without any code of the repository. Leaves nothing behind, even if interrupted.
 */
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { text } from "node:stream/consumers"
import { styleText } from "node:util"
import * as IndependentCheck from "./IndependentCheck.ts"
import * as Programs from "./Programs.ts"
import * as ShellText from "./ShellText.ts"

const partner = { id: "demo", secret: "demo-secret" }

const folder = mkdtempSync(join(tmpdir(), "transferkit-demo-"))
const children = new Set<ChildProcess>()

/** Stops the child processes and removes the files, however the demo ends. */
const cleanUp = async (): Promise<void> => {
  await Promise.all(
    [...children].map(async (child) => {
      child.kill("SIGTERM")
      if (child.exitCode === null && child.signalCode === null) await once(child, "exit")
    }),
  )
  rmSync(folder, { recursive: true, force: true })
}

const interrupted = new Promise<number>((resolve) => {
  process.once("SIGINT", () => resolve(130))
  process.once("SIGTERM", () => resolve(143))
})

const print = (text: string): void => void process.stdout.write(`${text}\n`)

const title = (text: string): void => print(`\n${styleText("bold", `# ${text}`)}`)

const main = async (): Promise<void> => {
  title("The fake service, with 5,000 transfers")
  print(`$ transfers-fake --port 0 --json ${Programs.sample.join(" ")}`)
  const fake = await Programs.startFake(Programs.sample, (child) => children.add(child))
  print(`listening on ${fake.url}`)
  const env = {
    ...process.env,
    TRANSFERS_BASE_URL: fake.url,
    TRANSFERS_PARTNER_ID: partner.id,
    TRANSFERS_SECRET_KEY: partner.secret,
  }

  /** Runs the CLI, shows its output, and checks its exit code. */
  const cli = async (args: ReadonlyArray<string>, expected = 0): Promise<void> => {
    print(`$ ${ShellText.lineOf(["transfers", ...args])}`)
    const [code] = await once(start(args, env, "inherit"), "exit")
    if (expected !== 0) print(`(exit code ${code})`)
    if (code !== expected) throw new Error(`transfers ${args[0]} exited with ${code}, not ${expected}`)
  }

  const served = await IndependentCheck.everyTransfer(fake.url, `${partner.id}:${partner.secret}`)
  const some = served[Math.floor(served.length / 2)]
  const exported = join(folder, "transfers.ndjson")

  title("Show what the service supports")
  await cli(["capabilities", "--output", "table"])

  title("Look up one transfer")
  await cli(["search", "--external-id", some?.external_id ?? "", "--output", "table"])

  title("Show the first transfers of a month")
  await cli(["search", "--since", "2024-09", "--until", "2024-09", "--limit", "10", "--output", "table"])

  title("Export all transfers to a file")
  await cli(["export", "--out", exported])

  title("Total by currency, exactly")
  await cli(["summary", "--by", "currency", "--field", "source_total", "--output", "table"])
  await cli(["summary", "--by", "currency", "--field", "source_total_usd", "--chart"])

  title("An invalid proposal")
  writeFileSync(join(folder, "proposals.json"), JSON.stringify([proposal], undefined, 2))
  await cli(["validate", "proposals.json", "--output", "table"], 1)

  title("Mirror all transfers in SQL, and ask a question")
  await cli(["sync", "--to", "transfers.db"])
  await cli(["query", "--from", "transfers.db", question, "--output", "table"])

  title("Check the results without any code of the repository")
  const wrong = IndependentCheck.differences(served, IndependentCheck.readNdjson(exported))
  if (wrong.length > 0) throw new Error(`The export differs from the service:\n${wrong.join("\n")}`)
  print(`The export holds each of the service's ${served.length} transfers once, every amount's text unchanged.`)
  print(checkTotals(exported, await output(["summary", "--by", "currency", "--output", "json"], env)))
}

/** Compares the totals that the CLI prints with those of the exported rows, currency by currency, for every field. */
const checkTotals = (exported: string, summary: string): string => {
  const { groups }: { readonly groups: ReadonlyArray<{ readonly totals: Totals }> } = JSON.parse(summary)
  const summed = IndependentCheck.moneyFields.map((field) => {
    const rows = groups.flatMap(({ totals }) => totals[field] ?? []).map((money) => ({ id: "", [field]: money }))
    const printed = IndependentCheck.totalsByBigInt(rows, field)
    const { totals, by } = IndependentCheck.totals(exported, field)
    for (const code of new Set([...Object.keys(printed), ...Object.keys(totals)])) {
      if (printed[code] === totals[code]) continue
      throw new Error(`${field} in ${code} is ${printed[code]} by the CLI and ${totals[code]} by ${by}`)
    }
    return { count: Object.keys(totals).length, by }
  })
  const count = summed.reduce((sum, each) => sum + each.count, 0)
  return `The ${count} totals of ${summed.length} fields by currency equal those of ${summed[0]?.by}.`
}

type Totals = Readonly<Record<string, ReadonlyArray<{ readonly amount: string; readonly currency_code: string }>>>

const question = `SELECT status, COUNT(*) AS transfers, decimal_sum(source_total_usd_amount) AS usd
FROM transfers GROUP BY status ORDER BY status`

/** An amount below the minimum, from an unsupported country. */
const proposal = {
  external_id: "order-1",
  country_code: "AQ",
  payment_method: "ach",
  source: { amount: "0.50", currency_code: "fiat/USD" },
  destination_currency_code: "ethereum/ETH",
}

const start = (args: ReadonlyArray<string>, env: NodeJS.ProcessEnv, stdout: "inherit" | "pipe"): ChildProcess => {
  const [file, ...before] = Programs.commandOf("transfers")
  const child = spawn(file, [...before, ...args], { cwd: folder, env, stdio: ["ignore", stdout, "inherit"] })
  children.add(child)
  child.once("exit", () => children.delete(child))
  return child
}

/** The output of a command. */
const output = (args: ReadonlyArray<string>, env: NodeJS.ProcessEnv): Promise<string> => {
  const { stdout } = start(args, env, "pipe")
  if (stdout === null) throw new Error("the output of a child is not piped")
  return text(stdout)
}

const code = await Promise.race([main().then(() => 0), interrupted]).finally(cleanUp)
process.exit(code)
