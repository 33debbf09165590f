/**
 * Numbers keep their text: 9007199254740993, 1.10 and 1e400 are no numbers of JavaScript, or are written otherwise. Such
 * a number becomes raw JSON, which `JSON.stringify` writes as it came; any other stays a number. A runtime without raw
 * JSON (Safari before 18.4, Firefox before 135) reads all of them as numbers.
 */

/** What TypeScript does not yet know of JSON. */
interface RawJson {
  rawJSON?: (text: string) => object
  isRawJSON?: (value: unknown) => boolean
}
const { rawJSON, isRawJSON } = JSON as typeof JSON & RawJson

type Reviver = (key: string, value: unknown, context?: { readonly source?: string }) => unknown

const isKept = (number: number, text: string): boolean => JSON.stringify(number) === text

const revive: Reviver = (_, value, context) =>
  typeof value === "number" && context?.source !== undefined && rawJSON !== undefined && !isKept(value, context.source)
    ? rawJSON(context.source)
    : value

/** Whether a value is a number that kept its text. */
export const is = (value: object): boolean => isRawJSON?.(value) ?? false

/**
 * `JSON.parse` by which numbers keep their text. To ask for the text of each value costs several times `JSON.parse`: the
 * numbers that need it become strings with a mark first, and numbers again afterwards, unless a string may have the mark.
 */
export const parse = (text: string): unknown => {
  if (rawJSON === undefined) return JSON.parse(text)
  const isMarkable = !text.includes(mark) && !/\\u[eE]000/.test(text)
  return isMarkable
    ? unmark(JSON.parse(marked(text)), rawJSON)
    : JSON.parse(text, revive as (key: string, value: unknown) => unknown)
}

/** Whether {@link parse} may find more than `JSON.parse` in an object. */
export const isNeeded = (text: string): boolean => marked(text) !== text

/** A character for private use, which no service has a use for. */
const mark = "\uE000"

/** Where the number ends that begins here. */
const number = /-?\d[-+.\dEe]*/y

/** The text with a mark at each number that would be written otherwise. Digits within a string stay. */
const marked = (text: string): string => {
  let result = ""
  let copied = 0
  for (let at = 0; at < text.length;) {
    const code = text.charCodeAt(at)
    if (code === quote) at = endOfString(text, at)
    else if (code === minus || (code >= zero && code <= nine)) {
      number.lastIndex = at
      const [digits = text.charAt(at)] = number.exec(text) ?? []
      if (!isKept(Number(digits), digits)) {
        result += `${text.slice(copied, at)}"${mark}${digits}"`
        copied = at + digits.length
      }
      at += digits.length
    } else at++
  }
  return result + text.slice(copied)
}

const quote = 0x22
const minus = 0x2d
const zero = 0x30
const nine = 0x39
const backslash = 0x5c

const endOfString = (text: string, from: number): number => {
  for (let end = text.indexOf('"', from + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let escapes = 0
    while (text.charCodeAt(end - 1 - escapes) === backslash) escapes++
    if (escapes % 2 === 0) return end + 1
  }
  return text.length
}

/** The value itself, with numbers in the place of what has the mark. */
const unmark = (value: unknown, numberOf: (text: string) => object): unknown => {
  if (typeof value === "string") return value.startsWith(mark) ? numberOf(value.slice(1)) : value
  if (typeof value === "object" && value !== null) unmarkWithin(value as Record<string, unknown>, numberOf)
  return value
}

const unmarkWithin = (members: Record<string, unknown>, numberOf: (text: string) => object): void => {
  for (const name in members) {
    if (name.startsWith(mark)) throw new SyntaxError(`${name.slice(1)} is no name of a member`)
    const member = members[name]
    if (typeof member === "string") {
      if (member.startsWith(mark)) members[name] = numberOf(member.slice(1))
    } else if (typeof member === "object" && member !== null) {
      unmarkWithin(member as Record<string, unknown>, numberOf)
    }
  }
}
