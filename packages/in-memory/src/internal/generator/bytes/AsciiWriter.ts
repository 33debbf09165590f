/**
 * Writes ASCII into buffers, one text after the other: a generated transfer costs several times more as a string that
 * is encoded afterwards. Written texts do not change; a full buffer lives as long as its texts.
 */

export interface AsciiWriter {
  bytes: Buffer
  /** Where the next byte goes. */
  at: number
}

/** Small, so that a retained text keeps little else alive. */
const size = 32 * 1024

/** A writer. It gets its first buffer from {@link start}. */
export const make = (): AsciiWriter => ({ bytes: Buffer.alloc(0), at: 0 })

/** Runs a function with texts that it must not retain: they are overwritten afterwards. */
export const lend = <A>(writer: AsciiWriter, use: () => A): A => {
  const { bytes, at } = writer
  try {
    return use()
  } finally {
    writer.at = writer.bytes === bytes ? at : 0
  }
}

/** Makes room for a text of up to `longest` bytes, and returns the place where it starts. */
export const start = (writer: AsciiWriter, longest: number): number => {
  if (writer.at + longest > writer.bytes.byteLength) {
    writer.bytes = Buffer.allocUnsafeSlow(size)
    writer.at = 0
  }
  return writer.at
}

/** The bytes written from a place on. */
export const from = (writer: AsciiWriter, place: number): Uint8Array => writer.bytes.subarray(place, writer.at)

/** The same as a string; the next text overwrites its bytes. */
export const text = (writer: AsciiWriter, place: number): string => {
  const string = writer.bytes.toString("latin1", place, writer.at)
  writer.at = place
  return string
}

/** Writes prepared bytes. */
export const copy = (writer: AsciiWriter, bytes: Uint8Array): void => {
  writer.bytes.set(bytes, writer.at)
  writer.at += bytes.byteLength
}

/** Writes one character. */
export const character = (writer: AsciiWriter, code: number): void => {
  writer.bytes[writer.at] = code
  writer.at += 1
}

/** Writes the last `count` digits of a whole number below 2³¹, padded with zeros. */
export const digits = (writer: AsciiWriter, value: number, count: number): void => {
  const { bytes, at } = writer
  let rest = value | 0
  for (let index = at + count - 1; index >= at; index--) {
    const tenth = (rest / 10) | 0
    bytes[index] = 48 + rest - tenth * 10
    rest = tenth
  }
  writer.at = at + count
}

/** Writes a whole number below 2³¹ without padding. */
export const whole = (writer: AsciiWriter, value: number): void => {
  const integer = value | 0
  let count = 1
  for (let end = 10; integer >= end; end *= 10) count++
  digits(writer, integer, count)
}

const hexDigits = Buffer.from("0123456789abcdef", "latin1")

/** Writes the last `count` hexadecimal digits of a whole number below 2³². */
export const hex = (writer: AsciiWriter, value: number, count: number): void => {
  const { bytes, at } = writer
  let rest = value | 0
  for (let index = at + count - 1; index >= at; index--) {
    bytes[index] = hexDigits[rest & 15] ?? 0
    rest >>>= 4
  }
  writer.at = at + count
}

/** Writes all eight hexadecimal digits of a whole number below 2³². */
export const hex8 = (writer: AsciiWriter, value: number): void => {
  const { bytes, at } = writer
  bytes[at] = hexDigits[value >>> 28] ?? 0
  bytes[at + 1] = hexDigits[(value >>> 24) & 15] ?? 0
  bytes[at + 2] = hexDigits[(value >>> 20) & 15] ?? 0
  bytes[at + 3] = hexDigits[(value >>> 16) & 15] ?? 0
  bytes[at + 4] = hexDigits[(value >>> 12) & 15] ?? 0
  bytes[at + 5] = hexDigits[(value >>> 8) & 15] ?? 0
  bytes[at + 6] = hexDigits[(value >>> 4) & 15] ?? 0
  bytes[at + 7] = hexDigits[value & 15] ?? 0
  writer.at = at + 8
}

/** All pairs of letters of an alphabet of 32 or of 58. */
export type Pairs = Uint16Array

export const pairsOf = (alphabet: string): Pairs => {
  const codes = Buffer.from(alphabet, "latin1")
  const pairs = new Uint16Array(codes.length ** 2)
  let at = 0
  for (const first of codes) for (const second of codes) pairs[at++] = first | (second << 8)
  return pairs
}

/** Writes the pair for a whole number below 2³². Dividing by a constant is several times cheaper. */
export const pair = (writer: AsciiWriter, pairs: Pairs, value: number): void => {
  const codes = pairs[pairs.length === 32 * 32 ? value % (32 * 32) : (value >>> 0) % (58 * 58)] ?? 0
  writer.bytes[writer.at] = codes & 0xff
  writer.bytes[writer.at + 1] = codes >>> 8
  writer.at += 2
}
