/** Pages of Parquet that are not as the encoder makes them are rejected before they are values. */
import type { SchemaElement } from "hyparquet"
import { describe, expect, test } from "vitest"
import * as ParquetPages from "../src/internal/parquet/ParquetPages.ts"
import { UnpackBudget } from "../src/internal/parquet/UnpackBudget.ts"
import { endless, page, plain, run } from "./ParquetChunks.ts"
import { text } from "./ParquetFiles.ts"

const time: SchemaElement = { name: "created_at", type: "INT64" }
const decimal: SchemaElement = { name: "source_total_amount", type: "FIXED_LEN_BYTE_ARRAY", type_length: 16 }

const read = (rowCount: number, pages: ReadonlyArray<Uint8Array>, element = text("kind")) =>
  ParquetPages.read(Buffer.concat(pages), element, rowCount, new UnpackBudget(1000))

const present = (count: number) => run(count, 1)
const two = { data: plain("a", "b"), count: 2, levels: present(2) }
const dictionary = page({ data: plain("a", "b"), count: 2 })
const indexes = (width: number, ...runs: ReadonlyArray<number>) =>
  page({ data: Uint8Array.of(width, ...runs), count: 2, levels: present(2), encoding: "RLE_DICTIONARY" })

describe("the values of pages", () => {
  test("are in their order, with nulls where their levels say so", () => {
    const nulls = page({ data: plain("c"), count: 3, levels: [...run(2, 0), ...run(1, 1)], nulls: 2 })
    expect(read(5, [page(two), nulls])).toEqual(["a", "b", undefined, undefined, "c"])
  })

  test("are those that a dictionary has", () => {
    expect(read(2, [dictionary, indexes(1, ...run(1, 1), ...run(1, 0))])).toEqual(["b", "a"])
    expect(read(2, [dictionary, indexes(1, 3, 0b10)])).toEqual(["a", "b"])
    expect(read(2, [dictionary, indexes(0, 4)])).toEqual(["a", "a"])
  })

  test("are texts to the last character, byte order marks among them", () => {
    const marked = ["\ufefforder-1", "order-1", "Zürich \u{1f4b6}\0\ufffd"]
    expect(read(3, [page({ data: plain(...marked), count: 3, levels: present(3) })])).toEqual(marked)
  })

  test("are integers, from the lowest byte in a time and from the highest in a decimal", () => {
    const times = page({ data: Uint8Array.of(1, 2, 0, 0, 0, 0, 0, 0), count: 1, levels: present(1) })
    expect(read(1, [times], time)).toEqual([0x201n])
    const units = (...last: ReadonlyArray<number>) =>
      page({ data: Buffer.concat([Buffer.alloc(14, last[0]), Buffer.from(last)]), count: 1, levels: present(1) })
    expect(read(1, [units(0, 2)], decimal)).toEqual([2n])
    expect(read(1, [units(255, 254)], decimal)).toEqual([-2n])
  })
})

test.each<[string, number, ReadonlyArray<Uint8Array>, string, SchemaElement?]>([
  ["levels of 30 million values", 2, [page({ ...two, levels: present(30_000_000) })], "a page has wrong runs"],
  ["levels of too few values", 2, [page({ ...two, levels: present(1) })], "a page has wrong runs"],
  ["a run of levels too many", 2, [page({ ...two, levels: [...present(2), 0] })], "a page has wrong runs"],
  ["a level of 2", 2, [page({ ...two, levels: run(2, 2) })], "a page has wrong runs"],
  ["other nulls than its levels", 2, [page({ ...two, levels: run(2, 0) })], "a page has wrong levels"],
  ["30 million indexes", 2, [dictionary, indexes(1, ...run(30_000_000, 1))], "a page has wrong runs"],
  ["indexes without end", 2, [dictionary, indexes(0, 0xff, 0xff, 0xff, 0xff, 0x0f, 0, 0)], "a page has wrong runs"],
  ["indexes in no bytes", 2, [dictionary, indexes(1)], "a page has wrong runs"],
  ["indexes of 14 bits", 2, [dictionary, indexes(14, 4, 0, 0)], "a page has indexes of more than 13 bits"],
  [
    "no width of its indexes",
    2,
    [dictionary, page({ ...two, data: Buffer.alloc(0), encoding: "RLE_DICTIONARY" })],
    "a page has indexes of more than 13 bits",
  ],
  ["an index past its dictionary", 2, [dictionary, indexes(2, ...run(2, 2))], "values are missing"],
  ["indexes without a dictionary", 2, [indexes(1, ...run(2, 0))], "values are missing"],
  ["a dictionary after its values", 2, [page(two), dictionary], "a page is of the type DICTIONARY_PAGE"],
  ["two dictionaries", 2, [dictionary, dictionary, page(two)], "a page is of the type DICTIONARY_PAGE"],
  [
    "a dictionary of indexes",
    2,
    [page({ data: plain("a"), count: 1, encoding: "RLE_DICTIONARY" })],
    "a page has the encoding RLE_DICTIONARY",
  ],
  ["no values", 0, [page({ data: Buffer.alloc(0), count: 0, levels: [] })], "a page has 0 values"],
  ["fewer rows", 1, [page(two)], "a column has 2 of 1 values"],
  ["a text too many", 2, [page({ ...two, data: plain("a", "b", "c") })], "a page has more values than it says"],
  ["a text too few", 2, [page({ ...two, data: plain("a") })], "values are missing"],
  [
    "a text that is not UTF-8",
    2,
    [page({ ...two, data: plain("a", Uint8Array.of(0x61, 0xff)) })],
    "its column kind holds a text that is not UTF-8",
  ],
  [
    "a dictionary that is not UTF-8",
    2,
    [page({ data: plain("a", Uint8Array.of(0xc3)), count: 2 }), indexes(1, 4, 0)],
    "its column kind holds a text that is not UTF-8",
  ],
  ["half a text", 2, [page({ ...two, data: plain("a", "b").subarray(0, -1) })], "values are missing"],
  ["half a time", 2, [page({ ...two, data: Buffer.alloc(15) })], "values are missing", time],
  ["half a decimal", 2, [page({ ...two, data: Buffer.alloc(24) })], "values are missing", decimal],
  [
    "a block that never ends",
    2,
    [page({ ...two, data: Buffer.alloc(16), block: endless(16) })],
    "a page is compressed in another way than with SNAPPY",
  ],
  [
    "a block of another size",
    2,
    [page({ ...two, block: Buffer.from([1, 0, 0]) })],
    "a page is compressed in another way than with SNAPPY",
  ],
])("%s is rejected", (_, rowCount, pages, reason, element) => {
  expect(() => read(rowCount, pages, element)).toThrow(new Error(reason))
})
