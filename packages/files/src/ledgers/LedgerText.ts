/** A ledger file before it is read as rows: whether it is one at all, its encoding and its delimiter. */

/** The encodings that can be named. Others are rare, or look alike. */
export const encodings = ["utf-8", "utf-16le", "utf-16be", "windows-1252", "iso-8859-15", "windows-1250"] as const

/** One of {@link encodings}. */
export type Encoding = (typeof encodings)[number]

/** The first bytes of files of other kinds, in Latin-1, and what to do with them. */
const kinds: ReadonlyArray<readonly [start: string | RegExp, kind: string, advice: string]> = [
  ["\xd0\xcf\x11\xe0", "an old Excel workbook, or one with a password", "Save it as .xlsx without a password"],
  ["%PDF", "a PDF", "Export the ledger as CSV instead"],
  ["\x89PNG", "a PNG picture", "Export the ledger as CSV instead"],
  ["\xff\xd8\xff", "a JPEG picture", "Export the ledger as CSV instead"],
  ["\x1f\x8b", "gzip", "Unpack it with gunzip first"],
  ["PAR1", "Parquet", "An export of transfers is read with --from FILE; a ledger should be CSV"],
  [/^\s*<[^]*camt\.05[24]/, "a camt.052 or camt.054 report (XML)", "Export the statement as camt.053, or as CSV"],
  [/^\s*<(?:!doctype html|html|table)/i, "a web page (HTML)", "Open it in a spreadsheet and save it as CSV"],
  [/^\s*!Type:/i, "QIF, which has no currency and ambiguous dates", "Export the ledger as CSV or OFX instead"],
  [/^\s*<(?:\?xml(?![^<]*<\?OFX))/, "XML", "Export the ledger as CSV instead"],
  [/^\s*(?:\{\s*"|\[\s*[{\]])/, "JSON", "An export of transfers is read with --from FILE; a ledger should be CSV"],
]

const kindBytes = 1024

/** In Latin-1, of which all other encodings are but UTF-16 as far as marks of a format go. */
const startOf = (head: Buffer): string => {
  const encoding = markedEncoding(head)
  if (encoding === "utf-16le" || encoding === "utf-16be") {
    return new TextDecoder(encoding).decode(head.subarray(0, 2 * kindBytes))
  }
  return head
    .subarray(0, kindBytes)
    .toString("latin1")
    .replace(/^\xef\xbb\xbf/, "")
}

/** The formats of ledgers. */
export const formats = ["csv", "xlsx", "camt.053", "mt940", "ofx", "bai2"] as const

/** One of {@link formats}. */
export type Format = (typeof formats)[number]

/** The format that the first bytes of a file show. */
export const formatOf = (head: Buffer): Format => {
  const start = startOf(head)
  // An empty zip file has its directory only.
  if (start.startsWith("PK\x03\x04") || start.startsWith("PK\x05\x06")) return "xlsx"
  if (/^\s*<[^]*camt\.053/.test(start)) return "camt.053"
  if (/^\s*(?:OFXHEADER:|<\?OFX |<OFX>|<\?xml[^<]*<\?OFX )/.test(start)) return "ofx"
  if (/^\s*01,[^\r\n]*\/\s*\r?\n(?:88|02),/.test(start)) return "bai2"
  return /^(?:\{1:|\s*:20:|[A-Z0-9]{8,11}\r?\n940\r?\n)/.test(start) ? "mt940" : "csv"
}

/** What a file is that is no ledger, and what to do, as a sentence; from its first bytes. */
export const foreignKind = (head: Buffer): string | undefined => {
  const start = startOf(head)
  const found = kinds.find(([sign]) => (typeof sign === "string" ? start.startsWith(sign) : sign.test(start)))
  return found && `it is ${found[1]}, not CSV. ${found[2]}.`
}

/** Whether more bytes are control characters than in any text of one byte per character. A NUL counts by its place. */
export const isBinary = (head: Buffer): boolean => {
  const bytes = head.subarray(0, kindBytes)
  return bytes.filter((byte) => byte > 0 && byte < 0x20 && !whitespace.has(byte)).length > bytes.length / 32
}

const whitespace: ReadonlySet<number> = new Set(Buffer.from("\t\n\v\f\r"))

/** The encoding that a byte order mark shows, or the zeros of ASCII in UTF-16. */
export const markedEncoding = (head: Buffer): Encoding | undefined => {
  if (head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf) return "utf-8"
  if (head[0] === 0xff && head[1] === 0xfe) return "utf-16le"
  if (head[0] === 0xfe && head[1] === 0xff) return "utf-16be"
  if (head[0] === 0 && head[1] !== 0 && head[2] === 0) return "utf-16be"
  return head[0] !== 0 && head[1] === 0 && head[3] === 0 ? "utf-16le" : undefined
}

/** The delimiter in a first line `sep=;`, as Excel writes and reads it, and the text after that line. */
export const separatorOf = (text: string): { readonly delimiter: string; readonly rest: string } | undefined => {
  const found = /^"?sep=([^\r\n])"?(?:\r\n|\n|\r)/i.exec(text)
  return found?.[1] === undefined ? undefined : { delimiter: found[1], rest: text.slice(found[0].length) }
}

/** The delimiters that are tried. */
export const delimiters = [",", ";", "\t", "|"] as const

/**
 * The most frequent delimiter of a header, outside quotes. None if two are as frequent.
 *
 * @example
 * likelyDelimiter('key;"a, b, c";amount') // => ";"
 */
export const likelyDelimiter = (header: string): string | undefined => {
  const [line = ""] = header.replaceAll(/"[^"]*"/g, "").split(/[\r\n]/, 1)
  const counts = delimiters.map((delimiter) => ({ delimiter, count: line.split(delimiter).length }))
  const most = Math.max(...counts.map(({ count }) => count))
  const found = counts.filter(({ count }) => count === most)
  if (most === 1) return ","
  return found.length === 1 ? found[0]?.delimiter : undefined
}
