/**
 * Splits a stream of bytes into the texts of its JSON values: one a line, or the elements of one array. Not by JsonArray
 * and Ndjson, which give values: the fake serves every text unchanged, and names the line of an error.
 */
import { isUtf8 } from "node:buffer"
import * as Utf8 from "@transferkit/domain/Utf8"

const newline = 10
const quote = 34
const comma = 44
const openBracket = 91
const backslash = 92
const closeBracket = 93
const openBrace = 123
const closeBrace = 125

/** The trimmed text of a value. Throws at bytes that are not UTF-8. */
const textOf = (bytes: Buffer, start: number, end: number, line: number): string => {
  const part = bytes.subarray(start, end)
  if (!isUtf8(part)) throw new Error(`line ${line}: ${Utf8.lost}`)
  return part.toString("utf8").trim()
}

const byteOrderMark = Buffer.from("\uFEFF", "utf8")

const isBlank = (byte: number): boolean => byte === 32 || (byte >= 9 && byte <= 13)

/** The maximum length of a value, in bytes. */
const longest = 16 * 1024 * 1024

/** The trimmed text of a value, and the line that it starts on, counted from 1. */
export interface JsonText {
  readonly text: string
  readonly line: number
  /** The rest of an array that is not closed. */
  readonly isUnclosed?: boolean
}

/** The least that is looked through at once. */
const leastBytes = 64 * 1024

/** Chunks that grow with what is held of a value, which is looked through again with each of them. */
async function* growing(chunks: AsyncIterable<Buffer>, held: () => number): AsyncGenerator<Buffer, void> {
  let waiting: Array<Buffer> = []
  let bytes = 0
  for await (const chunk of chunks) {
    waiting.push(chunk)
    bytes += chunk.byteLength
    if (bytes < Math.max(leastBytes, held() / 4)) continue
    yield Buffer.concat(waiting)
    waiting = []
    bytes = 0
  }
  if (bytes > 0) yield Buffer.concat(waiting)
}

/** The values that end in each chunk, then the rest, complete or not. */
export async function* jsonTexts(chunks: AsyncIterable<Buffer>): AsyncGenerator<ReadonlyArray<JsonText>, void> {
  let rest: Buffer = Buffer.alloc(0)
  let line = 1
  let cut: ((bytes: Buffer, line: number) => Cut) | undefined
  let isOpen = false
  for await (const chunk of growing(chunks, () => rest.byteLength)) {
    rest = rest.byteLength === 0 ? chunk : Buffer.concat([rest, chunk])
    if (cut === undefined) {
      const from = rest.subarray(0, 3).equals(byteOrderMark) ? 3 : 0
      const first = rest.findIndex((byte, index) => index >= from && !isBlank(byte))
      if (first === -1) continue
      isOpen = rest[first] === openBracket
      cut = isOpen ? cutArray : cutLines
      line += newlines(rest, 0, first)
      rest = rest.subarray(isOpen ? first + 1 : first)
    }
    const { texts, used, isClosed } = cut(rest, line)
    if (isClosed) isOpen = false
    line += newlines(rest, 0, used)
    rest = rest.subarray(used)
    yield texts
    if (rest.byteLength > longest) {
      yield [{ text: rest.toString("utf8", 0, 1024), line: line + newlines(rest, 0, firstOf(rest, 0)) }]
      return
    }
  }
  const first = firstOf(rest, 0)
  line += newlines(rest, 0, first)
  const text = textOf(rest, first, rest.byteLength, line)
  if (text !== "" || isOpen) yield [{ text, line, isUnclosed: isOpen }]
}

/** The number of line ends between two places, looking no further: there may be none. */
const newlines = (bytes: Buffer, start: number, end: number): number => {
  const part = bytes.subarray(start, end)
  let count = 0
  for (let at = part.indexOf(newline); at !== -1; at = part.indexOf(newline, at + 1)) count++
  return count
}

/** The first place that is not blank. */
const firstOf = (bytes: Buffer, start: number): number => {
  let first = start
  while (first < bytes.byteLength && isBlank(bytes[first] ?? 0)) first++
  return first
}

/** The complete texts, and how many bytes they take, with the separators. */
interface Cut {
  readonly texts: ReadonlyArray<JsonText>
  readonly used: number
  readonly isClosed: boolean
}

const cutLines = (bytes: Buffer, firstLine: number): Cut => {
  const texts: Array<JsonText> = []
  let used = 0
  let line = firstLine
  for (let end = bytes.indexOf(newline); end !== -1; end = bytes.indexOf(newline, used)) {
    const text = textOf(bytes, used, end, line)
    if (text !== "") texts.push({ text, line })
    used = end + 1
    line++
  }
  return { texts, used, isClosed: false }
}

/** Starts between two elements, behind the opening bracket. */
const cutArray = (bytes: Buffer, firstLine: number): Cut => {
  const texts: Array<JsonText> = []
  let used = 0
  let line = firstLine
  let depth = 0
  for (let index = 0; index < bytes.byteLength; index++) {
    const byte = bytes[index]
    if (byte === quote) {
      index = endOfString(bytes, index)
      if (index === -1) break
    } else if (byte === openBrace || byte === openBracket) depth++
    else if (depth > 0 && (byte === closeBrace || byte === closeBracket)) depth--
    else if (depth === 0 && (byte === comma || byte === closeBracket)) {
      const first = Math.min(firstOf(bytes, used), index)
      line += newlines(bytes, used, first)
      const text = textOf(bytes, first, index, line)
      if (text !== "" || byte === comma) texts.push({ text, line })
      line += newlines(bytes, first, index)
      used = index + 1
      if (byte === closeBracket) return { texts, used, isClosed: true }
    }
  }
  return { texts, used, isClosed: false }
}

/** The index of the quote that closes a string, or -1 if it is not there yet. */
const endOfString = (bytes: Buffer, start: number): number => {
  for (let index = start + 1; index < bytes.byteLength; index++) {
    if (bytes[index] === backslash) index++
    else if (bytes[index] === quote) return index
  }
  return -1
}
