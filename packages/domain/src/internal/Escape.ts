/**
 * Escapes of JSON, JavaScript, URLs and HTML. One is a number, of its length and its character: a text of megabytes may
 * consist of nothing else.
 */

/** 0 if none starts there. */
export const at = (text: string, start: number): number => {
  switch (text.charCodeAt(start)) {
    case percent:
      return numeral(text, start, 1, 16, 2, 2)
    case backslash:
      return ofScript(text, start)
    case ampersand:
      return ofHtml(text, start)
    default:
      return 0
  }
}

/** How many characters of the text it has. */
export const lengthOf = (escape: number): number => escape & 63

/** The code point of its character, or -1 if there is no such character. */
export const codeOf = (escape: number): number => (escape >> 6) - 1

const [percent, backslash, ampersand, semicolon] = [0x25, 0x5c, 0x26, 0x3b]

const made = (length: number, code: number): number => length | (code > 0x10ffff ? 0 : (code + 1) << 6)

/** A line break as its letter redacts rather too much. */
const ofScript = (text: string, start: number): number => {
  const code = text.charCodeAt(start + 1)
  if (Number.isNaN(code)) return 0
  const letter = code | 0x20
  const digit = code - 0x30
  if (digit >= 0 && digit < 8) return numeral(text, start, 1, 8, 1, digit < 4 ? 3 : 2)
  const numbered =
    letter === 0x78
      ? numeral(text, start, 2, 16, 2, 2)
      : letter === 0x75
        ? text.charCodeAt(start + 2) === 0x7b
          ? braced(text, start)
          : numeral(text, start, 2, 16, 4, 4)
        : 0
  return numbered === 0 ? made(2, code) : numbered
}

const braced = (text: string, start: number): number => {
  const found = numeral(text, start, 3, 16, 1, 6)
  return found > 0 && text.charCodeAt(start + lengthOf(found)) === 0x7d ? found + 1 : 0
}

const ofHtml = (text: string, start: number): number => {
  if (text.charCodeAt(start + 1) === 0x23) {
    const isHex = (text.charCodeAt(start + 2) | 0x20) === 0x78
    const found = isHex ? numeral(text, start, 3, 16, 1, 32) : numeral(text, start, 2, 10, 1, 32)
    return found > 0 && text.charCodeAt(start + lengthOf(found)) === semicolon ? found + 1 : found
  }
  for (const [name, code] of names) {
    let length = 0
    while (length < name.length && (text.charCodeAt(start + 1 + length) | 0x20) === name.charCodeAt(length)) length++
    const isClosed = text.charCodeAt(start + 1 + length) === semicolon
    if (length === name.length && (isClosed || name !== "apos")) return made(length + (isClosed ? 2 : 1), code)
  }
  return 0
}

const names: ReadonlyArray<readonly [string, number]> = [
  ["amp", 0x26],
  ["lt", 0x3c],
  ["gt", 0x3e],
  ["quot", 0x22],
  ["apos", 0x27],
]

/** So many digits after the first characters. */
const numeral = (text: string, start: number, before: number, radix: number, least: number, most: number): number => {
  let value = 0
  let count = 0
  for (; count < most; count++) {
    const digit = digitOf(text.charCodeAt(start + before + count))
    if (digit >= radix) break
    value = Math.min(value * radix + digit, 0x110000)
  }
  return count < least ? 0 : made(before + count, value)
}

const digitOf = (code: number): number => {
  if (code >= 0x30 && code <= 0x39) return code - 0x30
  const letter = code | 0x20
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : 99
}
