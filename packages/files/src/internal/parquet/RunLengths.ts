/**
 * Parquet's hybrid of run lengths and bit-packed groups: levels, and indexes of a dictionary. A run of a few bytes can say
 * that it stands for millions of numbers.
 */
import { readVarInt } from "hyparquet/src/thrift.js"

/** Exactly `count` numbers of `width` bits. Throws if the bytes have more, fewer, or larger ones. */
export const decode = (bytes: Uint8Array, width: number, count: number): Uint16Array => {
  const numbers = new Uint16Array(count)
  const reader = { view: new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength), offset: 0 }
  let end = 0
  while (end < count) {
    if (reader.offset === bytes.length) throw new Error(wrong)
    const header = readVarInt(reader)
    const isPacked = (header & 1) === 1
    const run = header >>> 1
    // The last group of eight may be padded.
    const most = isPacked ? Math.ceil((count - end) / 8) : count - end
    const size = isPacked ? run * width : Math.ceil(width / 8)
    if (run === 0 || run > most || size > bytes.length - reader.offset) throw new Error(wrong)
    const data = bytes.subarray(reader.offset, reader.offset + size)
    const next = isPacked ? Math.min(end + run * 8, count) : end + run
    if (isPacked) unpack(data, width, numbers.subarray(end, next))
    else numbers.fill(valueOf(data, width), end, next)
    reader.offset += size
    end = next
  }
  if (reader.offset !== bytes.length) throw new Error(wrong)
  return numbers
}

const wrong = "a page has wrong runs"

const valueOf = (data: Uint8Array, width: number): number => {
  const value = data.reduce((sum, byte, index) => sum | (byte << (8 * index)), 0)
  if (value >>> width !== 0) throw new Error(wrong)
  return value
}

/** Numbers side by side, the lowest bits first. */
const unpack = (data: Uint8Array, width: number, numbers: Uint16Array): void => {
  let [bits, left, at] = [0, 0, 0]
  for (let index = 0; index < numbers.length; index++) {
    for (; left < width; left += 8) bits |= (data[at++] ?? 0) << left
    numbers[index] = bits & ((1 << width) - 1)
    bits >>>= width
    left -= width
  }
}
