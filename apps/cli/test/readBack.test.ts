/** What the commands write can be read again, by them and by others, with every digit. */
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { startFakeServer } from "@transferkit/fake/FakeServer"
import { SteadyFile } from "@transferkit/files/node/SteadyFile"
import * as WorkbookTable from "@transferkit/files/node/WorkbookTable"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import * as Cli from "./Cli.ts"
import { run } from "./InProcess.ts"

let folder: string
let fake: Awaited<ReturnType<typeof startFakeServer>>
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "transfers-read-back-"))
  fake = await startFakeServer({ transfers: 60, seed: 3 })
})
afterAll(async () => {
  await fake[Symbol.asyncDispose]()
  await rm(folder, { recursive: true })
})

const at = (name: string): string => join(folder, name)

/** The rows of a sheet. */
const sheetOf = async (path: string, sheet: string): Promise<ReadonlyArray<ReadonlyArray<string | undefined>>> => {
  const found: Array<ReadonlyArray<string | undefined>> = []
  for await (const rows of (await WorkbookTable.detect(await SteadyFile.of(path), { sheet })).rows())
    found.push(...rows.map(({ cells }) => Array.from(cells)))
  return found
}

describe("a reconciliation as a workbook", () => {
  test("has a sheet of rows and one of totals, whose amounts are numbers where they are exact", async () => {
    const transfer = (id: string, amount: string, currency_code: string) =>
      JSON.stringify({
        id,
        external_id: id,
        kind: "cash_in",
        status: "complete",
        created_at: "2024-09-02T10:00:00Z",
        source_total: { amount, currency_code },
      })
    await writeFile(
      at("few.ndjson"),
      [
        transfer("a", "10.50", "fiat/EUR"),
        transfer("b", "1.353469433242531701", "ethereum/ETH"),
        transfer("c", "7.25", "fiat/EUR"),
      ].join("\n"),
    )
    await writeFile(
      at("few.csv"),
      "external_id,amount,currency\na,10.50,EUR\nb,1.353469433242531702,ethereum/ETH\nx,3.10,EUR\n",
    )
    const book = at("breaks.xlsx")
    const args = ["reconcile", at("few.csv"), "--from", at("few.ndjson"), "--output", "xlsx"]
    const { code } = await Cli.run(args, { through: ["sh", "-c", `"$@" > ${book}`, "sh"] })
    expect(code).toBe(1)
    const [header, ...rows] = await sheetOf(book, "Results")
    expect(header?.slice(0, 8)).toEqual([
      "outcome",
      "key",
      "reference",
      "transfer_id",
      "ledger_amount",
      "ledger_currency_code",
      "service_amount",
      "service_currency_code",
    ])
    expect(rows.map((row) => [row[0], row[4], row[6]])).toEqual([
      ["Differs", "1.353469433242531702", "1.353469433242531701"],
      ["NotAtService", "3.1", undefined],
      ["NotInLedger", undefined, "7.25"],
    ])
    const totals = await sheetOf(book, "Totals")
    expect(totals.slice(0, 5)).toEqual([
      ["outcome", "outcomes", "currency_code", "ledger_amount", "service_amount"],
      ["Matched", "1", "fiat/EUR", "10.5", "10.5"],
      ["Differs", "1", "ethereum/ETH", "1.353469433242531702", "1.353469433242531701"],
      ["NotInLedger", "1", "fiat/EUR", undefined, "7.25"],
      ["NotAtService", "1", "fiat/EUR", "3.1"],
    ])
  })
})

