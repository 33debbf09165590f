/** P20–P23: payouts by their ids are compared; batches without one are proposed, and confirmed by the accepted file. */
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import stringWidth from "string-width"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { run } from "./InProcess.ts"
import { see } from "./Terminal.ts"

let folder: string

const amounts = ["123.45", "88.10", "310.07", "45.99", "207.31"]
const transfers = amounts.map((amount, index) => ({
  id: `tr_${index}`,
  external_id: `order-${index}`,
  kind: "cash_in",
  status: "complete",
  created_at: `2024-09-${["02", "02", "03", "10", "11"][index]}T12:00:00Z`,
  source_total: { amount, currency_code: "fiat/EUR" },
}))
const provider = amounts.map((amount, index) => `order-${index},${amount},EUR,${index < 3 ? "po_1" : "po_2"}`)
const bank = ["po_1,521.62,EUR", "po_2,253.30,EUR"]

const path = (name: string) => join(folder, name)
const write = (name: string, lines: ReadonlyArray<string>) => writeFile(path(name), `${lines.join("\n")}\n`)

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "transfers-batches-"))
  await write(
    "all.ndjson",
    transfers.map((transfer) => JSON.stringify(transfer)),
  )
  await write("provider.csv", ["external_id,amount,currency,payout_id", ...provider])
  await write("bank.csv", ["reference,amount,currency", ...bank])
  await write("short.csv", ["reference,amount,currency", "po_1,521.61,EUR", bank[1] ?? ""])
})
afterAll(() => rm(folder, { recursive: true }))

const reconcile = async (...args: ReadonlyArray<string>) => {
  const { code, stdout, stderr } = await run(["reconcile", ...args, "--from", path("all.ndjson"), "--output", "json"])
  return { code, stderr, ...(stdout === "" ? {} : JSON.parse(stdout)) }
}

describe("P20: payouts by their ids", () => {
  test("the bank's rows are the sums of the provider's, in any order of the files", async () => {
    for (const files of [
      ["provider.csv", "bank.csv"],
      ["bank.csv", "provider.csv"],
    ]) {
      expect(await reconcile(...files.map(path), "--map", "payout=payout_id")).toMatchObject({
        code: 0,
        breaks: 0,
        totals: { Matched: { outcomes: 5 }, Payout: { outcomes: 2, ledger: [{ amount: "774.92" }] } },
      })
    }
  })

  test("a cent off is a break with its difference, and nothing is looked up for it", async () => {
    const { code, outcomes } = await reconcile(
      path("provider.csv"),
      path("short.csv"),
      "--map",
      "payout=payout_id",
      "--since",
      "2024-09",
      "--until",
      "2024-09",
    )
    expect(code).toBe(1)
    expect(outcomes).toMatchObject([
      {
        outcome: "Payout",
        key: "po_1",
        difference: { amount: "0.01" },
        why: "pays 3 rows of 521.62 fiat/EUR; the sums differ",
      },
    ])
  })

  test("a column that no ledger has is asked about", async () => {
    const { code, stderr } = await reconcile(path("bank.csv"), "--map", "payout=payout_id")
    expect([code, stderr]).toEqual([2, expect.stringContaining("no ledger has this column")])
  })
})

