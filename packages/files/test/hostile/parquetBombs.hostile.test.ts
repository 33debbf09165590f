/** Parquet files made to exhaust time or memory: rejected with a reason, in bounds that hold for each. */
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { SchemaElement } from "hyparquet"
import { ByteWriter, ParquetWriter } from "hyparquet-writer"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { writtenColumn } from "../../src/formats/ParquetEncoder.ts"
import * as TransferColumns from "../../src/formats/TransferColumns.ts"
import { endless, page, plain, run, withChunk } from "../ParquetChunks.ts"
import { read, rejected } from "./MeasuredRead.ts"

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "transfers-parquet-bombs-"))
})
afterAll(() => rm(folder, { recursive: true }))

const file = async (name: string, content: Uint8Array): Promise<string> => {
  const path = join(folder, name)
  await writeFile(path, content)
  return path
}

type Column = (name: string) => { readonly element: Partial<SchemaElement>; readonly value: (row: number) => unknown }

const textColumn: Partial<SchemaElement> = { type: "BYTE_ARRAY", converted_type: "UTF8" }

/** A file with the columns of an export, some of them not as the encoder makes them. */
const parquet = (
  rows: number,
  groupSize: number,
  column: Column,
  alter: (writer: ParquetWriter) => void = () => {},
): Uint8Array => {
  const names = [...TransferColumns.flat.map(({ name }) => name), writtenColumn]
  const columns = names.map((name) => ({ name, ...column(name) }))
  const bytes = new ByteWriter()
  const writer = new ParquetWriter({
    writer: bytes,
    schema: [
      { name: "transfers", num_children: columns.length },
      ...columns.map(({ name, element }) => ({ name, repetition_type: "OPTIONAL" as const, ...element })),
    ],
  })
  writer.write({
    columnData: columns.map(({ name, value }) => ({
      name,
      data: Array.from({ length: rows }, (_, row) => value(row)),
    })),
    rowGroupSize: groupSize,
  })
  alter(writer)
  writer.finish()
  return bytes.getBytes()
}

const constant: Readonly<Record<string, string>> = {
  kind: "cash_in",
  status: "complete",
  created_at: "2024-09-01T00:00:00Z",
  [writtenColumn]: "[]",
}
const plainColumn: Column = (name) => ({
  element: textColumn,
  value: (row) => (name === "id" ? `tr_${row}` : constant[name]),
})

/** A file that has nothing but a footer. */
const footerOnly = (...parts: ReadonlyArray<Uint8Array>): Uint8Array => {
  const footer = Buffer.concat(parts)
  const length = Buffer.alloc(4)
  length.writeUInt32LE(footer.length)
  return Buffer.concat([Buffer.from("PAR1"), footer, length, Buffer.from("PAR1")])
}

describe("Parquet", () => {
  test("reads an ordinary file", async () => {
    const found = await read("parquet", await file("good.parquet", parquet(12_000, 5_000, plainColumn)))
    expect(found).toMatchObject({ read: 12_000 })
  })

  test("rejects a decimal of 48,000 digits", async () => {
    const wide: Column = (name) =>
      name === "source_total_amount"
        ? {
            element: {
              type: "FIXED_LEN_BYTE_ARRAY",
              type_length: 20_000,
              converted_type: "DECIMAL",
              precision: 48_000,
              scale: 2,
            },
            value: () => 2n ** 159_990n,
          }
        : plainColumn(name)
    expect(await read("parquet", await file("digits.parquet", parquet(1, 1, wide)))).toMatchObject(
      rejected(/statistic is too long|another type/),
    )
  })

  test("rejects a row group of 200,000 rows", async () => {
    const same: Column = (name) => ({ element: textColumn, value: () => (name === "id" ? "tr_1" : constant[name]) })
    expect(await read("parquet", await file("rows.parquet", parquet(200_000, 200_000, same)))).toMatchObject(
      rejected(/up to 5000 rows/),
    )
  })

  test("rejects an id of 8 MB in 5,000 rows, which a dictionary holds once", async () => {
    const id = "x".repeat(8 << 20)
    const huge: Column = (name) => ({ element: textColumn, value: () => (name === "id" ? id : constant[name]) })
    expect(await read("parquet", await file("dictionary.parquet", parquet(5_000, 5_000, huge)))).toMatchObject(
      rejected(/far more than transfers do/),
    )
  })

  test.each<[string, Uint8Array, RegExp]>([
    ["levels of 500 million values", page({ data: plain("a"), count: 1, levels: run(500_000_000, 1) }), /wrong runs/],
    [
      "500 million indexes",
      Buffer.concat([
        page({ data: plain("a"), count: 1 }),
        page({
          data: Uint8Array.of(1, ...run(500_000_000, 0)),
          count: 1,
          levels: run(1, 1),
          encoding: "RLE_DICTIONARY",
        }),
      ]),
      /wrong runs/,
    ],
    [
      "indexes that never end",
      Buffer.concat([
        page({ data: plain("a"), count: 1 }),
        page({
          data: Uint8Array.of(0, 0xff, 0xff, 0xff, 0xff, 0x0f, 0, 0),
          count: 1,
          levels: run(1, 1),
          encoding: "RLE_DICTIONARY",
        }),
      ]),
      /wrong runs/,
    ],
    [
      "a block that never ends",
      page({ data: Buffer.alloc(16), block: endless(16), count: 1, levels: run(1, 1) }),
      /another way than with SNAPPY/,
    ],
  ])("rejects %s in a page", async (name, chunk, reason) => {
    const bytes = parquet(1, 1, plainColumn, withChunk("id", chunk))
    expect(await read("parquet", await file(`${name}.parquet`, bytes))).toMatchObject(rejected(reason))
  })

  test("rejects 30 million empty structures in a footer", async () => {
    const list = Uint8Array.of(0x15, 4, 0x49, 0xfc, 0x80, 0x87, 0xa7, 0x0e)
    const bytes = footerOnly(list, Buffer.alloc(30_000_001))
    expect(await read("parquet", await file("structures.parquet", bytes))).toMatchObject(
      rejected(/a field that transfers does not write/),
    )
  })

  test("rejects an integer of 4 million bytes in a footer", async () => {
    const bytes = footerOnly(Uint8Array.of(0x15, 4, 0x19, 0x0c, 0x16), Buffer.alloc(4_000_000, 0xff), Buffer.alloc(2))
    expect(await read("parquet", await file("integer.parquet", bytes))).toMatchObject(
      rejected(/an integer of more than 64 bits/),
    )
  })

  test("rejects zeros of 100 MB in a column", async () => {
    const id = "0".repeat(100 << 20)
    const huge: Column = (name) => ({ element: textColumn, value: () => (name === "id" ? id : constant[name]) })
    expect(await read("parquet", await file("zeros.parquet", parquet(1, 1, huge)))).toMatchObject(
      rejected(/a page is larger than 64 MiB/),
    )
  })
})
