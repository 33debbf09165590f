/** A few bytes of Parquet can stand for gigabytes: such files are rejected before anything is allocated. */
import { describe, expect, test } from "vitest"
import { writtenColumn } from "../src/formats/ParquetEncoder.ts"
import { fileOf, read, texts, two } from "./ParquetFiles.ts"

describe("what a file unpacks to", () => {
  const long = "x".repeat(16 * 1024)
  const bomb = (count: number) => {
    const id = Array.from({ length: count }, (_, index) => String(index))
    return fileOf(texts, { id, kind: id.map(() => long), [writtenColumn]: id.map(() => "[]") })
  }

  test("may be 64 MiB of text, however short the file", async () => {
    expect(await read(bomb(4096))).toHaveLength(4096)
  })

  test("may not be far more", async () => {
    const bytes = bomb(5000)
    // The limit grows by 200 times the file.
    expect(64 * 1024 * 1024 + 200 * bytes.length).toBeLessThan(5000 * long.length)
    expect(await read(bytes)).toBe("damaged: it would unpack to far more than transfers do")
  })
})

describe("what a file announces", () => {
  const ended = (footer: ArrayLike<number>) => {
    const length = Buffer.alloc(4)
    length.writeUInt32LE(footer.length)
    return Buffer.concat([Buffer.from("PAR1"), Buffer.alloc(8), Buffer.from(footer), length, Buffer.from("PAR1")])
  }
  const thirtyMillion = [0x80, 0x87, 0xa7, 0x0e]
  // The version, an empty schema, no rows.
  const start = [0x15, 4, 0x19, 0x0c, 0x16, 0]

  test.each([
    ["30 million row groups", [...start, 0x19, 0xfc, ...thirtyMillion], "it announces more than it has"],
    ["30 million bytes of text", [...start, 0x19, 0x0c, 0x28, ...thirtyMillion], "it announces more than it has"],
    [
      "300 columns",
      [0x15, 4, 0x19, 0xfc, 0xac, 0x02, ...Array.from({ length: 300 }, () => [0x48, 1, 0x78, 0]).flat()],
      "it has a list of 300 elements, where transfers writes at most 256",
    ],
    ["lists in each other", [0x19, ...Array.from({ length: 100 }, () => 0x19)], "it has a field of the type 9, which"],
    [
      "an integer of 100 bytes",
      [0x15, ...Array.from({ length: 100 }, () => 0x80), 0],
      "it has an integer of more than",
    ],
    ["a field twice", [...start, 0x06, 6, 0], "it has a field that transfers does not write"],
    [
      "a column without a type",
      [0x15, 4, 0x19, 0x2c, 0x48, 1, 0x78, 0x15, 2, 0, 0x48, 1, 0x78, 0, 0x16, 0, 0x19, 0x0c],
      "a column of its schema has no type",
    ],
    ["no row groups", start, "it lacks a field that transfers writes"],
  ])("%s are rejected before they are allocated", async (_, footer, reason) => {
    const before = process.memoryUsage().rss
    expect(await read(ended([...footer, 0]))).toContain(`damaged: ${reason}`)
    expect(process.memoryUsage().rss - before).toBeLessThan(50 * 1024 * 1024)
  })

  test.each([
    ["key-value metadata", [...start, 0x19, 0x0c, 0x19, 0xfc]],
    ["row groups", [...start, 0x19, 0xfc]],
    ["columns of a row group", [...start, 0x19, 0x1c, 0x19, 0xfc]],
    ["elements of its schema", [0x15, 4, 0x19, 0xfc]],
  ])("a million empty structures as %s are rejected before they are objects", async (_, before) => {
    const footer = Buffer.concat([Buffer.from([...before, 0xc0, 0x84, 0x3d]), Buffer.alloc(1_000_000)])
    const start = process.memoryUsage().rss
    expect(await read(ended(footer))).toMatch(/^damaged: it (lacks a field|has a field|has a list)/)
    expect(process.memoryUsage().rss - start).toBeLessThan(50 * 1024 * 1024)
  })

  test("the header of a page is held to that, too", async () => {
    const bytes = fileOf(texts, two)
    bytes.set([0x19, 0xfc, ...thirtyMillion], 4)
    expect(await read(bytes)).toBe("damaged: it has a field of the type 9, which transfers does not write")
  })

  test("rows are those of its row groups", async () => {
    const without = fileOf(texts, two, (writer) => void writer.row_groups.pop())
    expect(await read(without)).toBe("damaged: it has 2 rows, and its row groups have 0")
    const twice = fileOf(texts, two, (writer) => void writer.row_groups.push(...writer.row_groups))
    expect(await read(twice)).toBe("damaged: it has 2 rows, and its row groups have 4")
  })
})
