import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as JsonDepth from "@transferkit/domain/JsonDepth"
import * as Transfer from "@transferkit/domain/Transfer"
import * as TransferPage from "@transferkit/domain/TransferPage"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"
import { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects } from "hyparquet"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import * as CsvDialect from "../src/formats/CsvDialect.ts"
import * as DecimalWidth from "../src/formats/DecimalWidth.ts"
import { ParquetEncoder } from "../src/formats/ParquetEncoder.ts"
import * as SqlTable from "../src/formats/SqlTable.ts"
import * as TransferColumns from "../src/formats/TransferColumns.ts"
import * as TransferEncoder from "../src/formats/TransferEncoder.ts"
import type { AmountForm } from "../src/formats/TransferFormat.ts"
import * as TransferFile from "../src/node/TransferFile.ts"
import * as CsvText from "./CsvText.ts"

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "transfers-files-"))
})
afterAll(() => rm(folder, { recursive: true }))

const transfersOf = (...wires: ReadonlyArray<object>): ReadonlyArray<Transfer.Transfer> =>
  Result.getOrThrow(TransferPage.fromJson(JSON.stringify({ results: wires, page_info: { has_next_page: false } })))
    .results

const usd = (amount: string) => ({ amount, currency_code: "fiat/USD" })

const plain = { id: "tr_1", kind: "cash_in", status: "complete", created_at: "2024-09-01T00:00:00Z" }

const parquet = async (
  name: string,
  transfers: ReadonlyArray<Transfer.Transfer>,
  amounts?: AmountForm,
): Promise<string> => {
  const encoder = new ParquetEncoder({ amounts })
  const path = join(folder, name)
  await writeFile(path, Buffer.concat([encoder.add(transfers), encoder.close()]))
  return path
}

const readBack = async (
  path: string,
  format: "csv" | "json" | "ndjson" | "parquet",
  csvCells?: CsvDialect.CellForm,
): Promise<ReadonlyArray<unknown>> => {
  const batches = await Effect.runPromise(Stream.runCollect(TransferFile.transfers({ path, format, csvCells })))
  return JSON.parse(JSON.stringify([...batches].flat()))
}

describe("Parquet", () => {
  test.each([
    "0",
    "-0.01",
    "-99999999999999999999.999999999999999999",
    "0.000000000000000001",
    "1.10",
    "100.00",
    "100",
  ])("reads the amount %s back as it was written, also beside one with more digits", async (amount) => {
    const wires = [{ ...plain, source_total: usd(amount) }]
    expect(await readBack(await parquet("amount.parquet", transfersOf(...wires)), "parquet")).toEqual(wires)
    const beside = [...wires, { ...plain, id: "tr_2", source_total: usd("0.125") }]
    expect(await readBack(await parquet("amounts.parquet", transfersOf(...beside)), "parquet")).toEqual(beside)
  })

  test.each([
    ["2024-09-01T00:00:00Z", 1_725_148_800_000_000n],
    ["2024-09-01T00:00:00.500Z", 1_725_148_800_500_000n],
    ["2024-09-01T02:00:00.123456+02:00", 1_725_148_800_123_456n],
    ["2024-09-01T00:00:00.123456000Z", 1_725_148_800_123_456n],
    ["2024-09-01T00:00:00.123456789Z", 1_725_148_800_123_456n],
    ["1969-12-31T23:59:59.999999999Z", -1n],
    ["0001-01-01T00:00:00Z", -62_135_596_800_000_000n],
    ["9999-12-31T23:59:59.999999Z", 253_402_300_799_999_999n],
  ])("holds the time %s as a TIMESTAMP in UTC, and reads it back as it was written", async (time, value) => {
    const wires = [{ ...plain, created_at: time, updated_at: time }]
    const path = await parquet("time.parquet", transfersOf(...wires))
    expect(await readBack(path, "parquet")).toEqual(wires)
    const file = await asyncBufferFromFile(path)
    const metadata = await parquetMetadataAsync(file)
    const element = metadata.schema.find(({ name }) => name === "updated_at")
    expect(element).toMatchObject({
      type: "INT64",
      logical_type: { type: "TIMESTAMP", isAdjustedToUTC: true, unit: "MICROS" },
    })
    // Read by the library alone, without its conversion to dates.
    const schema = metadata.schema.map(({ converted_type: _, logical_type: __, ...rest }) => rest)
    const rows = await parquetReadObjects({ file, metadata: { ...metadata, schema }, columns: ["updated_at"] })
    expect(rows).toEqual([{ updated_at: value }])
  })

  test("keeps the nanoseconds of a time beside one that 64 bits of them cannot hold", async () => {
    const wires = [
      { ...plain, created_at: "2024-09-01T00:00:00.123456789Z" },
      { ...plain, id: "tr_2", created_at: "2300-01-01T00:00:00Z" },
    ]
    expect(await readBack(await parquet("far.parquet", transfersOf(...wires)), "parquet")).toEqual(wires)
  })

  test("keeps amounts of any length as text", async () => {
    const long = `${"9".repeat(30)}.${"1".repeat(9)}`
    const wires = [
      { ...plain, source_total: usd(long) },
      { ...plain, id: "tr_2", source_total: usd("1.10") },
    ]
    expect(await readBack(await parquet("long.parquet", transfersOf(...wires), "text"), "parquet")).toEqual(wires)
  })

  test("keeps absent fields absent, and unknown ones", async () => {
    const wires = [
      { ...plain, source_total: usd("5") },
      { ...plain, id: "tr_2", service_fee: usd("0.123456789012345678") },
      { ...plain, id: "tr_3", source_total: usd("0.001"), colour: { deep: ["red"] } },
    ]
    expect(await readBack(await parquet("mixed.parquet", transfersOf(...wires)), "parquet")).toEqual(wires)
  })
})

