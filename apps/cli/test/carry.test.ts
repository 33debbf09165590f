/** What the books of September leave open is in those of October: it matches there, stays open, or is accepted. */
import { mkdir, readFile, writeFile } from "node:fs/promises"
import { startFakeServer } from "@transferkit/fake/FakeServer"
import { beforeAll, describe, expect, test } from "vitest"
import { demo } from "./Cli.ts"
import { run } from "./InProcess.ts"
import * as TwoMonths from "./TwoMonths.ts"
import * as WorkingFolder from "./WorkingFolder.ts"

WorkingFolder.use()
beforeAll(async () => {
  await writeFile("september.ndjson", TwoMonths.ndjson(TwoMonths.transfers))
  await writeFile("october.ndjson", TwoMonths.ndjson(TwoMonths.later(TwoMonths.transfers)))
  await writeFile("september.csv", TwoMonths.september)
  await writeFile(
    "october.csv",
    TwoMonths.csv([
      ["a", 10, "10-03"],
      ["e", 50, "10-01"],
      ["c", 30, "09-30"],
    ]),
  )
})

type Lines = ReadonlyArray<{ readonly key: string; readonly outcome: string; readonly open_since?: string }>

const reconcile = async (
  month: "09" | "10",
  args: ReadonlyArray<string>,
  env: Readonly<Record<string, string>> = {},
) => {
  const name = month === "09" ? "september" : "october"
  const period = ["--since", `2024-${month}`, "--until", `2024-${month}`, "--map", "date=day"]
  const grace = args.includes("--grace") ? [] : ["--grace", "3"]
  const from = env["TRANSFERS_BASE_URL"] === undefined ? ["--from", `${name}.ndjson`] : []
  const words = ["reconcile", `${name}.csv`, ...from, ...period, ...grace, "-o", "json", ...args]
  const { code, stdout, stderr } = await run(words, { env })
  const json = code === 0 || code === 1 ? JSON.parse(stdout) : {}
  const lines: Lines = json.outcomes ?? []
  return { code, stderr, json, of: Object.fromEntries(lines.map(({ key, outcome }) => [key, outcome])), lines }
}

