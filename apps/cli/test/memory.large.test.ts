/** More rows than are held in memory, and less memory or disk than they need. */
import { once } from "node:events"
import { mkdir, mkdtemp, readdir, readFile, readlink, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import * as Waiting from "../../../scripts/test/Waiting.ts"
import { run, start } from "./Cli.ts"

/** 10 MB of what is compared: 8 MiB stay in memory. */
const rows = 80_000

let folder: string
let temporary: string
let ledger: string
let transfers: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "transfers-memory-"))
  temporary = join(folder, "temporary")
  ledger = join(folder, "ledger.csv")
  transfers = join(folder, "transfers.ndjson")
  await mkdir(temporary)
  const numbers = Array.from({ length: rows }, (_, index) => index)
  await writeFile(
    ledger,
    `external_id,amount,currency\n${numbers.map((index) => `order-${index},${index}.50,USD\n`).join("")}`,
  )
  // A tenth of them, the last first, and one in a hundred of these with another amount.
  const few = numbers.filter((index) => index % 10 === 0).toReversed()
  await writeFile(
    transfers,
    few
      .map((index) => {
        const source_total = { amount: `${index}.${index % 1000 === 0 ? 40 : 50}`, currency_code: "fiat/USD" }
        const created_at = "2024-09-01T00:00:00Z"
        const head = { id: `tr_${index}`, kind: "cash_in", status: "complete", created_at }
        return `${JSON.stringify({ ...head, external_id: `order-${index}`, source_total })}\n`
      })
      .join(""),
  )
})
afterAll(() => rm(folder, { recursive: true }))

const reconcile = (...flags: ReadonlyArray<string>): ReadonlyArray<string> => [
  "reconcile",
  ledger,
  "--from",
  transfers,
  ...flags,
]

describe("reconcile of more than fits in memory", () => {
  test("reports every break in the order of the ledger, and shows the largest on the page", async () => {
    const [html, junit] = [join(folder, "report.html"), join(folder, "report.xml")]
    const args = reconcile("--html", html, "--junit", junit, "-o", "csv", "--quiet")
    const { code, stdout, stderr } = await run(args, { env: { TMPDIR: temporary } })
    expect({ code, stderr }).toEqual({ code: 1, stderr: "" })
    const breaks = rows - rows / 10 + rows / 1000
    const [header, ...lines] = stdout.trimEnd().split("\n")
    expect(header).toMatch(/^outcome,key,reference,/)
    expect(lines).toHaveLength(breaks)
    const places = lines.map((line) => Number(/,line (\d+),/.exec(line)?.[1]))
    expect(places).toEqual(places.toSorted((a, b) => a - b))
    expect(lines[0]).toBe("Differs,order-0,line 2,tr_0,0.50,fiat/USD,0.40,fiat/USD,-0.10,the amounts differ,")
    const page = await readFile(html, "utf8")
    expect(page).toContain(`The 5,000 largest of ${breaks.toLocaleString("en-US")} rows. The CSV report has them all.`)
    expect(page).toContain("order-79999")
    expect(page).not.toContain("order-101<")
    const xml = await readFile(junit, "utf8")
    expect(xml.match(/<failure /g)).toHaveLength(breaks)
    expect(xml).toContain(`failures="${breaks}"`)
    expect(await readdir(temporary)).toEqual([])
  })

  test("rejects a temporary folder without room, and leaves nothing there", async () => {
    const through = ["sh", "-c", `ulimit -f 1000; exec "$@"`, "sh"]
    const { code, stdout, stderr } = await run(reconcile(), { env: { TMPDIR: temporary }, through })
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" })
    expect(stderr).toContain(`error: ${temporary}: the file is too large.`)
    expect(stderr).toContain("name another folder with TMPDIR")
    expect(await readdir(temporary)).toEqual([])
  })

  test.runIf(process.platform === "linux").each(["SIGKILL", "SIGTERM"] as const)(
    "leaves nothing in the temporary folder and the old report as it was, when %s ends it midway",
    async (signal) => {
      const html = join(folder, `${signal}.html`)
      await writeFile(html, "of yesterday")
      const child = start(reconcile("--html", html), { env: { TMPDIR: temporary } })
      let stdout = ""
      child.stdout.setEncoding("utf8").on("data", (chunk: string) => (stdout += chunk))
      await Waiting.until(() => hasScratchFile(child.pid))
      child.kill(signal)
      const [code] = await once(child, "close")
      expect(code).not.toBe(0)
      expect(stdout).toBe("")
      expect(await readFile(html, "utf8")).toBe("of yesterday")
      expect((await readdir(folder)).filter((name) => name.startsWith(signal))).toEqual([`${signal}.html`])
      expect(await readdir(temporary)).toEqual([])
    },
  )

  test("ends with 71 and a message if the process may not use that much memory", async () => {
    const env = { TMPDIR: temporary, NODE_OPTIONS: "--max-old-space-size=28" }
    const { code, stdout, stderr } = await run(reconcile(), { env })
    expect({ code, stdout }).toEqual({ code: 71, stdout: "" })
    expect(stderr).toMatch(/^error: Out of memory: this needs more than the 28 MB that Node allows\./)
    expect(stderr).not.toContain("FATAL")
    expect(await readdir(temporary)).toEqual([])
  })
})

/** Whether a process has opened its scratch file, which has no name any more. */
const hasScratchFile = async (pid: number | undefined): Promise<boolean> => {
  const descriptors = await readdir(`/proc/${pid}/fd`)
  const targets = await Promise.all(descriptors.map((name) => readlink(`/proc/${pid}/fd/${name}`).catch(() => "")))
  return targets.some((target) => target.startsWith(temporary) && target.includes(".scratch"))
}

test("report reconciles more than fits in memory, from a file as from the service", async () => {
  const html = join(folder, "month.html")
  const args = ["report", "--month", "2024-09", "--from", transfers, "--ledger", ledger, "--html", html]
  const env = { TMPDIR: temporary, NODE_OPTIONS: "--max-old-space-size=80" }
  const { code, stderr } = await run(args, { env })
  expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining("8,000 transfers, 0 open") })
  expect(await readFile(html, "utf8")).toContain("The 5,000 largest of 72,080 rows.")
  expect(await readdir(temporary)).toEqual([])
})

test("diff of more than fits in memory pairs files in any order", async () => {
  const shuffled = join(folder, "shuffled.ndjson")
  const padding = "x".repeat(1000)
  const lines = (await readFile(transfers, "utf8")).trimEnd().split("\n")
  const padded = lines.map((line) => line.replace(/\}$/, `,"note":"${padding}"}`))
  await writeFile(transfers, `${padded.join("\n")}\n`)
  const changed = padded.map((line, index) => (index === 7 ? line.replace("complete", "declined") : line))
  await writeFile(shuffled, `${changed.toReversed().join("\n")}\n`)
  const { code, stdout } = await run(["diff", transfers, shuffled], { env: { TMPDIR: temporary } })
  expect({ code, ...JSON.parse(stdout) }).toMatchObject({
    code: 1,
    same: padded.length - 1,
    differences: [{ kind: "changed", changes: [{ field: "status", from: "complete", to: "declined" }] }],
  })
})