describe("CSV", () => {
  test("writes this text", () => {
    const encoder = TransferEncoder.make("csv", { csvRaw: false })
    const transfers = transfersOf(
      { ...plain, external_id: '=HYPERLINK("x")', source_total: usd("-1.10"), colour: "red" },
      { ...plain, id: "two\nlines", payment_method: 'a,"b"' },
    )
    const rows = (encoder.open + encoder.batch(transfers, true)).split("\n")
    expect(rows[0]).toBe(CsvText.header)
    expect(rows[0]).toMatch(/^id,external_id,kind,status,network_transaction_id,created_at,.*,extra/)
    const cells = { kind: "cash_in", status: "complete", created_at: "2024-09-01T00:00:00Z" }
    const total = { source_total_amount: "-1.10", source_total_currency_code: "fiat/USD" }
    const formula = { id: "tr_1", external_id: `"'=HYPERLINK(""x"")"`, extra: `"{""colour"":""red""}"` }
    expect(rows[1]).toBe(CsvText.row({ ...cells, ...total, ...formula }))
    const quoted = { id: `"two\nlines"`, payment_method: `"a,""b"""` }
    expect(rows.slice(2).join("\n")).toBe(`${CsvText.row({ ...cells, ...quoted })}\n`)
  })

  test.each(CsvDialect.dialects)("round-trips everything in the dialect %s", async (csvDialect) => {
    const wires = [
      { ...plain, id: "1.50", external_id: '=HYPERLINK("x")', source_total: usd("-1.10"), colour: { deep: ["r;e,d"] } },
      { ...plain, id: "12,50", external_id: "two\r\nlines", payment_method: "a\tb" },
      { ...plain, id: "three", external_id: "two\nlines", payment_method: "two\rlines", service_fee: usd("12") },
      { ...plain, id: "four", external_id: "", status: "", wallet_address: "", source_total: usd("1") },
    ]
    const encoder = TransferEncoder.make("csv", { csvRaw: false, csvDialect })
    const path = join(folder, `${csvDialect}.csv`)
    await writeFile(path, encoder.open + encoder.batch(transfersOf(...wires), true))
    const source = { path, format: "csv", csvDialect, csvCells: csvDialect } as const
    const batches = await Effect.runPromise(Stream.runCollect(TransferFile.transfers(source)))
    expect(JSON.parse(JSON.stringify(batches.flat()))).toEqual(wires)
  })

  test.each([65_534, 65_535, 65_536])("has an empty text, wherever it is in the file: at %i", async (at) => {
    const encoder = TransferEncoder.make("csv", { csvRaw: false })
    const written = (padding: number) => {
      const wires = [
        { ...plain, id: "x".repeat(padding) },
        { ...plain, external_id: "" },
      ]
      return { wires, text: encoder.open + encoder.batch(transfersOf(...wires), true) }
    }
    const { wires, text } = written(at + 1 - written(1).text.indexOf('""'))
    expect(text.indexOf('""')).toBe(at)
    const path = join(folder, "empty.csv")
    await writeFile(path, text)
    expect(await readBack(path, "csv")).toEqual(wires)
  })

  test("is read as before if another program has quoted each cell: none of them is an empty text", async () => {
    const wires = [{ ...plain, source_total: usd("1.10") }]
    const encoder = TransferEncoder.make("csv", { csvRaw: false })
    const text = encoder.open + encoder.batch(transfersOf(...wires), true)
    const path = join(folder, "quoted.csv")
    const quoted = (lines: string) => lines.replaceAll(/(^|,)([^,\n]*)(?=[,\n])/gm, '$1"$2"')
    await writeFile(path, quoted(text))
    expect(await readBack(path, "csv")).toEqual(wires)
    await writeFile(path, encoder.open + quoted(text.slice(encoder.open.length)))
    const empty = { external_id: "", network_transaction_id: "", wallet_address: "", payment_method: "" }
    expect(await readBack(path, "csv")).toEqual([{ ...wires[0], ...empty }])
  })

  test("in the dialect of a German Excel has a mark, semicolons, decimal commas and CRLF, and escapes formulas", () => {
    const columns = TransferColumns.flat.filter(({ name }) => ["id", "source_total_amount"].includes(name))
    const encoder = TransferEncoder.make("csv", { csvRaw: false, csvDialect: "excel-de", columns })
    const transfers = transfersOf({ ...plain, id: "=1+1;-2", source_total: usd("-35176.23") }, { ...plain, id: "1.5" })
    expect(encoder.open + encoder.batch(transfers, true)).toBe(
      "\ufeffid;source_total_amount\r\n\"'=1+1;'-2\";-35176,23\r\n1.5;\r\n",
    )
  })

  test.each(CsvDialect.dialects)("in the dialect %s is read back without naming it", async (csvDialect) => {
    const wires = [{ ...plain, external_id: "a;b,c\td", source_total: usd("1.10") }]
    const encoder = TransferEncoder.make("csv", { csvRaw: false, csvDialect })
    const path = join(folder, "other.csv")
    await writeFile(path, encoder.open + encoder.batch(transfersOf(...wires), true))
    expect(await readBack(path, "csv")).toEqual(wires)
  })

  test("round-trips formulas, line breaks, quotes and unknown fields", async () => {
    const wires = [
      { ...plain, external_id: '=HYPERLINK("x")', source_total: usd("-1.10"), colour: { deep: ["red"] } },
      { ...plain, id: "'=not a formula", external_id: "two\r\nlines", payment_method: 'a,"b"' },
    ]
    const encoder = TransferEncoder.make("csv", { csvRaw: false })
    const path = join(folder, "back.csv")
    await writeFile(path, encoder.open + encoder.batch(transfersOf(...wires), true))
    expect(await readBack(path, "csv", "rfc4180")).toEqual(wires)
  })
})

