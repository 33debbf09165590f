/** A transfer file is read whole, or rejected with the place of its error. */
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { ParquetEncoder } from "../src/formats/ParquetEncoder.ts"
import type { TransferFormat } from "../src/formats/TransferFormat.ts"
import * as TransferFile from "../src/node/TransferFile.ts"
import * as CsvText from "./CsvText.ts"

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "transfers-files-"))
})
afterAll(() => rm(folder, { recursive: true }))

const read = async (format: TransferFormat, content: string | Uint8Array) => {
  const path = join(folder, `file.${format}`)
  await writeFile(path, content)
  const result = await Effect.runPromise(Effect.result(Stream.runCollect(TransferFile.transfers({ path, format }))))
  return Result.isSuccess(result)
    ? [...result.success].flat().map((transfer): unknown => JSON.parse(JSON.stringify(transfer)))
    : result.failure.reason
}

const one = `{"id":"tr_1","kind":"cash_in","status":"complete","created_at":"2024-09-01T00:00:00Z"}`
const two = one.replace("tr_1", "tr_2")
const pair = `${one},${two}`
const again = (line: string, members: string) => line.replace("}", `${members}}`)
const [open, close] = ['{"results":[', '],"page_info":{"has_next_page":false}}']
const { header } = CsvText
const cells = { id: "tr_1", kind: "cash_in", status: "complete", created_at: "2024-09-01T00:00:00Z" }
const half = (name: string, cell: string) => `${header}\n${CsvText.row({ ...cells, [name]: cell })}\n`
const row = (extra: string) => `${header}\n${CsvText.row({ ...cells, extra })}\n`

test("lets signals and other calls through after each batch, though the file is read at once", async () => {
  const path = join(folder, "long.ndjson")
  await writeFile(path, `${one}\n`.repeat(20_000))
  let turns = 0
  let next = setImmediate(function turn() {
    turns++
    next = setImmediate(turn)
  })
  await Effect.runPromise(Stream.runDrain(TransferFile.transfers({ path, format: "ndjson" })))
  clearImmediate(next)
  expect(turns).toBeGreaterThanOrEqual(400)
})

describe("reads", () => {
  test.each<[string, TransferFormat, string, number]>([
    ["NDJSON with blank lines and a byte order mark", "ndjson", `\ufeff${one}\n\n  \n${two}`, 2],
    ["an empty NDJSON file", "ndjson", "", 0],
    ["JSON with CRLF", "json", [open, `${one},`, two, close].join("\r\n"), 2],
    ["JSON with blank lines and a byte order mark", "json", `\ufeff\n${open}\n\n${one}\n \n${close}\n\n`, 1],
    ["an empty JSON export", "json", `${open}\n${close}\n`, 0],
    ["an empty CSV export", "csv", `${header}\n`, 0],
  ])("%s", async (_, format, text, count) => {
    expect(await read(format, text)).toHaveLength(count)
  })

  test("CSV with its columns in another order", async () => {
    const reversed = (line: string) => line.split(",").toReversed().join(",")
    expect(await read("csv", `${reversed(header)}\n${reversed(CsvText.row(cells))}\n`)).toEqual([JSON.parse(one)])
  })

  test("an empty Parquet export", async () => {
    expect(await read("parquet", new ParquetEncoder().close())).toEqual([])
  })

  test.each([
    ["blanks", '{ "id" : "tr_1", "kind" : "cash_in", "status": "complete", "created_at": "2024-09-01T00:00:00Z" }'],
    ["texts that look like names", again(one, String.raw`,"a":"\":","b\"":":","c":"\u003a"`)],
    ["numbers of any text", again(one, ',"a":[1.10,1e400,-0,9007199254740993],"b":{"a":{"a":1}}')],
    ["nothing in a field", again(one, ',"network_fee":null,"wallet_address":null')],
  ])("names that are there once beside %s", async (_, line) => {
    expect(await read("ndjson", `${line}\n`)).toHaveLength(1)
  })

  test("fields called __proto__ and constructor from CSV", async () => {
    const extra = `"{""__proto__"":{""a"":1},""constructor"":2}"`
    const [transfer] = await read("csv", row(extra))
    expect(JSON.stringify(transfer)).toContain('"__proto__":{"a":1},"constructor":2')
  })
})

test("reads a file again each time its stream is run", async () => {
  const path = join(folder, "twice.ndjson")
  await writeFile(path, `${one}\n`)
  const count = Stream.runFold(
    TransferFile.transfers({ path, format: "ndjson" }),
    () => 0,
    (sum, batch) => sum + batch.length,
  )
  expect(await Effect.runPromise(Effect.all([count, count]))).toEqual([1, 1])
})

test.each<[TransferFormat, string, string]>([
  ["ndjson", "", "\n"],
  ["csv", `${header}\n`, `\n`],
])("reads %s in batches of fifty", async (format, start, end) => {
  const path = join(folder, `batches.${format}`)
  const line = format === "csv" ? CsvText.row(cells) : one
  await writeFile(path, start + `${line}${end}`.repeat(120))
  const batches = await Effect.runPromise(Stream.runCollect(TransferFile.transfers({ path, format })))
  expect(batches.map((batch) => batch.length)).toEqual([50, 50, 20])
})

