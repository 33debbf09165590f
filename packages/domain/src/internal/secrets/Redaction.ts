/** Takes secrets out of texts: all forms of a secret, and what escapes hide of them. */
import * as Base64 from "effect/encoding/Base64"
import * as Escape from "./Escape.ts"
import * as Needles from "./Needles.ts"

/** What takes the place of a secret. */
export const replacement = "<redacted>"

/** Secrets that are taken out of texts. */
export interface Redactor {
  readonly add: (secrets: ReadonlyArray<string>) => void
  /** Takes time and memory in proportion to the text. */
  readonly redact: (text: string) => string
}

/** Finds secrets by the given texts, none of which is there yet. */
export const make = (needles: Needles.Needles): Redactor => {
  const wanted: Wanted = new Uint8Array(0x10000)
  want(wanted, "\\%&#;=+/")

  const put = (texts: ReadonlyArray<string>, isOpen: boolean) => {
    for (const text of new Set(texts)) {
      want(wanted, text)
      needles.add(text, isOpen)
    }
  }

  const add: Redactor["add"] = (secrets) => {
    const given = secrets.filter((secret) => secret !== "").flatMap(readingsOf)
    const once = given.flatMap(base64Of)
    put([...once, ...once.flatMap(base64Of)], true)
    // A text of a secret may look like an escape, and is decoded with the escapes around it.
    put(given.flatMap(textsOf).flatMap(readingsOf), false)
  }

  const find = (text: string, levels: number): Needles.Edges => {
    const found = needles.find(text)
    const decoded = levels > 0 ? decode(text, wanted) : text
    return decoded === text ? found : Needles.united(found, located(find(decoded, levels - 1), text, wanted))
  }

  const redact: Redactor["redact"] = (text) => {
    const edges = find(text, 4)
    let redacted = text.slice(0, edges[0])
    for (let at = 1; at < edges.length; at += 2) redacted += replacement + text.slice(edges[at], edges[at + 1])
    return redacted
  }

  return { add, redact }
}

/** The characters of secrets, and those that escapes consist of. The rest stays: "100%" may stand before a secret that starts with two digits. */
type Wanted = Uint8Array

const want = (wanted: Wanted, text: string): void => {
  for (let at = 0; at < text.length; at++) wanted[text.charCodeAt(at)] = 1
}

/** Visits the escapes of a text that are wanted. */
const visit = (
  text: string,
  wanted: Wanted | undefined,
  each: (start: number, end: number, code: number) => void,
): void => {
  for (let at = 0; at < text.length;) {
    const found = Escape.at(text, at)
    const code = Escape.codeOf(found)
    const end = at + Math.max(1, Escape.lengthOf(found))
    if (code >= 0 && wanted?.[String.fromCodePoint(code).charCodeAt(0)] !== 0) each(at, end, code)
    at = end
  }
}

const decode = (text: string, wanted?: Wanted): string => {
  // Most texts have none, and this is how to see it soonest.
  if (!/[\\%&]/.test(text)) return text
  let codes: Array<number> = []
  let decoded = ""
  let kept = 0
  // A text that grows by single characters takes 20 times its memory.
  const flush = () => {
    decoded += String.fromCodePoint(...codes)
    codes = []
  }
  visit(text, wanted, (start, end, code) => {
    if (codes.length + start - kept > 4096) flush()
    if (start - kept > 4096) decoded += text.slice(kept, start)
    else for (let at = kept; at < start; at++) codes.push(text.charCodeAt(at))
    codes.push(code)
    kept = end
  })
  if (kept === 0) return text
  flush()
  return decoded + text.slice(kept)
}

/** Where parts of the decoded text are in the text itself. */
const located = (edges: Needles.Edges, text: string, wanted: Wanted): Needles.Edges => {
  const found: Array<number> = []
  let shift = 0
  if (edges.length > 0) {
    visit(text, wanted, (start, end, code) => {
      const from = start - shift
      const to = from + (code > 0xffff ? 2 : 1)
      for (let edge; (edge = edges[found.length] ?? to) < to;) {
        found.push(edge <= from ? edge + shift : found.length % 2 > 0 ? end : start)
      }
      shift = end - to
    })
  }
  return [...found, ...edges.slice(found.length).map((edge) => edge + shift)]
}

/**
 * The secret as a service may have read it: as it is, or as the value of a URL, a form or a cookie. A few characters would
 * occur by chance in what is not secret.
 */
const readingsOf = (secret: string): ReadonlyArray<string> => {
  const found = new Set([secret, secret.replaceAll("+", " ")])
  // Those that are added are read, too.
  for (const text of found) if (found.size < mostReadings) found.add(decode(text)).add(utf8Of(text))
  return [...new Set(Array.from(found, unquoted))].filter((text) => text === secret || text.trim().length > 3)
}

/** The quotes of a text of JSON are no part of it: a body without them would be none. */
const unquoted = (text: string): string => text.replace(/^"(.{4,})"$/s, "$1")

/** Of a form with a space whose escapes are escaped three times, in UTF-8. */
const mostReadings = 12

/** Bytes, with a character for each, as the text that they are in UTF-8. */
const utf8Of = (bytes: string): string => {
  try {
    return decodeURIComponent(bytes.replaceAll(/[%\u0080-\u00ff]/g, (byte) => "%" + hexOf(byte)))
  } catch {
    return bytes
  }
}

const hexOf = (byte: string): string => byte.charCodeAt(0).toString(16).padStart(2, "0")

const textsOf = (secret: string): ReadonlyArray<string> => {
  const text = bytesOf(secret)
  const hex = text.replaceAll(/[^]/g, hexOf)
  return [
    ...[secret, text].flatMap((given) => [given, given.replaceAll(" ", "+")]),
    JSON.stringify(secret).slice(1, -1),
    hex,
    hex.toUpperCase(),
  ]
}

/** In UTF-8, with a character for each byte. This package knows neither the encoders of Node nor those of the web. */
const bytesOf = (text: string): string => decode(encodeURIComponent(text.toWellFormed()))

const base64Of = (secret: string): ReadonlyArray<string> =>
  [0, 1, 2]
    .map((before) => withinBase64(secret, before))
    .flatMap((text) => [text, text.replaceAll("+", "-").replaceAll("/", "_")])
    .filter((text) => text.length > 3)

/** The characters of Base64 that depend on the secret alone if so many bytes stand before it. */
const withinBase64 = (secret: string, before: number): string => {
  const bytes = Uint8Array.from("\0".repeat(before) + bytesOf(secret), (byte) => byte.charCodeAt(0))
  return Base64.encode(bytes.subarray(0, bytes.length - (bytes.length % 3))).slice(Math.ceil((before * 8) / 6))
}
