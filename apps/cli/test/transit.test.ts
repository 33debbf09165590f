/** Days of a time zone, money in transit, keys of other periods, and what a result says of its settings. */
import { readFile, writeFile } from "node:fs/promises"
import { startFakeServer } from "@transferkit/fake/FakeServer"
import { beforeAll, describe, expect, test } from "vitest"
import { demo } from "./Cli.ts"
import { run } from "./InProcess.ts"
import * as PageText from "./PageText.ts"
import * as WorkingFolder from "./WorkingFolder.ts"

WorkingFolder.use()

const transfer = (external_id: string, created_at: string, status = "complete") => ({
  id: `tr_${external_id}`,
  external_id,
  kind: "cash_in",
  status,
  created_at,
  source_total: { amount: "10", currency_code: "fiat/EUR" },
})

const transfers = [
  transfer("august", "2024-08-15T10:00:00Z"),
  transfer("failed", "2024-08-16T10:00:00Z", "declined"),
  transfer("old", "2024-09-20T10:00:00Z"),
  transfer("recent", "2024-09-29T10:00:00Z"),
  transfer("open", "2024-09-29T10:00:00Z", "executing"),
  transfer("october", "2024-10-01T10:00:00Z"),
]

beforeAll(async () => {
  await writeFile("all.ndjson", transfers.map((one) => `${JSON.stringify(one)}\n`).join(""))
  await writeFile(
    "ledger.csv",
    [
      "external_id,amount,currency,day",
      "august,10,EUR,2024-09-02",
      "failed,10,EUR,2024-09-03",
      "open,10,EUR,2024-09-29",
      "october,10,EUR,2024-09-30",
      "nobody,10,EUR,2024-09-29",
      "never,10,EUR,2024-09-10",
    ].join("\n"),
  )
})

const september = ["--since", "2024-09", "--until", "2024-09", "--map", "date=day"]

const reconcile = async (args: ReadonlyArray<string>, env: Readonly<Record<string, string>> = {}) => {
  const { code, stdout, stderr } = await run(["reconcile", "ledger.csv", ...september, ...args], { env })
  const json = code === 0 || code === 1 ? JSON.parse(stdout) : {}
  const lines: ReadonlyArray<{
    readonly key: string
    readonly outcome: string
    readonly break: boolean
    readonly why: string
  }> = json.outcomes ?? []
  const of = Object.fromEntries(lines.map((line) => [line.key, `${line.outcome}${line.break ? "" : " (no break)"}`]))
  return { code, stderr, json, of, why: Object.fromEntries(lines.map((line) => [line.key, line.why])) }
}

describe("P14, P15: as of 30 September", () => {
  test("without grace, nothing is in transit, and keys are looked up", async () => {
    const { code, of, why } = await reconcile(["--from", "all.ndjson"])
    expect(code).toBe(1)
    expect(of).toEqual({
      august: "OtherPeriod",
      failed: "NotSettled",
      open: "NotSettled",
      october: "OtherPeriod",
      nobody: "NotAtService",
      never: "NotAtService",
      old: "NotInLedger",
      recent: "NotInLedger",
    })
    expect(why).toMatchObject({
      august: "booked 2024-09-02, created 2024-08-15, its status is complete",
      failed: "booked, but declined at the service, created 2024-08-16",
      nobody: "not in the file, which may lack transfers",
    })
  })

  test("with three days of grace, what is recent is in transit", async () => {
    const { of, json } = await reconcile(["--from", "all.ndjson", "--grace", "3"])
    expect(of).toEqual({
      august: "OtherPeriod",
      failed: "NotSettled",
      open: "Expected (no break)",
      october: "OtherPeriod (no break)",
      nobody: "Expected (no break)",
      never: "NotAtService",
      old: "NotInLedger",
      recent: "Expected (no break)",
    })
    expect(json).toMatchObject({
      breaks: 4,
      settings: {
        created_at: ["gte:2024-09-01T00:00:00Z", "lt:2024-10-01T00:00:00Z"],
        settled: ["complete"],
        failed: ["declined"],
        grace_days: 3,
        as_of_day: "2024-09-30",
      },
      statuses: [
        { status: "complete", class: "settled", transfers: 2 },
        { status: "executing", class: "open", transfers: 1 },
      ],
    })
  })

  test("a later day leaves no grace", async () => {
    const { of } = await reconcile(["--from", "all.ndjson", "--grace", "3", "--as-of-day", "2024-10-04"])
    expect(of).toMatchObject({ open: "NotSettled", nobody: "NotAtService", recent: "NotInLedger" })
  })

  test("without look-ups nothing is said of the source, only of what was read", async () => {
    const { of, why } = await reconcile(["--from", "all.ndjson", "--look-ups", "0"])
    expect(of).toMatchObject({ august: "NotAtService", failed: "NotAtService" })
    expect(why).toMatchObject({ nobody: "not among the transfers of September 2024" })
  })

  test("the service is asked for the keys, and says that it has none", async () => {
    await using fake = await startFakeServer({ data: transfers })
    const { of, why } = await reconcile(["--grace", "3"], demo(fake.url))
    expect(of).toMatchObject({ august: "OtherPeriod", failed: "NotSettled", never: "NotAtService" })
    expect(why).toMatchObject({ never: "the service has no such transfer" })
    const few = await reconcile(["--look-ups", "1"], demo(fake.url))
    expect(few.why).toMatchObject({
      august: "booked 2024-09-02, created 2024-08-15, its status is complete",
      never: "not among the transfers of September 2024",
    })
  })
})

