/** Every command in every format: it prints a result in it, or rejects it and says which it prints. */
import { readdir, writeFile } from "node:fs/promises"
import { type RunningFakeServer, startFakeServer } from "@transferkit/fake/FakeServer"
import * as CliCompletions from "effect/cli/Completions"
import { afterAll, beforeAll, expect, test } from "vitest"
import { commandTree } from "../src/CommandTree.ts"
import { outputs } from "../src/flags/Globals.ts"
import { demo } from "./Cli.ts"
import * as Fake from "./Fake.ts"
import { run } from "./InProcess.ts"
import * as WorkingFolder from "./WorkingFolder.ts"

WorkingFolder.use()

let fake: RunningFakeServer
beforeAll(async () => {
  fake = await startFakeServer({
    data: ["order-1", "order-2"].map((external_id, index) => ({
      id: `tr_${index}`,
      external_id,
      kind: "cash_in",
      status: "complete",
      created_at: `2024-09-0${index + 1}T00:00:00Z`,
      source_total: { amount: "1.00", currency_code: "fiat/USD" },
    })),
  })
  const env = demo(fake.url)
  expect(await run(["export", "--out", "all.csv"], { env })).toMatchObject({ code: 0 })
  expect(await run(["sync", "--to", "mirror.db"], { env })).toMatchObject({ code: 0 })
  await writeFile("ledger.csv", "external_id,amount,currency\no-1,1.00,USD\n")
  await writeFile("proposals.json", '[{"external_id":"o-1"}]')
  await Fake.change(fake.url, "tr_1", { status: "declined" })
  expect(await run(["export", "--out", "later.csv"], { env })).toMatchObject({ code: 0 })
})
afterAll(() => fake.close())

const documents = ["table", "json", "ndjson"]
const streams = ["table", "json", "ndjson", "csv"]

/** A command line of each command, and what it prints. */
const commands: ReadonlyArray<readonly [line: string, printed: ReadonlyArray<string>]> = [
  ["search", outputs],
  ["show order-1 --from all.csv", outputs],
  ["export --out again.csv --force", documents],
  ["summary", outputs],
  ["report --since 2024-09 --until 2024-09 --html page.html", documents],
  ["reconcile ledger.csv", outputs],
  ["close --month 2024-08 --ledger ledger.csv --force", outputs],
  ["audit", outputs],
  ["watch --once --since 2024-09-25", streams],
  ["sync --to mirror.db", streams],
  ["sync --to mirror.db --status", outputs],
  ["query --from mirror.db VALUES(1)", outputs],
  ["verify all.csv", outputs],
  ["diff all.csv later.csv", outputs],
  ["validate proposals.json", outputs],
  ["capabilities", outputs],
  ["doctor", outputs],
  ["certify --rate 1000", outputs],
  ["whoami", outputs],
  ["profiles", outputs],
  // A server and a helper print nothing but their errors; these would not end here.
  ["mcp", documents],
  ["worker --to mirror.db", documents],
  ["completions bash", ["table"]],
  ["profiles save live", documents],
  ["profiles set live --base-url https://api.example.com", documents],
  ["profiles remove live", documents],
]

const isEndless = (line: string) => /^(?:mcp|worker)/.test(line)

/** Those that say what they did on standard error, and those that print an event where there is one. */
const mayBeEmpty = (line: string, output: string) =>
  (output === "table" && /^(?:export|report|profiles .)/.test(line)) ||
  ((output === "table" || output === "ndjson") && /^(?:sync --to mirror.db$|watch)/.test(line))

test.each(commands.flatMap(([line, printed]) => outputs.map((output) => [line, output, printed] as const)))(
  "%s --output %s prints it, or says what else it prints",
  async (line, output, printed) => {
    const isPrinted = printed.includes(output)
    if (isPrinted && isEndless(line)) return
    const env = { ...demo(fake.url), XDG_CONFIG_HOME: process.cwd() }
    if (line.startsWith("profiles")) await run(["profiles", "save", "live"], { env })
    const { code, stdout, stderr } = await run([...line.split(" "), "--output", output], { env })
    if (!isPrinted) {
      expect({ code, stdout }, stderr).toEqual({ code: 2, stdout: "" })
      expect(stderr).toContain(`--output ${output}`)
      for (const other of printed) expect(stderr).toContain(other)
      return
    }
    expect(code, stderr).toBeLessThan(2)
    if (mayBeEmpty(line, output)) return
    expect(stdout).not.toBe("")
    if (output === "xlsx") expect(stdout.slice(0, 2)).toBe("PK")
    if (output === "json") JSON.parse(stdout)
    if (output === "ndjson") for (const text of stdout.trim().split("\n")) JSON.parse(text)
  },
)

test("the table has every command", () => {
  const root = CliCompletions.fromCommand(commandTree)
  const names = root.subcommands.flatMap((child) => [
    child.name,
    ...child.subcommands.map(({ name }) => `${child.name} ${name}`),
  ])
  expect(names.length).toBeGreaterThan(20)
  expect(names.filter((name) => !commands.some(([line]) => line === name || line.startsWith(`${name} `)))).toEqual([])
})

test("a mirror may have a name that SQLite would take for an address", async () => {
  expect(await run(["sync", "--to", "file:odd.db"], { env: demo(fake.url) })).toMatchObject({ code: 0 })
  expect((await readdir(".")).filter((name) => name.includes("odd.db"))).toEqual(["file:odd.db"])
  expect(await run(["summary", "--from", "file:odd.db"])).toMatchObject({ code: 0 })
})
