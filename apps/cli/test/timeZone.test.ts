/** Days, weeks, months, quarters and years by the clocks of a time zone. */
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type RunningFakeServer, startFakeServer } from "@transferkit/fake/FakeServer"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { demo } from "./Cli.ts"
import * as PageText from "./PageText.ts"
import { see } from "./Terminal.ts"

/** On either side of the midnight of Berlin, which is 22:00 or 23:00 in UTC. */
const instants = [
  "2024-12-31T23:00:00Z",
  "2024-12-31T22:59:59.999999999Z",
  "2024-09-30T22:00:00Z",
  "2024-09-30T21:59:59Z",
  "2024-03-30T23:00:00Z",
]

let fake: RunningFakeServer
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "transfers-zone-"))
  fake = await startFakeServer({
    data: instants.map((created_at, index) => ({
      id: `tr_${index}`,
      kind: "cash_in",
      status: "complete",
      created_at,
      source_total: { amount: "1.00", currency_code: "fiat/EUR" },
    })),
  })
})
afterAll(async () => {
  await fake.close()
  await rm(folder, { recursive: true })
})

const berlin = ["--time-zone", "Europe/Berlin"]
const seen = (...args: ReadonlyArray<string>) => see(args, { columns: 120, env: demo(fake.url) })
const idsOf = async (...args: ReadonlyArray<string>) =>
  (await seen("search", "--template", "{{id}}", ...args)).text.trim()
const totals = async (by: string, ...args: ReadonlyArray<string>) => {
  const { text } = await seen("summary", "--by", by, "--field", "source_total", "-o", "csv", ...args)
  return text
    .trimEnd()
    .split("\n")
    .slice(1)
    .map((line) => line.split(",").slice(0, 2).join(" "))
}

test("--since and --until take days, months and years of the time zone", async () => {
  expect(await idsOf("--since", "2024-10", "--until", "2024")).toBe("tr_0\ntr_1")
  expect(await idsOf("--since", "2024-10", "--until", "2024", ...berlin)).toBe("tr_1\ntr_2")
  expect(await idsOf("--since", "2024-09-30", "--until", "2024-09-30", ...berlin)).toBe("tr_3")
  expect(await idsOf("--since", "2024-03-31", "--until", "2024-03-31", ...berlin)).toBe("tr_4")
})

test("totals are by the days, weeks, months, quarters and years of the time zone", async () => {
  expect(await totals("day", ...berlin)).toEqual([
    "2024-03-31 1",
    "2024-09-30 1",
    "2024-10-01 1",
    "2024-12-31 1",
    "2025-01-01 1",
  ])
  expect(await totals("week", ...berlin)).toEqual(["2024-W13 1", "2024-W40 2", "2025-W01 2"])
  expect(await totals("month", ...berlin)).toEqual(["2024-03 1", "2024-09 1", "2024-10 1", "2024-12 1", "2025-01 1"])
  expect(await totals("quarter", ...berlin)).toEqual(["2024-Q1 1", "2024-Q3 1", "2024-Q4 2", "2025-Q1 1"])
  expect(await totals("year", ...berlin)).toEqual(["2024 4", "2025 1"])
  expect(await totals("quarter")).toEqual(["2024-Q1 1", "2024-Q3 2", "2024-Q4 2"])
})

test("a mirror gives the same totals, whatever it has ready", async () => {
  const mirror = join(folder, "mirror.db")
  expect((await seen("sync", "--to", mirror)).code).toBe(0)
  for (const by of ["day", "month", "week,status"]) {
    expect(await totals(by, "--from", mirror, ...berlin)).toEqual(await totals(by, ...berlin))
    expect(await totals(by, "--from", mirror)).toEqual(await totals(by))
  }
})

test("a table shows times of the time zone, and names it", async () => {
  const { text } = await seen("search", "--limit", "1", ...berlin)
  expect(text).toContain("CREATED (Europe/Berlin)")
  expect(text).toContain("2025-01-01 00:00:00")
  const chosen = await seen("search", "--limit", "1", "--columns", "id,created_at", "--time-zone", "-05:00")
  expect(chosen.text).toContain("ID    CREATED AT (-05:00)\ntr_0  2024-12-31 18:00:00\n")
})

