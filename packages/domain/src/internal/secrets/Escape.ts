/**
 * Escapes of JSON, JavaScript, URLs and HTML. One is a number, of its length and its character: a text of megabytes may
 * consist of nothing else.
 */

/** 0 if none starts there. */
export const at = (text: string, start: number): number => {
  switch (text.charCodeAt(start)) {
    case 0x25:
      return numeral(text, start, 1, 16, 2, 2)
    case 0x5c:
      return ofScript(text, start)
    case 0x26:
      return ofHtml(text, start)
    default:
      return 0
  }
}

/** How many characters of the text it has. */
export const lengthOf = (escape: number): number => escape & 63

/** The code point of its character, or -1 if there is no such character. */
export const codeOf = (escape: number): number => (escape >> 6) - 1

const made = (length: number, code: number): number => length | (code > 0x10ffff ? 0 : (code + 1) << 6)

/** A line break as its letter redacts rather too much. */
const ofScript = (text: string, start: number): number => {
  const code = text.charCodeAt(start + 1)
  if (Number.isNaN(code)) return 0
  if (code >= 0x30 && code < 0x38) return numeral(text, start, 1, 8, 1, code < 0x34 ? 3 : 2)
  const isUnit = (code | 0x20) === 0x75
  const hasBrace = isUnit && text[start + 2] === "{"
  const found = hasBrace
    ? closed(text, start, numeral(text, start, 3, 16, 1, 6), "}")
    : isUnit || (code | 0x20) === 0x78
      ? numeral(text, start, 2, 16, isUnit ? 4 : 2, isUnit ? 4 : 2)
      : 0
  return (hasBrace && text[start + (found & 63) - 1] !== "}" ? 0 : found) || made(2, code)
}

const ofHtml = (text: string, start: number): number => {
  if (text[start + 1] === "#") {
    const isHex = (text.charCodeAt(start + 2) | 0x20) === 0x78
    return closed(text, start, isHex ? numeral(text, start, 3, 16, 1, 32) : numeral(text, start, 2, 10, 1, 32), ";")
  }
  named.lastIndex = start + 1
  const code = codes[text.slice(start + 1, start + 3).toLowerCase()] ?? 0
  return named.test(text) ? made(named.lastIndex - start, code) : 0
}

const named = /(?:amp|lt|gt|quot);?|apos;/iy

/** By the first two letters. */
const codes: Readonly<Record<string, number>> = { am: 0x26, lt: 0x3c, gt: 0x3e, qu: 0x22, ap: 0x27 }

/** With the character that may follow. */
const closed = (text: string, start: number, found: number, end: string): number =>
  found > 0 && text[start + (found & 63)] === end ? found + 1 : found

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
