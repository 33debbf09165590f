/** Parquet files that are not as transfers writes them are rejected with what is wrong, before they are unpacked. */
import type { SchemaElement } from "hyparquet"
import { parquetMetadata } from "hyparquet"
import type { ParquetWriter } from "hyparquet-writer"
import { describe, expect, test } from "vitest"
import { ParquetEncoder, writtenColumn } from "../src/formats/ParquetEncoder.ts"
import { type Cells, fileOf, names, read, text, texts, two } from "./ParquetFiles.ts"

const decimal = { type: "FIXED_LEN_BYTE_ARRAY", type_length: 16, converted_type: "DECIMAL", precision: 38 } as const

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
      "it lacks a field that transfers writes",
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
    [
      "a column has another type than its schema",
      inChunk((chunk) => (chunk.type = "DOUBLE")),
      "its column external_id has the type DOUBLE in a row group, and BYTE_ARRAY in the schema",
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
        "a page has the encoding BYTE_STREAM_SPLIT",
        "a page has wrong levels",
        "a page is larger than N MiB",
        "a page is of the type DATA_PAGE",
        "a page is of the type DICTIONARY_PAGE",
      ].map((reason) => `damaged: ${reason}`),
    ),
  )
})

const micros = { type: "TIMESTAMP", isAdjustedToUTC: true, unit: "MICROS" } as const

test.each<[string, string, Partial<SchemaElement>]>([
  ["an amount", "source_total_amount", { ...decimal, scale: 18 }],
  ["a time", "updated_at", { type: "INT64", converted_type: "TIMESTAMP_MICROS", logical_type: micros }],
])("%s that is missing is noticed, because it was written in a form", async (_, name, element) => {
  const values = names.filter((own) => /_amount$|_at$/.test(own))
  const forms = (form: number | null) => JSON.stringify(values.map((own) => (own === name ? form : null)))
  const of = (form: number | null) =>
    read(
      fileOf(withElement(name, element), {
        ...two,
        [name]: [0n, undefined],
        [writtenColumn]: [forms(0), forms(form)],
      }),
    )
  expect(await of(null)).toHaveLength(2)
  expect(await of(2)).toBe(`damaged: row 2: its column ${name} holds nothing, but was written as 2`)
})

test("an export without transfers has no rows", async () => {
  expect(await read(new ParquetEncoder().close())).toEqual([])
})
