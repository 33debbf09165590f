import { spawn } from "node:child_process"
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { type RunningFakeServer, startFakeServer } from "@transferkit/fake/FakeServer"
import { afterEach, beforeEach, expect, test } from "vitest"
import { parse } from "yaml"
import { bin, run } from "./Cli.ts"

const folderOfAction = fileURLToPath(new URL("../../../deploy/github-action", import.meta.url))

interface Action {
  readonly inputs: Readonly<Record<string, { readonly default: string }>>
  readonly outputs: Readonly<Record<string, { readonly value: string }>>
  readonly runs: {
    readonly steps: ReadonlyArray<{
      readonly id?: string
      readonly if?: string
      readonly shell: string
      readonly env: Readonly<Record<string, string>>
      readonly run: string
    }>
  }
}

const action: Action = parse(await readFile(join(folderOfAction, "action.yml"), "utf8"))

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

/** Runs the steps as a runner does, as far as this action asks for it. */
const perform = async (given: Readonly<Record<string, string>>) => {
  const defaults = Object.fromEntries(Object.entries(action.inputs).map(([name, input]) => [name, input.default]))
  const inputs: Readonly<Record<string, string>> = {
    ...defaults,
    command: `${process.execPath} ${bin}`,
    "base-url": fake.url,
    "partner-id": "demo",
    "secret-key": "demo-secret",
    ...given,
  }
  const outputs: Record<string, Record<string, string>> = {}
  const valueOf = (text: string): string =>
    text.replace(/\$\{\{ ([\w.-]+) \}\}/g, (_, path: string) => {
      const [root, name = "", , output = ""] = path.split(".")
      return (root === "inputs" ? inputs[name] : outputs[name]?.[output]) ?? ""
    })
  const summary = join(folder, "summary.md")
  await writeFile(summary, "")
  let printed = ""
  for (const [index, step] of action.runs.steps.entries()) {
    const condition = /^inputs\.(\w+) != ''$/.exec(step.if ?? "")
    if (step.if !== undefined && (inputs[condition?.[1] ?? ""] ?? "") === "") continue
    expect(step.run).not.toContain("${{")
    const file = join(folder, `output-${index}`)
    await writeFile(file, "")
    const child = spawn("bash", ["--noprofile", "--norc", "-eo", "pipefail", "-c", step.run], {
      cwd: folder,
      env: {
        PATH: `${folder}:${join(process.execPath, "..")}:${process.env["PATH"]}`,
        HOME: folder,
        GITHUB_ACTION_PATH: folderOfAction,
        GITHUB_OUTPUT: file,
        GITHUB_STEP_SUMMARY: summary,
        ...Object.fromEntries(Object.entries(step.env).map(([name, value]) => [name, valueOf(value)])),
      },
    })
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (text: string) => (printed += text))
    }
    const status = await new Promise<number | null>((resolve) => child.on("close", resolve))
    const lines = (await readFile(file, "utf8")).trim().split("\n")
    if (step.id !== undefined) outputs[step.id] = Object.fromEntries(lines.map((line) => line.split("=")))
    if (status !== 0) return { status, summary: await readFile(summary, "utf8"), outputs, printed }
  }
  return { status: 0, summary: await readFile(summary, "utf8"), outputs, printed }
}

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
  const bad = { ...proposal, external_id: "a|b\n# <b>@team</b>", country_code: "AQ" }
  await writeFile(join(folder, "proposals.json"), JSON.stringify([proposal, bad]))
  await writeFile(join(folder, "ledger.csv"), ledger("order-1,11.00,USD", "nowhere|x,1.00,USD"))
  const { status, summary, outputs, printed } = await perform({ proposals: "proposals.json", ledger: "ledger.csv" })
  expect(status).toBe(1)
  expect(outputs).toMatchObject({ validate: { invalid: "1" }, reconcile: { breaks: "2" } })
  expect(summary).toContain("2 proposals, 1 invalid.")
  expect(summary).toContain("unsupported&#95;country")
  expect(summary).toContain("Differs")
  expect(summary).toContain("nowhere&#124;x")
  expect(summary).not.toMatch(/<b>|@team|^# /m)
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

test("runs the version of the action with npx unless it is told how", async () => {
  const { stdout } = await run(["--version"])
  await writeFile(join(folder, "proposals.json"), JSON.stringify([proposal]))
  const npx = `#!/bin/sh\n[ "$1 $2" = "-y @transferkit/cli@${stdout.trim().split(" ")[1]}" ] || exit 70\nshift 2\nexec ${process.execPath} ${bin} "$@"\n`
  await writeFile(join(folder, "npx"), npx, { mode: 0o755 })
  expect(await perform({ command: "", proposals: "proposals.json" })).toMatchObject({ status: 0 })
})
