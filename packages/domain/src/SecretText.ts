/** Secrets in texts that others wrote: a service or a database may echo what it was sent, in whatever encoding. */
import * as Base64 from "effect/encoding/Base64"
import * as Result from "effect/Result"
import * as Escape from "./internal/Escape.ts"
import * as Needles from "./internal/Needles.ts"

/** What takes the place of a secret. */
export const replacement = "<redacted>"

/**
 * Secrets that are taken out of texts. Mutable: more can be added, also thousands, since all of them are found in one pass.
 *
 * @example
 * const held = SecretText.redactor()
 * held.add(["s3cret"])
 * held.redact("key=s3cret") // => "key=<redacted>"
 */
export interface Redactor {
  readonly add: (secrets: ReadonlyArray<string>) => void
  /** Takes time and memory in proportion to the text. */
  readonly redact: (text: string) => string
}

/**
 * A redactor of some secrets, to which more can be added.
 *
 * @example
 * SecretText.redactor(["s3cret"]).redact("key=s3cret") // => "key=<redacted>"
 */
export const redactor = (initial: ReadonlyArray<string> = []): Redactor => {
  const needles = Needles.make(/^[\w+/-]{0,8}={0,2}/)
  const wanted: Wanted = new Uint8Array(0x10000)
  want(wanted, "\\%&#;=+/")
  const likeEscapes: Array<string> = []

  const add: Redactor["add"] = (secrets) => {
    const given = secrets.filter((secret) => secret !== "")
    const texts = given.flatMap(textsOf)
    const once = given.flatMap(base64Of)
    const encoded = [...once, ...once.flatMap(base64Of)]
    const isMore = [...texts, ...encoded].filter((text) => want(wanted, text)).length > 0
    for (const text of texts) needles.add(text)
    for (const text of encoded) needles.add(text, true)
    // A secret may look like an escape: what it decodes to is found where it was escaped in another way.
    const fresh = texts.filter((text) => /[\\%&]/.test(text))
    likeEscapes.push(...fresh)
    for (const text of isMore ? likeEscapes : fresh) {
      for (let [encoded, plain] = [text, decode(text, wanted)]; encoded !== plain;) {
        needles.add(plain)
        ;[encoded, plain] = [plain, decode(plain, wanted)]
      }
    }
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

  add(initial)
  return { add, redact }
}

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
export const redacting = (secrets: ReadonlyArray<string>): ((text: string) => string) => redactor(secrets).redact

/** The characters of secrets, and those that escapes consist of. The rest stays: "100%" may stand before a secret that starts with two digits. */
type Wanted = Uint8Array

/** Whether there was one that was not wanted before. */
const want = (wanted: Wanted, text: string): boolean => {
  let isMore = false
  for (let at = 0; at < text.length; at++) {
    isMore ||= wanted[text.charCodeAt(at)] === 0
    wanted[text.charCodeAt(at)] = 1
  }
  return isMore
}

/** Visits the escapes of a text that are wanted. */
const visit = (text: string, wanted: Wanted, each: (start: number, end: number, code: number) => void): void => {
  for (let at = 0; at < text.length;) {
    const found = Escape.at(text, at)
    const code = Escape.codeOf(found)
    const end = at + Math.max(1, Escape.lengthOf(found))
    if (code >= 0 && wanted[String.fromCodePoint(code).charCodeAt(0)] === 1) each(at, end, code)
    at = end
  }
}

const decode = (text: string, wanted: Wanted): string => {
  // Most texts have none, and this is how to see it soonest.
  if (!/[\\%&]/.test(text)) return text
  const units = new Uint16Array(8192)
  let decoded = ""
  let kept = 0
  let size = 0
  // A text that grows by single characters takes 20 times its memory.
  const flush = () => {
    decoded += String.fromCharCode(...units.subarray(0, size))
    size = 0
  }
  visit(text, wanted, (start, end, code) => {
    if (size + start - kept + 2 > units.length) flush()
    if (start - kept + 2 > units.length) decoded += text.slice(kept, start)
    else for (let at = kept; at < start; at++) units[size++] = text.charCodeAt(at)
    if (code > 0xffff) units[size++] = 0xd800 + ((code - 0x10000) >> 10)
    units[size++] = code > 0xffff ? 0xdc00 + (code & 0x3ff) : code
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
