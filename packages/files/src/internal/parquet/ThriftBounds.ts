/**
 * Holds a structure of Thrift's compact protocol, as the footer and the page headers of Parquet are, to a shape, before a
 * library makes objects of it: 60 bytes can announce gigabytes, and each byte can be an object of hundreds.
 */
import { readVarInt } from "hyparquet/src/thrift.js"

/** What a value may be. */
export type Shape = "boolean" | "integer" | "text" | Struct | List

/** The fields that may be there, by their numbers, and those that must. */
export interface Struct {
  readonly fields: Readonly<Record<number, Shape>>
  readonly needed?: ReadonlyArray<number>
}

/** A list of up to `most` elements, by default as many as it has bytes for. */
export interface List {
  readonly of: Shape
  readonly most?: number
}

/** Bytes, how far they are read, and where the elements of a list are. */
interface Reader {
  readonly view: DataView
  offset: number
  readonly list?: List | undefined
  readonly places: Array<number>
}

/**
 * Throws unless the structure at `offset` has the shape, with each field once and in order. Returns the offsets of `list`, of
 * each of its elements, and of the first byte after it.
 */
export const check = (view: DataView, shape: Struct, offset = 0, list?: List): ReadonlyArray<number> => {
  const reader: Reader = { view, offset, list, places: [] }
  skipStruct(reader, shape)
  return reader.places
}

const skipStruct = (reader: Reader, { fields, needed = [] }: Struct): void => {
  let number = 0
  let found = 0
  for (;;) {
    const byte = reader.view.getUint8(reader.offset++)
    if ((byte & 0x0f) === 0) break
    number += byte >> 4
    const shape = byte >> 4 === 0 ? undefined : fields[number]
    if (shape === undefined) throw new Error("it has a field that transfers does not write")
    skip(reader, byte & 0x0f, shape)
    if (needed.includes(number)) found += 1
  }
  if (found < needed.length) throw new Error("it lacks a field that transfers writes")
}

const skip = (reader: Reader, type: number, shape: Shape): void => {
  if (shape === "boolean" && (type === 1 || type === 2)) return
  if (shape === "integer" && type >= 4 && type <= 6) skipInteger(reader)
  else if (shape === "text" && type === 8) skipText(reader)
  else if (typeof shape === "object" && "of" in shape && type === 9) skipList(reader, shape)
  else if (typeof shape === "object" && "fields" in shape && type === 12) skipStruct(reader, shape)
  else throw new Error(`it has a field of the type ${type}, which transfers does not write`)
}

/** The library reads long integers in quadratic time. */
const skipInteger = (reader: Reader): void => {
  const start = reader.offset
  readVarInt(reader)
  if (reader.offset - start > 10) throw new Error("it has an integer of more than 64 bits")
}

const skipText = (reader: Reader): void => {
  const size = length(reader)
  reader.offset += size
}

const skipList = (reader: Reader, list: List): void => {
  const { of, most = Infinity } = list
  const note = (place: number) => list === reader.list && reader.places.push(place)
  note(reader.offset)
  const byte = reader.view.getUint8(reader.offset++)
  const size = byte >> 4 === 15 ? length(reader) : byte >> 4
  if (size > most) throw new Error(`it has a list of ${size} elements, where transfers writes at most ${most}`)
  for (let index = 0; index < size; index++) {
    note(reader.offset)
    skip(reader, byte & 0x0f, of)
  }
  note(reader.offset)
}

/** A length in bytes or elements, of which each has a byte at least. */
const length = (reader: Reader): number => {
  const value = readVarInt(reader)
  if (value < 0 || value > reader.view.byteLength - reader.offset) throw new Error("it announces more than it has")
  return value
}
