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
  const ended = (footer: ReadonlyArray<number>) => {
    const length = Buffer.alloc(4)
    length.writeUInt32LE(footer.length)
    return Buffer.concat([Buffer.from("PAR1"), Buffer.alloc(8), Buffer.from(footer), length, Buffer.from("PAR1")])
  }
  const listOf30Million = [0xf9, 0x80, 0x87, 0xa7, 0x0e]

  test.each([
    ["a list of 30 million elements", [0x19, ...listOf30Million, 0]],
    ["such lists in each other", [0x19, ...Array.from({ length: 20 }, () => listOf30Million).flat(), 0]],
    ["a text of 30 million bytes", [0x18, 0x80, 0x87, 0xa7, 0x0e, 0]],
  ])("%s is rejected before it is allocated", async (_, footer) => {
    const before = process.memoryUsage().rss
    expect(await read(ended(footer))).toBe("damaged: it announces more than it has")
    expect(process.memoryUsage().rss - before).toBeLessThan(50 * 1024 * 1024)
  })

  test("the header of a page is held to that, too", async () => {
    const bytes = fileOf(texts, two)
    bytes.set([0x19, ...listOf30Million], 4)
    expect(await read(bytes)).toBe("damaged: it announces more than it has")
  })

  test("levels are at most 16", async () => {
    expect(
      await read(ended([...Array.from({ length: 100 }, () => 0x1c), ...Array.from({ length: 101 }, () => 0)])),
    ).toBe("damaged: it has more than 16 levels")
    expect(await read(ended([0x19, ...Array.from({ length: 100 }, () => 0x19), 0, 0]))).toBe(
      "damaged: it has more than 16 levels",
    )
  })

  test("rows are those of its row groups", async () => {
    const without = fileOf(texts, two, (writer) => void writer.row_groups.pop())
    expect(await read(without)).toBe("damaged: it has 2 rows, and its row groups have 0")
    const twice = fileOf(texts, two, (writer) => void writer.row_groups.push(...writer.row_groups))
    expect(await read(twice)).toBe("damaged: it has 2 rows, and its row groups have 4")
  })
})
