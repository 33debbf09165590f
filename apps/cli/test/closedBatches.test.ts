/** A batch that was confirmed in one month still explains its row and its transfers in the next. */
import { readFile, writeFile } from "node:fs/promises"
import { startFakeServer } from "@transferkit/fake/FakeServer"
import { beforeAll, expect, test } from "vitest"
import { demo } from "./Cli.ts"
import { run } from "./InProcess.ts"
import * as WorkingFolder from "./WorkingFolder.ts"

WorkingFolder.use()

const transfer = (name: string, amount: string, day: string) => ({
  id: `tr_${name}`,
  external_id: `order-${name}`,
  kind: "cash_in",
  status: "complete",
  created_at: `2024-${day}T12:00:00Z`,
  source_total: { amount, currency_code: "fiat/EUR" },
})
const data = [
  transfer("a", "123.45", "09-02"),
  transfer("b", "88.10", "09-02"),
  transfer("c", "310.07", "09-03"),
  transfer("d", "45.99", "10-10"),
]

beforeAll(async () => {
  await using fake = await startFakeServer({ data })
  await run(["export", "--out", "all.ndjson"], { env: demo(fake.url) })
  await writeFile("bank-09.csv", "reference,amount,currency,day\nBANK 1,521.62,EUR,2024-09-05\n")
  await writeFile("bank-10.csv", "reference,amount,currency,day\norder-d,45.99,EUR,2024-10-10\n")
})

const own = ["--from", "all.ndjson", "--map", "date=day", "--output", "json"]

const close = async (month: string, ...args: ReadonlyArray<string>) => {
  const ledger = ["--ledger", `bank-${month}.csv`, "--out", `${month}.zip`]
  const { code, stdout } = await run(["close", "--month", `2024-${month}`, ...ledger, ...own, ...args])
  return { code, states: JSON.parse(stdout).states }
}

test("a confirmed batch is accepted in the next month, too, while all its breaks are open", async () => {
  const draft = ["--since", "2024-09", "--until", "2024-09", "--batches", "--write-accepted", "draft.json"]
  await run(["reconcile", "bank-09.csv", ...own, ...draft])
  const { breaks, ...rest } = JSON.parse(await readFile("draft.json", "utf8"))
  expect(breaks).toMatchObject([{ outcome: "Batch", key: "BANK 1" }])
  const confirmed = { reason: "advice of 5 Sep", by: "controller", at: "2024-10-02", until: "2024-12-31" }
  await writeFile("accepted.json", JSON.stringify({ ...rest, breaks: [{ ...breaks[0], ...confirmed }] }))
  const states = { new: 0, known: 4, expired: 0, resolved: 0 }
  expect(await close("09", "--accepted", "accepted.json")).toEqual({ code: 0, states })
  expect(await close("10", "--previous", "09.zip")).toEqual({ code: 0, states })
})