describe("keys that look like numbers", () => {
  const keys = ["12345678901234567890", "1.10", "1e5", "007"]
  /** One at a time: beside one that is no decimal, others are texts anyway. */
  const written = async (key: string) => {
    const [source, ledger, book] = [at(`key-${key}.ndjson`), at(`key-${key}.csv`), at(`key-${key}.xlsx`)]
    const source_total = { amount: "5.00", currency_code: "fiat/EUR" }
    const common = { kind: "cash_in", status: "complete", created_at: "2024-09-02T10:00:00Z", source_total }
    await writeFile(source, JSON.stringify({ ...common, id: key, external_id: key }))
    await writeFile(ledger, `external_id,amount,currency\n${key},5.10,EUR\n`)
    return { source, ledger, book, through: ["sh", "-c", `"$@" > ${book}`, "sh"] }
  }
  const textsOf = async (path: string, sheet: string) => {
    const texts: Array<string | undefined> = []
    for await (const rows of (await WorkbookTable.detect(await SteadyFile.of(path), { sheet })).rows())
      for (const { cells, numbers } of rows) texts.push(...cells.filter((_, index) => numbers?.has(index) !== true))
    return texts
  }

  test.each(keys)("%s are texts in a workbook of a reconciliation, and of transfers", async (key) => {
    const { source, ledger, book, through } = await written(key)
    await Cli.run(["reconcile", ledger, "--from", source, "--output", "xlsx"], { through })
    expect((await textsOf(book, "Results")).filter((text) => text === key)).toHaveLength(2)
    await Cli.run(["show", key, "--from", source, "--output", "xlsx"], { through })
    expect((await textsOf(book, "Results")).filter((text) => text === key)).toHaveLength(2)
  })

  test("keep their point in CSV with decimal commas, beside amounts that have a comma", async () => {
    const { source } = await written("1.10")
    const args = ["show", "1.10", "--from", source, "--output", "csv", "--csv-dialect", "excel-de"]
    const [, row] = (await run(args)).stdout.split("\r\n")
    expect(row?.split(";").slice(0, 2)).toEqual(["1.10", "1.10"])
    expect(row).toContain(";5,00;")
  })
})

test("an empty text of a Parquet file is no absent one", async () => {
  const one = { kind: "cash_in", status: "complete", created_at: "2024-09-02T10:00:00Z" }
  const all = [
    { ...one, id: "a", external_id: "" },
    { ...one, id: "b", external_id: null },
  ]
  await using own = await startFakeServer({ data: all })
  await run(["export", "--out", at("empty.parquet")], { env: Cli.demo(own.url) })
  const shown = async (id: string) =>
    JSON.parse((await run(["show", id, "--from", at("empty.parquet"), "--output", "json"])).stdout).transfer
  expect(await shown("a")).toHaveProperty("external_id", "")
  expect(await shown("b")).not.toHaveProperty("external_id")
})

describe("an export", () => {
  const exported = (...args: ReadonlyArray<string>) => run(["export", ...args], { env: Cli.demo(fake.url) })

  test("for the Excel of another country is a source like any other", async () => {
    await exported("--out", at("all.csv"), "--csv-dialect", "excel-de")
    await exported("--out", at("all.ndjson"))
    const of = async (name: string) => {
      const { stdout, code } = await run(["summary", "--from", at(name), "--by", "currency", "--output", "json"])
      expect(code).toBe(0)
      const { source: _, ...summary } = JSON.parse(stdout)
      return summary
    }
    const summary = await of("all.csv")
    expect(summary.transfers).toBeGreaterThan(0)
    expect(summary).toEqual(await of("all.ndjson"))
  })

  test.each([
    ["ledger.csv", ["--csv-dialect", "excel-de"], { delimiter: ";", decimal: ",", rows: 60 }],
    ["ledger.xlsx", [], { format: "xlsx", rows: 60 }],
  ])("is a ledger again, as %s with %j", async (name, flags, reading) => {
    const columns = "external_id,source_total_amount,source_total_currency_code,status"
    await exported("--out", at(name), "--columns", columns, ...flags)
    await exported("--out", at(`${name}.ndjson`))
    const args = ["--map", "amount=source_total_amount", "--map", "currency=source_total_currency_code"]
    const { code, stdout } = await run(["reconcile", at(name), "--from", at(`${name}.ndjson`), ...args])
    const { ledgers, totals } = JSON.parse(stdout)
    expect(code).toBe(0)
    expect(ledgers).toMatchObject([reading])
    expect(totals.Matched.outcomes).toBe(60)
  })
})
