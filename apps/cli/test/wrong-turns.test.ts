/** What people write first, and the way that the program shows them. */
import { type RunningFakeServer, startFakeServer } from "@transferkit/fake/FakeServer"
import { afterAll, beforeAll, expect, test } from "vitest"
import { demo, run } from "./Cli.ts"
import { see } from "./Terminal.ts"

let fake: RunningFakeServer
beforeAll(async () => {
  const transfer = { kind: "cash_in", created_at: "2024-09-01T00:00:00Z" }
  fake = await startFakeServer({
    data: Array.from({ length: 30 }, (_, index) => ({
      ...transfer,
      id: `tr_${index}`,
      external_id: `order-${index}`,
      status: index < 25 ? "complete" : "declined",
      source_total: { amount: "1.00", currency_code: "fiat/USD" },
      destination_total: { amount: "0.5", currency_code: "bitcoin/BTC" },
    })),
  })
})
afterAll(() => fake.close())

const seen = (...args: ReadonlyArray<string>) => see(args, { columns: 200, env: demo(fake.url) })

test.each([
  [["reconcile"], "<ledger>", "transfers reconcile ledger.csv --since 2024-09 --until 2024-09"],
  [["completions"], "<shell>", 'eval "$(transfers completions bash)"'],
  [["export"], "flag --out FILE", "transfers export --since 2024-09 --until 2024-09 --out september.csv"],
])("%j says what is missing, and shows a line that has it", async (args, missing, example) => {
  const { code, text } = await seen(...args)
  expect(code).toBe(2)
  expect(text).toMatch(/Missing (?:argument|flag)/)
  expect(text).toContain(missing)
  expect(text).toContain(`Example:\n${example}\nRun 'transfers ${args[0]} --help'`)
})

test.each([
  [["search", "--id", "order-1"], "Unknown flag --id. Did you mean --external-id ID?\n"],
  [["search", "--start", "2024"], "Unknown flag --start. Did you mean --since TIME?\n"],
  [
    ["search", "--from", "book.txt"],
    "book.txt: its name does not end in .ndjson, .jsonl, .csv, .json or .parquet, and it is not a mirror: sqlite:FILE,",
  ],
  [["search", "--from", "postgres://me:secret@"], "error: postgres://…: it is not a URL.\n"],
  [
    ["search", "--from", "postgres://db.example/t?password=secret&sslmode=bogus"],
    "error: postgres://db.example/t: sslmode is one of disable, allow, prefer, require, verify-ca, verify-full, not bogus.\n",
  ],
  [
    ["summary", "--from", "postgres://me@db.example/t?password=secret&foo=1"],
    "error: postgres://me@db.example/t: it has a parameter beside its password, and only these have an effect: sslmode,",
  ],
  [["search", "--from", "Postgres://db.example/t?password=secret"], "error: postgres://…: its name does not end in"],
  [
    ["reconcile", "book.csv", "--tolerance", "-0.01:fiat/EUR"],
    '--tolerance: expected an amount of zero or more, found "-0.01:fiat/EUR".\n',
  ],
  [
    ["reconcile", "book.csv", "--tolerance", "1:fiat/EUR", "--tolerance", "2:fiat/EUR"],
    "--tolerance: fiat/EUR has two: give one.\n",
  ],
  [["search", "--from", "2024-09"], "--from names a mirror. For a time, give --since 2024-09.\n"],
  [["summary", "--end", "2024"], "Unknown flag --end. Did you mean --until TIME?\n"],
  [["export", "--file", "x.csv"], "Unknown flag --file. Did you mean --out FILE?\n"],
  [["summary", "--json"], "Unknown flag --json. Did you mean --output FORMAT?\n"],
  [["search", "--json"], "expected FIELDS, found nothing. For every field, give --output json.\n"],
  [
    ["search", "--stuck", "--status", "complete"],
    "--stuck: expected AGE, found nothing. Give an age, such as 24h. Only open transfers are stuck: a --status such as complete contradicts it.\n",
  ],
  [["search", "--limt", "3"], "Unknown flag --limt. Did you mean --limit?\n"],
  [["show", "--id", "order-1"], "Unknown flag --id. Did you mean transfers show ID, without a flag?\n"],
  [["search", "--form", "transfers.db"], "Unknown flag --form. Did you mean --from?\n"],
  [["summary", "--profil", "live"], "Unknown flag --profil. Did you mean --profile?\n"],
  [["search", "--date", "2024-09"], "Unknown flag --date. Did you mean --since TIME --until TIME?\n"],
  [["search", "--pages", "2"], "Unknown flag --pages. Did you mean --page?\n"],
  [["search", "--ext", "order-1"], "Unknown flag --ext. Did you mean --external-id?\n"],
  [["whoami", "--frobnicate"], "Unknown flag --frobnicate.\n"],
  [["export", "--output", "x.csv"], 'found "x.csv". The file is named by --out, and its format by --format.\n'],
  [["serach", "--limit", "3"], 'error: Unknown command "serach". Did you mean search?\nRun'],
  [["ls"], 'Unknown command "ls". Did you mean transfers search?\n'],
  [["get", "order-1"], 'Unknown command "get". Did you mean transfers show ID?\n'],
  [["profiles", "add", "live"], 'Unknown command "profiles add". Did you mean transfers profiles save NAME?\n'],
  [
    ["--limit", "3", "search"],
    'Unknown command "3". Flags of a command follow it, as in: transfers search --limit 3\n',
  ],
  [["export", "--out", "x.csv", "--resume", "--force"], "--resume continues, and --force starts again"],
  [["search", "--stuck", "24h", "--status", "complete"], "--stuck: only open transfers are stuck, and none of these"],
  [["search", "order-1", "--external-id", "order-2"], "as an argument or with --external-id, not both."],
] as const)("%j is answered with the way", async (args, way) => {
  const { code, text } = await seen(...args)
  expect(code).toBe(2)
  expect(text).toContain(way)
})

