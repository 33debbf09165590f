/**
 * The footer of a Parquet file. It is held to the shape that the encoder gives it, and its row groups become objects one at
 * a time, because these take fifty times the bytes of the footer.
 */
import { type FileMetaData, parquetMetadata } from "hyparquet"
import { deserializeTCompactProtocol } from "hyparquet/src/thrift.js"
import * as ParquetShapes from "./ParquetShapes.ts"
import { decimalBytes } from "./ParquetSizes.ts"
import * as ThriftBounds from "./ThriftBounds.ts"

/** What a footer says. */
export interface ParquetFooter {
  readonly schema: FileMetaData["schema"]
  readonly num_rows: bigint
  readonly rowGroups: number
  /** Reads a row group, and the schema again: see that its columns are known ones before. */
  readonly rowGroup: (index: number) => RowGroup
}

/** A row group. */
export type RowGroup = FileMetaData["row_groups"][number]

/** Reads the bytes of a footer. Throws if they are no footer of transfers. */
export const read = (footer: Uint8Array): ParquetFooter => {
  const { buffer, byteOffset, byteLength } = footer
  const view = new DataView(buffer, byteOffset, byteLength)
  const [list = 0, ...places] = ThriftBounds.check(view, ParquetShapes.footer, 0, ParquetShapes.rowGroups)
  const beforeGroups = footer.subarray(0, list)
  const { schema, num_rows } = metadataOf(beforeGroups)
  return {
    schema,
    num_rows,
    rowGroups: places.length - 1,
    rowGroup: (index) => {
      const [group] = metadataOf(beforeGroups, footer.subarray(places[index], places[index + 1])).row_groups
      if (group === undefined) throw new Error("a row group is missing")
      return group
    },
  }
}

/** What the library makes of a footer with one row group, or none. */
const metadataOf = (beforeGroups: Uint8Array, group?: Uint8Array): FileMetaData => {
  const list = group === undefined ? [Uint8Array.of(emptyList)] : [Uint8Array.of(listOfOne), group]
  const footer = Buffer.concat([beforeGroups, ...list, Uint8Array.of(end), Buffer.alloc(tail.length)])
  footer.set(tail, footer.length - tail.length)
  footer.writeUInt32LE(footer.length - tail.length, footer.length - tail.length)
  checkTypes(deserializeTCompactProtocol({ view: new DataView(footer.buffer, footer.byteOffset), offset: 0 }))
  return parquetMetadata(footer, { geoparquet: false })
}

// Of structures, in Thrift's compact protocol.
const emptyList = 0x0c
const listOfOne = 0x1c
const end = 0

/** A length, and the mark of a file. */
const tail = Buffer.from("\0\0\0\0PAR1")

const byteArray = 6
const lastType = 7
const statisticsValues = ["field_1", "field_2", "field_5", "field_6"] as const

/** The library converts statistics by the types of the schema, in quadratic time for decimals: so these are checked first. */
const checkTypes = ({
  field_2: [root, ...elements],
  field_4: groups,
}: ReturnType<typeof deserializeTCompactProtocol>) => {
  if (root.field_1 !== undefined || root.field_5 !== elements.length) throw new Error("its schema has no root")
  for (const { field_1: type } of elements) {
    if (!(type >= 0 && type <= lastType)) throw new Error("a column of its schema has no type")
  }
  for (const { field_1: columns } of groups) {
    if (columns.length !== elements.length) throw new Error("a row group lacks columns")
    for (const [index, { field_3: chunk }] of columns.entries()) {
      const statistics = elements[index].field_1 === byteArray ? undefined : chunk.field_12
      for (const name of statisticsValues) {
        if (statistics?.[name]?.length > decimalBytes) throw new Error("a statistic is too long")
      }
    }
  }
}
