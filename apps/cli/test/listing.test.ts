/** The columns and the order of a list of transfers. */
import { mkdtemp, readFile, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type RunningFakeServer, startFakeServer } from "@transferkit/fake/FakeServer"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { demo } from "./Cli.ts"
import { run } from "./InProcess.ts"
import { see } from "./Terminal.ts"

let fake: RunningFakeServer
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "transfers-listing-"))
  fake = await startFakeServer({
    data: Array.from({ length: 30 }, (_, index) => ({
      kind: "cash_in",
      created_at: `2024-09-${String(index + 1).padStart(2, "0")}T00:00:00Z`,
      id: `tr_${index}`,
      external_id: `order-${index}`,
      status: index % 2 === 0 ? "complete" : "declined",
      source_total: { amount: `${9_007_199_254_740_990n + BigInt((index * 7) % 30)}`, currency_code: "fiat/USD" },
    })),
  })
})
afterAll(async () => {
  await fake.close()
  await rm(folder, { recursive: true })
})

const seen = (...args: ReadonlyArray<string>) => see(args, { columns: 200, env: demo(fake.url) })
const linesOf = async (...args: ReadonlyArray<string>) => (await seen(...args)).text.trimEnd().split("\n")

describe("--columns", () => {
  test.each([
    ["csv", ["status,id,source_total_amount", "declined,tr_7,9007199254741009"]],
    ["ndjson", ['{"status":"declined","id":"tr_7","source_total_amount":"9007199254741009"}']],
    ["table", ["STATUS    ID    SOURCE TOTAL AMOUNT", "declined  tr_7     9007199254741009"]],
  ])("decides what search shows as %s", async (output, lines) => {
    const columns = "status, id,source_total_amount"
    expect(await linesOf("search", "order-7", "--columns", columns, "-o", output)).toEqual(lines)
    expect(await linesOf("search", "order-7", "--all", "--columns", columns, "-o", output)).toEqual(lines)
  })

  test("keeps the page_info of a JSON document", async () => {
    const { text } = await seen("search", "order-7", "--columns", "id,updated_at", "-o", "json")
    expect(JSON.parse(text)).toMatchObject({ results: [{ id: "tr_7" }], page_info: { has_next_page: false } })
  })

  test("decides what show shows, in every output", async () => {
    const show = (output: string) => linesOf("show", "order-7", "--columns", "status,updated_at", "-o", output)
    expect(await show("table")).toEqual(["tr_7", "FIELD       VALUE", "status      declined", "updated_at  (none)"])
    expect(await show("csv")).toEqual(["status,updated_at", "declined,"])
    expect(JSON.parse((await show("json")).join(""))).toEqual({ status: "declined" })
  })

  test("hides columns for which a table has no room, and names them", async () => {
    const args = ["search", "order-7", "--columns", "id,source_total_amount,created_at,status"]
    const { text } = await see(args, { columns: 40, env: demo(fake.url) })
    expect(text).toContain("ID    SOURCE TOTAL AMOUNT  STATUS\ntr_7     9007199254741009  declined\n")
    expect(text).toContain("CREATED AT (UTC).")
  })

  test("decides the columns of a CSV export, of which the bytes are verified", async () => {
    const file = join(folder, "some.csv")
    expect((await seen("export", "--out", file, "--columns", "id,status")).code).toBe(0)
    expect((await readFile(file, "utf8")).split("\n").slice(0, 2)).toEqual(["id,status", "tr_0,complete"])
    expect(JSON.parse((await seen("verify", file, "-o", "json")).text)).toMatchObject({
      ok: true,
      checks: [{ check: "file" }, { check: "bytes" }, { check: "sha256" }, { check: "columns" }],
    })
    expect(await seen("diff", file, file)).toEqual({
      code: 2,
      text: `error: ${file}: it has only some of the columns of an export: export it without --columns\n`,
    })
  })

  test.each([
    [
      ["--out", "x.ndjson", "--columns", "id"],
      "--columns: ndjson has every field. Only csv and xlsx can have fewer columns.",
    ],
    [
      ["--out", "x.csv", "--columns", "id", "--create-table"],
      "--create-table is for all columns in RFC 4180: remove it, or --columns.",
    ],
  ])("an export with %j is rejected", async (flags, message) => {
    const { code, text } = await seen("export", ...flags)
    expect(code).toBe(2)
    expect(text).toContain(message)
  })
})

describe("--sort", () => {
  const idsOf = async (...flags: ReadonlyArray<string>) => {
    const lines = await linesOf("search", "--all", "--columns", "id", "-o", "ndjson", ...flags)
    return lines.map((line) => Number(JSON.parse(line).id.slice(3)))
  }
  const byAmount = Array.from({ length: 30 }, (_, index) => index).toSorted((a, b) => ((a * 7) % 30) - ((b * 7) % 30))

  test("sorts amounts that no double can tell apart", async () => {
    expect(await idsOf("--sort", "source_total_amount")).toEqual(byAmount)
  })

  test.each([[["--sort", "-source_total_amount"]], [["--sort=-source_total_amount"]]])(
    "takes a minus for descending order: %j",
    async (flags) => {
      expect(await idsOf(...flags)).toEqual(byAmount.toReversed())
    },
  )

  test("takes several columns, of which the first counts most", async () => {
    const sorted = await idsOf("--sort", "-status,created_at")
    expect(sorted.slice(0, 3)).toEqual([1, 3, 5])
    expect(sorted.slice(15, 18)).toEqual([0, 2, 4])
  })

  test("says that it sorts one page only", async () => {
    const { text } = await seen("search", "--limit", "3", "--sort", "id")
    expect(text).toContain("Only this page is sorted. More pages follow")
  })
})