test("search without a match for its argument says how to find an id", async () => {
  const { code, text } = await seen("search", "tr_7")
  expect({ code, text }).toEqual({ code: 0, text: expect.stringContaining("transfers show ID --from SOURCE.\n") })
})

test("search takes an external_id as its argument", async () => {
  const { code, text } = await seen("search", "order-7", "-o", "ndjson")
  expect(code).toBe(0)
  expect(
    text
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line).id),
  ).toEqual(["tr_7"])
})

test("a misspelt status or kind is named when it matters", async () => {
  const known = "executing, approved, complete, declined"
  expect((await seen("search", "--all", "--status", "declned")).text).toBe(
    `warning: "declned" is not a known status: ${known}\nNo transfers match.\n`,
  )
  expect((await seen("search", "--all", "--kind", "cashin", "--status", "complete")).text).toBe(
    'warning: "cashin" is not a known kind: cash_in, cash_out\nNo transfers match.\n',
  )
  expect((await seen("summary", "--status", "declned")).text).toContain(`"declned" is not a known status: ${known}`)
})

test("a filter that the service lacks is said to have been applied to the one page that a cursor names", async () => {
  const own = "The service cannot filter by --status or --currency: this page was read, and filtered here."
  const { text: page } = await seen("search", "--limit", "1", "-o", "json")
  const cursor = JSON.parse(page).page_info.end_cursor
  const filters = ["--status", "complete", "--currency", "fiat/USD", "--limit", "5"]
  const { text } = await seen("search", ...filters, "--after-cursor", cursor)
  expect(text).toContain(own)
  expect(text).toContain("or --all")
  expect((await seen("search", "--all", "--status", "declined")).text).not.toContain("filter")
})

test("summary totals the fields of --field in every output, and all in JSON without it", async () => {
  const fieldsOf = async (...args: ReadonlyArray<string>) =>
    Object.keys(
      JSON.parse((await seen("summary", "--by", "status", "-o", "ndjson", ...args)).text.split("\n")[0] ?? "").totals,
    )
  expect(await fieldsOf("--field", "source_total")).toEqual(["source_total"])
  expect((await fieldsOf()).toSorted()).toEqual(["destination_total", "source_total"])
})

test("a chart by currency has one scale: dollars", async () => {
  const { text } = await seen(
    "summary",
    "--sandbox",
    "--now",
    "2025-01-01",
    "--since",
    "2024-12",
    "--by",
    "currency",
    "--chart",
  )
  expect(text.match(/^source_total.* in .*$/gm)).toEqual(["source_total_usd in fiat/USD"])
  const bars = text.match(/█+/g) ?? []
  expect(new Set(bars).size).toBeGreaterThan(3)
})

test("a chart has the currencies of --currency only", async () => {
  const chart = (...args: ReadonlyArray<string>) =>
    seen("summary", "--by", "status", "--field", "destination_total", "--chart", ...args)
  expect((await chart()).text).toContain("destination_total in bitcoin/BTC")
  expect((await chart("--currency", "fiat/USD")).text).not.toContain("bitcoin/BTC")
  expect((await chart("--currency", "Bitcoin/btc")).text).toContain("bitcoin/BTC")
})

test.each(["--quiet", "-q"])("%s leaves data and errors, and no notes", async (flag) => {
  const search = ["search", "--limit", "2", "-o", "ndjson"]
  const [plain, quiet] = await Promise.all(
    [search, [...search, flag]].map((args) => run(args, { env: demo(fake.url) })),
  )
  expect(plain?.stderr).toContain("More pages follow")
  expect(quiet).toEqual({ code: 0, stdout: plain?.stdout, stderr: "" })
  const wrong = await run(["search", "--since", "soon", flag], { env: demo(fake.url) })
  expect(wrong).toMatchObject({ code: 2, stderr: expect.stringContaining("error: --since: ") })
})

test("a negative tolerance is rejected", async () => {
  const { code, text } = await seen("reconcile", "ledger.csv", "--tolerance=-0.01:fiat/USD")
  expect(code).toBe(2)
  expect(text).toContain('--tolerance: expected an amount of zero or more, found "-0.01:fiat/USD".')
})