describe("P21–P23: batches without an id", () => {
  const args = ["--since", "2024-09", "--until", "2024-09", "--batches"]

  test("are proposed, stay breaks, and are confirmed by the accepted file, the whole set or none of it", async () => {
    await write("sums.csv", ["reference,amount,currency", "BANK 1,521.62,EUR", "BANK 2,253.30,EUR"])
    const found = await reconcile(path("sums.csv"), ...args, "--write-accepted", path("accepted.json"))
    expect(found).toMatchObject({ code: 1, breaks: 7, totals: { Matched: { outcomes: 0 } } })
    expect(found.proposals).toMatchObject([
      {
        key: "BANK 1",
        step: "days",
        transfers: [{ transfer_id: "tr_0" }, { transfer_id: "tr_1" }, { transfer_id: "tr_2" }],
      },
      { key: "BANK 2", step: "days", transfers: [{ transfer_id: "tr_3" }, { transfer_id: "tr_4" }] },
    ])
    const draft = JSON.parse(await readFile(path("accepted.json"), "utf8"))
    expect(draft.breaks.map((one: { outcome: string }) => one.outcome)).toEqual(["Batch", "Batch"])
    const [first] = draft.breaks
    const confirmed = {
      ...draft,
      breaks: [{ ...first, reason: "advice of 4 Sep", by: "controller", until: "2024-12-31" }],
    }
    await writeFile(path("accepted.json"), JSON.stringify(confirmed))
    const again = await reconcile(path("sums.csv"), ...args, "--accepted", path("accepted.json"))
    expect(again).toMatchObject({ code: 1, states: { new: 3, known: 4, expired: 0, resolved: 0 } })
    expect(again.proposals).toMatchObject([{ key: "BANK 2", step: "days" }])
    expect(again.outcomes.filter((one: { state: string }) => one.state === "known")).toHaveLength(4)

    // One of its transfers is booked by itself: the batch no longer explains the others.
    await write("sums.csv", ["reference,amount,currency", "BANK 1,521.62,EUR", "order-1,88.10,EUR"])
    const broken = await reconcile(path("sums.csv"), ...args, "--accepted", path("accepted.json"))
    expect(broken).toMatchObject({ code: 1, states: { known: 0, resolved: 1 } })
    const expired = { ...confirmed, breaks: [{ ...confirmed.breaks[0], until: "2024-09-01" }] }
    await writeFile(path("accepted.json"), JSON.stringify(expired))
    await write("sums.csv", ["reference,amount,currency", "BANK 1,521.62,EUR", "BANK 2,253.30,EUR"])
    expect(await reconcile(path("sums.csv"), ...args, "--accepted", path("accepted.json"))).toMatchObject({
      states: { new: 3, known: 0, expired: 4, resolved: 0 },
    })
  })

  test("a set that was changed by hand is rejected", async () => {
    await write("sums.csv", ["reference,amount,currency", "BANK 1,521.62,EUR"])
    await reconcile(path("sums.csv"), ...args, "--write-accepted", path("changed.json"))
    const draft = JSON.parse(await readFile(path("changed.json"), "utf8"))
    const batch = draft.breaks.find((one: { outcome: string }) => one.outcome === "Batch")
    const smaller = { ...batch, service: batch.service.slice(1), reason: "r", by: "b", until: "2024-12-31" }
    await writeFile(path("changed.json"), JSON.stringify({ ...draft, breaks: [smaller] }))
    const { code, stderr } = await reconcile(path("sums.csv"), "--accepted", path("changed.json"), ...args)
    expect([code, stderr]).toEqual([2, expect.stringContaining("changed by hand")])
  })

  test("what cannot be proposed says why, and a table shows it", async () => {
    await write("sums.csv", ["reference,amount,currency", "BANK 1,521.63,EUR", "BANK 3,10.00,USD"])
    const { proposals } = await reconcile(path("sums.csv"), ...args)
    expect(proposals.map(({ why }: { why: string }) => why)).toEqual([
      "none of 10 sums of whole days is the amount; none of 31 sums of sets is the amount",
      "no transfer in fiat/USD of this direction is left",
    ])
    const { stdout } = await run([
      "reconcile",
      path("sums.csv"),
      "--from",
      path("all.ndjson"),
      ...args,
      "--output",
      "table",
    ])
    expect(stdout).toContain("No batch proposed (2)")
  })

  test.each([80, 140])(
    "on %d columns, what is proposed and what is open fit, with keys, ids and amounts whole",
    async (columns) => {
      const paid = ["123.450000000000000001", "88.100000000000000000", "310.070000000000000000"].map(
        (amount, index) => ({
          ...transfers[index],
          id: `0191b91c-c0c2-7000-800d-23e0af604a7${index}`,
          source_total: { amount, currency_code: "ethereum/DAI" },
        }),
      )
      await write(
        "paid.ndjson",
        paid.map((transfer) => JSON.stringify(transfer)),
      )
      const rows = [
        "PAYOUT-2024-09-03-0001,521.620000000000000001,ethereum/DAI,2024-09-04",
        "PAYOUT-2024-09-09-0002,7.10,fiat/EUR,2024-09-09",
      ]
      await write("payouts.csv", ["reference,amount,currency,day", ...rows])
      const flags = ["--map", "date=day", "--as-of-day", "2024-09-30", "--output", "table"]
      const { text } = await see(["reconcile", path("payouts.csv"), "--from", path("paid.ndjson"), ...args, ...flags], {
        columns,
      })
      expect(text.split("\n").filter((line) => stringWidth(line) > columns)).toEqual([])
      expect(text).not.toMatch(/…/)
      for (const part of ["Proposed, not matched: whole days (1)", "No batch proposed (1)", "Open items by age"]) {
        const table = text.split("\n\n").find((section) => section.startsWith(part)) ?? ""
        expect(table, text).not.toMatch(/^(?:KEY|OUTCOME) +(?:PAYOUT|Not)/m)
        if (part.startsWith("Proposed"))
          for (const { id, source_total } of paid)
            expect(table).toMatch(new RegExp(`${id}[^]*${source_total.amount} +ethereum/DAI`))
      }
    },
  )

  test("none is made without the flag", async () => {
    expect(await reconcile(path("sums.csv"))).not.toHaveProperty("proposals")
  })
})
