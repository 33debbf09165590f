/** A ledger is right if it books what the service has settled, and nothing else. */
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
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

describe("P1–P4: of 300 transfers, 40 of which are not settled", () => {
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
    expect(outcomes).toMatchObject([{ outcome: "NotAtService", why: "not in the file, which may lack transfers" }])
  })
})

describe("P1: a profile says what the statuses of its deployment mean", () => {
  const env = () => ({ XDG_CONFIG_HOME: join(folder, "config") })
  const profiles = (...args: ReadonlyArray<string>) => run(["profiles", ...args, "--output", "json"], { env: env() })

  test("for a file, too, and the result prints them", async () => {
    await profiles("save", "live", "--base-url", "http://127.0.0.1:9")
    await profiles("set", "live", "--settled", "complete,executing", "--failed", "declined")
    await profiles("save", "copy", "--profile", "live")
    expect(JSON.parse((await profiles()).stdout)).toMatchObject([
      { name: "live", settled: "complete, executing", failed: "declined" },
      { name: "copy", settled: "complete, executing", failed: "declined" },
    ])
    const args = ["reconcile", join(folder, "wrong.csv"), "--from", join(folder, "all.ndjson"), "--profile", "copy"]
    const { stdout, code } = await run(args, { env: env() })
    expect(code).toBe(1)
    expect(JSON.parse(stdout)).toMatchObject({
      breaks: 20,
      settings: { settled: ["complete", "executing"], failed: ["declined"] },
      totals: { Matched: { outcomes: 280 }, NotSettled: { outcomes: 20 } },
    })
    const flagged = await run([...args, "--settled", "complete"], { env: env() })
    expect(JSON.parse(flagged.stdout)).toMatchObject({ breaks: 40, settings: { settled: ["complete"] } })
  })

  test("a status that is both is rejected, with the profile's name", async () => {
    await profiles("save", "live", "--base-url", "http://127.0.0.1:9")
    const file = join(folder, "config", "transfers", "profiles.json")
    const before = await readFile(file, "utf8")
    for (const given of [
      ["--settled", "paid", "--failed", "paid"],
      // Contradicts what a profile without statuses means.
      ["--settled", "declined"],
    ]) {
      const { code, stderr } = await profiles("set", "live", ...given)
      expect([code, stderr]).toEqual([2, expect.stringContaining("cannot be both settled and failed")])
    }
    expect(await readFile(file, "utf8")).toBe(before)
    // Somebody has edited the file.
    await writeFile(file, JSON.stringify({ profiles: { live: { settled: ["paid"], failed: ["paid"] } } }))
    const saved = await profiles("save", "copy", "--profile", "live", "--partner-id", "acme")
    expect([saved.code, saved.stderr]).toEqual([2, expect.stringContaining("cannot be both")])
    const args = ["reconcile", join(folder, "wrong.csv"), "--from", join(folder, "all.ndjson"), "--profile", "live"]
    const { stderr, code } = await run(args, { env: env() })
    expect([code, stderr]).toEqual([2, expect.stringContaining('The profile live: The status "paid" cannot be both')])
  })
})
