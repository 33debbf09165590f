/**
 * Snappy's block format, as its format_description.txt says. The library that reads Parquet takes a length of 32 bits as
 * negative, and goes back and forth in such a block for ever.
 */

/** The `size` bytes that a block stands for. Throws if it stands for others. */
export const uncompress = (block: Uint8Array, size: number): Uint8Array => {
  const reader: Reader = { block, at: 0 }
  if (sizeOf(reader) !== size) throw new Error(damaged)
  const bytes = new Uint8Array(size)
  let end = 0
  while (reader.at < block.length) {
    const tag = number(reader, 1)
    const length = lengthOf(reader, tag)
    if (length > size - end) throw new Error(damaged)
    if ((tag & 3) === 0) {
      if (length > block.length - reader.at) throw new Error(damaged)
      bytes.set(block.subarray(reader.at, reader.at + length), end)
      reader.at += length
    } else {
      copy(bytes, end, offsetOf(reader, tag), length)
    }
    end += length
  }
  if (end !== size) throw new Error(damaged)
  return bytes
}

const damaged = "a page is compressed in another way than with SNAPPY"

/** A block, and how far it is read. */
interface Reader {
  readonly block: Uint8Array
  at: number
}

/** A number of some bytes, the lowest first. */
const number = (reader: Reader, bytes: number): number => {
  if (bytes > reader.block.length - reader.at) throw new Error(damaged)
  let value = 0
  for (let index = 0; index < bytes; index++) value += (reader.block[reader.at++] ?? 0) * 2 ** (8 * index)
  return value
}

/** Seven bits a byte, in up to five. */
const sizeOf = (reader: Reader): number => {
  let size = 0
  for (let index = 0; index < 5; index++) {
    const byte = number(reader, 1)
    size += (byte & 0x7f) * 2 ** (7 * index)
    if (byte < 0x80) return size
  }
  throw new Error(damaged)
}

/** Of literal bytes, or of a copy of earlier ones. */
const lengthOf = (reader: Reader, tag: number): number => {
  if ((tag & 3) === 1) return ((tag >> 2) & 7) + 4
  const length = tag >> 2
  return (tag & 3) !== 0 || length < 60 ? length + 1 : number(reader, length - 59) + 1
}

const offsetOf = (reader: Reader, tag: number): number => {
  if ((tag & 3) === 1) return ((tag >> 5) << 8) + number(reader, 1)
  return number(reader, (tag & 3) === 2 ? 2 : 4)
}

/** Repeats bytes from `offset` before the end. They may overlap with what they become. */
const copy = (bytes: Uint8Array, end: number, offset: number, length: number): void => {
  if (offset === 0 || offset > end) throw new Error(damaged)
  if (offset >= length) bytes.copyWithin(end, end - offset, end - offset + length)
  else for (let at = end; at < end + length; at++) bytes[at] = bytes[at - offset] ?? 0
}
