import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type RunningFakeServer, startFakeServer } from "@transferkit/fake/FakeServer"
import { parse as parseCsv } from "csv-parse/sync"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { demo } from "./Cli.ts"
import * as Fake from "./Fake.ts"
import { run } from "./InProcess.ts"

const count = 130

let fake: RunningFakeServer
let folder: string
let held: ReadonlyArray<{
  readonly id: string
  readonly created_at: string
  readonly external_id: string
  readonly status: string
}>

beforeAll(async () => {
  fake = await startFakeServer({ transfers: count, seed: 7 })
  folder = await mkdtemp(join(tmpdir(), "transfers-cli-"))
  held = JSON.parse((await transfers("search", "--all", "-o", "json")).stdout).results
})

afterAll(async () => {
  await fake.close()
  await rm(folder, { recursive: true })
})

const transfers = (...args: ReadonlyArray<string>) => run(args, { env: demo(fake.url) })

/** The generated times are all in UTC and of one length, so that their texts sort as they do. */
const byCreation = (left: (typeof held)[number], right: (typeof held)[number]): number =>
  `${left.created_at} ${left.id}` < `${right.created_at} ${right.id}` ? -1 : 1

const linesOfText = (text: string): ReadonlyArray<string> => text.trimEnd().split("\n")

const linesOf = (text: string): ReadonlyArray<unknown> =>
  text
    .trimEnd()
    .split("\n")
    .map((line): unknown => JSON.parse(line))

test("the fake has its transfers, each once", () => {
  expect(new Set(held.map(({ id }) => id)).size).toBe(count)
})

describe("capabilities", () => {
  test("prints the service's JSON without a terminal", async () => {
    const { code, stdout } = await transfers("capabilities")
    const authorization = `Basic ${Buffer.from("demo:demo-secret").toString("base64")}`
    const response = await fetch(`${fake.url}/v1/capabilities`, { headers: { authorization } })
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toEqual(await response.json())
  })
})

describe("search", () => {
  test("prints one page unchanged, and says that more pages follow", async () => {
    const { code, stdout, stderr } = await transfers("search", "--limit", "3")
    expect(code).toBe(0)
    expect(linesOf(stdout)).toEqual(held.slice(0, 3))
    expect(stderr).toBe("More pages follow: add --page 2 for the next one, or --all.\n")
  })

  test("prints each page by its number until the last one, and nothing after it", async () => {
    const page = (number: number, ...flags: ReadonlyArray<string>) =>
      transfers("search", "--limit", "20", "--page", String(number), ...flags)
    for (const number of [1, 2, 3]) {
      expect(linesOf((await page(number)).stdout)).toEqual(held.slice(20 * (number - 1), 20 * number))
    }
    const last = Math.ceil(held.length / 20)
    expect((await page(last)).stderr).not.toContain("--page")
    expect(await page(last + 2)).toMatchObject({ code: 0, stdout: "", stderr: `The last page is ${last}.\n` })
    const complete = held.filter(({ status }) => status === "complete")
    const second = await page(2, "--status", "complete")
    expect(linesOf(second.stdout)).toEqual(complete.slice(20, 40))
    expect(JSON.parse((await page(2, "-o", "json")).stdout).results).toEqual(held.slice(20, 40))
  })

  test("says how to get the cursor after a page that a cursor named", async () => {
    const first = JSON.parse((await transfers("search", "--limit", "1", "-o", "json")).stdout)
    const { stderr } = await transfers("search", "--limit", "1", "--after-cursor", first.page_info.end_cursor)
    expect(stderr).toBe("More pages follow: add --output json for the cursor of the next one, or --all.\n")
    const page = await transfers("search", "--page", "2", "--after-cursor", "x")
    expect(page).toMatchObject({ code: 2, stderr: expect.stringContaining("--page counts from the first page") })
  })

  test("tells an empty page from an empty result", async () => {
    const found = held[10]?.external_id ?? ""
    const first = JSON.parse((await transfers("search", "--limit", "1", "-o", "json")).stdout)
    const cursor = ["--after-cursor", first.page_info.end_cursor]
    const page = await transfers("search", "--limit", "1", "--payment-method", "none", "-o", "table", ...cursor)
    expect(page).toMatchObject({
      code: 0,
      stdout: "",
      stderr: expect.stringMatching(/^No transfers on this page match\.\nThe service .*\nMore pages follow/),
    })
    const all = await transfers("search", "--external-id", `${found}-not`, "-o", "table")
    expect(all).toMatchObject({ code: 0, stdout: "", stderr: "No transfers match.\n" })
  })

  test("continues from a cursor", async () => {
    const first = JSON.parse((await transfers("search", "--limit", "5", "-o", "json")).stdout)
    const second = await transfers("search", "--limit", "5", "--after-cursor", first.page_info.end_cursor)
    expect(linesOf(second.stdout)).toEqual(held.slice(5, 10))
  })

  test("finds a transfer by its external_id", async () => {
    const { stdout } = await transfers("search", "--external-id", held[17]?.external_id ?? "")
    expect(linesOf(stdout)).toEqual([held[17]])
  })

  test("applies the filters that the service lacks", async () => {
    const { stdout } = await transfers("search", "--all", "--status", "declined,executing")
    const expected = held.filter(({ status }) => status === "declined" || status === "executing")
    expect(expected.length).toBeGreaterThan(3)
    expect(linesOf(stdout)).toEqual(expected)
  })

  test("prints nothing if nothing matches, and succeeds", async () => {
    expect(await transfers("search", "--external-id", "nobody's", "--all")).toMatchObject({ code: 0, stdout: "" })
  })
})

