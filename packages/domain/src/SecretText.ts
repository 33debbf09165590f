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
    const { decoded, escapes } = decode(text, wanted)
    return escapes.length === 0 ? [text] : [text, ...normal(decoded)]
  }
  const sought = [...new Set(texts.flatMap(normal))]

  const find = (text: string, levels: number): ReadonlyArray<Range> => {
    const found = [
      ...sought.flatMap((each) => occurrences(text, each)),
      ...encoded.flatMap((each) => occurrences(text, each).map((range) => withRest(text, range))),
    ]
    if (levels === 0 || !/[\\%&]/.test(text)) return united(found)
    const { decoded, escapes } = decode(text, wanted)
    return escapes.length === 0 ? united(found) : united([...found, ...located(find(decoded, levels - 1), escapes)])
  }

  return (text) => {
    let kept = 0
    let redacted = ""
    for (const { start, end } of find(text, 4)) {
      redacted += text.slice(kept, start) + replacement
      kept = end
    }
    return redacted + text.slice(kept)
  }
}

/** A part of a text. */
interface Range {
  readonly start: number
  readonly end: number
}

const occurrences = (text: string, part: string): ReadonlyArray<Range> => {
  const found: Array<Range> = []
  for (let start = text.indexOf(part); start >= 0; start = text.indexOf(part, start + part.length)) {
    found.push({ start, end: start + part.length })
  }
  return found
}

/** The last bytes of a secret share characters with what follows in Base64, so these go, too. */
const withRest = (text: string, { start, end }: Range): Range => ({
  start,
  end: end + (/^[\w+/-]{0,8}={0,2}/.exec(text.slice(end, end + 10))?.[0].length ?? 0),
})

/** In order, and without overlaps. */
const united = (ranges: ReadonlyArray<Range>): ReadonlyArray<Range> => {
  const apart: Array<Range> = []
  for (const range of [...ranges].sort((a, b) => a.start - b.start)) {
    const last = apart.at(-1)
    if (last === undefined || range.start >= last.end) apart.push(range)
    else if (range.end > last.end) apart[apart.length - 1] = { start: last.start, end: range.end }
  }
  return apart
}

/** An escape in a text, and what stands for it in the decoded text. */
interface Escape extends Range {
  readonly decoded: Range
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

const decode = (text: string, wanted: ReadonlySet<string>) => {
  const escapes: Array<Escape> = []
  let shift = 0
  const decoded = text.replace(escape, (escaped: string, start: number) => {
    const character = characterOf(escaped)
    if (!wanted.has(character.charAt(0))) return escaped
    const from = start - shift
    escapes.push({
      start,
      end: start + escaped.length,
      decoded: { start: from, end: from + character.length },
    })
    shift += escaped.length - character.length
    return character
  })
  return { decoded, escapes }
}

/** Where ranges of the decoded text are in the text itself. Both are in order, so one pass suffices. */
const located = (ranges: ReadonlyArray<Range>, escapes: ReadonlyArray<Escape>): ReadonlyArray<Range> => {
  let passed = 0
  let shift = 0
  const locate = (position: number, edge: "start" | "end"): number => {
    let next = escapes[passed]
    while (next !== undefined && next.decoded.end <= position) {
      shift = next.end - next.decoded.end
      next = escapes[++passed]
    }
    return next !== undefined && next.decoded.start < position ? next[edge] : position + shift
  }
  return ranges.map(({ start, end }) => ({ start: locate(start, "start"), end: locate(end, "end") }))
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
