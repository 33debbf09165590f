import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type RunningFakeServer, startFakeServer } from "@transferkit/fake/FakeServer"
import { afterEach, beforeEach, expect, test } from "vitest"
import * as Action from "./Action.ts"
import { bin, run } from "./Cli.ts"

let fake: RunningFakeServer
let folder: string

beforeEach(async () => {
  fake = await startFakeServer({ transfers: 0 })
  folder = await mkdtemp(join(tmpdir(), "transfers-action-"))
})

afterEach(async () => {
  await fake.close()
  await rm(folder, { recursive: true })
})

const perform = (given: Readonly<Record<string, string>>) =>
  Action.perform("github-action", { folder, url: fake.url }, given)

const proposal = {
  external_id: "order-1",
  country_code: "US",
  payment_method: "ach",
  source: { amount: "100.00", currency_code: "fiat/USD" },
  destination_currency_code: "ethereum/USDC",
}
const ledger = (...rows: ReadonlyArray<string>) => `external_id,amount,currency\n${rows.join("\n")}\n`

const insert = () =>
  fake.insert([
    {
      id: "tr_1",
      external_id: "order-1",
      status: "complete",
      created_at: "2024-09-05T00:00:00Z",
      source_total: { amount: "10.00", currency_code: "fiat/USD" },
    },
  ])

test("passes with a summary and JUnit when there is nothing to find", async () => {
  insert()
  await writeFile(join(folder, "proposals.json"), JSON.stringify([proposal]))
  await writeFile(join(folder, "ledger.csv"), ledger("order-1,10.00,USD"))
  const { status, summary, outputs, printed } = await perform({
    proposals: "proposals.json",
    ledger: "ledger.csv",
    since: "2024-09",
    until: "2024-09",
  })
  expect(status, printed).toBe(0)
  expect(summary).toContain("1 proposals, 0 invalid.")
  expect(summary).toContain("0 breaks.")
  expect(outputs).toMatchObject({
    validate: { invalid: "0" },
    reconcile: { breaks: "0", junit: "transfers-reports/reconciliation.xml" },
  })
  expect(await readFile(join(folder, "transfers-reports/reconciliation.xml"), "utf8")).toContain("<testsuite")
})

test("fails on findings after both reports are written, with text that cannot forge the summary", async () => {
  insert()
  const bad = {
    ...proposal,
    external_id: "a|b\n# <b>@team</b> https://evil.example www.evil.example",
    country_code: "AQ",
  }
  await writeFile(join(folder, "proposals.json"), JSON.stringify([proposal, bad]))
  await writeFile(join(folder, "ledger.csv"), ledger("order-1,11.00,USD", "nowhere|x,1.00,USD"))
  const { status, summary, outputs, printed } = await perform({ proposals: "proposals.json", ledger: "ledger.csv" })
  expect(status).toBe(1)
  expect(outputs).toMatchObject({ validate: { invalid: "1" }, reconcile: { breaks: "2" } })
  expect(summary).toContain("2 proposals, 1 invalid.")
  expect(summary).toContain("unsupported&#95;country")
  expect(summary).toContain("Differs")
  expect(summary).toContain("nowhere&#124;x")
  expect(summary).not.toMatch(/<b>|@team|https:|www\.|^# /m)
  expect(summary + printed).not.toContain("demo-secret")
  const xml = await readFile(join(folder, "transfers-reports/reconciliation.xml"), "utf8")
  expect(xml).toContain("<failure")
})

test("does only what it is asked to, and fails with the code of an error", async () => {
  await writeFile(join(folder, "proposals.json"), JSON.stringify(proposal))
  const one = await perform({ proposals: "proposals.json" })
  expect(one).toMatchObject({ status: 0, outputs: { validate: { invalid: "0" } } })
  expect(one.outputs).not.toHaveProperty("reconcile")
  expect(await perform({ proposals: "missing.json" })).toMatchObject({ status: 2 })
  expect(await perform({ proposals: "proposals.json", "secret-key": "wrong" })).toMatchObject({ status: 3 })
  const injected = await perform({ proposals: "$(touch pwned);proposals.json", output: "a b" })
  expect(injected.status).toBe(2)
  await expect(readFile(join(folder, "pwned"))).rejects.toBeInstanceOf(Error)
})

test("runs the version of the action with npx unless an input names a command", async () => {
  const { stdout } = await run(["--version"])
  await writeFile(join(folder, "proposals.json"), JSON.stringify([proposal]))
  const npx = `#!/bin/sh\n[ "$1 $2" = "-y @transferkit/cli@${stdout.trim().split(" ")[1]}" ] || exit 70\nshift 2\nexec ${process.execPath} ${bin} "$@"\n`
  await writeFile(join(folder, "npx"), npx, { mode: 0o755 })
  expect(await perform({ command: "", proposals: "proposals.json" })).toMatchObject({ status: 0 })
})

test("certifies a deployment, and fails on broken laws and on drift, with what has changed", async () => {
  const certify = (given: Readonly<Record<string, string>> = {}) =>
    Action.perform("certify", { folder, url: fake.url }, { rate: "1000", ...given })
  const first = await certify()
  expect(first, first.printed).toMatchObject({
    status: 0,
    outputs: { certify: { certificate: "transfers-certificate/certificate.json", findings: "0" } },
  })
  expect(first.summary).toContain("laws, 0 broken.")
  const file = join(folder, "transfers-certificate/certificate.json")
  await writeFile(join(folder, "last.json"), await readFile(file))
  for (const name of ["certificate.html", "certificate.svg"])
    await readFile(join(folder, "transfers-certificate", name))
  expect(await certify({ against: "last.json" })).toMatchObject({ status: 0, outputs: { certify: { findings: "0" } } })
  fake.addFaults({ when: { path: "/v1/transfers/search" }, faults: [{ fault: "content_type", value: "text/|<b>" }] })
  const drifted = await certify({ against: "last.json" })
  expect(drifted.status).toBe(1)
  expect(drifted.summary).toContain("changes of the deployment")
  expect(drifted.summary + drifted.printed).not.toMatch(/<b>|demo-secret/)
  expect(await certify()).toMatchObject({ status: 1, outputs: { certify: { findings: "1" } } })
  expect(await certify({ against: "none.json" })).toMatchObject({ status: 2 })
})
