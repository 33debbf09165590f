/** Ledgers as people hand them to the command: from standard input, with a profile, with what must be said about them. */
import { readdirSync, readlinkSync } from "node:fs"
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { run, start } from "./Cli.ts"

let folder: string
let transfers: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "transfers-ledgers-"))
  transfers = join(folder, "transfers.ndjson")
  const transfer = (id: string, external_id: string, amount: string) =>
    `${JSON.stringify({ id, kind: "cash_in", status: "complete", created_at: "2024-09-01T00:00:00Z", external_id, source_total: { amount, currency_code: "fiat/EUR" } })}\n`
  await writeFile(transfers, transfer("tr_1", "a", "5.00") + transfer("tr_2", "b", "7.50"))
})
afterAll(() => rm(folder, { recursive: true }))

const reconcile = (stdin: string, ...args: ReadonlyArray<string>) =>
  run(["reconcile", "-", "--from", transfers, ...args], { stdin, env: { TMPDIR: folder } })

/** The file behind a descriptor, which may be closed by now. */
const linkOf = (path: string): string => {
  try {
    return readlinkSync(path)
  } catch {
    return ""
  }
}

const euro = ["--ledger-currency", "EUR"]

describe("a ledger on standard input", () => {
  test("is reconciled, and leaves no file", async () => {
    const before = await readdir(folder)
    const { code, stdout } = await reconcile("key,amount\na,5.00\nb,7.50\n", ...euro)
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({ breaks: 0, ledgers: [{ file: "standard input", rows: 2 }] })
    expect(await readdir(folder)).toEqual(before)
  })

  test.each(["table", "csv", "ndjson"])(
    "is described on standard error where the output %s does not",
    async (output) => {
      const { stderr } = await reconcile("key;amount\na;5,00\nb;7,50\n", ...euro, "-o", output)
      expect(stderr).toMatch(/^Read 2 rows/)
      expect(stderr).toContain("decimal comma")
    },
  )

  test("leaves no file when it is killed, in the middle of it", async () => {
    const before = await readdir(folder)
    const child = start(["reconcile", "-", "--from", transfers, ...euro], { env: { TMPDIR: folder } })
    const open = () => readdirSync(`/proc/${child.pid}/fd`).map((fd) => linkOf(`/proc/${child.pid}/fd/${fd}`))
    child.stdin.write("key,amount\na,5.00\n")
    await expect.poll(open, { timeout: 10_000 }).toContainEqual(expect.stringMatching(/transfers-[^/]* \(deleted\)$/))
    child.kill("SIGKILL")
    await new Promise((resolve) => child.on("close", resolve))
    expect(await readdir(folder)).toEqual(before)
  })

  test("is named by its errors", async () => {
    expect(await reconcile("key,amount\na,x\n", ...euro)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('standard input: line 2: Not an amount: "x"'),
    })
    expect((await reconcile("")).stderr).toContain("standard input: it is empty")
  })

  test.each([[["-"]], [["--secret-key-stdin"]]])("is read once: not with %s", async (more) => {
    expect(await reconcile("", ...more)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("Standard input can be read once"),
    })
  })
})

test("says which ledger has the same bytes as one before it", async () => {
  const [first, second, other] = ["first.csv", "second.csv", "other.csv"].map((name) => join(folder, name))
  await writeFile(`${first}`, "key,amount\na,5.00\n")
  await writeFile(`${second}`, "key,amount\na,5.00\n")
  await writeFile(`${other}`, "key,amount\nb,7.50\n")
  const args = ["reconcile", `${first}`, `${other}`, `${second}`, "--from", transfers, ...euro]
  const { stderr } = await run([...args, "-o", "csv"], {})
  expect(stderr.split("\n").filter((line) => line.includes("the same bytes"))).toEqual([
    expect.stringMatching(/second\.csv\..* It has the same bytes as first\.csv, and its rows count again\.$/),
  ])
})

test("says what was found, left out, and may be a total", async () => {
  const text = "Acme\n\nText,Ref,In,Out,Left\nx,a,5.00,,5.00\ny,b,7.50,,12.50\n,,12.50,,\nz,END,12.50,,25.00\nprinted\n"
  const map = ["key=Ref", "in=In", "out=Out", "balance=Left"].flatMap((part) => ["--map", part])
  const { code, stderr } = await reconcile(text, ...euro, ...map, "--output", "table")
  expect(code).toBe(1)
  expect(stderr).toContain(
    'Read 3 rows of standard input. Detected: header in line 3, utf-8, commas, decimal point. Given: key in "Ref", money in in "In", money out in "Out", running balance in "Left". 2 balances followed from the one before. Left out 1 title or footer (line 8), 1 total (line 6).',
  )
  expect(stderr).toContain(
    'The amount of line 7 equals the sum of the 2 rows above: a total? If so, leave it out with --skip-row "END".',
  )
  expect((await reconcile(text, ...euro, ...map, "--skip-row", "END")).code).toBe(0)
})

