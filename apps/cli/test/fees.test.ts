/** P25: audit and report compare fees with an agreed schedule, with a service that charges by it. */
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as FeeSchedule from "@transferkit/domain/FeeSchedule"
import { type RunningFakeServer, startFakeServer } from "@transferkit/fake/FakeServer"
import * as Result from "effect/Result"
import { afterAll, beforeAll, expect, test } from "vitest"
import { demo } from "./Cli.ts"
import { change } from "./Fake.ts"
import { run } from "./InProcess.ts"
import * as PageText from "./PageText.ts"

const share = { base: "source_subtotal", percent: "1.5", rounding: "half-even", fraction_digits: 2 }
const rows = ["USD", "EUR", "GBP", "MXN", "BRL", "PHP"].map((code) => ({
  fee: "service_fee",
  currency: `fiat/${code}`,
  kind: "cash_in",
  fixed: "0.30",
  ...share,
}))
const text = JSON.stringify({ $schema: "./fee-schedule.json", fee_schedule: 1, rows })

let folder: string
let fake: RunningFakeServer
let file: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "transfers-fees-"))
  file = join(folder, "fees.json")
  await writeFile(file, text)
  const fees = Result.getOrThrow(FeeSchedule.parse(text))
  fake = await startFakeServer({ now: "2024-10-01", transfers: 200, fees })
})
afterAll(async () => {
  await fake.close()
  await rm(folder, { recursive: true })
})

const transfers = (...args: ReadonlyArray<string>) => run(args, { env: demo(fake.url) })
const audited = async (...args: ReadonlyArray<string>) => {
  const { code, stdout } = await transfers("audit", "--fees", file, "--output", "json", ...args)
  return { code, ...JSON.parse(stdout) }
}

test("the fees of payments agree; those of payouts are in no row, and are reported", async () => {
  expect(await audited("--kind", "cash_in")).toMatchObject({ code: 0, findings: [] })
  const { code, findings, transfers: count } = await audited("--kind", "cash_out")
  expect(code).toBe(1)
  expect(count).toBeGreaterThan(20)
  expect(new Set(findings.map((one: { code: string }) => one.code))).toEqual(new Set(["fee_not_in_schedule"]))
  expect(findings.length).toBe(count)
})

test("a fee that is off by a cent is found by both commands, with the fee that was agreed", async () => {
  const { stdout } = await transfers("search", "--kind", "cash_in", "--status", "complete", "--limit", "1")
  const { id, created_at, service_fee } = JSON.parse(stdout)
  const agreed = service_fee.amount
  const amount = String(Number((Number(agreed) + 0.01).toFixed(2)))
  await change(fake.url, id, { service_fee: { ...service_fee, amount } })
  const { code, findings } = await audited("--kind", "cash_in")
  expect(code).toBe(1)
  expect(
    findings.map((one: { id: string; code: string; nearest?: string }) => [one.id, one.code, one.nearest]),
  ).toEqual([
    [id, "total_not_sum_of_parts", expect.any(String)],
    [id, "fee_off_schedule", agreed],
  ])
  const html = join(folder, "page.html")
  const month = created_at.slice(0, 7)
  const report = await transfers("report", "--month", month, "--fees", file, "--html", html, "--output", "json")
  expect(report.code).toBe(1)
  const off = JSON.parse(report.stdout).fees.filter((total: { off: number }) => total.off > 0)
  expect(off).toMatchObject([{ fee: "service_fee", off: 1, difference: { amount: "0.01" } }])
  const page = await readFile(html, "utf8")
  expect(page).toContain("Fees and the schedule")
  expect(PageText.command(page)).toContain(`--fees ${file} --html`)
})

test("a file that is no schedule, or is not there, is rejected by its name", async () => {
  await writeFile(
    join(folder, "none.json"),
    JSON.stringify({ fee_schedule: 1, rows: [{ ...rows[0], rounding: undefined }] }),
  )
  for (const [name, reason] of [
    ["none.json", "row 1: percent needs base, rounding and fraction_digits"],
    ["absent.json", "no such file"],
  ] as const) {
    const { code, stderr } = await transfers("audit", "--fees", join(folder, name))
    expect(stderr).toContain(reason)
    expect(stderr).toContain(name)
    expect(code).toBe(2)
  }
})
