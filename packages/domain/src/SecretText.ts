/** Secrets in texts that others wrote: a service or a database may echo what it was sent, in whatever encoding. */
import * as Base64 from "effect/encoding/Base64"
import * as Result from "effect/Result"

/** What takes the place of a secret. */
export const replacement = "<redacted>"

/**
 * Replaces some secrets in a text, however they are written there: as they are, in JSON, in a URL, in HTML, in
 * hexadecimal, and in Base64 once or twice, also as a part of what was encoded. Each character may be escaped or not, up
 * to four times. Not found are HTML's names of other characters than `&<>"'`, and Base64 that is broken into lines.
 *
 * @example
 * SecretText.redacting(["s3cret"])('{"sent":"a:s3cret"}') // => '{"sent":"a:<redacted>"}'
 * SecretText.redacting(["s3cret"])("Basic YTpzM2NyZXQ=") // => "Basic YTp<redacted>"
 * SecretText.redacting(["k/1"])("?key=k%2f1&limit=3") // => "?key=<redacted>&limit=3"
 * SecretText.redacting(["k/&1"])(String.raw`{"key":"k\/\u00261"}`) // => '{"key":"<redacted>"}'
 */
export const redacting = (secrets: ReadonlyArray<string>): ((text: string) => string) => {
  const given = secrets.filter((secret) => secret !== "")
  const texts = given.flatMap(textsOf)
  const once = given.flatMap(base64Of)
  const encoded = [...new Set([...once, ...once.flatMap(base64Of)])]
  // And what escapes consist of. The rest stays: "100%" may stand before a secret that starts with two digits.
  const wanted = new Set([...texts, ...encoded, "\\%&#;=+/"].flatMap((text) => text.split("")))
  // A secret may look like an escape: what it decodes to is found where it was escaped in another way.
  const normal = (text: string): ReadonlyArray<string> => {
    const decoded = decode(text, wanted)
    return decoded === text ? [text] : [text, ...normal(decoded)]
  }
  const sought = [...new Set(texts.flatMap(normal))]

  const find = (text: string, levels: number): Edges => {
    let found: Edges = []
    for (const each of sought) found = united(found, occurrences(text, each, /^/))
    for (const each of encoded) found = united(found, occurrences(text, each, /^[\w+/-]{0,8}={0,2}/))
    const decoded = levels > 0 ? decode(text, wanted) : text
    return decoded === text ? found : united(found, located(find(decoded, levels - 1), text, wanted))
  }

  return (text) => {
    const edges = find(text, 4)
    let redacted = text.slice(0, edges[0])
    for (let at = 1; at < edges.length; at += 2) redacted += replacement + text.slice(edges[at], edges[at + 1])
    return redacted
  }
}

/** The start and the end of each part of a text, in order. Objects would take many times the memory of the text. */
type Edges = ReadonlyArray<number>

/** With the rest that follows: the last bytes of a secret share characters with what follows in Base64. */
const occurrences = (text: string, part: string, rest: RegExp): Edges => {
  const found: Array<number> = []
  for (let start = text.indexOf(part); start >= 0; start = text.indexOf(part, start + part.length)) {
    const end = start + part.length
    const [more = ""] = rest.exec(text.slice(end, end + 10)) ?? []
    found.push(start, end + more.length)
  }
  return found
}

/** Without overlaps. */
const united = (some: Edges, others: Edges): Edges => {
  const apart: Array<number> = []
  for (let [a, b] = [0, 0]; ;) {
    const isFirst = (some[a] ?? Infinity) < (others[b] ?? Infinity)
    const start = isFirst ? some[a++] : others[b++]
    const end = isFirst ? some[a++] : others[b++]
    if (start === undefined || end === undefined) return apart
    const last = apart.at(-1) ?? 0
    if (start >= last) apart.push(start, end)
    else if (end > last) apart[apart.length - 1] = end
  }
}

const escape =
  /\\(?:u[\da-f]{4}|u\{[\da-f]{1,6}\}|x[\da-f]{2}|[0-3]?[0-7]{1,2}|[^0-7])|%[\da-f]{2}|&(?:#x[\da-f]{1,32};?|#\d{1,32};?|(?:amp|lt|gt|quot);?|apos;)/gi

const named: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" }

/** `%C3` becomes the character of that byte. Empty if there is no such character. */
const characterOf = (escaped: string): string => {
  // A line break as its letter redacts rather too much.
  if (/^\\[^0-7]$/.test(escaped)) return escaped.slice(1)
  const [digits = ""] = /[\da-f]+/i.exec(escaped) ?? []
  const code = Number.parseInt(digits, /^\\\d/.test(escaped) ? 8 : /^&#\d/.test(escaped) ? 10 : 16)
  return named[escaped.replaceAll(/\W/g, "").toLowerCase()] ?? (code > 0x10ffff ? "" : String.fromCodePoint(code))
}

/** Visits the escapes of a text. One at a time, because a response may consist of nothing else. */
const visit = (
  text: string,
  wanted: ReadonlySet<string>,
  each: (start: number, end: number, character: string) => void,
): void => {
  for (const { 0: escaped, index } of text.matchAll(escape)) {
    const character = characterOf(escaped)
    if (wanted.has(character.charAt(0))) each(index, index + escaped.length, character)
  }
}

const decode = (text: string, wanted: ReadonlySet<string>): string => {
  const parts: Array<string> = []
  let decoded = ""
  let kept = 0
  visit(text, wanted, (start, end, character) => {
    // A text that grows by single characters takes 20 times its memory.
    if (parts.push(text.slice(kept, start), character) > 4096) decoded += parts.splice(0).join("")
    kept = end
  })
  return decoded + parts.join("") + text.slice(kept)
}

/** Where parts of the decoded text are in the text itself. */
const located = (edges: Edges, text: string, wanted: ReadonlySet<string>): Edges => {
  const found: Array<number> = []
  let shift = 0
  if (edges.length > 0) {
    visit(text, wanted, (start, end, character) => {
      const from = start - shift
      const to = from + character.length
      for (let edge; (edge = edges[found.length] ?? to) < to;) {
        found.push(edge <= from ? edge + shift : found.length % 2 > 0 ? end : start)
      }
      shift = end - to
    })
  }
  return [...found, ...edges.slice(found.length).map((edge) => edge + shift)]
}

const textsOf = (secret: string): ReadonlyArray<string> => {
  const bytes = Array.from(bytesOf(secret))
  const text = bytes.map((byte) => String.fromCharCode(byte)).join("")
  const hex = bytes.map((byte) => byte.toString(16).padStart(2, "0")).join("")
  return [
    secret,
    secret.replaceAll(" ", "+"),
    text,
    text.replaceAll(" ", "+"),
    JSON.stringify(secret).slice(1, -1),
    hex,
    hex.toUpperCase(),
  ]
}

/** In UTF-8. This package knows neither the encoders of Node nor those of the web. */
const bytesOf = (text: string): Uint8Array => Result.getOrThrow(Base64.decode(Base64.encode(text)))

const base64Of = (secret: string): ReadonlyArray<string> =>
  [0, 1, 2]
    .map((before) => withinBase64(secret, before))
    .flatMap((text) => [text, text.replaceAll("+", "-").replaceAll("/", "_")])
    .filter((text) => text.length > 3)

/** The characters of Base64 that depend on the secret alone if so many bytes stand before it. */
const withinBase64 = (secret: string, before: number): string => {
  const bytes = bytesOf("\0".repeat(before) + secret)
  return Base64.encode(bytes.subarray(0, bytes.length - (bytes.length % 3))).slice(Math.ceil((before * 8) / 6))
}
