/** A ledger is right if it books what the service has settled, and nothing else. */
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { run } from "./InProcess.ts"

let folder: string

const statusOf = (index: number): string => (index < 260 ? "complete" : index < 280 ? "declined" : "executing")

const transfers = Array.from({ length: 300 }, (_, index) => ({
  id: `tr_${index}`,
  external_id: `order-${index}`,
  kind: index % 2 === 0 ? "cash_in" : "cash_out",
  status: statusOf(index),
  created_at: `2024-09-${String(1 + (index % 30)).padStart(2, "0")}T12:00:00Z`,
  source_total: { amount: `${index + 1}.50`, currency_code: index % 5 === 0 ? "fiat/EUR" : "fiat/USD" },
  service_fee: { amount: "1", currency_code: "fiat/GBP" },
}))

const booked = (rows: typeof transfers): string =>
  [
    "external_id,amount,currency",
    ...rows.map((row) => `${row.external_id},${row.source_total.amount},${row.source_total.currency_code}`),
  ].join("\n")

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "transfers-settlement-"))
  await writeFile(join(folder, "all.ndjson"), transfers.map((transfer) => `${JSON.stringify(transfer)}\n`).join(""))
  await writeFile(join(folder, "right.csv"), booked(transfers.slice(0, 260)))
  await writeFile(join(folder, "wrong.csv"), booked(transfers))
})
afterAll(() => rm(folder, { recursive: true }))

const reconcile = async (name: string, ...args: ReadonlyArray<string>) => {
  const { code, stdout, stderr } = await run([
    "reconcile",
    join(folder, name),
    "--from",
    join(folder, "all.ndjson"),
    ...args,
  ])
  return { code, stderr, ...JSON.parse(stdout) }
}

describe("of 300 transfers, 40 of which are not settled", () => {
  test.each([
    [[]],
    [["--status", "complete"]],
    [["--kind", "cash_in"]],
    [["--external-id", "order-1"]],
    [["--currency", "fiat/GBP"]],
  ])("the ledger of the 260 has no break with %j", async (args) => {
    expect(await reconcile("right.csv", ...args)).toMatchObject({
      code: 0,
      breaks: 0,
      totals: { Matched: { outcomes: 260 }, NothingToBook: { outcomes: 40 } },
    })
  })

  test.each([[[]], [["--status", "complete"]], [["--kind", "cash_in"]]])(
    "a ledger that books all of them has 40 breaks with %j, and each says why",
    async (args) => {
      const { code, breaks, totals, outcomes } = await reconcile("wrong.csv", ...args)
      expect({ code, breaks, matched: totals.Matched.outcomes }).toEqual({ code: 1, breaks: 40, matched: 260 })
      expect(new Set(outcomes.map(({ outcome }: { readonly outcome: string }) => outcome))).toEqual(
        new Set(["NotSettled"]),
      )
      const reasons = outcomes.map(({ why }: { readonly why: string }) => why.replace(/, created .*/, ""))
      expect(new Set(reasons)).toEqual(
        new Set(["booked, but declined at the service", "booked, but still open at the service: executing"]),
      )
    },
  )

  test("a filter narrows what must be booked: --currency by the amount that is compared", async () => {
    const path = join(folder, "nothing.csv")
    await writeFile(path, "external_id,amount,currency\nnobody,1,USD\n")
    const of = async (...args: ReadonlyArray<string>) =>
      (await reconcile("nothing.csv", ...args)).totals.NotInLedger.outcomes
    expect(await of()).toBe(260)
    expect(await of("--currency", "fiat/EUR")).toBe(52)
    expect(await of("--currency", "fiat/GBP")).toBe(0)
    expect(await of("--currency", "fiat/GBP", "--amount", "service_fee")).toBe(260)
    expect(await of("--kind", "cash_in")).toBe(130)
  })

  test("a row without a transfer is not said to be unknown to the service: only a file was asked", async () => {
    const path = join(folder, "unknown.csv")
    await writeFile(path, "external_id,amount,currency\nnobody,1,USD\n")
    const { outcomes } = await reconcile(
      "unknown.csv",
      "--since",
      "2024-09",
      "--until",
      "2024-09",
      "--external-id",
      "x",
    )
    expect(outcomes).toMatchObject([{ outcome: "NotAtService", why: "the file all.ndjson has no such transfer" }])
  })
})
