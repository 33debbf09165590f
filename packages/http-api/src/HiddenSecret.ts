/** Secrets that a search of a text does not see: in UTF-16, or compressed, also several times and in Base64 between. For Node. */
import { Buffer } from "node:buffer"
import * as Zlib from "node:zlib"
import * as ManySecrets from "@transferkit/domain/ManySecrets"

/** What one search unpacks at most. Whatever needs more is taken for a hit. */
const most = { levels: 6, bytes: 32 * 1024 * 1024, attempts: 500 }

/**
 * As that of `ManySecrets`, and for UTF-16 of either byte order, too, where NULs may be escaped.
 *
 * @example
 * const held = HiddenSecret.redactor(["s3cret"])
 * held.isWithin(gzipSync(gzipSync("key: s3cret"))) // => true
 */
export interface Redactor extends ManySecrets.Redactor {
  /**
   * Whether bytes hold one of its secrets within what is compressed: gzip, zlib, deflate or Brotli, also in Base64 or as
   * escapes of JSON. What is nested deeper or unpacks to more than can be searched counts as such, too.
   */
  readonly isWithin: (bytes: Uint8Array) => boolean
}

/**
 * A redactor of some secrets, to which more can be added.
 *
 * @example
 * HiddenSecret.redactor(["s3cret"]).redact("key=s\0003\0c\0r\0e\0t") // => "key=<redacted>"
 * HiddenSecret.redactor(["s3cret"]).isWithin(new TextEncoder().encode("H4sIAAAA and so on")) // => false
 */
export const redactor = (initial: ReadonlyArray<string> = []): Redactor => {
  const inAllForms = (secrets: ReadonlyArray<string>) => secrets.flatMap((secret) => [secret, ...utf16Of(secret)])
  const { add, redact } = ManySecrets.redactor(inAllForms(initial))
  return {
    add: (secrets) => add(inAllForms(secrets)),
    redact,
    isWithin: (bytes) => {
      const budget = { bytes: most.bytes, attempts: most.attempts }
      try {
        return holds(Buffer.from(bytes), redact, budget, most.levels, true)
      } catch (error) {
        if (error instanceof Unsearchable) return true
        throw error
      }
    },
  }
}

/** More than a search may take. */
class Unsearchable extends Error {}

interface Budget {
  bytes: number
  attempts: number
}

type Redact = (text: string) => string

const holds = (bytes: Buffer, redact: Redact, budget: Budget, levels: number, isWhole: boolean): boolean => {
  const text = bytes.toString("latin1")
  const within = (inner: Buffer | undefined, isUnpacked: boolean): boolean => {
    if (inner === undefined || inner.length === 0) return false
    if (levels === 0) throw new Unsearchable()
    if (isUnpacked) {
      const found = inner.toString("latin1")
      if (redact(found) !== found || redact(inner.toString("utf8")) !== inner.toString("utf8")) return true
    }
    return holds(inner, redact, budget, levels - 1, isUnpacked)
  }
  for (const { index } of text.matchAll(compressed)) {
    if (bytes[index] === 0x78 ? bytes.readUInt16BE(index) % 31 !== 0 : bytes.readUIntBE(index, 3) !== 0x1f8b08) continue
    const stream = bytes.subarray(index + headerSize(bytes.subarray(index, index + 4096)))
    if (within(unpacked(stream, Zlib.inflateRawSync, budget, Zlib.constants.Z_SYNC_FLUSH), true)) return true
  }
  // These two have no mark of their own, so a text may pass for the start of one.
  if (isWhole && within(unpacked(bytes, Zlib.brotliDecompressSync, budget), true)) return true
  if (isWhole && within(unpacked(bytes, Zlib.inflateRawSync, budget), true)) return true
  for (const run of base64Of(text)) {
    for (let before = 0; before < 4; before++) {
      const decoded = Buffer.from(run.slice(before), "base64")
      if (isPacked(decoded.toString("latin1")) && within(decoded, false)) return true
    }
  }
  const characters = bytes.toString("utf8")
  const plain = characters.includes("\\u00") ? unescaped(characters) : characters
  const isText = !characters.includes("\ufffd")
  return isText && plain !== text && isPacked(plain) && within(Buffer.from(plain, "latin1"), false)
}

