/** Every table of transfers, at the widths people have: amounts and currencies are whole, or their column is named. */
import { writeFile } from "node:fs/promises"
import { type RunningFakeServer, startFakeServer } from "@transferkit/fake/FakeServer"
import stringWidth from "string-width"
import { afterAll, beforeAll, expect, test } from "vitest"
import { demo } from "./Cli.ts"
import * as Fake from "./Fake.ts"
import { run as runPiped } from "./InProcess.ts"
import { see } from "./Terminal.ts"
import * as WorkingFolder from "./WorkingFolder.ts"

WorkingFolder.use()

const money = (amount: string, currency_code: string) => ({ amount, currency_code })

/** What early pages do not prepare the table for. No identifier has a digit, so that a cut digit is one of an amount. */
const surprises: Readonly<Record<number, object>> = {
  5: { source_total: money("405.330000000000000000", "polygon/USDC") },
  6: { destination_total: money("35176.23", "polygon/MATIC") },
  7: { id: `tr_日本👩‍🚀_${"長".repeat(20)}`, external_id: "order-👩‍🚀-日本" },
  9: { id: `tr_${"long".repeat(8)}`, external_id: `order-${"name".repeat(8)}` },
  25: { service_fee: money("-123456789012345678.123456789012345678", "ethereum/USDC") },
}

const nameOf = (index: number): string => String.fromCodePoint(97 + Math.floor(index / 26), 97 + (index % 26))

const transfers = Array.from({ length: 60 }, (_, index) => ({
  id: `tr_${nameOf(index)}`,
  external_id: `order-${nameOf(index)}`,
  kind: "cash_in",
  status: "complete",
  created_at: `2024-09-01T00:${String(index).padStart(2, "0")}:00Z`,
  source_total: money("1.00", "fiat/USD"),
  destination_total: money("2.0", "polygon/MATIC"),
  service_fee: money("0.10", "fiat/USD"),
  payment_method: "ach",
  ...surprises[index],
}))

let fake: RunningFakeServer
beforeAll(async () => {
  fake = await startFakeServer({ data: transfers })
  const run = async (...args: ReadonlyArray<string>) => {
    const { code, text } = await see(args, { columns: 80, env: demo(fake.url) })
    expect(code, text).toBe(0)
  }
  await run("export", "--out", "monday.csv")
  const source_total = money("987654321098765432.000000000000000001", "ethereum/USDC")
  await Fake.change(fake.url, "tr_ab", { source_total, service_fee: money("0.20", "fiat/USD") })
  await run("export", "--out", "tuesday.csv")
  await run("sync", "--to", "mirror.db")
  const rows = transfers.map(({ external_id }) => `${external_id},12345678901234567.89,USD`)
  await writeFile("ledger.csv", `external_id,amount,currency\n${rows.join("\n")}\n`)
})
afterAll(() => fake.close())

const tables = [
  ["search"],
  ["search", "--all"],
  ["search", "--all", "--sort", "source_total_amount"],
  ["search", "--all", "--columns", "id,source_total_amount,source_total_currency_code,service_fee_amount,status"],
  ["show", "order-az"],
  ["summary", "--by", "day,kind"],
  ["audit"],
  ["watch", "--once", "--since", "2024"],
  ["diff", "monday.csv", "tuesday.csv"],
  ["reconcile", "ledger.csv"],
  [
    "query",
    "--from",
    "mirror.db",
    `SELECT id, source_total_amount || ' ' || source_total_currency_code AS total, created_at, status FROM transfers`,
  ],
]

test.each([80, 200].flatMap((columns) => tables.map((args) => [columns, args] as const)))(
  "at %d columns, %j cuts no amount and no currency",
  async (columns, args) => {
    const { text, code } = await see([...args, "--output", "table"], { columns, env: demo(fake.url) })
    expect(code).toBeLessThan(2)
    const lines = text.split("\n")
    expect(lines.length).toBeGreaterThan(4)
    expect(lines.filter((line) => stringWidth(line) > columns)).toEqual([])
    expect(lines.filter((line) => /\d\.?…|…\.?\d|…(?:USD|MATIC)|(?:fiat|polygon|ethereum)\/?…/.test(line))).toEqual([])
  },
)

test("the wide amounts of later pages are whole, and what they leave no room for is named", async () => {
  const { text } = await see(["search", "--all"], { columns: 80, env: demo(fake.url) })
  expect(text).toContain("405.330000000000000000 polygon/USDC")
  expect(text).toMatch(/Hidden columns \(terminal too narrow\):[^]*FEE/)
  const { text: wide } = await see(["search", "--all"], { columns: 200, env: demo(fake.url) })
  expect(wide).toContain("35176.23 polygon/MATIC")
  expect(wide).toContain("-123456789012345678.123456789012345678 ethereum/USDC")
})

/** What the next command needs, in the rows of a result. */
const identifiersIn = (value: unknown): ReadonlyArray<string> => {
  if (Array.isArray(value)) return value.flatMap(identifiersIn)
  if (typeof value !== "object" || value === null) return []
  return Object.entries(value).flatMap(([name, own]) =>
    ["id", "external_id", "key", "transfer_id"].includes(name) && typeof own === "string" ? [own] : identifiersIn(own),
  )
}

test.each(tables.filter(([command]) => command !== "summary"))(
  "at every width, %j %j shows identifiers whole",
  async (...args) => {
    const env = demo(fake.url)
    const limited = args.filter((arg) => arg !== undefined)
    const { stdout } = await runPiped([...limited, "--output", args[0] === "watch" ? "ndjson" : "json"], { env })
    const documents = args[0] === "watch" ? stdout.trim().split("\n") : [stdout]
    const ids = new Set(documents.flatMap((text) => identifiersIn(JSON.parse(text))))
    for (const columns of [20, 40, 80, 100, 140, 200]) {
      const { text } = await see([...limited, "--output", "table"], { columns, env })
      expect(text).not.toMatch(/(?:tr_|order-)\S*…/)
      const missing = [...ids].filter((id) => !text.includes(id))
      // An event shows one of the two, and a long table leaves rows out, more of them where each cell has a line.
      const isAll = args[0] !== "watch" && !text.includes("All of them:")
      expect(missing.length, `${columns} columns: ${missing}`).toBeLessThanOrEqual(isAll ? 0 : ids.size * 0.8)
    }
    expect(ids.size).toBeGreaterThan(0)
  },
)