test.each([
  [
    ["--columns", "id,amount"],
    '--columns: no column "amount". Did you mean source_total_amount?\nThe columns are id, ',
  ],
  [["--columns", "statsu"], '--columns: no column "statsu". Did you mean status?\n'],
  [["--columns", "id,"], '--columns: no column "".\nThe columns are'],
  [["--columns", "id,id"], '--columns: "id" is named twice.'],
  [["--sort", "-create_at"], '--sort: no column "create_at". Did you mean created_at?\n'],
])("%j is answered with the names of all columns", async (flags, message) => {
  const { code, text } = await seen("search", ...flags)
  expect(code).toBe(2)
  expect(text).toContain(message)
})

describe("--csv-dialect", () => {
  test("decides how an export is written and verified", async () => {
    const file = join(folder, "de.csv")
    expect((await seen("export", "--out", file, "--csv-dialect", "excel-de")).code).toBe(0)
    expect(await readFile(file, "utf8")).toMatch(/^\ufeffid;external_id;[^]*\r\ntr_0;order-0;/)
    expect(JSON.parse((await seen("verify", file, "-o", "json")).text).checks).toContainEqual(
      expect.objectContaining({ check: "readable", ok: true }),
    )
  })

  test("decides how totals are written", async () => {
    const { text } = await seen("summary", "--field", "source_total", "-o", "csv", "--csv-dialect", "tsv")
    expect(text).toContain("fiat/USD\t30\tsource_total\tfiat/USD\t")
  })

  test.each([
    [["--out", "x.csv", "--amounts", "text"], "--amounts is for Parquet, and x.csv is csv."],
    [["--out", "x.json", "--csv-dialect", "excel"], "--csv-dialect is for CSV, and x.json is json."],
    [["--out", "x.csv", "--csv-dialect", "tsv", "--create-table"], "remove it, or --csv-dialect."],
  ])("an export with %j is rejected", async (flags, message) => {
    const { code, text } = await seen("export", ...flags)
    expect(code).toBe(2)
    expect(text).toContain(message)
  })
})

describe("--output xlsx", () => {
  test("is a workbook of a search, of totals, and of an export, which is verified by its bytes", async () => {
    const env = demo(fake.url)
    for (const args of [["search"], ["summary"]]) {
      const { code, stdout } = await run([...args, "--output", "xlsx"], { env })
      expect([code, stdout.slice(0, 2)]).toEqual([0, "PK"])
    }
    const file = join(folder, "all.xlsx")
    expect((await run(["export", "--out", file, "--columns", "id,source_total_amount"], { env })).code).toBe(0)
    expect(JSON.parse((await run(["verify", file], { env })).stdout)).toMatchObject({
      ok: true,
      checks: [{ check: "file" }, { check: "bytes" }, { check: "sha256" }],
    })
    const { stderr } = await run(["verify", file, "-o", "table"], { env })
    expect(stderr).toBe(`${file}: matches its manifest. The rows of a workbook are not read\n`)
  })

  test.each([
    [["search", "-o", "xlsx"], "--output xlsx writes a workbook: redirect it to a file, > NAME.xlsx."],
    [["export", "--out", "x.xlsx", "--create-table"], "--create-table: no database loads a workbook."],
  ])("%j is rejected", async (args, message) => {
    const { code, text } = await seen(...args)
    expect(code).toBe(2)
    expect(text).toContain(message)
  })

  test("is rejected by a watch, which has no end", async () => {
    const { code, stderr } = await run(["watch", "--output", "xlsx"], { env: demo(fake.url) })
    expect(code).toBe(2)
    expect(stderr).toContain("--output xlsx is for results with an end: use table, ndjson or csv.")
  })
})

describe("export --out -", () => {
  const exported = (...flags: ReadonlyArray<string>) => run(["export", "--out", "-", ...flags], { env: demo(fake.url) })

  test.each(["csv", "ndjson", "json"])(
    "prints the same %s as a file has, and says that it is complete",
    async (format) => {
      const file = join(folder, `same.${format}`)
      expect((await seen("export", "--out", file)).code).toBe(0)
      const { code, stdout, stderr } = await exported("--format", format)
      expect({ code, stdout }).toEqual({ code: 0, stdout: await readFile(file, "utf8") })
      expect(stderr).toMatch(/^standard output: 30 transfers in \d+ pages\n$/)
    },
  )

  test("prints workbooks too, and no word with --quiet", async () => {
    const { code, stdout, stderr } = await exported("--format", "xlsx", "--quiet")
    expect([code, stdout.slice(0, 2), stderr]).toEqual([0, "PK", ""])
  })

  test("prints nothing of an export that fails", async () => {
    await using broken = await startFakeServer({
      transfers: 500,
      faults: [{ when: { request: { from: 4 } }, faults: [{ fault: "status", status: 400 }] }],
    })
    const { code, stdout, stderr } = await run(["export", "--out", "-", "--format", "csv"], { env: demo(broken.url) })
    expect({ code, stdout }).toEqual({ code: 4, stdout: "" })
    expect(stderr).toContain("standard output: not complete; nothing was written\n")
  })

  test.each([
    [[], "--out - has no name: give --format."],
    [["--format", "csv", "--resume"], "--resume cannot be combined with --out -: remove one of them."],
    [["--format", "csv", "--output", "json"], "--output cannot be combined with --out -: remove one of them."],
  ])("is rejected with %j", async (flags, message) => {
    const { code, stderr } = await exported(...flags)
    expect(code).toBe(2)
    expect(stderr).toContain(message)
  })
})