describe("rejects", () => {
  test.each<[string, TransferFormat, string, string]>([
    ["a line that is no transfer", "ndjson", `${one}\nx${two}\n`, "line 2: it should be JSON, but is x{"],
    [
      "a line that is JSON beside another one only, and would hide a transfer",
      "ndjson",
      `${one}],"results":[${two}\n${two.replace("tr_2", "tr_3")}\n`,
      "line 1: it should be JSON",
    ],
    [
      "a transfer on two lines, by the comma between",
      "ndjson",
      `${pair}\n${one.replace(",", "\n")}\n`,
      "line 1: it should be JSON",
    ],
    ["a text on two lines", "ndjson", `${one.replace("}", ',"a":"}')}\n{"}\n${pair}\n`, "line 1: it should be JSON"],
    [
      "a list on two lines",
      "json",
      [open, `${one.replace("}", ',"a":[1')},`, "2]},", pair, close].join("\n"),
      "line 2: it should be JSON",
    ],
    ["two transfers on a line", "ndjson", `${one},${two}\n`, "line 1: it should be JSON"],
    ["a wrong field, at its line", "ndjson", `${one}\n\n{"id":""}\n`, "line 3: the value at /id should be"],
    ["a truncated line", "ndjson", `${one}\n${two.slice(0, 30)}`, "line 2: it should be JSON"],
    [
      "a name twice",
      "ndjson",
      `${one}\n${again(two, ',"id":"tr_2"')}\n`,
      `line 2, column ${two.length + 1}: its object has "id" already`,
    ],
    [
      "a name twice, in a listing",
      "json",
      [open, `${one},`, again(two, ',"n":1,"n":1'), close].join("\n"),
      "line 3, column ",
    ],
    ["a name twice, with an escape", "ndjson", again(one, String.raw`,"\u0069d":"tr_1"`), "line 1, column "],
    ["a name twice, with blanks", "ndjson", again(one, ',"n":1,"n" :1'), 'its object has "n" already'],
    [
      "a name twice beside a text that looks like one",
      "ndjson",
      again(one, ',"n":":","n" :":"'),
      'its object has "n" already',
    ],
    [
      "a name twice in an amount",
      "ndjson",
      again(one, `,"network_fee":{"amount":"1","amount":"1","currency_code":"fiat/USD"}`),
      'its object has "amount" already',
    ],
    [
      "a name twice in an object of an unknown field",
      "ndjson",
      again(one, ',"n":[{"a":1.10,"a":1.10}]'),
      'its object has "a" already',
    ],
    [
      "a name twice that is null",
      "ndjson",
      again(one, ',"network_fee":null,"network_fee":null'),
      'its object has "network_fee" already',
    ],
    [
      "an extra with a name twice",
      "csv",
      row(`"{""a"":1,""a"":2}"`),
      'row 1: its column extra: line 1, column 8: its object has "a" already',
    ],
    ["JSON without its end", "json", `${open}\n${one}\n`, "it is truncated: the end of its object is missing"],
    ["JSON with a line after its end", "json", `${open}\n${close}\n${one}\n`, "line 3 follows the end"],
    ["JSON in another layout", "json", `[\n${one}\n]\n`, 'line 1 should be {"results":['],
    [
      "a truncated listing",
      "json",
      `${open}\n${one}\n${close.replace("false", "true")}`,
      "line 3 says that transfers are missing",
    ],
    ["other columns", "csv", "id,sort\n", "its columns have other names"],
    ["some of the columns", "csv", "id,kind\n", "it has only some of the columns of an export"],
    [
      "a column of a later version",
      "csv",
      `${header},colour\n`,
      "it was written by a later version of transfers, which knows the field of its column colour: read it with",
    ],
    ["a column twice", "csv", `${header},id\n`, "it is not an export: it has two columns id"],
    ["an extra that is no object", "csv", row("[1]"), "row 1: its column extra should hold JSON objects"],
    ["an extra that is a number", "csv", row("1"), "row 1: its column extra should hold JSON objects"],
    ["an extra that is null", "csv", row("null"), "row 1: its column extra should hold JSON objects"],
    ["an extra that is not JSON", "csv", row("{"), "row 1: its column extra: it is not JSON"],
    [
      "an extra with a known field",
      "csv",
      row(`"{""id"":""x""}"`),
      "row 1: its column extra holds id, which has a column",
    ],
    [
      "a currency without its amount",
      "csv",
      half("network_fee_currency_code", "solana/USDC"),
      "row 1: its column network_fee_amount is empty, but network_fee_currency_code is not: both are, or neither",
    ],
    [
      "an amount without its currency",
      "csv",
      half("network_fee_amount", "0.60"),
      "row 1: its column network_fee_currency_code is empty, but network_fee_amount is not: both are, or neither",
    ],
    [
      "no Parquet",
      "parquet",
      "PAR1",
      "it is not a Parquet file that transfers wrote, or it is damaged: it is too short",
    ],
    ["a Parquet file without its end", "parquet", "PAR1".repeat(5) + "x", "its end is missing"],
  ])("%s", async (_, format, text, reason) => {
    expect(await read(format, text)).toContain(reason)
  })

  test.each<[TransferFormat, string, string]>([
    ["ndjson", `${one}\n${two.replace("tr_2", "tr_é")}\n`, "line 2 is not UTF-8: it is damaged"],
    ["json", [open, `${one.replace("tr_1", "tr_é")},`, two, close].join("\n"), "line 2 is not UTF-8: it is damaged"],
    ["csv", `${header}\n${CsvText.row({ ...cells, id: "tr_é" })}\n`, "it is not UTF-8: it is damaged"],
  ])("bytes of another encoding in %s", async (format, text, reason) => {
    expect(await read(format, Buffer.from(text, "latin1"))).toContain(reason)
    expect(await read(format, Buffer.from(text, "utf8"))).not.toContain("UTF-8")
  })

  test("a CSV file that ends within a character", async () => {
    const whole = Buffer.from(`${row("")}é`)
    expect(await read("csv", whole.subarray(0, -1))).toContain("it is not UTF-8: it is damaged")
  })
})