describe("flags", () => {
  test("name markers, the header, the language of months, and where the key is", async () => {
    const text = "no,no\nwhen,text,value,side\n1 Okt 2024,for a.,5.00,K\n2 Okt 2024,for b.,-7.50,K\n"
    const args = ["--header-row", "2", "--key-pattern", "for (\\w+)", "--month-names", "de"]
    const map = ["key=text", "amount=value", "date=when", "sign=none"].flatMap((part) => ["--map", part])
    const { code, stdout } = await reconcile(text, ...euro, ...args, ...map)
    expect(JSON.parse(stdout)).toMatchObject({ breaks: 1, outcomes: [{ key: "b", ledger: { amount: "-7.50" } }] })
    expect(code).toBe(1)
    const marked = "key,amount,side\na,5.00,in\nb,7.50,in\nc,1,out\n"
    const markers = ["--map", "sign=side", "--marker-in", "IN", "--marker-out", "out"]
    expect(JSON.parse((await reconcile(marked, ...euro, ...markers)).stdout)).toMatchObject({
      outcomes: [{ key: "c", ledger: { amount: "-1" } }],
    })
  })

  test.each([
    [["--header-row", "0"], "--header-row: expected the number of a line, counted from 1"],
    [["--key-pattern", "(?=a)"], "is no pattern of RE2"],
    [["--ledger-profile", "datev"], "Name it with --ledger-account <number>"],
    [["--ledger-account", "1"], "an account needs a ledger profile with account_columns"],
    [["--ledger-profile", "nope"], "A ledger profile is a file, or one of stripe, datev"],
    [["--map", "side=x"], "one of key, amount, currency, status, date, in, out, sign, balance"],
  ])("are checked: %s", async (args, reason) => {
    const { code, stderr } = await reconcile("key,amount\na,1\n", ...euro, ...args)
    expect(stderr).toContain(reason)
    expect(code).toBe(2)
  })

  test("name a preset", async () => {
    const text =
      '"Buchungstag";"Kundenreferenz (End-to-End)";"Betrag";"Waehrung";"Info"\n"01.09.24";"a";"5,00";"EUR";"Umsatz gebucht"\n"02.09.24";"c";"9,00";"EUR";"Umsatz vorgemerkt"\n'
    const { stdout } = await reconcile(text, "--ledger-profile", "sparkasse")
    expect(JSON.parse(stdout)).toMatchObject({ totals: { Matched: { outcomes: 1 } } })
  })
})

test("the preset stripe gets its days by --time-zone, from times in UTC, and says so", async () => {
  const header = "created_utc,currency,gross,reporting_category,payment_metadata[external_id]"
  const text = `${header}\n2024-08-31 22:30:00,eur,5.00,charge,a\n2024-08-31 21:30:00,eur,9.00,charge,c\n`
  const stripe = ["--ledger-profile", "stripe", "--time-zone", "Europe/Berlin"]
  const { stdout } = await reconcile(text, ...stripe, "--since", "2024-09-01", "--until", "2024-09-02")
  expect(JSON.parse(stdout)).toMatchObject({
    // The other transfer has no row.
    breaks: 1,
    totals: { Matched: { outcomes: 1 } },
    ledgers: [{ rows: 2, outside: 1, utc_times: true }],
    settings: { ledger: { utc_times: true } },
  })
  const table = await reconcile(text, ...stripe, "--since", "2024-09-01", "-o", "table")
  expect(table.stderr).toContain("year first in dates, times in UTC")
})

test("--amount fiat matches money in and out of one statement, and reports a kind that contradicts", async () => {
  const both = join(folder, "both.ndjson")
  const eur = (amount: string) => ({ amount, currency_code: "fiat/EUR" })
  const eth = { amount: "1", currency_code: "ethereum/ETH" }
  const common = { status: "complete", created_at: "2024-09-01T00:00:00Z" }
  const rows = [
    { id: "1", kind: "cash_in", external_id: "a", source_total: eur("5.00"), destination_total: eth, ...common },
    { id: "2", kind: "cash_out", external_id: "b", source_total: eth, destination_total: eur("7.50"), ...common },
    { id: "3", kind: "cash_in", external_id: "c", source_total: eth, destination_total: eur("9.00"), ...common },
    { id: "4", kind: "swap", external_id: "d", source_total: eth, destination_total: eth, ...common },
  ]
  await writeFile(both, rows.map((row) => `${JSON.stringify(row)}\n`).join(""))
  const text = "key,In,Out\na,5.00,\nb,,7.50\nc,,9.00\nd,1.00,\n"
  const map = ["--map", "in=In", "--map", "out=Out"]
  const { stdout, stderr } = await run(["reconcile", "-", "--from", both, "--amount", "fiat", ...euro, ...map], {
    stdin: text,
  })
  expect(JSON.parse(stdout)).toMatchObject({
    totals: { Matched: { outcomes: 3 } },
    outcomes: [{ key: "d", outcome: "Differs", why: "the transfer has no single fiat side" }],
  })
  expect(stderr).toContain("3 is of the kind cash_in, but its fiat side is its destination")
})

test("says in which form the keys would match, if hardly any does, and matches nothing by it", async () => {
  const { stdout, stderr } = await reconcile("key,amount\nfor a,5.00\nfor b,7.50\n", ...euro)
  expect(JSON.parse(stdout)).toMatchObject({ totals: { Matched: { outcomes: 0 } } })
  expect(stderr).toContain(
    "2 of 2 keys without a match would match by a part of their text. Find it with --key-pattern.",
  )
})
