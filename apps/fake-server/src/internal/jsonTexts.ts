/**
 * Cuts a stream of bytes into the texts of its JSON values: one a line, or the elements of one array. Only as much is
 * read as it takes to find where a value ends, so that its text stays as it is and the stream may be of any length.
 */

const newline = 10
const quote = 34
const comma = 44
const openBracket = 91
const backslash = 92
const closeBracket = 93
const openBrace = 123
const closeBrace = 125

const isBlank = (byte: number): boolean => byte === 32 || (byte >= 9 && byte <= 13)

/** The values that end in each chunk, their texts trimmed. What is left at the end comes last, complete or not. */
export async function* jsonTexts(chunks: AsyncIterable<Buffer>): AsyncGenerator<ReadonlyArray<string>, void> {
  let rest: Buffer = Buffer.alloc(0)
  let cut: ((bytes: Buffer) => Cut) | undefined
  let isOpen = false
  for await (const chunk of chunks) {
    rest = rest.byteLength === 0 ? chunk : Buffer.concat([rest, chunk])
    if (cut === undefined) {
      const first = rest.findIndex((byte) => !isBlank(byte))
      if (first === -1) continue
      isOpen = rest[first] === openBracket
      cut = isOpen ? cutArray : cutLines
      rest = rest.subarray(isOpen ? first + 1 : first)
    }
    const { texts, used, isClosed } = cut(rest)
    if (isClosed) isOpen = false
    rest = rest.subarray(used)
    yield texts
  }
  const text = rest.toString("utf8").trim()
  if (text !== "" || isOpen) yield [isOpen ? `[${text}` : text]
}

/** The texts that are complete, and how many bytes they and what is between them take. */
interface Cut {
  readonly texts: ReadonlyArray<string>
  readonly used: number
  readonly isClosed: boolean
}

const cutLines = (bytes: Buffer): Cut => {
  const texts: Array<string> = []
  let used = 0
  for (let end = bytes.indexOf(newline); end !== -1; end = bytes.indexOf(newline, used)) {
    const text = bytes.toString("utf8", used, end).trim()
    if (text !== "") texts.push(text)
    used = end + 1
  }
  return { texts, used, isClosed: false }
}

/** Starts between two elements, behind the opening bracket. */
const cutArray = (bytes: Buffer): Cut => {
  const texts: Array<string> = []
  let used = 0
  let depth = 0
  for (let index = 0; index < bytes.byteLength; index++) {
    const byte = bytes[index]
    if (byte === quote) {
      index = endOfString(bytes, index)
      if (index === -1) break
    } else if (byte === openBrace || byte === openBracket) depth++
    else if (depth > 0 && (byte === closeBrace || byte === closeBracket)) depth--
    else if (depth === 0 && (byte === comma || byte === closeBracket)) {
      const text = bytes.toString("utf8", used, index).trim()
      if (text !== "" || byte === comma) texts.push(text)
      used = index + 1
      if (byte === closeBracket) return { texts, used, isClosed: true }
    }
  }
  return { texts, used, isClosed: false }
}

/** The index of the quote that closes a string, -1 where it isn't there yet. */
const endOfString = (bytes: Buffer, start: number): number => {
  for (let index = start + 1; index < bytes.byteLength; index++) {
    if (bytes[index] === backslash) index++
    else if (bytes[index] === quote) return index
  }
  return -1
}