test("the classes of statuses are flags", async () => {
  const { of, json } = await reconcile(["--from", "all.ndjson", "--settled", "executing", "--failed", "complete"])
  expect(of).not.toHaveProperty("open")
  expect(json.settings).toMatchObject({ settled: ["executing"], failed: ["complete"] })
})

test.each([
  [["--settled", "x", "--failed", "x"], 'The status "x" cannot be both settled and failed'],
  [["--settled", "declined"], 'The status "declined" cannot be both settled and failed'],
  [["--as-of-day", "2024-02-30"], '--as-of-day: Not a date: "2024-02-30"'],
])("rejects %j", async (args, reason) => {
  const { code, stderr } = await reconcile(["--from", "all.ndjson", ...args])
  expect(code).toBe(2)
  expect(stderr).toContain(reason)
})

test("P15: --grace without an end of the period needs a day", async () => {
  const { code, stderr } = await run(["reconcile", "ledger.csv", "--from", "all.ndjson", "--grace", "3"])
  expect(code).toBe(2)
  expect(stderr).toContain("give --as-of-day 2024-09-30, or a period that ends")
})

test("P13: a ledger's day is a day of --time-zone: no row of 31 August is taken", async () => {
  await writeFile("august.csv", "external_id,amount,currency,day\nx,1,EUR,2024-08-31\ny,1,EUR,2024-09-01\n")
  const { stdout } = await run([
    "reconcile",
    "august.csv",
    "--from",
    "all.ndjson",
    ...september,
    "--time-zone",
    "Europe/Berlin",
  ])
  const { ledgers, settings, outcomes } = JSON.parse(stdout)
  expect(ledgers[0]).toMatchObject({ rows: 2, outside: 1 })
  expect(settings.time_zone).toBe("Europe/Berlin")
  expect(outcomes.map(({ key }: { readonly key: string }) => key)).not.toContain("x")
})

test("report takes the same flags, and its page is of the period alone", async () => {
  const args = ["--month", "2024-09", "--from", "all.ndjson", "--html", "page.html", "--ledger", "ledger.csv"]
  const rest = ["--map", "date=day", "--grace", "3", "--time-zone", "Europe/Berlin", "--output", "json"]
  const { code, stdout } = await run(["report", ...args, ...rest])
  expect({ code, ...JSON.parse(stdout) }).toMatchObject({ code: 1, transfers: 3, breaks: 4 })
  const page = await readFile("page.html", "utf8")
  expect(page).toContain("In transit")
  // The command on the page gives the page's numbers.
  const command = PageText.command(page).replace("transfers ", "")
  expect(command).toContain("--ledger ledger.csv --map date=day --grace 3")
  const again = await run([...command.replace("page.html", "again.html").split(" "), "--output", "json"])
  expect(JSON.parse(again.stdout)).toEqual(JSON.parse(stdout))
})

describe("P8: what is said of a key depends on what the source holds", () => {
  test("a file that holds everything says that the service had none; one of a month only where it looked", async () => {
    await using fake = await startFakeServer({ data: transfers })
    const env = demo(fake.url)
    for (const [name, ...args] of [
      ["everything.ndjson"],
      ["month.ndjson", "--since", "2024-08-29", "--until", "2024-10-03"],
      ["narrow.ndjson", "--status", "complete"],
    ] as const) {
      expect(await run(["export", ...args, "--out", name], { env })).toMatchObject({ code: 0 })
    }
    const whyOf = async (...args: ReadonlyArray<string>) => (await reconcile(args)).why["never"]
    expect(await whyOf("--from", "everything.ndjson")).toBe(
      "the service had no such transfer when the file was exported",
    )
    expect(await whyOf("--from", "month.ndjson")).toBe("not in the file, which may lack transfers")
    expect(await whyOf("--from", "month.ndjson", "--look-ups", "0")).toBe("not among the transfers of September 2024")
    expect(await whyOf("--from", "narrow.ndjson", "--look-ups", "0")).toBe(
      "not among the transfers with status complete of September 2024",
    )
  })

  test("the days of grace are part of the question: a file without them is refused", async () => {
    await using fake = await startFakeServer({ data: transfers })
    const range = ["--since", "2024-09", "--until", "2024-09"]
    await run(["export", ...range, "--out", "bare.ndjson"], { env: demo(fake.url) })
    expect((await reconcile(["--from", "bare.ndjson"])).code).toBe(1)
    const { code, stderr } = await reconcile(["--from", "bare.ndjson", "--grace", "3"])
    expect(code).toBe(2)
    expect(stderr).toContain("lacks what was created 2024-08-29 to 2024-08-31 and 2024-10-01 to 2024-10-03")
    const allowed = await reconcile(["--from", "bare.ndjson", "--grace", "3", "--allow-incomplete", "--look-ups", "0"])
    expect(allowed.why).toMatchObject({ never: "not among the transfers of September 2024" })
  })
})
