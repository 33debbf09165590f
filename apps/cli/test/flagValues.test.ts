/** A wrong value of any flag of any command is what is reported, though no setting is there and no file either. */
import * as CliCompletions from "effect/cli/Completions"
import { expect, test } from "vitest"
import { commandTree } from "../src/CommandTree.ts"
import { run } from "./InProcess.ts"

/** What each command needs beside the flag. */
const needs: Readonly<Record<string, ReadonlyArray<string>>> = {
  show: ["order-1"],
  export: ["--out=all.csv"],
  sync: ["--to=transfers.db"],
  worker: ["--to=transfers.db"],
  query: ["SELECT 1"],
  diff: ["monday.csv"],
  reconcile: ["ledger.csv"],
  report: ["--html=month.html", "--month=2024-09"],
  close: ["--month=2024-09", "--ledger=bank.csv"],
  validate: ["proposals.json"],
  verify: ["export.csv"],
  "profiles save": ["live"],
  "profiles set": ["live"],
  "profiles remove": ["live"],
  completions: ["bash"],
}

/** A flag that only counts with another. */
const goesWith: Readonly<Record<string, ReadonlyArray<string>>> = {
  "sync metrics": ["--follow"],
  "close month": ["--ledger=bank.csv"],
}

/** Flags of which any text may be right, and those that name a file or a program. */
const free = new Set(
  [
    ["external-id", "after-cursor", "status", "kind", "payment-method", "settled", "failed", "name", "host"],
    ["template", "jq", "exec", "allow-origin", "ledger-account", "ledger-currency", "sheet", "skip-row"],
    ["marker-in", "marker-out", "ledger-profile", "accepted", "carry", "write-open", "write-accepted", "html"],
    ["junit", "out", "state", "dataset", "capabilities", "fees", "against", "badge", "sign", "sign-key"],
    ["previous", "previous-key", "previous-ledger", "ledger", "key", "token-file"],
    // Those of all commands. What one cannot use of them is said with the others that it lacks.
    ["base-url", "partner-id", "profile", "secret-key-file", "from", "as-of", "now"],
  ].flat(),
)

const wrong: Readonly<Record<string, string>> = {
  since: "once",
  until: "once",
  "time-zone": "Mars/Base",
  stuck: "old",
  "created-at": "after:2024",
  currency: "usd",
  columns: "nothing",
  sort: "nothing",
  json: "nothing",
  by: "hour",
  field: "nothing",
  month: "2024-13",
  mask: "wallet",
  metrics: "here",
  to: "mysql://db.example/transfers",
  "expect-hash": "md5:0",
  map: "colour=red",
  "header-row": "0",
  delimiter: '"',
  tolerance: "0.01",
  "as-of-day": "2024-02-30",
  "key-pattern": "(",
}

interface Command {
  readonly path: string
  readonly flags: ReadonlyArray<CliCompletions.FlagDescriptor>
}

const commandsOf = (of: CliCompletions.CommandDescriptor, path: ReadonlyArray<string>): ReadonlyArray<Command> => [
  { path: path.join(" "), flags: of.flags },
  ...of.subcommands.flatMap((one) => commandsOf(one, [...path, one.name])),
]

const commands = CliCompletions.fromCommand(commandTree).subcommands.flatMap((one) => commandsOf(one, [one.name]))
const cases = commands.flatMap(({ path, flags }) =>
  flags.flatMap(({ name, type: { _tag: type } }) =>
    type === "Boolean" || (free.has(name) && type === "String") || (path === "query" && name === "json")
      ? []
      : [[path, name, wrong[name] ?? "many"] as const],
  ),
)

test("every command of the tree is tried", () => {
  expect(new Set(cases.map(([path]) => path))).toContain("close")
  expect(cases.length).toBeGreaterThan(150)
})

test.each(cases)("transfers %s --%s=%s is rejected without settings", async (path, flag, value) => {
  const others = [...(needs[path] ?? []), ...(goesWith[`${path} ${flag}`] ?? [])]
  const args = [...path.split(" "), ...others.filter((arg) => !arg.startsWith(`--${flag}=`)), `--${flag}=${value}`]
  const { code, stdout, stderr } = await run(args)
  expect({ code, stdout, stderr }).toEqual({ code: 2, stdout: "", stderr: expect.stringMatching(`--${flag}|mysql`) })
  expect(stderr).not.toContain("Missing: ")
})

test.each([
  ["search", "--as-of=2024-10-01"],
  ["search", "--from=transfers.db", "--as-of=once"],
  ["query", "SELECT 1", "--from=transfers.db", "--as-of=once"],
  ["search", "--from=transfers.txt"],
])("transfers %s %s is rejected before anything is opened", async (...args) => {
  const { code, stderr } = await run(args)
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringMatching(/--as-of|transfers\.txt/) })
  expect(stderr).not.toMatch(/Missing: |no such file/)
})