test("Parquet keeps a field that is empty apart from one that is absent", async () => {
  const wires = [{ ...plain, external_id: "" }, plain]
  expect(await readBack(await parquet("empty.parquet", transfersOf(...wires)), "parquet")).toEqual(wires)
})

test.each(["ndjson", "json"] as const)(
  "%s round-trips characters that other programs take for line breaks, and a file without a final one",
  async (format) => {
    const wires = ["\u2028", "\u2029", "\u0085", "\r", "\v"].map((mark, index) => ({
      ...plain,
      id: `tr_${index}`,
      external_id: `two${mark}lines`,
    }))
    const encoder = TransferEncoder.make(format, { csvRaw: false })
    const path = join(folder, `breaks.${format}`)
    const text = encoder.open + encoder.batch(transfersOf(...wires), true) + encoder.close
    await writeFile(path, text.trimEnd())
    expect(await readBack(path, format)).toEqual(wires)
  },
)

test.each(["csv", "ndjson", "json", "parquet"] as const)("%s reads back the deepest field", async (format) => {
  const levels = JsonDepth.maxDepth + 1
  const wires = [{ ...plain, colour: JSON.parse("[".repeat(levels) + "]".repeat(levels)) }]
  expect(Result.isFailure(Transfer.fromJson(JSON.stringify({ ...plain, colour: [wires[0]?.colour] })))).toBe(true)
  if (format === "parquet") {
    return expect(await readBack(await parquet("deep.parquet", transfersOf(...wires)), format)).toEqual(wires)
  }
  const encoder = TransferEncoder.make(format, { csvRaw: false })
  const path = join(folder, `deep.${format}`)
  await writeFile(path, encoder.open + encoder.batch(transfersOf(...wires), true) + encoder.close)
  expect(await readBack(path, format)).toEqual(wires)
})

test("CREATE TABLE has decimals if the amounts fit, else text, and loads the file", () => {
  const widths = new Map<string, DecimalWidth.DecimalWidth>()
  const long = "999999999999999999999"
  const some = transfersOf({ ...plain, source_total: usd("12.345"), service_fee: usd(long) })
  DecimalWidth.widen(
    widths,
    some.map((transfer) => TransferColumns.toCells(transfer)),
  )
  const sql = SqlTable.script({ file: "it's.csv", format: "csv", widths })
  expect(sql).toContain("  source_total_amount DECIMAL(38, 18),\n")
  expect(sql).toContain("  service_fee_amount TEXT,\n")
  expect(sql).toContain("  created_at TIMESTAMPTZ NOT NULL,\n")
  expect(sql).toContain("read_csv('it''s.csv'")
  expect(sql).not.toMatch(/FLOAT|DOUBLE|REAL/i)
})

test("CREATE TABLE keeps every line of a file name within its comment", () => {
  for (const format of ["csv", "parquet"] as const) {
    const sql = SqlTable.script({ file: "a\nDROP TABLE b;\r--.csv", format, widths: new Map() })
    expect(sql).not.toMatch(/^\W*DROP/m)
    expect(sql).toContain("-- The transfers of a\ufffdDROP TABLE b;\ufffd--.csv.")
  }
})
