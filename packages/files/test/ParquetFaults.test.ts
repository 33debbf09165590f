/** Parquet files that are not as transfers writes them are rejected with what is wrong, before they are unpacked. */
import type { AsyncBuffer, SchemaElement } from "hyparquet"
import { parquetMetadata } from "hyparquet"
import { ByteWriter, ParquetWriter } from "hyparquet-writer"
import { describe, expect, test } from "vitest"
import * as ParquetDecoder from "../src/formats/ParquetDecoder.ts"
import { ParquetEncoder, writtenColumn } from "../src/formats/ParquetEncoder.ts"
import * as TransferColumns from "../src/formats/TransferColumns.ts"

const names = [...TransferColumns.flat.map(({ name }) => name), writtenColumn]

const text = (name: string): SchemaElement => ({
  name,
  type: "BYTE_ARRAY",
  converted_type: "UTF8",
  repetition_type: "OPTIONAL",
})

/** The schema of a file whose columns are all text. */
const texts: ReadonlyArray<SchemaElement> = [{ name: "transfers", num_children: names.length }, ...names.map(text)]

type Cells = Readonly<Record<string, ReadonlyArray<unknown>>>

const two: Cells = { id: ["a", "b"], kind: ["cash_in", "cash_in"], [writtenColumn]: ["[]", "[]"] }

const decimal = { type: "FIXED_LEN_BYTE_ARRAY", type_length: 16, converted_type: "DECIMAL", precision: 38 } as const

/** A file of the library alone. `alter` changes its footer. */
const fileOf = (
  schema: ReadonlyArray<SchemaElement>,
  cells: Cells,
  alter: (writer: ParquetWriter) => void = () => {},
) => {
  const rows = cells["id"]?.length ?? 0
  const writer = new ByteWriter()
  const [root = text("root"), ...elements] = schema
  const parquet = new ParquetWriter({
    writer,
    schema: [{ ...root, num_children: elements.length }, ...elements],
    statisticsTruncateLength: 100,
  })
  const columnData = elements.map(({ name }) => ({
    name,
    data: [...(cells[name] ?? Array.from({ length: rows }, () => undefined))],
  }))
  parquet.write({ columnData, rowGroupSize: 10_000 })
  alter(parquet)
  parquet.finish()
  return Buffer.from(writer.getBytes())
}

const bufferOf = (bytes: Uint8Array): AsyncBuffer => {
  const { buffer } = Uint8Array.from(bytes)
  return { byteLength: buffer.byteLength, slice: (start, end) => buffer.slice(start, end) }
}

/** The cells that rows have, by name; or why there are none. */
const read = async (bytes: Uint8Array) => {
  const rows: Array<unknown> = []
  try {
    const file = await ParquetDecoder.open(bufferOf(bytes))
    for await (const cells of file.rows()) {
      const named = cells.flatMap((cell, index) => (cell === undefined ? [] : [[file.columns[index]?.name, cell]]))
      rows.push(Object.fromEntries(named))
    }
    return rows
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    return message.replace("it is not a Parquet file that transfers wrote, or it is damaged: ", "damaged: ")
  }
}

const rows = [
  { id: "a", kind: "cash_in" },
  { id: "b", kind: "cash_in" },
]

const withElement = (name: string, element: Partial<SchemaElement>) =>
  texts.map((own) => (own.name === name ? { ...own, ...element } : own))

const without = ({ converted_type: _, ...element }: SchemaElement): SchemaElement => element