describe("--carry", () => {
  test("brings what September left open into October, as it is by then", async () => {
    const september = await reconcile("09", ["--write-open", "open.json"])
    expect(september.of).toEqual({
      a: "Expected",
      b: "NotSettled",
      c: "OtherPeriod",
      d: "Differs",
      e: "Expected",
      stray: "NotAtService",
    })
    const { items, ...head } = JSON.parse(await readFile("open.json", "utf8"))
    expect(head).toEqual({
      open_items: 1,
      as_of_day: "2024-09-30",
      base: {
        created_at: ["gte:2024-09-01T00:00:00Z", "lt:2024-10-01T00:00:00Z"],
        time_zone: "+00:00",
        key: "external_id",
        amount: "source_total",
        group: false,
        settled: ["complete"],
        failed: ["declined"],
      },
      unused: [],
      payouts: [],
      seen: { since: "2024-09-24", rows: [["2024-09-30", expect.stringMatching(/^[\w-]{16}$/)]] },
    })
    expect(
      items.map(
        ({ entries, transfers: own }: { entries: Array<{ key: string }>; transfers: Array<{ external_id: string }> }) =>
          [...entries.map(({ key }) => key), ...own.map((one) => one.external_id)].join(),
      ),
    ).toEqual(["b,b", "c", "d,d", "stray", "a", "e"])

    const { code, of, json, lines } = await reconcile("10", ["--carry", "open.json", "--write-open", "next.json"])
    expect(of).toEqual({ d: "Differs", stray: "NotAtService", f: "Expected" })
    expect(code).toBe(1)
    expect(json.totals.Matched).toMatchObject({ entries: 4, transfers: 4 })
    expect(lines).toMatchObject(
      [
        { key: "stray", open_since: "2024-09-02", age_days: 59, reference: "2024-09-30 line 5" },
        { key: "d", open_since: "2024-09-10", age_days: 51 },
        { key: "f", open_since: "2024-10-31", age_days: 0 },
      ].toSorted(
        (one, other) => lines.findIndex(({ key }) => key === one.key) - lines.findIndex(({ key }) => key === other.key),
      ),
    )
    expect(json.ageing).toMatchObject([
      {
        outcome: "Differs",
        currency_code: "fiat/EUR",
        age: "31-60",
        items: 1,
        ledger: { amount: "40.01" },
        service: { amount: "40" },
      },
      { outcome: "NotAtService", age: "31-60", items: 1, ledger: { amount: "5" }, service: { amount: "0" } },
      { outcome: "Expected", age: "0-7", items: 1, ledger: { amount: "0" }, service: { amount: "60" } },
    ])
    const sum = (rows: number, amount: string) => ({ rows, amount: { amount, currency_code: "fiat/EUR" } })
    expect(json.roll_forward).toEqual([
      {
        side: "ledger",
        currency_code: "fiat/EUR",
        open_at_start: sum(4, "95.01"),
        new: sum(0, "0.00"),
        cleared: sum(2, "50.00"),
        open_at_end: sum(2, "45.01"),
      },
      {
        side: "service",
        currency_code: "fiat/EUR",
        open_at_start: sum(4, "120"),
        new: sum(1, "60"),
        cleared: sum(3, "80"),
        open_at_end: sum(2, "100"),
      },
    ])
    // A further month: what is still open keeps its day, and its name.
    const { items: still } = JSON.parse(await readFile("next.json", "utf8"))
    expect(still.flatMap(({ entries }: { entries: Array<object> }) => entries)).toMatchObject([
      { key: "d", since: "2024-09-12", reference: "2024-09-30 line 4" },
      { key: "stray", since: "2024-09-02", reference: "2024-09-30 line 5" },
    ])
  })

  test("without it, October does not know September, and asks anew", async () => {
    const { of } = await reconcile("10", [])
    expect(of).toEqual({ a: "OtherPeriod", c: "OtherPeriod", e: "OtherPeriod", f: "Expected" })
  })

  test.each([
    ["two ledgers of one name", ["a/bank.csv", "b/bank.csv"], ["a/bank.csv line 2", "b/bank.csv line 2"]],
    ["a ledger that is given twice", ["a/bank.csv", "a/bank.csv"], ["a/bank.csv line 2", "a/bank.csv (2) line 2"]],
    ["two ledgers", ["a/bank.csv", "b/other.csv"], ["bank.csv line 2", "other.csv line 2"]],
    [
      "three ledgers",
      ["a/bank.csv", "./c.csv", "c.csv (2)", "c.csv"],
      ["bank.csv line 2", "./c.csv line 2", "c.csv (2) line 2", "c.csv line 2"],
    ],
  ])("brings the same row of %s as many times as it was booked", async (_, ledgers, places) => {
    await mkdir("a", { recursive: true })
    await mkdir("b", { recursive: true })
    const row = TwoMonths.csv([["ghost", 9, "09-05"]])
    for (const ledger of ledgers) await writeFile(ledger, row)
    const flags = ["--map", "date=day", "--write-open", "rows.json"]
    const september = [
      "reconcile",
      ...ledgers,
      "--from",
      "september.ndjson",
      "--since",
      "2024-09",
      "--until",
      "2024-09",
    ]
    expect((await run([...september, ...flags], {})).code).toBe(1)
    const { items } = JSON.parse(await readFile("rows.json", "utf8"))
    const entries = items.flatMap(
      (item: { entries: ReadonlyArray<{ key: string; reference: string }> }) => item.entries,
    )
    const ghosts = entries.filter(({ key }: { key: string }) => key === "ghost")
    expect(ghosts.map(({ reference }: { reference: string }) => reference).toSorted()).toEqual(
      places.map((place) => `2024-09-30 ${place}`).toSorted(),
    )
    const { code, json } = await reconcile("10", ["--carry", "rows.json"])
    expect(code).toBe(1)
    const carried = json.outcomes.filter(({ key }: { key: string }) => key === "ghost")
    expect(carried).toHaveLength(ledgers.length)
  })

  test("is rejected if an item is there twice, or open since no day", async () => {
    const { items, ...head } = JSON.parse(await readFile("open.json", "utf8"))
    const withItems = (...more: ReadonlyArray<object>) =>
      writeFile("edited.json", JSON.stringify({ ...head, items: more }))
    const rejected = async () => {
      const { code, stderr } = await reconcile("10", ["--carry", "edited.json"])
      expect(code).toBe(2)
      return stderr
    }
    const booked = items.find(({ entries }: { entries: Array<object> }) => entries.length > 0)
    const served = items.find(({ transfers }: { transfers: Array<object> }) => transfers.length > 0)
    await withItems(...items, { ...booked, transfers: [] })
    expect(await rejected()).toMatch(/edited\.json: it has the row .* twice: remove one of the two/)
    await withItems(...items, { ...served, entries: [] })
    expect(await rejected()).toMatch(/edited\.json: it has the transfer \S+ twice: remove one of the two/)
    await withItems({ ...booked, since: "2024-02-30" })
    expect(await rejected()).toContain("it is no file of open items")
    await withItems(...items)
    expect((await reconcile("10", ["--carry", "edited.json"])).code).toBe(1)
  })

  test("keeps an open transfer of the days of grace that the source no longer has", async () => {
    const gone = TwoMonths.later(TwoMonths.transfers).filter(({ external_id }) => external_id !== "a")
    await writeFile("gone.ndjson", TwoMonths.ndjson(gone))
    await writeFile("unbooked.csv", TwoMonths.csv([["e", 50, "10-01"]]))
    for (const grace of ["0", "3"]) {
      const { code, stdout } = await run(
        `reconcile unbooked.csv --from gone.ndjson --since 2024-10 --until 2024-10 --map date=day --grace ${grace} --carry open.json --write-open next.json -o json`.split(
          " ",
        ),
      )
      const { outcomes, roll_forward } = JSON.parse(stdout)
      expect(code).toBe(1)
      expect(outcomes).toContainEqual(
        expect.objectContaining({ key: "a", outcome: "NotInLedger", break: true, open_since: "2024-09-28" }),
      )
      const [, service] = roll_forward
      expect([service.cleared.rows, service.open_at_start.rows]).toEqual([2, 4])
      const { items } = JSON.parse(await readFile("next.json", "utf8"))
      expect(items).toContainEqual(expect.objectContaining({ transfers: [expect.objectContaining({ id: "tr_a" })] }))
    }
  })

  test.each(["0", "3"])(
    "has no row for an open transfer that the service no longer has, with --grace %s",
    async (grace) => {
      const gone = TwoMonths.later(TwoMonths.transfers).filter(({ external_id }) => external_id !== "a")
      await using fake = await startFakeServer({ data: gone })
      const october = ["--carry", "open.json", "--write-open", "next.json", "--grace", grace]
      const { json } = await reconcile("10", october, demo(fake.url))
      expect(json.outcomes.filter(({ key }: { key: string }) => key === "a")).toEqual([
        expect.objectContaining({ outcome: "NotAtService" }),
        expect.objectContaining({
          outcome: "NotInLedger",
          why: "not in the ledger, and no longer at the service; its status was complete",
        }),
      ])
      const { items } = JSON.parse(await readFile("next.json", "utf8"))
      expect(items).toContainEqual(
        expect.objectContaining({ outcome: "NotInLedger", transfers: [expect.objectContaining({ id: "tr_a" })] }),
      )
      // As it was, if that is wanted; but the days of grace are read in any case.
      const taken = await reconcile("10", [...october, "--look-ups", "0"], demo(fake.url))
      expect(taken.lines.some(({ key, outcome }) => key === "a" && outcome === "NotAtService")).toBe(grace === "3")
    },
  )

  test("asks the service for carried keys, which its period does not bring", async () => {
    await using fake = await startFakeServer({
      data: JSON.parse(`[${(await readFile("october.ndjson", "utf8")).trim().replaceAll("\n", ",")}]`),
    })
    const env = demo(fake.url)
    const { of } = await reconcile("10", ["--carry", "open.json"], env)
    expect(of).toEqual({ d: "Differs", stray: "NotAtService", f: "Expected" })
    // Without look-ups they are as they were.
    expect((await reconcile("10", ["--carry", "open.json", "--look-ups", "0"], env)).of).toMatchObject({
      b: "NotSettled",
    })
  })

  test("is rejected if not all of its keys may be looked up, because the others would be as they were", async () => {
    const few = await reconcile("10", ["--carry", "open.json", "--look-ups", "2"])
    expect(few).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(
        /the open items: they have 6 rows and transfers to look up, and --look-ups allows 2: give --look-ups 6/,
      ),
    })
    expect((await reconcile("10", ["--carry", "open.json", "--look-ups", "0"])).code).toBe(1)
  })

  test("reads its transfers again by another key than the service finds by, too", async () => {
    await using fake = await startFakeServer({ data: TwoMonths.later(TwoMonths.transfers) })
    const byId = ["--key", "id", "--map", "key=external_id"]
    const ids = TwoMonths.september.replaceAll(/^(?=[a-z]+,\d)/gm, "tr_")
    await writeFile("september-ids.csv", ids)
    const september = [
      "reconcile",
      "september-ids.csv",
      "--from",
      "september.ndjson",
      ...byId,
      "--write-open",
      "by-id.json",
    ]
    await run([...september, "--since", "2024-09", "--until", "2024-09", "--map", "date=day"])
    const env = demo(fake.url)
    // It was on its way in September, and has arrived.
    expect((await reconcile("10", [...byId, "--carry", "by-id.json"], env)).of).not.toHaveProperty("tr_b")
    const taken = await reconcile("10", [...byId, "--carry", "by-id.json", "--look-ups", "0"], env)
    expect(taken.of).toMatchObject({ tr_b: "NotSettled" })
  })

  test("is rejected by books of another period than the next, or of another partner", async () => {
    const november = ["--since", "2024-11", "--until", "2024-11", "--map", "date=day", "--carry", "open.json"]
    expect(await run(["reconcile", "october.csv", "--from", "october.ndjson", ...november])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(
        "its books end at 2024-10-01T00:00:00Z, and these begin at 2024-11-01T00:00:00Z: start from those of the period",
      ),
    })
    const { base, ...rest } = JSON.parse(await readFile("open.json", "utf8"))
    const origin = { partner_id: "other", base_url: "https://api.example.com" }
    await writeFile("theirs.json", JSON.stringify({ ...rest, base: { ...base, origin } }))
    await using fake = await startFakeServer({ data: TwoMonths.transfers })
    const { code, stderr } = await reconcile("10", ["--carry", "theirs.json"], demo(fake.url))
    expect({ code, stderr }).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("it is of other at https://api"),
    })
  })

  test("keeps acceptances: the same break has the same fingerprint in each month", async () => {
    await reconcile("09", ["--write-accepted", "draft.json"])
    const { breaks, ...rest } = JSON.parse(await readFile("draft.json", "utf8"))
    const accept = (one: object) => ({
      ...one,
      reason: "known",
      by: "controller",
      at: "2024-10-02",
      until: "2024-12-31",
    })
    await writeFile("accepted.json", JSON.stringify({ ...rest, breaks: breaks.map(accept) }))
    const { code, json } = await reconcile("10", ["--carry", "open.json", "--accepted", "accepted.json"])
    expect({ code, states: json.states }).toEqual({ code: 0, states: { new: 0, known: 2, expired: 0, resolved: 1 } })
  })

  test.each([
    [
      ["--carry", "open.json", "--amount", "source_subtotal"],
      "its books were kept with --amount source_total, and these with source_subtotal",
    ],
    [["--carry", "october.ndjson"], "it is no file of open items"],
    [["--carry", "absent.json"], "no such file"],
  ])("rejects %j", async (args, reason) => {
    const { code, stderr } = await reconcile("10", args)
    expect({ code, stderr: stderr.replaceAll("\n", " ") }).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(reason),
    })
  })

  test("is in the table and on the page", async () => {
    const { stdout } = await run(
      "reconcile october.csv --from october.ndjson --since 2024-10 --until 2024-10 --map date=day --carry open.json --html page.html -o table".split(
        " ",
      ),
    )
    expect(stdout).toMatch(/^ledger +fiat\/EUR +95\.01 \(4\) +0\.00 \(0\) +50\.00 \(2\) +45\.01 \(2\)$/m)
    expect(stdout).toMatch(/^Not at the service +31-60 +fiat\/EUR +1 +5$/m)
    const page = await readFile("page.html", "utf8")
    for (const text of ["<h3>Roll-forward</h3>", "<h3>Open items by age</h3>", "31-60"]) expect(page).toContain(text)
  })
})
