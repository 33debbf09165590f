/** Parquet files that other programs wrote with the columns of an export: their values are read exactly, or named. */
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"
import { asyncBufferFromFile, parquetMetadataAsync, type LogicalType, type SchemaElement } from "hyparquet"
import { parquetWriteBuffer } from "hyparquet-writer"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { ParquetEncoder, writtenColumn } from "../src/formats/ParquetEncoder.ts"
import * as TransferFile from "../src/node/TransferFile.ts"

let folder: string
let schema: Array<SchemaElement>
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "transfers-parquet-"))
  const path = join(folder, "empty.parquet")
  await writeFile(path, new ParquetEncoder().close())
  schema = (await parquetMetadataAsync(await asyncBufferFromFile(path))).schema
})
afterAll(() => rm(folder, { recursive: true }))

/** Rows of a time and its form, written by the library alone. */
const read = async (
  elements: ReadonlyArray<SchemaElement>,
  rows: ReadonlyArray<{ readonly created_at: bigint; readonly form: number | string | null }>,
) => {
  const cells: Readonly<Record<string, ReadonlyArray<unknown>>> = {
    id: rows.map((_, index) => `tr_${index + 1}`),
    kind: rows.map(() => "cash_in"),
    status: rows.map(() => "complete"),
    created_at: rows.map((row) => row.created_at),
    [writtenColumn]: rows.map(({ form }) => JSON.stringify([form])),
  }
  const columnData = elements
    .slice(1)
    .map(({ name }) => ({ name, data: [...(cells[name] ?? rows.map(() => undefined))] }))
  const path = join(folder, "other.parquet")
  await writeFile(path, new Uint8Array(parquetWriteBuffer({ schema: [...elements], columnData })))
  const source = { path, format: "parquet" } as const
  const result = await Effect.runPromise(Effect.result(Stream.runCollect(TransferFile.transfers(source))))
  return Result.isSuccess(result)
    ? [...result.success].flat().map(({ created_at }) => created_at.text)
    : result.failure.reason
}

describe("a TIMESTAMP", () => {
  test.each<[bigint, number | string, string]>([
    [1_725_148_800_500_000n, 3, "2024-09-01T00:00:00.500Z"],
    [-1n, 6, "1969-12-31T23:59:59.999999Z"],
    [-62_167_219_200_000_000n, 0, "0000-01-01T00:00:00Z"],
    [253_402_300_799_999_999n, 6, "9999-12-31T23:59:59.999999Z"],
    [253_402_304_399_000_000n, "9999-12-31T23:59:59-01:00", "9999-12-31T23:59:59-01:00"],
    [-1n, "1969-12-31T23:59:59.999999001Z", "1969-12-31T23:59:59.999999001Z"],
  ])("of %s microseconds with the form %j is %s", async (created_at, form, text) => {
    expect(await read(schema, [{ created_at, form }])).toEqual([text])
  })

  test.each<[string, bigint, number, string]>([
    ["an hour after the year 9999", 253_402_304_400_000_000n, 0, "253402304400000000"],
    ["an hour before the year 0", -62_167_222_800_000_000n, 0, "-62167222800000000"],
    ["long after the year 9999", 2n ** 63n - 1n, 6, "9223372036854775807"],
    ["long before the year 0", -(2n ** 63n), 6, "-9223372036854775808"],
  ])("%s is rejected with its row, column and value", async (_, created_at, form, value) => {
    const rows = [
      { created_at: 0n, form: 0 },
      { created_at, form },
    ]
    expect(await read(schema, rows)).toBe(
      `it is not a Parquet file that transfers wrote, or it is damaged: row 2: its column created_at holds ${value} microseconds since 1970, which is not within the years 0 to 9999 of UTC`,
    )
  })

  test.each<[string, number | string | null, string]>([
    [
      "of another time",
      "2024-09-01T00:00:00Z",
      '1500000 microseconds since 1970, but was written as "2024-09-01T00:00:00Z"',
    ],
    ["of fewer digits", 0, "1500000 microseconds since 1970, but was written as 0"],
    ["that is none", null, "1500000 microseconds since 1970, but was written as null"],
  ])("with a form %s is rejected with its row, column and value", async (_, form, reason) => {
    const found = await read(schema, [{ created_at: 1_500_000n, form }])
    expect(found).toContain(`row 1: its column created_at holds ${reason}`)
  })

  test.each<[string, LogicalType]>([
    ["milliseconds", { type: "TIMESTAMP", isAdjustedToUTC: true, unit: "MILLIS" }],
    ["nanoseconds", { type: "TIMESTAMP", isAdjustedToUTC: true, unit: "NANOS" }],
    ["local time", { type: "TIMESTAMP", isAdjustedToUTC: false, unit: "MICROS" }],
  ])("in %s is rejected", async (_, logical_type) => {
    const elements = schema.map((element) => {
      const { converted_type: _, ...rest } = element
      return element.name === "created_at" ? { ...rest, logical_type } : element
    })
    expect(await read(elements, [{ created_at: 1_725_148_800_000n, form: 0 }])).toContain(
      "its column created_at has another type",
    )
  })
})
