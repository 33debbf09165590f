/** Files of JSON that people write or edit: a mistake in one is named by its line and column, whatever the file is for. */
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, expect, test } from "vitest"
import * as Cli from "./Cli.ts"
import { run } from "./InProcess.ts"

let folder: string
const cwd = process.cwd()
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "transfers-json-"))
  process.chdir(folder)
  await writeFile("bad.json", '{\n  "rows": [1,]\n}\n')
  await writeFile("lines.ndjson", '{"a": 1}\n\n{"a": ,}\n')
  await writeFile("proposals.json", "[{}]")
  await writeFile("ledger.csv", "external_id,amount,currency\nx,1.00,USD\n")
  await writeFile("export.csv", "id\n")
  await writeFile("export.csv.manifest.json", '{"transfers_export": 2')
  await mkdir(".config/transfers", { recursive: true })
  await writeFile(".config/transfers/profiles.json", '{"profiles": {}}}', { mode: 0o600 })
})
afterAll(async () => {
  process.chdir(cwd)
  await rm(folder, { recursive: true })
})

const month = ["--since", "2024-09", "--until", "2024-09", "--sandbox"]

test.each([
  [["validate", "bad.json", "--sandbox"], "bad.json", "line 2, column 14: expected a value, found ]"],
  [["validate", "lines.ndjson", "--sandbox"], "lines.ndjson", "line 3, column 7: expected a value, found ,"],
  [["validate", "proposals.json", "--capabilities", "bad.json"], "bad.json", "line 2, column 14: "],
  [["audit", "--fees", "bad.json", ...month], "bad.json", "line 2, column 14: "],
  [
    ["reconcile", "ledger.csv", "--accepted", "bad.json", "--as-of-day", "2024-09-30", ...month],
    "bad.json",
    "line 2, column 14: ",
  ],
  [["reconcile", "ledger.csv", "--ledger-profile", "bad.json", ...month], "bad.json", "line 2, column 14: "],
  [["reconcile", "ledger.csv", "--carry", "bad.json", ...month], "bad.json", "line 2, column 14: "],
  [["certify", "--against", "bad.json", "--base-url", "http://127.0.0.1:1"], "bad.json", "line 2, column 14: "],
  [
    ["verify", "export.csv"],
    "export.csv.manifest.json",
    "line 1, column 23: expected a comma or }, found the end of the text",
  ],
  [["profiles"], join(".config/transfers/profiles.json"), "line 1, column 17: expected the end of the text, found }"],
])("%j", async (args, file, place) => {
  const { code, stderr } = await run(args, {
    env: {
      HOME: args[0] === "profiles" ? folder : "/nonexistent",
      TRANSFERS_PARTNER_ID: "demo",
      TRANSFERS_SECRET_KEY: "demo-secret",
    },
  })
  expect(code, stderr).toBe(2)
  expect(stderr).toContain(`${file}: `)
  expect(stderr).toContain(`it is not JSON: ${place}`)
})

test.each([
  [["validate", "twice.json", "--sandbox"], '[{"a": 1,\n  "a": 2}]'],
  [["validate", "twice.json", "--sandbox"], '{"b": 1}\n{"a": 1, "a": 2}\n'],
  [["validate", "proposals.json", "--capabilities", "twice.json"], '{"a": [],\n  "a": []}'],
  [
    ["audit", "--fees", "twice.json", ...month],
    '{"fee_schedule": 1, "rows": [{"fee": "service_fee", "currency": "fiat/EUR", "fixed": "0.30",\n  "fixed": "0.40"}]}',
  ],
  [["reconcile", "ledger.csv", "--ledger-profile", "twice.json", ...month], '{"sheet": "a",\n  "sheet": "b"}'],
  [
    ["reconcile", "ledger.csv", "--accepted", "twice.json", "--as-of-day", "2024-09-30", ...month],
    '{"accepted_breaks": 1, "breaks": [],\n  "breaks": []}',
  ],
  [["reconcile", "ledger.csv", "--carry", "twice.json", ...month], '{"items": [],\n  "items": []}'],
  [["certify", "--against", "twice.json", "--base-url", "http://127.0.0.1:1"], '{"requests": 1,\n  "requests": 2}'],
])("%j rejects a name that an object has twice", async (args, text) => {
  await writeFile("twice.json", text)
  const env = { TRANSFERS_PARTNER_ID: "demo", TRANSFERS_SECRET_KEY: "demo-secret" }
  const { code, stderr } = await run(args, { env })
  expect(code, stderr).toBe(2)
  expect(stderr).toMatch(/twice[.]json: .*line 2, column \d+: its object has "\w+" already: remove one of the two/)
})

const latin1 = Buffer.from('{\n  "external_id": "M\u00fcller-1"}\n', "latin1")

test.each([
  [["validate", "latin1.json", "--sandbox"]],
  [["validate", "proposals.json", "--capabilities", "latin1.json"]],
  [["audit", "--fees", "latin1.json", ...month]],
  [["reconcile", "ledger.csv", "--ledger-profile", "latin1.json", ...month]],
  [["reconcile", "ledger.csv", "--accepted", "latin1.json", "--as-of-day", "2024-09-30", ...month]],
  [["reconcile", "ledger.csv", "--carry", "latin1.json", ...month]],
  [["certify", "--against", "latin1.json", "--base-url", "http://127.0.0.1:1"]],
])("%j rejects a file that is not UTF-8", async (args) => {
  await writeFile("latin1.json", latin1)
  const env = { TRANSFERS_PARTNER_ID: "demo", TRANSFERS_SECRET_KEY: "demo-secret" }
  const { code, stderr } = await run(args, { env })
  expect(code, stderr).toBe(2)
  expect(stderr).toMatch(/latin1[.]json: .*line 2: a character was lost; save the file as UTF-8/)
})

test("validate rejects standard input that is not UTF-8, and a text that lost a character before", async () => {
  const [piped, mangled] = [
    await Cli.run(["validate", "-", "--sandbox"], { stdin: latin1 }),
    await Cli.run(["validate", "-", "--sandbox"], { stdin: latin1.toString() }),
  ]
  expect([piped.code, piped.stderr]).toEqual([
    2,
    expect.stringContaining("standard input: line 2: a character was lost; save the file as UTF-8"),
  ])
  expect([mangled.code, mangled.stderr]).toEqual([
    2,
    expect.stringContaining("standard input: a character was lost; save the file as UTF-8"),
  ])
})