describe("the schema", () => {
  test("may have every column as text", async () => {
    expect(await read(fileOf(texts, two))).toEqual(rows)
  })

  test("may have its columns in any order: the forms have that of the file", async () => {
    const [root = text("root"), ...elements] = withElement("source_total_amount", { ...decimal, scale: 18 }).map(
      (own) => (own.name === "service_fee_amount" ? { ...own, ...decimal, scale: 18 } : own),
    )
    const cells = (written: string): Cells => ({
      id: ["a"],
      kind: ["cash_in"],
      source_total_amount: [11n * 10n ** 17n],
      service_fee_amount: [5n * 10n ** 17n],
      [writtenColumn]: [written],
    })
    const expected = [{ id: "a", kind: "cash_in", source_total_amount: "1.100", service_fee_amount: "0.5" }]
    const values = names.filter((name) => /_amount$|_at$/.test(name))
    const inOrder = values.map((name) =>
      name === "source_total_amount" ? 3 : name === "service_fee_amount" ? 1 : null,
    )
    expect(await read(fileOf([root, ...elements], cells(JSON.stringify(inOrder))))).toEqual(expected)
    const reversed = cells(JSON.stringify(inOrder.toReversed()))
    expect(await read(fileOf([root, ...elements.toReversed()], reversed))).toEqual(expected)
    expect(await read(fileOf([root, ...elements], reversed))).toMatch(/^damaged: row 1: its column source_total_amount/)
  })

  test.each<[string, ReadonlyArray<SchemaElement>, string]>([
    [
      "a root that is a column",
      [{ ...texts[0], name: "x", type: "INT32" }, ...texts.slice(1)],
      "its schema has no root",
    ],
    ["no column for the forms", texts.slice(0, -1), "it should have one column written"],
    ["two columns for the forms", [...texts, text(writtenColumn)], "it should have one column written"],
    ["a required column", withElement("kind", { repetition_type: "REQUIRED" }), "its column kind should be optional"],
    [
      "bytes that are no text",
      texts.map((own) => (own.name === "status" ? without(own) : own)),
      "its column status has another type",
    ],
    ["a text of another kind", withElement("status", { converted_type: "JSON" }), "its column status has another type"],
    [
      "a number",
      withElement("status", { type: "INT64", converted_type: "INT_64" }),
      "its column status has another type",
    ],
    [
      "a time for a text",
      withElement("status", {
        type: "INT64",
        logical_type: { type: "TIMESTAMP", isAdjustedToUTC: true, unit: "MICROS" },
      }),
      "its column status has another type",
    ],
    [
      "a time in nanoseconds",
      withElement("created_at", {
        type: "INT64",
        logical_type: { type: "TIMESTAMP", isAdjustedToUTC: true, unit: "NANOS" },
      }),
      "its column created_at has another type",
    ],
    [
      "a time without its type",
      withElement("created_at", { type: "INT64" }).map((own) => (own.name === "created_at" ? without(own) : own)),
      "its column created_at has another type",
    ],
    [
      "a decimal of another length",
      withElement("source_total_amount", {
        type: "FIXED_LEN_BYTE_ARRAY",
        type_length: 8,
        converted_type: "DECIMAL",
        scale: 18,
        precision: 18,
      }),
      "its column source_total_amount has another type",
    ],
    [
      "a decimal without a scale",
      withElement("source_total_amount", {
        type: "FIXED_LEN_BYTE_ARRAY",
        type_length: 16,
        converted_type: "DECIMAL",
        precision: 38,
      }),
      "its column source_total_amount has another type",
    ],
    [
      "a decimal of another scale",
      withElement("source_total_amount", { ...decimal, scale: 2 }),
      "its column source_total_amount has another type",
    ],
    [
      "bytes for a decimal",
      withElement("source_total_amount", { type: "FIXED_LEN_BYTE_ARRAY", type_length: 16 }).map((own) =>
        own.name === "source_total_amount" ? without(own) : own,
      ),
      "its column source_total_amount has another type",
    ],
    [
      "a decimal for a text",
      withElement("status", {
        type: "FIXED_LEN_BYTE_ARRAY",
        type_length: 16,
        converted_type: "DECIMAL",
        scale: 2,
        precision: 38,
      }),
      "its column status has another type",
    ],
  ])("is rejected with %s", async (_, schema, reason) => {
    expect(await read(fileOf(schema, {}))).toBe(`damaged: ${reason}`)
  })
})

test.each<[string, ReadonlyArray<SchemaElement>, string]>([
  [
    "an export with some columns",
    texts.filter(({ name }) => name !== "status"),
    "it has only some of the columns of an export: export it without --columns",
  ],
  [
    "an export of a later version",
    [...texts, text("colour")],
    "it was written by a later version of transfers, which knows the field of its column colour: read it with that version",
  ],
  ["a column twice", [...texts, text("id")], "it is not an export: it has two columns id"],
  ["another table", [...texts.slice(0, 2), text("colour")], "it is not an export: its columns have other names"],
])("%s is rejected without blaming damage", async (_, schema, reason) => {
  expect(await read(fileOf(schema, {}))).toBe(reason)
})

