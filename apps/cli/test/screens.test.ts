/** What people see, on a narrow and on a wide terminal, with data that is hard to show: golden files to look at. */
import { readFile, writeFile } from "node:fs/promises"
import { fileURLToPath } from "node:url"
import { type RunningFakeServer, startFakeServer } from "@transferkit/fake/FakeServer"
import stringWidth from "string-width"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { demo } from "./Cli.ts"
import * as Fake from "./Fake.ts"
import { see } from "./Terminal.ts"
import * as WorkingFolder from "./WorkingFolder.ts"

WorkingFolder.use()

const golden = fileURLToPath(new URL("./golden/screens/", import.meta.url))

const usd = (amount: string) => ({ amount, currency_code: "fiat/USD" })

/** Emoji, wide and combining characters, escapes, bidirectional overrides, and more digits than a line has. */
const transfers = [
  {
    id: "tr_emoji",
    external_id: "order-👩‍🚀-日本",
    kind: "cash_in",
    status: "完了",
    created_at: "2024-09-03T00:00:00Z",
    source_total: usd("1.10"),
    destination_total: { amount: "0.000000000000000001", currency_code: "ethereum/ETH" },
    payment_method: "カード",
  },
  {
    id: "tr_escapes",
    external_id: "\u001b[31mred\u001b[0m\u0007\nline 2\ttab\rreturn",
    kind: "cash_out",
    status: "complete",
    created_at: "2024-09-02T00:00:00.123456789Z",
    source_total: { amount: "1234567890123456789.123456789012345678", currency_code: "ethereum/USDC" },
    payment_method: "=cmd|' /C calc'!A0",
  },
  {
    id: `tr_long_${"and_on_".repeat(12)}`,
    external_id: "order-1",
    kind: "new_kind",
    status: "a_status_that_nobody_foresaw",
    created_at: "2024-09-01T00:00:00+05:30",
    source_total: usd("5.00"),
    service_fee: usd("-0.10"),
  },
  { id: "tr_bare", kind: "cash_in", status: "executing", created_at: "2024-08-31T23:59:60Z" },
  {
    id: "tr_rtl",
    external_id: "\u202eevil\u202c אבג",
    kind: "cash_in",
    status: "declined",
    created_at: "2024-08-30T00:00:00Z",
    source_total: { amount: "7", currency_code: "fiat/JPY" },
  },
]

const ledger = `external_id,amount,currency,status
order-👩‍🚀-日本,1.10,USD,完了
order-1,4.00,USD,declined
order-1,5.00,USD,
"order-\u001b[31m-nowhere",12.00,EUR,complete
,1.00,USD,
`

const proposals = [
  {
    external_id: "p-1",
    country_code: "US",
    payment_method: "ach",
    source: usd("100.00"),
    destination_currency_code: "ethereum/ETH",
  },
  { external_id: "p-1", country_code: "XX", payment_method: "\u001b[2J", source: usd("1e3") },
]

let fake: RunningFakeServer
beforeAll(async () => {
  fake = await startFakeServer({ data: transfers })
  await writeFile("ledger.csv", ledger)
  await writeFile("proposals.json", JSON.stringify(proposals))
  const quiet = { columns: 80, env: demo(fake.url) }
  expect((await see(["export", "--out", "monday.csv"], quiet)).code).toBe(0)
  await writeFile("cut.csv", (await readFile("monday.csv", "utf8")).slice(0, 700))
  await writeFile("cut.csv.manifest.json", await readFile("monday.csv.manifest.json"))
  await Fake.change(fake.url, "tr_bare", { status: "complete", wallet_address: "日本👩‍🚀".repeat(12) })
  await Fake.insert(fake.url, { ...transfers[4], id: "tr_new", created_at: "2024-09-04T12:34:56+02:00" })
  expect((await see(["export", "--out", "tuesday.csv"], quiet)).code).toBe(0)
  await writeFile("other.csv", await readFile("tuesday.csv"))
  await writeFile("other.csv.manifest.json", await readFile("monday.csv.manifest.json"))
})
afterAll(() => fake.close())

const service = () => demo(fake.url)
const nowhere = () => ({ ...demo("https://api.example.com"), TRANSFERS_PARTNER_ID: "acme" })

/** Of the sandbox. */
const twoDays = ["--sandbox", "--now", "2025-01-01", "--since", "2024-12-30"]

const screens: ReadonlyArray<
  readonly [name: string, args: ReadonlyArray<string>, env: () => Readonly<Record<string, string>>, code: number]
