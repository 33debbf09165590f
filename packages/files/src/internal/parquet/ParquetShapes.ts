/** What `ParquetEncoder` has in the footer of a file, and in the header of a page, by the numbers of parquet.thrift. */
import type { List, Shape, Struct } from "./ThriftBounds.ts"

const nothing: Struct = { fields: {} }
const integers = (...numbers: ReadonlyArray<number>): Readonly<Record<number, Shape>> =>
  Object.fromEntries(numbers.map((number) => [number, "integer"]))

/** Far more than fields and their amounts make. */
const mostColumns = 256

const timeUnit: Struct = { fields: { 1: nothing, 2: nothing, 3: nothing } }
const timestamp: Struct = { fields: { 1: "boolean", 2: timeUnit }, needed: [1, 2] }

const schemaElement: Struct = {
  fields: { ...integers(1, 2, 3, 5, 6, 7, 8), 4: "text", 10: { fields: { 8: timestamp } } },
  needed: [4],
}

const statistics: Struct = {
  fields: { 1: "text", 2: "text", ...integers(3), 5: "text", 6: "text", 7: "boolean", 8: "boolean" },
}

const pagesOfEncoding: Struct = { fields: integers(1, 2, 3), needed: [1, 2, 3] }

const columnMetadata: Struct = {
  fields: {
    ...integers(1, 4, 5, 6, 7, 9, 11),
    2: { of: "integer", most: 3 },
    3: { of: "text", most: 1 },
    12: statistics,
    13: { of: pagesOfEncoding, most: 3 },
  },
  needed: [1, 2, 3, 4, 5, 6, 7, 9],
}

const column: Struct = { fields: { ...integers(2, 4, 5), 3: columnMetadata }, needed: [3] }

const rowGroup: Struct = {
  fields: { 1: { of: column, most: mostColumns }, ...integers(2, 3, 6) },
  needed: [1, 2, 3],
}

/** As many as a file has; each is read by itself. */
export const rowGroups: List = { of: rowGroup }

/** Of a file. */
export const footer: Struct = {
  fields: {
    ...integers(1, 3),
    2: { of: schemaElement, most: mostColumns },
    4: rowGroups,
    6: "text",
    7: { of: { fields: { 1: nothing } }, most: mostColumns },
  },
  needed: [1, 2, 3, 4],
}

const dictionaryPage: Struct = { fields: integers(1, 2), needed: [1, 2] }
const dataPage: Struct = { fields: integers(1, 2, 3, 4, 5, 6), needed: [1, 2, 3, 4, 5, 6] }

/** Of a page. */
export const pageHeader: Struct = {
  fields: { ...integers(1, 2, 3), 7: dictionaryPage, 8: dataPage },
  needed: [1, 2, 3],
}
