/** A JSON result says all that it depends on: settings after defaults, ledgers with their hashes, source, period, version. */
import { createHash } from "node:crypto"
import { writeFile } from "node:fs/promises"
import { startFakeServer } from "@transferkit/fake/FakeServer"
import { beforeAll, expect, test } from "vitest"
import { demo } from "./Cli.ts"
import { run } from "./InProcess.ts"
import * as WorkingFolder from "./WorkingFolder.ts"

WorkingFolder.use()

const ledger = "external_id,amount,currency\na,1.50,EUR\n"

beforeAll(async () => {
  const one = { id: "tr_a", external_id: "a", kind: "cash_in", status: "complete", created_at: "2024-09-02T10:00:00Z" }
  await using fake = await startFakeServer({
    data: [{ ...one, source_total: { amount: "1.50", currency_code: "fiat/EUR" } }],
  })
  await run(["export", "--out", "all.ndjson"], { env: demo(fake.url) })
  await writeFile("capabilities.json", (await run(["capabilities", "-o", "json"], { env: demo(fake.url) })).stdout)
  await writeFile("bank.csv", ledger)
})

const september = ["gte:2024-08-31T22:00:00Z", "lt:2024-09-30T22:00:00Z"]
const berlin = ["--time-zone", "Europe/Berlin"]
const month = ["--since", "2024-09", "--until", "2024-09", ...berlin]

const books = {
  settings: {
    version: expect.stringMatching(/^\d+\.\d+\.\d+/),
    created_at: september,
    time_zone: "Europe/Berlin",
    key: "external_id",
    amount: "source_total",
    tolerance: [],
    group: false,
    settled: ["complete"],
    failed: ["declined"],
    grace_days: 0,
    as_of_day: "2024-09-30",
    look_ups: 300,
    batches: false,
  },
  ledgers: [{ file: "bank.csv", rows: 1, sha256: createHash("sha256").update(ledger).digest("hex") }],
}

// Those of a bundle are in it.
const closed = { ...books, ledgers: [{ ...books.ledgers[0], file: "ledgers/bank.csv" }] }

test.each([
  ["reconcile", ["reconcile", "bank.csv", ...month], books],
  ["report", ["report", ...month, "--ledger", "bank.csv", "--html", "report.html"], books],
  ["close", ["close", "--month", "2024-09", ...berlin, "--ledger", "bank.csv", "--out", "close.zip"], closed],
  [
    "audit",
    ["audit", ...month, "--capabilities", "capabilities.json"],
    {
      settings: {
        time_zone: "Europe/Berlin",
        settled: ["complete"],
        failed: ["declined"],
        capabilities: expect.stringMatching(/^sha256:[0-9a-f]{64}$/),
        fees: null,
      },
    },
  ],
])("%s", async (_, args, expected) => {
  const { stdout } = await run([...args, "--from", "all.ndjson", "--output", "json"])
  expect(JSON.parse(stdout)).toMatchObject({
    ...expected,
    source: {
      origin: { partner_id: "demo" },
      as_of: expect.stringMatching(/^20/),
      asked: { created_at: [september] },
      missing: [],
      version: expect.stringMatching(/^\d+\.\d+\.\d+/),
    },
  })
})
