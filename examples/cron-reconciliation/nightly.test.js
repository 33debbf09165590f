import assert from "node:assert/strict"
import { spawn } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { after, test } from "node:test"
import { startFakeServer } from "@transferkit/fake/FakeServer"

const folder = mkdtempSync(join(tmpdir(), "nightly-"))
after(() => {
  rmSync(folder, { recursive: true })
  for (const path of ["reports", "transfers.db"])
    rmSync(join(import.meta.dirname, path), { recursive: true, force: true })
})

const nightly = (fake, ledger) => {
  const file = join(folder, "ledger.csv")
  writeFileSync(file, `external_id,amount,currency\n${ledger}\n`)
  const env = {
    ...process.env,
    TRANSFERS_BASE_URL: fake.url,
    TRANSFERS_PARTNER_ID: "demo",
    TRANSFERS_SECRET_KEY: "demo-secret",
  }
  const child = spawn("sh", ["nightly.sh", file, "2024-09-05"], { cwd: import.meta.dirname, env, stdio: "inherit" })
  return new Promise((resolve) => child.once("close", resolve))
}
const report = () => JSON.parse(readFileSync(join(import.meta.dirname, "reports/2024-09-05.json"), "utf8"))

test("exits with 0 when the ledger agrees, and with 1 and a report when a transfer has changed", async (context) => {
  const fake = await startFakeServer({ transfers: 0 })
  context.after(() => fake.close())
  fake.insert([
    {
      id: "tr_1",
      external_id: "order-1",
      status: "complete",
      created_at: "2024-09-05T10:00:00Z",
      source_total: { amount: "10.00", currency_code: "fiat/USD" },
    },
  ])
  assert.equal(await nightly(fake, "order-1,10.00,USD"), 0)
  assert.equal(report().breaks, 0)
  assert.equal(await nightly(fake, "order-1,10.01,USD"), 1)
  assert.equal(report().outcomes[0].outcome, "Differs")
  assert.deepEqual(report().outcomes[0].difference, { amount: "-0.01", currency_code: "fiat/USD" })
})
