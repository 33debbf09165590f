/**
 * One grammar of amounts: every reader of amounts rejects what `Money` rejects, each with its own message. The domain's
 * tests try the same spellings on `Money` itself and on the wire.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { run } from "../../apps/cli/test/InProcess.ts"
import { invalidAmounts } from "../../packages/domain/test/fixtures/invalidAmounts.ts"
import { startFakeServer, type RunningFakeServer } from "../../packages/fake/src/FakeServer.ts"

const folder = mkdtempSync(join(tmpdir(), "transferkit-amounts-"))
afterAll(() => rmSync(folder, { recursive: true }))

const write = (name: string, text: string): string => {
  const file = join(folder, name)
  writeFileSync(file, text)
  return file
}

const transfers = (...args: ReadonlyArray<string>) => run(["--sandbox", ...args], { env: { NO_COLOR: "1" } })

const transfer = (amount: string) => ({
  id: "tr_bad",
  kind: "cash_in",
  status: "complete",
  created_at: "2024-09-01T00:00:00Z",
  source_total: { amount, currency_code: "fiat/USD" },
})

it("there are enough spellings", () => {
  expect(invalidAmounts.length).toBeGreaterThan(40)
})

it("transfers validate reports each as an invalid amount", async () => {
  const proposals = invalidAmounts.map((amount) => ({
    country_code: "US",
    payment_method: "debit_card",
    source: { amount, currency_code: "fiat/USD" },
    destination_currency_code: "ethereum/USDC",
  }))
  const { code: exit, stdout } = await transfers(
    "validate",
    write("proposals.json", JSON.stringify(proposals)),
    "-o",
    "ndjson",
  )
  const verdicts: ReadonlyArray<{
    readonly violations: ReadonlyArray<{ readonly code: string; readonly actual: unknown }>
  }> = stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line))
  expect(exit).toBe(1)
  expect(verdicts.map(({ violations }) => violations.map(({ code, actual }) => [code, actual]))).toEqual(
    invalidAmounts.map((amount) => [["invalid_amount", amount]]),
  )
})

// A ledger is written by people and by spreadsheets: a blank and a sign around an amount leave no doubt.
const harmless = [" 1", "1 ", "+1"]
const kinds = ["", ...harmless, ".5", "5.", "01", "1e3", "0x10", "1_000", "1,000", "NaN", "\uff11", "9".repeat(256)]

// The command stops at the first bad row, so each spelling takes a run: one of each kind.
it.each(kinds)("transfers reconcile reads %j in a ledger without doubt or rejects it", async (amount) => {
  const ledger = write("ledger.csv", `external_id,amount,currency_code\norder-1,"${amount}",fiat/USD\n`)
  const { code, stderr, stdout } = await transfers("reconcile", ledger, "-o", "json")
  if (harmless.includes(amount)) {
    expect(JSON.parse(stdout).totals.NotAtService.ledger).toEqual([{ amount: "1", currency_code: "fiat/USD" }])
  } else {
    expect([code, stderr]).toEqual([2, expect.stringContaining("line 2: ")])
  }
})

it.each(kinds)("transfers reconcile rejects %j as a tolerance", async (amount) => {
  const good = write("good.csv", "external_id,amount,currency_code\norder-1,1,fiat/USD\n")
  const { code, stderr } = await transfers("reconcile", good, "--tolerance", `${amount}:fiat/USD`)
  expect([code, stderr]).toEqual([2, expect.stringContaining("Not an amount: ")])
})

describe("the fake", () => {
  let fake: RunningFakeServer
  beforeAll(async () => {
    fake = await startFakeServer()
  })
  afterAll(() => fake.close())

  it.each(invalidAmounts)("rejects %j in an insertion", async (amount) => {
    const response = await fetch(`${fake.url}/_fake/transfers`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(transfer(amount)),
    })
    expect(response.status).toBe(400)
    expect(await response.text()).toContain("source_total")
  })

  it.each(invalidAmounts)("rejects %j in a data file", async (amount) => {
    const dataFile = write("data.ndjson", `${JSON.stringify(transfer(amount))}\n`)
    await expect(startFakeServer({ dataFile })).rejects.toMatchObject({
      message: expect.stringContaining("source_total"),
    })
  })
})
