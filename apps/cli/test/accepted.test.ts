/** Accepted breaks: a daily job is red for what is new or expired, and for nothing else. */
import { readFile, writeFile } from "node:fs/promises"
import { beforeAll, describe, expect, test } from "vitest"
import { run } from "./InProcess.ts"
import * as WorkingFolder from "./WorkingFolder.ts"

WorkingFolder.use()

const transfers = Array.from({ length: 30 }, (_, index) => ({
  id: `tr_${index}`,
  external_id: index < 26 ? `order-${index}` : null,
  kind: "cash_in",
  status: index % 10 === 3 ? "declined" : "complete",
  created_at: `2024-09-${String(1 + index).padStart(2, "0")}T12:00:00Z`,
  source_total: { amount: `${index + 1}.50`, currency_code: "fiat/EUR" },
}))

/** Breaks of each kind: other amounts, rows left out, unknown keys, unsettled, doubled, without a key. */
const rows: ReadonlyArray<readonly [key: string, amount: string]> = [
  ...transfers
    .slice(2, 24)
    .map(({ external_id, source_total }, index): [string, string] => [
      external_id ?? "",
      index % 5 === 0 ? "0.10" : source_total.amount,
    ]),
  ["order-5", "1.00"],
  ["order-6", "7.50"],
  ["nobody", "1.00"],
  ["", "5.00"],
  ["", "5.00"],
]

const csv = (some: typeof rows) =>
  ["external_id,amount,currency", ...some.map(([key, amount]) => `${key},${amount},EUR`)].join("\n")

beforeAll(async () => {
  await writeFile("all.ndjson", transfers.map((one) => `${JSON.stringify(one)}\n`).join(""))
  await writeFile("ledger.csv", csv(rows))
  const { code } = await run([...command("ledger.csv"), "--write-accepted", "draft.json"])
  expect(code).toBe(1)
  await accept({ reason: "bank rounds", by: "controller", at: "2024-10-02", until: "2024-10-31" })
})

const command = (ledger: string): ReadonlyArray<string> =>
  `reconcile ${ledger} --from all.ndjson --since 2024-09 --until 2024-09 --output json`.split(" ")

/** Fills the draft in. */
const accept = async (more: object, file = "accepted.json") => {
  const { breaks, ...rest } = JSON.parse(await readFile("draft.json", "utf8"))
  await writeFile(file, JSON.stringify({ ...rest, breaks: breaks.map((one: object) => ({ ...one, ...more })) }))
}

const reconcile = async (some: typeof rows, ...args: ReadonlyArray<string>) => {
  await writeFile("next.csv", csv(some))
  const { code, stdout, stderr } = await run([...command("next.csv"), "--accepted", "accepted.json", ...args])
  return { code, stderr, ...(code === 0 || code === 1 ? JSON.parse(stdout) : {}) }
}

let breaks: number

