/**
 * Texts for stores that hold Unicode alone. JSON may have half a surrogate pair, which UTF-8 cannot encode, and PostgreSQL
 * has no NUL: both are written as `\ud800` and `\u0000`, and read back as they were.
 */

/** A quick test, which few texts pass. */
const mayBeOdd = (text: string): boolean => !text.isWellFormed() || text.includes("\0") || text.includes("\\u")

const looksEscaped = /\\u(?:0000|d[89a-f][\da-f]{2})/
const halfPair = /\p{Cs}/gu

/**
 * The text without what a store cannot hold. Another text never becomes the same: one that looks escaped has its
 * backslashes doubled.
 *
 * @example
 * StoredText.escape("a\ud800") // => "a\\ud800"
 * StoredText.escape("a\\ud800") // => "a\\\\ud800"
 * StoredText.escape("C:\\users") // => "C:\\users"
 */
export const escape = (text: string): string => {
  if (!mayBeOdd(text)) return text
  const doubled = text.replaceAll("\\", "\\\\").replaceAll("\0", "\\u0000")
  const units = doubled.replace(halfPair, (unit) => `\\u${unit.charCodeAt(0).toString(16)}`)
  return looksEscaped.test(units) ? units : text
}

/**
 * The text that was escaped.
 *
 * @example
 * StoredText.unescape("a\\ud800") // => "a\ud800"
 * StoredText.unescape("C:\\users") // => "C:\\users"
 */
export const unescape = (text: string): string =>
  text.includes("\\u") && looksEscaped.test(text)
    ? text.replace(/\\(?:\\|u([\da-f]{4}))/g, (_, code: string | undefined) =>
        code === undefined ? "\\" : String.fromCharCode(Number.parseInt(code, 16)),
      )
    : text

/** Changes the texts of a JSON text that hold an escape. Each character is looked at once. */
const inJson = (json: string, change: (text: string) => string): string => {
  if (!json.includes("\\u")) return json
  let changed = ""
  let at = 0
  for (let open = json.indexOf('"'); open !== -1; open = json.indexOf('"', at)) {
    let close = open + 1
    while (close < json.length && json[close] !== '"') close += json[close] === "\\" ? 2 : 1
    const found = json.slice(open, close + 1)
    changed += json.slice(at, open) + (found.includes("\\u") ? JSON.stringify(change(JSON.parse(found))) : found)
    at = close + 1
  }
  return changed + json.slice(at)
}

/**
 * JSON in which every text is escaped, so that a store can take them out of it. Numbers keep their digits.
 *
 * @example
 * StoredText.escapeJson('{"id":"\\ud800","n":1.10}') // => '{"id":"\\\\ud800","n":1.10}'
 */
export const escapeJson = (json: string): string => inJson(json, escape)

/**
 * The JSON that was escaped.
 *
 * @example
 * StoredText.unescapeJson('{"id":"\\\\ud800"}') // => '{"id":"\\ud800"}'
 */
export const unescapeJson = (json: string): string => inJson(json, unescape)