describe("the footer is rejected", () => {
  type Group = ParquetWriter["row_groups"][number]
  type Chunk = NonNullable<Group["columns"][number]["meta_data"]>
  const inGroup = (alter: (group: Group) => void) => (writer: ParquetWriter) => writer.row_groups.forEach(alter)
  const inChunk = (alter: (chunk: Chunk) => void) =>
    inGroup(({ columns }) => columns.slice(1, 2).forEach(({ meta_data }) => meta_data && alter(meta_data)))

  test.each<[string, (writer: ParquetWriter) => void, string]>([
    ["a row group lacks a column", inGroup(({ columns }) => columns.pop()), "a row group lacks columns"],
    [
      "a column has no place",
      inGroup(({ columns }) => columns.forEach((column) => delete column.meta_data)),
      "a column is missing in a row group",
    ],
    [
      "a column is that of another",
      inChunk((chunk) => (chunk.path_in_schema = ["id"])),
      "a column is missing in a row group",
    ],
    [
      "it is not compressed",
      inChunk((chunk) => (chunk.codec = "UNCOMPRESSED")),
      "it is compressed with UNCOMPRESSED, not with SNAPPY",
    ],
    [
      "a column begins before the first",
      inChunk((chunk) => (chunk.data_page_offset = 3n)),
      "a column lies outside of the file",
    ],
    [
      "a column has no length",
      inChunk((chunk) => (chunk.total_compressed_size = 0n)),
      "a column lies outside of the file",
    ],
    [
      "a column is longer than the file",
      inChunk((chunk) => (chunk.total_compressed_size = 1n << 40n)),
      "a column lies outside of the file",
    ],
    ["a row group has no rows", inGroup((group) => (group.num_rows = 0n)), "a row group should have up to 5000 rows"],
    [
      "a row group has too many rows",
      inGroup((group) => (group.num_rows = 5001n)),
      "a row group should have up to 5000 rows",
    ],
    ["a row group has other rows", inGroup((group) => (group.num_rows = 3n)), "a column has 2 of 3 values"],
  ])("if %s", async (_, alter, reason) => {
    expect(await read(fileOf(texts, two, alter))).toBe(`damaged: ${reason}`)
  })

  test.each(["min", "max", "min_value", "max_value"] as const)(
    "if a statistic (%s) of a decimal is too long",
    async (name) => {
      const schema = withElement("source_total_amount", { ...decimal, scale: 18 })
      const of = (length: number, column: string) =>
        read(
          fileOf(
            schema,
            { ...two, source_total_amount: [110n, 110n], [writtenColumn]: Array(2).fill("[null,null,18]") },
            inGroup(({ columns }) => {
              for (const { meta_data } of columns) {
                if (meta_data?.path_in_schema[0] !== column) continue
                // Written as those of a text.
                meta_data.path_in_schema = ["kind"]
                meta_data.statistics = { ...meta_data.statistics, [name]: "x".repeat(length) }
              }
            }),
          ),
        )
      expect(await of(17, "source_total_amount")).toBe("damaged: a statistic is too long")
      expect(await of(17, "kind")).toHaveLength(2)
    },
  )

  test("if it is longer than the file", async () => {
    const bytes = fileOf(texts, two)
    bytes.writeUInt32LE(bytes.length - 11, bytes.length - 8)
    expect(await read(bytes)).toBe("damaged: its footer is too long")
    bytes.writeUInt32LE(bytes.length - 12, bytes.length - 8)
    expect(await read(bytes)).toMatch(/^damaged: (?!its footer)/)
  })

  test("if the file is shorter than any", async () => {
    expect(await read(Buffer.from("PAR1\0\0\0PAR1"))).toBe("damaged: it is too short")
    expect(await read(Buffer.from("PAR1\0\0\0\0PAR2"))).toBe("damaged: its end is missing")
    expect(await read(Buffer.from("PAR1\0\0\0\0PAR1"))).toMatch(/^damaged: (?!it is too short|its end)/)
  })
})

test("each byte of a page that is damaged is noticed, or the value is another one", async () => {
  const bytes = fileOf(texts, two)
  const chunk = parquetMetadata(Uint8Array.from(bytes).buffer).row_groups[0]?.columns[2]?.meta_data
  const from = Number(chunk?.dictionary_page_offset)
  const to = from + Number(chunk?.total_compressed_size)
  expect(to - from).toBeGreaterThan(30)
  const reasons = new Set<string>()
  for (let at = from; at < to; at++) {
    for (const value of [0, 1, 2, 7, 0x7f, 0x80, 0xff, (bytes[at] ?? 0) ^ 1, (bytes[at] ?? 0) + 2]) {
      const damaged = Buffer.from(bytes)
      damaged[at] = value
      const found = await read(damaged)
      if (typeof found === "string") reasons.add(found.replaceAll(/\d+/g, "N"))
      else expect(found).toHaveLength(2)
    }
  }
  expect([...reasons].filter((reason) => !reason.startsWith("damaged: "))).toEqual([])
  expect([...reasons]).toEqual(
    expect.arrayContaining(
      [
        "values are missing",
        "a column has N of N values",
        "a page has -N values",
        "a page has a wrong size",
        "a page has the encoding PLAIN_DICTIONARY",
        "a page has wrong levels",
        "a page is larger than N MiB",
        "a page is of the type DATA_PAGE",
        "a page is of the type DICTIONARY_PAGE",
      ].map((reason) => `damaged: ${reason}`),
    ),
  )
})

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

test("an export without transfers has no rows", async () => {
  expect(await read(new ParquetEncoder().close())).toEqual([])
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