describe("export", () => {
  test.each(["ndjson", "csv", "json"])(
    "writes every transfer once to a .%s file, with every amount's text",
    async (format) => {
      const file = join(folder, `all.${format}`)
      const { code, stdout, stderr } = await transfers("export", "--out", file)
      expect({ code, stdout }).toEqual({ code: 0, stdout: "" })
      expect(stderr).toContain(`${count} transfers`)
      expect(readExport(format, await readFile(file, "utf8"))).toEqual(held.toSorted(byCreation).map(flatten))
      expect((await readdir(folder)).filter((name) => name.endsWith(".writing"))).toEqual([])
    },
  )

  test("does not replace a file without --force", async () => {
    const file = join(folder, "mine.csv")
    await writeFile(file, "mine")
    const refused = await transfers("export", "--out", file)
    expect(refused).toMatchObject({ code: 2, stderr: `error: ${file}: it already exists; --force replaces it\n` })
    expect(await readFile(file, "utf8")).toBe("mine")
    expect(await transfers("export", "--out", file, "--force")).toMatchObject({ code: 0 })
    expect(await readFile(file, "utf8")).toMatch(/^id,external_id,/)
  })

  test("sends no request if the target is a folder", async () => {
    const asked = (await Fake.journal(fake.url)).length
    const { code, stderr } = await transfers("export", "--out", folder, "--format", "csv", "--force")
    expect({ code, stderr }).toEqual({ code: 2, stderr: `error: ${folder}: it is a folder: name a file in it\n` })
    expect(await Fake.journal(fake.url)).toHaveLength(asked)
  })

  test("leaves no file if the service fails", async () => {
    const file = join(folder, "never.csv")
    const wrong = await run(["export", "--out", file], { env: { ...demo(fake.url), TRANSFERS_SECRET_KEY: "wrong" } })
    expect(wrong.code).toBe(3)
    expect((await readdir(folder)).filter((name) => name.startsWith("never"))).toEqual([])
  })
})

/** Only what both forms have: texts, without the order of columns. */
const flatten = (transfer: object): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(transfer).flatMap(([name, value]): ReadonlyArray<readonly [string, string]> => {
      if (typeof value !== "object" || value === null) return [[name, String(value)]]
      return [
        [`${name}_amount`, value.amount],
        [`${name}_currency_code`, value.currency_code],
      ]
    }),
  )

const readExport = (format: string, text: string): ReadonlyArray<Readonly<Record<string, string>>> => {
  if (format === "json") return JSON.parse(text).results.map(flatten)
  if (format === "ndjson") return linesOf(text).map((value) => flatten(Object(value)))
  const rows: ReadonlyArray<Record<string, string>> = parseCsv(text, { columns: true })
  return rows.map((row) => Object.fromEntries(Object.entries(row).filter(([, cell]) => cell !== "")))
}