describe("P16–P19: accepted breaks", () => {
  test("are known, and no longer fail", async () => {
    const found = await reconcile(rows)
    breaks = found.breaks
    expect(breaks).toBeGreaterThan(10)
    expect(found).toMatchObject({ code: 0, states: { new: 0, known: breaks, expired: 0, resolved: 0 } })
    expect(found.outcomes[0]).toMatchObject({ state: "known", why: expect.stringContaining("bank rounds") })
  })

  test("are the same in another order, in another notation, and with another tolerance", async () => {
    const states = { new: 0, known: breaks, expired: 0, resolved: 0 }
    expect(await reconcile(rows.toReversed(), "--tolerance", "0.01:EUR")).toMatchObject({ code: 0, states })
    const german = rows.map(([key, amount]) => `${key};${amount.replace(/0$/, "").replace(".", ",")};EUR`)
    await writeFile("german.csv", ["external_id;amount;currency", ...german].join("\n"))
    const { code, stdout } = await run([...command("german.csv"), "--accepted", "accepted.json"])
    expect({ code, ...JSON.parse(stdout) }).toMatchObject({ code: 0, states })
  })

  test("one more row is one new break", async () => {
    expect(await reconcile([...rows, ["stranger", "1"]])).toMatchObject({
      code: 1,
      states: { new: 1, known: breaks, expired: 0, resolved: 0 },
    })
  })

  test("an amount that changes by a cent is a new break, and the old one is resolved", async () => {
    const changed = rows.map(([key, amount]): [string, string] => [key, key === "nobody" ? "1.01" : amount])
    const { code, states, outcomes } = await reconcile(changed)
    expect({ code, states }).toEqual({ code: 1, states: { new: 1, known: breaks - 1, expired: 0, resolved: 1 } })
    expect(outcomes.at(-1)).toMatchObject({ state: "resolved", break: false, key: "nobody" })
  })

  test("a third equal row without a key is new, if two were accepted", async () => {
    const { code, states, outcomes } = await reconcile([...rows, ["", "5.0"]])
    expect({ code, states }).toEqual({ code: 1, states: { new: 1, known: breaks, expired: 0, resolved: 0 } })
    const own = outcomes.filter(
      ({ key, outcome }: { readonly key: string; readonly outcome: string }) =>
        key === "" && outcome === "NotAtService",
    )
    expect(own.map(({ state }: { readonly state: string }) => state)).toEqual(["known", "known", "new"])
  })

  test("expire after their day", async () => {
    const { code, states } = await reconcile(rows, "--as-of-day", "2024-11-01")
    expect({ code, states }).toEqual({ code: 1, states: { new: 0, known: 0, expired: breaks, resolved: 0 } })
    expect(await reconcile(rows, "--as-of-day", "2024-10-31")).toMatchObject({ code: 0 })
  })

  test("are in JUnit, table and HTML as well, and the file stays as it is", async () => {
    const before = await readFile("accepted.json", "utf8")
    const changed = rows.map(([key, amount]): [string, string] => [key, key === "nobody" ? "1.01" : amount])
    await reconcile(changed, "--junit", "report.xml", "--html", "report.html")
    const xml = await readFile("report.xml", "utf8")
    expect(xml).toContain(`tests="${breaks + 2}" failures="1" skipped="${breaks - 1}"`)
    const skipped = /<skipped message="[^"]*accepted by controller until 2024-10-31: bank rounds/g
    expect(xml.match(skipped)?.length).toBe(breaks - 1)
    expect(xml.match(/<system-out>NotAtService: resolved: accepted by controller/g)?.length).toBe(1)
    expect(xml.match(/<testcase /g)?.length).toBe(breaks + 2)
    const verdict = `${breaks} breaks: 1 new, ${breaks - 1} known, 0 expired; 1 resolved`
    const page = await readFile("report.html", "utf8")
    for (const text of [verdict, "<h3>Resolved: 1</h3>", "<span>known</span>", "<span>new</span>"])
      expect(page).toContain(text)
    const { stdout, stderr } = await run([...command("next.csv").slice(0, -1), "table", "--accepted", "accepted.json"])
    expect(stderr).toContain(verdict)
    expect(stdout).toContain("resolved: accepted by")
    expect(stdout).toMatch(/^KEY .*STATE/m)
    const csvRows = (await run([...command("next.csv").slice(0, -1), "csv", "--accepted", "accepted.json"])).stdout
    for (const state of ["new", "known", "resolved"]) expect(csvRows).toMatch(new RegExp(`,${state}$`, "m"))
    expect(await readFile("accepted.json", "utf8")).toBe(before)
  })

  test("keep their reasons in a new draft", async () => {
    await reconcile([...rows, ["stranger", "1"]], "--write-accepted", "again.json")
    const { breaks: drafted } = JSON.parse(await readFile("again.json", "utf8"))
    const reasons = Map.groupBy(drafted, ({ reason }: { readonly reason: string }) => reason)
    expect(reasons.get("")).toMatchObject([{ key: "stranger" }])
    expect(reasons.get("bank rounds")?.length).toBe(drafted.length - 1)
  })

  test("have no name in a new draft if there are more of one than were accepted", async () => {
    for (const [more, count, by] of [
      [[], 2, "controller"],
      [[["", "5"]], 3, ""],
    ] as const) {
      await reconcile(
        [...rows, ...more.map(([key, amount]): [string, string] => [key, amount])],
        "--write-accepted",
        "more.json",
      )
      const { breaks: drafted } = JSON.parse(await readFile("more.json", "utf8"))
      const twice = drafted.filter(
        ({ key, ledger }: { readonly key: string; readonly ledger: ReadonlyArray<string> }) =>
          key === "" && ledger[0] === "5 fiat/EUR",
      )
      expect(twice).toMatchObject([{ outcome: "NotAtService", count, reason: "bank rounds", by }])
    }
  })

  test.each([
    [{ reason: "" }, "give a reason"],
    [{ reason: "x", by: " " }, "give the name of who accepts it"],
    [{ reason: "x", by: "y", until: "soon" }, "such as 2024-10-31"],
    [{ reason: "x", by: "y", until: "2024-10-31", key: "other" }, "its fields do not give its fingerprint"],
    [{ reason: "x", by: "y", until: "2024-10-31", count: 0 }, "its count is less than 1"],
    [{ reason: 1 }, "it is no file of accepted breaks"],
  ])("with %j are refused", async (more, reason) => {
    await accept(more, "bad.json")
    const { code, stderr } = await run([...command("ledger.csv"), "--accepted", "bad.json"])
    expect(code).toBe(2)
    expect(stderr).toContain(reason)
  })

  test("need a day to be compared with", async () => {
    const { code, stderr } = await run([
      "reconcile",
      "ledger.csv",
      "--from",
      "all.ndjson",
      "--accepted",
      "accepted.json",
    ])
    expect(code).toBe(2)
    expect(stderr).toContain("give --as-of-day 2024-09-30")
  })
})