/** About the first bytes of gzip and of zlib; `x^` may be text. The rest of a header is checked by its number. */
const compressed = /[^ -\xff]\x8b[^ -\xff]|x[^ -\x9b\x9d-\xd9\xdb-\xff]|^x\^|x\^(?![ -~])/g

/** What stands before the compressed bytes. Without it, other bytes may follow them. */
const headerSize = (head: Buffer): number => {
  if (head[0] !== 0x1f) return 2
  const flags = head[3] ?? 0
  let size = 10
  if ((flags & 4) > 0 && head.length > size + 2) size += 2 + head.readUInt16LE(size)
  for (const flag of [8, 16]) if ((flags & flag) > 0) size = head.indexOf(0, size) + 1
  return (flags & 2) > 0 ? size + 2 : size
}

/** Its runs of Base64, also in lines. */
const base64Of = function* (text: string): Generator<string> {
  const joined = text.replaceAll(/\\[rn]|[\r\n]/g, "").replaceAll("\\/", "/")
  const other = /[^\w+/-]/g
  let end = 0
  // A pattern of any length overflows on a long run.
  for (const { index } of joined.matchAll(/[\w+/-]{24}/g)) {
    if (index < end) continue
    other.lastIndex = index
    end = other.exec(joined)?.index ?? joined.length
    yield joined.slice(index, end)
  }
}

const isPacked = (text: string): boolean =>
  text.search(compressed) >= 0 || (text.length >= 24 && !/[^\w+/=\r\n-]/.test(text))

/** One escape at a time: `replaceAll` holds an object for each, and a text may consist of nothing else. */
const unescaped = (text: string): string => {
  const parts: Array<string> = []
  let plain = ""
  let kept = 0
  for (const { 0: escaped, 1: code, 2: letter, index } of text.matchAll(jsonEscape)) {
    if (parts.push(text.slice(kept, index), characterOf(code, letter)) > 4096) plain += parts.splice(0).join("")
    kept = index + escaped.length
  }
  return plain + parts.join("") + text.slice(kept)
}

const jsonEscape = /\\(?:u00([\da-f]{2})|([bfnrt"\\/]))/gi

const short: Readonly<Record<string, string>> = { b: "\b", f: "\f", n: "\n", r: "\r", t: "\t" }

const characterOf = (code: string | undefined, letter = ""): string =>
  code === undefined ? (short[letter] ?? letter) : String.fromCharCode(Number.parseInt(code, 16))

type Unpack = (bytes: Buffer, options: Zlib.ZlibOptions & Zlib.BrotliOptions) => Buffer

/** What can be unpacked, with a `finishFlush` also of what was cut off. Counts against the budget. */
const unpacked = (bytes: Buffer, unpack: Unpack, budget: Budget, finishFlush?: number): Buffer | undefined => {
  if (budget.attempts-- === 0) throw new Unsearchable()
  try {
    const found = unpack(bytes, { ...(finishFlush !== undefined && { finishFlush }), maxOutputLength: budget.bytes })
    budget.bytes -= found.length
    return found
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ERR_BUFFER_TOO_LARGE") throw new Unsearchable()
    return undefined
  }
}

/** The bytes as characters, without the NUL at an edge: then either order of an ASCII text is the same. */
const utf16Of = (secret: string): ReadonlyArray<string> => {
  const little = Buffer.from(secret, "utf16le")
  const texts = [little, Buffer.from(little).swap16()].map((bytes) => bytes.toString("latin1"))
  return [...new Set(texts.map((text) => text.replace(/^\0|\0$/g, "")))]
}