test("watch and show print times of the time zone, too, also of the history in a mirror", async () => {
  const watched = await seen("watch", "--once", "--since", "2024-12-31T23:00:00Z", ...berlin)
  expect(watched.text).toMatch(/^2025-01-01 00:00:00 {2}created {2}tr_0/m)
  const mirror = join(folder, "shown.db")
  await seen("sync", "--to", mirror)
  const shown = await seen("show", "tr_1", "--from", mirror, "--time-zone", "+05:30")
  expect(shown.text).toContain("2025-01-01T04:29:59.999999999+05:30")
  expect(shown.text).toContain("SEEN (+05:30)")
  const chosen = await seen("show", "tr_1", "--from", mirror, "--columns", "created_at", "--time-zone", "+05:30")
  expect(chosen.text).toContain("2025-01-01T04:29:59.999999999+05:30")
})

describe("the page of a report", () => {
  const pageOf = async (...args: ReadonlyArray<string>) => {
    const file = join(folder, "page.html")
    await seen("report", "--html", file, "--until", "2024-10-01", ...args)
    const html = await readFile(file, "utf8")
    const bars = [...html.matchAll(/<title>(2024-[-0-9]*): /g)].map(([, unit]) => unit)
    const cells = [...html.matchAll(/<td[^>]*><span>(2024-[-0-9]*)<\/span>/g)].map(([, unit]) => unit)
    const widths = [...html.matchAll(/viewBox="0 0 (\d+)0 100"/g)].map(([, count]) => Number(count))
    return { text: PageText.of(html), widths: [...new Set(widths)], bars: [...new Set(bars)], cells }
  }

  test("has the days of the time zone, and names it", async () => {
    const { text, widths, bars, cells } = await pageOf("--since", "2024-09-30", ...berlin)
    expect(widths).toEqual([2])
    expect([bars, cells]).toEqual([
      ["2024-09-30", "2024-10-01"],
      ["2024-09-30", "2024-10-01"],
    ])
    expect(text).toContain("Transfers of demo: 2024-09-30 to 2024-10-01")
    expect(text).toContain("In Europe/Berlin, as of ")
    expect(text).toContain("Created (Europe/Berlin)")
    expect(text).toContain("2024-09-30 23:59:59")
    expect(text).not.toMatch(/In UTC|Created \(UTC\)/)
  })

  test("has the months of the time zone", async () => {
    const { text, widths, bars, cells } = await pageOf("--since", "2024-03-31", ...berlin)
    expect([bars, cells]).toEqual([
      ["2024-03", "2024-09", "2024-10"],
      ["2024-03", "2024-09", "2024-10"],
    ])
    expect(widths).toEqual([8])
    expect(text).toContain("Transfers of demo: 2024-03-31 to 2024-10-01")
  })

  test("is in UTC without one, and says so", async () => {
    const { text, cells } = await pageOf("--since", "2024-09-30")
    expect(cells).toEqual(["2024-09-30"])
    expect(text).toContain("In UTC, as of ")
    expect(text).toContain("Created (UTC)")
  })

  test("of a reconciliation names the time zone, too", async () => {
    const [ledger, file] = [join(folder, "ledger.csv"), join(folder, "books.html")]
    await writeFile(ledger, "key,amount,currency\nx,1.00,EUR\n")
    await seen("reconcile", ledger, "--html", file, "--since", "2024-09-30", "--until", "2024-10-01", ...berlin)
    expect(PageText.of(await readFile(file, "utf8"))).toContain("2024-09-30 to 2024-10-01, in Europe/Berlin, as of ")
  })
})

test("the manifest of an export names the time zone", async () => {
  const file = join(folder, "day.csv")
  expect((await seen("export", "--since", "2024-09-30", "--until", "2024-09-30", "--out", file, ...berlin)).code).toBe(
    0,
  )
  expect(JSON.parse(await readFile(`${file}.manifest.json`, "utf8"))).toMatchObject({
    filters: { time_zone: ["Europe/Berlin"] },
    created_at: ["gte:2024-09-29T22:00:00Z", "lt:2024-09-30T22:00:00Z"],
    transfers: 1,
  })
})

test.each([
  [
    ["--time-zone", "Berlin"],
    '--time-zone: no time zone "Berlin". Expected a name such as Europe/Berlin, or an offset',
  ],
  [["--time-zone", "Pacific/Apia", "--since", "2011-12-30"], "--since: the clocks of Pacific/Apia skipped 2011-12-30"],
])("%j is rejected", async (flags, message) => {
  const { code, text } = await seen("search", ...flags)
  expect(code).toBe(2)
  expect(text.replaceAll("\n", " ")).toContain(message)
})