describe("summary", () => {
  test("equals an independent sum of the exported amounts", async () => {
    const { stdout } = await transfers("summary", "--by", "status", "-o", "csv", "--field", "all")
    const rows: ReadonlyArray<Record<string, string>> = parseCsv(stdout, { columns: true })
    expect(rows.length).toBeGreaterThan(20)
    for (const row of rows) {
      const amounts = held
        .map((transfer) => ({ ...flatten(transfer) }))
        .filter((transfer) => transfer["status"] === row["status"])
        .filter((transfer) => transfer[`${row["field"]}_currency_code`] === row["currency_code"])
        .map((transfer) => transfer[`${row["field"]}_amount`] ?? "0")
      expect(scaled(row["amount"] ?? ""), JSON.stringify(row)).toBe(amounts.map(scaled).reduce((a, b) => a + b, 0n))
    }
  })

  test("counts transfers without amounts, and writes the requested fields to CSV", async () => {
    const at = "2024-09-01T00:00:00Z"
    const bare = { id: "tr_1", kind: "cash_in", status: "executing", created_at: at }
    const money = { amount: "1.10", currency_code: "fiat/USD" }
    const full = { ...bare, id: "tr_2", status: "complete", source_total: money, service_fee: money }
    const few = await startFakeServer({ data: [bare, full] })
    const table = await run(["summary", "--by", "status", "-o", "table"], { env: demo(few.url) })
    const csv = await run(["summary", "--by", "status", "--field", "source_total", "-o", "csv"], { env: demo(few.url) })
    await few.close()
    expect(linesOfText(table.stdout).map((line) => line.split(/ {2,}/).slice(0, 3))).toEqual([
      ["STATUS", "CURRENCY", "TRANSFERS"],
      ["complete", "fiat/USD", "1"],
      ["executing", "(none)", "1"],
    ])
    expect(linesOfText(csv.stdout)).toEqual([
      "status,transfers,field,currency_code,amount",
      "complete,1,source_total,fiat/USD,1.10",
      "executing,1,,,",
    ])
  })

  test("rejects an unknown dimension, and lists the known ones", async () => {
    const { code, stderr } = await transfers("summary", "--by", "hour")
    expect(code).toBe(2)
    expect(stderr).toBe(
      'error: --by: no dimension "hour".\nThe dimensions are day, week, month, quarter, year, status, kind, payment_method, currency.\n',
    )
  })
})

/** An amount as a count of 10^-30, so that sums need no decimals. */
const scaled = (amount: string): bigint => {
  const [whole = "", fraction = ""] = amount.split(".")
  return BigInt(whole + fraction.padEnd(30, "0"))
}

describe("validate", () => {
  const proposal = {
    country_code: "US",
    payment_method: "debit_card",
    source: { amount: "100.00", currency_code: "fiat/USD" },
    destination_currency_code: "ethereum/USDC",
  }

  test("exits with 0 for valid proposals, else with 1 and every violation", async () => {
    const valid = await run(["validate", "-"], { env: demo(fake.url), stdin: JSON.stringify(proposal) })
    expect(valid).toMatchObject({ code: 0, stderr: "" })
    expect(JSON.parse(valid.stdout)).toEqual({ valid: true, results: [{ index: 0, valid: true, violations: [] }] })
    const broken = { ...proposal, country_code: "ZZ", source: { amount: "1.00", currency_code: "fiat/USD" } }
    const invalid = await run(["validate", "-"], { env: demo(fake.url), stdin: JSON.stringify([proposal, broken]) })
    expect(invalid.code).toBe(1)
    const [, second] = JSON.parse(invalid.stdout).results
    expect(second.violations.map((violation: { readonly code: string }) => violation.code)).toEqual([
      "unsupported_country",
      "below_minimum",
    ])
  })

  test("names the line of a table's earlier proposal with the same external_id", async () => {
    const row = "order-1,US,debit_card,100.00,fiat/USD,ethereum/USDC\n"
    const header =
      "external_id,country_code,payment_method,source_amount,source_currency_code,destination_currency_code\n"
    const { stdout } = await run(["validate", "-"], { env: demo(fake.url), stdin: `${header}\n${row}${row}` })
    const [, second] = JSON.parse(stdout).results
    expect(second).toMatchObject({
      line: 4,
      violations: [{ message: expect.stringMatching(/^The proposal on line 3 has this external_id too/) }],
    })
  })

  test("needs no service with --capabilities", async () => {
    const file = join(folder, "capabilities.json")
    await writeFile(file, (await transfers("capabilities")).stdout)
    const offline = await run(["validate", "-", "--capabilities", file], { stdin: JSON.stringify(proposal) })
    expect(offline).toMatchObject({ code: 0, stderr: "" })
  })

  test("validates with --expect-hash only against capabilities with that hash, in whichever order of keys", async () => {
    const stdin = JSON.stringify(proposal)
    const file = join(folder, "copy.json")
    const capabilities = JSON.parse((await transfers("capabilities")).stdout)
    await writeFile(file, JSON.stringify(Object.fromEntries(Object.entries(capabilities).toReversed())))
    const hash = (await transfers("capabilities", "--hash")).stdout.trim()
    const expecting = (expected: string) =>
      run(["validate", "-", "--capabilities", file, "--expect-hash", expected], { stdin })
    expect(await expecting(hash)).toMatchObject({ code: 0, stderr: "" })
    const other = `sha256:${"0".repeat(64)}`
    expect(await expecting(other)).toMatchObject({
      code: 2,
      stdout: "",
      stderr: expect.stringMatching(`The capabilities have the hash ${hash}, and not ${other}. Use a copy of those`),
    })
    expect(await expecting("b0e6")).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("sha256: and 64 hexadecimal digits"),
    })
    const { stdout } = await transfers("capabilities", "--hash", "--output", "json")
    expect(JSON.parse(stdout)).toEqual({ hash })
  })
})
