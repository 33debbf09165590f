/**
 * Steps over a structure of Thrift's compact protocol, as the footer and the page headers of Parquet are, before a library
 * makes objects of it: it allocates each list by the length that is announced, and 60 bytes can announce gigabytes.
 */
import { readVarInt } from "hyparquet/src/thrift.js"

/** Bytes, and how far they are read. */
interface Reader {
  readonly view: DataView
  offset: number
}

/** A footer has seven: file, row groups, group, columns, column, chunk, statistics. */
const mostLevels = 16

/** Throws unless each list has the elements that it announces, and nothing is nested deeply. */
export const check = (view: DataView, offset = 0): void => skipStruct({ view, offset }, 0)

const skipStruct = (reader: Reader, level: number): void => {
  for (;;) {
    const byte = reader.view.getUint8(reader.offset++)
    if ((byte & 0x0f) === 0) return
    if (byte >> 4 === 0) readVarInt(reader)
    skip(reader, byte & 0x0f, level)
  }
}

const skip = (reader: Reader, type: number, level: number): void => {
  if (level > mostLevels) throw new Error(`it has more than ${mostLevels} levels`)
  if (type === 1 || type === 2) return
  if (type === 3) reader.offset += 1
  else if (type >= 4 && type <= 6) readVarInt(reader)
  else if (type === 7) reader.offset += 8
  else if (type === 8) skipText(reader)
  else if (type === 9) skipList(reader, level + 1)
  else if (type === 12) skipStruct(reader, level + 1)
  else throw new Error(`it has a field of the type ${type}`)
}

const skipText = (reader: Reader): void => {
  const size = length(reader)
  reader.offset += size
}

const skipList = (reader: Reader, level: number): void => {
  const byte = reader.view.getUint8(reader.offset++)
  const size = byte >> 4 === 15 ? length(reader) : byte >> 4
  const type = byte & 0x0f
  // A boolean has a byte of its own in a list.
  for (let index = 0; index < size; index++) skip(reader, type <= 2 ? 3 : type, level)
}

/** A length in bytes or elements, of which each has a byte at least. */
const length = (reader: Reader): number => {
  const value = readVarInt(reader)
  if (value < 0 || value > reader.view.byteLength - reader.offset) throw new Error("it announces more than it has")
  return value
}