> = [
  ["search", ["search"], service, 0],
  ["search-plain", ["search", "--until", "2024-08-31"], service, 0],
  ["search-nothing", ["search", "--external-id", "nobody"], service, 0],
  ["show", ["show", "order-1"], service, 0],
  ["show-nothing", ["show", "tr_bare"], service, 1],
  ["show-nothing-in-export", ["show", "nobody", "--from", "monday.csv"], nowhere, 1],
  ["summary", ["summary"], service, 0],
  ["summary-by-status", ["summary", "--by", "status", "--field", "source_total,service_fee"], service, 0],
  ["summary-chart", ["summary", "--by", "status,currency", "--field", "source_total", "--chart"], service, 0],
  ["summary-in-dollars", ["summary", ...twoDays, "--field", "source_total,source_total_usd,service_fee"], nowhere, 0],
  [
    "summary-chart-in-dollars",
    ["summary", ...twoDays, "--by", "status,currency", "--field", "source_total_usd", "--chart"],
    nowhere,
    0,
  ],
  ["audit", ["audit"], service, 1],
  ["validate", ["validate", "proposals.json", "--sandbox"], nowhere, 1],
  ["reconcile", ["reconcile", "ledger.csv", "--matched", "--since", "2024", "--until", "2024"], service, 1],
  ["watch", ["watch", "--once", "--since", "2024-08"], service, 0],
  ["verify", ["verify", "tuesday.csv"], nowhere, 0],
  ["verify-other", ["verify", "other.csv"], nowhere, 1],
  ["verify-cut", ["verify", "cut.csv"], nowhere, 1],
  ["verify-without-manifest", ["verify", "ledger.csv"], nowhere, 2],
  ["verify-nothing", ["verify", "nothing.csv"], nowhere, 2],
  ["diff", ["diff", "monday.csv", "tuesday.csv"], nowhere, 1],
  ["whoami", ["whoami"], nowhere, 0],
  ["profiles", ["profiles"], nowhere, 0],
  ["misspelt-command", ["serch"], nowhere, 2],
  ["misspelt-subcommand", ["profiles", "rm", "live"], nowhere, 2],
  ["misspelt-flag", ["search", "--limt", "3"], nowhere, 2],
  ["wrong-value", ["search", "--limit", "99"], nowhere, 2],
  ["wrong-choice", ["search", "-o", "tabel"], nowhere, 2],
  ["wrong-argument", ["summary", "order-1"], nowhere, 2],
  ["missing-flag", ["export"], nowhere, 2],
  ["missing-argument", ["profiles", "save"], nowhere, 2],
  ["no-settings", ["search"], () => ({}), 2],
  ["no-profile", ["search", "--profile", "live"], nowhere, 2],
  ["refused", ["search"], () => ({ ...service(), TRANSFERS_SECRET_KEY: "wrong" }), 3],
]

test.each(screens)("the screen '%s' matches its golden file", async (name, args, env, code) => {
  const file = `${golden}${name}.txt`
  const parts = [80, 200].map(async (columns) => {
    const seen = await see(args, { columns, env: env() })
    expect(seen.code, seen.text).toBe(code)
    return `${columns} columns ${"-".repeat(columns - `${columns} columns `.length)}\n${seen.text}`
  })
  const text = (await Promise.all(parts))
    .join("\n")
    .replaceAll(/req-\d+/g, "req-1")
    .replaceAll(/complete up to [-\d]+ [:\d]+ UTC/g, "complete up to <now>")
  if (process.env["UPDATE_GOLDEN"] === "1") await writeFile(file, text)
  expect(text).toBe(await readFile(file, "utf8"))
})

test.each([
  ["search", "json"],
  ["search", "ndjson"],
  ["search", "csv"],
  ["watch", "ndjson"],
  ["watch", "csv"],
  ["diff", "json"],
] as const)("'%s -o %s' sends a terminal nothing that it would interpret", async (command, output) => {
  const rest = command === "diff" ? ["monday.csv", "tuesday.csv"] : ["--since", "2024-08"]
  const args = [command, ...rest, ...(command === "watch" ? ["--once"] : []), "-o", output]
  const { text } = await see(args, { columns: 80, env: service() })
  expect(text).toContain("\\u202eevil")
  expect(text.replaceAll(/[\n\t\u{200d}]/gu, "")).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u)
  if (output === "json") expect(JSON.stringify(JSON.parse(text))).toContain("\u202eevil")
})

test("no amount of a later page is truncated: the table begins anew, with its columns named", async () => {
  const amount = (digits: number) => ({ amount: `${"9".repeat(digits)}.000000`, currency_code: "ethereum/USDC" })
  await using long = await startFakeServer({
    data: Array.from({ length: 45 }, (_, index) => ({
      ...transfers[3],
      id: `tr_${index}`,
      created_at: `2024-08-${String(31 - Math.floor(index / 2)).padStart(2, "0")}T00:00:00Z`,
      source_total: amount(1 + Math.floor(index / 3)),
    })),
  })
  const { text } = await see(["search", "--all"], { columns: 80, env: demo(long.url) })
  for (let digits = 1; digits <= 15; digits++) expect(text).toContain(` ${"9".repeat(digits)}.000000 ethereum/USDC`)
  expect(text).not.toMatch(/\d…/)
  expect(text.match(/^EXTERNAL ID|^ID/gm)?.length).toBeGreaterThan(1)
  expect(Math.max(...text.split("\n").map((line) => stringWidth(line)))).toBeLessThanOrEqual(80)
})

test("a difference of amounts is shown whole", async () => {
  const page = { ...transfers[3], source_total: { amount: "123456789.000001", currency_code: "ethereum/USDC" } }
  for (const [name, data] of [
    ["was", page],
    ["is", { ...page, source_total: { amount: "1", currency_code: "fiat/USD" } }],
  ] as const) {
    await using service = await startFakeServer({ data: [data] })
    expect((await see(["export", "--out", `${name}.csv`], { columns: 80, env: demo(service.url) })).code).toBe(0)
  }
  const { text } = await see(["diff", "was.csv", "is.csv"], { columns: 80 })
  expect(text).toContain("123456789.000001 ethereum/USDC  1 fiat/USD")
})

describe.each([40, 80, 200])("on %d columns", (columns) => {
  test("no line is longer than the terminal, except for words that must not be broken", async () => {
    let lines = 0
    for (const [name, args, env] of screens) {
      const { text } = await see(args, { columns, env: env() })
      for (const line of text.split("\n")) {
        lines++
        // A label in front of a word that must be whole takes at most this much.
        const longest = Math.max(...line.split(/\s+/).map((word) => stringWidth(word))) + 22
        expect(stringWidth(line), `${name}: ${line}`).toBeLessThanOrEqual(Math.max(columns, longest))
      }
    }
    expect(lines).toBeGreaterThan(100)
  })
})
