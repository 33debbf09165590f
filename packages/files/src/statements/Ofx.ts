/**
 * The transactions of OFX statements, as SGML (1.x) and as XML (2.x). Read by descriptions and samples of others: OFX 1.0
 * (chapter 11) and 2.1 were at hand in parts only. Amounts are signed from the customer's side. A statement has no
 * opening balance, so nothing but the end of the document shows whether it is complete.
 */
import * as Timestamp from "@transferkit/domain/Timestamp"
import * as ClockTime from "../ledgers/ClockTime.ts"
import type { TableRow } from "../ledgers/Ledger.ts"
import * as LedgerCurrency from "../ledgers/LedgerCurrency.ts"
import * as Statement from "./Statement.ts"

const maxElementLength = 64 * 1024

/** An element: its name, the text behind its tag, and the line of the tag. */
interface Element {
  readonly name: string
  readonly isEnd: boolean
  readonly text: string
  readonly line: number
}

/** What begins with `<!` and holds text that is no tag, and what is left of it. */
const marks = [
  { begin: "<!--", end: "-->", left: (held: string) => held.replace(/[^\n]/g, "") },
  {
    begin: "<![CDATA[",
    end: "]]>",
    left: (held: string) => held.replaceAll("&", "&amp;").replaceAll("<", "&lt;"),
  },
]

/** A text without its comments, and with what CDATA holds as other text. */
async function* withoutMarks(chunks: AsyncIterable<string>): AsyncGenerator<string> {
  let rest = ""
  /** Up to a place where the rest of the text must be known. */
  const takeTo = (at: number): string => {
    const taken = rest.slice(0, at)
    rest = rest.slice(at)
    return taken
  }
  for await (const chunk of chunks) {
    rest += chunk
    let text = ""
    for (;;) {
      const at = rest.indexOf("<!")
      if (at === -1) {
        text += takeTo(rest.length - (rest.endsWith("<") ? 1 : 0))
        break
      }
      text += takeTo(at)
      const mark = marks.find(({ begin }) => rest.startsWith(begin))
      if (mark === undefined) {
        if (marks.some(({ begin }) => begin.startsWith(rest))) break
        text += takeTo("<!".length)
        continue
      }
      const until = rest.indexOf(mark.end, mark.begin.length)
      if (until === -1) break
      text += mark.left(rest.slice(mark.begin.length, until))
      takeTo(until + mark.end.length)
    }
    if (rest.length > maxElementLength) throw new Error(`its ${rest.slice(0, 4)} is too long`)
    yield text
  }
  if (marks.some(({ begin }) => rest.startsWith(begin))) throw new Error(`it ends within its ${rest.slice(0, 4)}`)
  yield rest
}

/** The tags of a text with what follows each: in SGML, elements that hold a text have no end. */
async function* elementsOf(chunks: AsyncIterable<string>): AsyncGenerator<ReadonlyArray<Element>> {
  let rest = ""
  let line = 1
  const take = (part: string): Element | undefined => {
    const end = part.indexOf(">")
    const at = line
    if (part.length > maxElementLength) throw new Error(`line ${line}: its element is too long`)
    line += part.split("\n").length - 1
    if (end === -1 || part.startsWith("?") || part.startsWith("!")) return undefined
    const [name = ""] = part.slice(0, end).trim().split(/\s/)
    const isEnd = name.startsWith("/")
    return { name: isEnd ? name.slice(1) : name, isEnd, text: textOf(part.slice(end + 1)), line: at }
  }
  for await (const chunk of withoutMarks(chunks)) {
    const parts = `${rest}${chunk}`.split("<")
    rest = parts.pop() ?? ""
    if (rest.length > maxElementLength) throw new Error(`line ${line}: its element is too long`)
    yield parts.flatMap((part) => take(part) ?? [])
  }
  const last = take(rest)
  if (last !== undefined) yield [last]
}

const entities: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", nbsp: " " }

const textOf = (text: string): string =>
  text
    .trim()
    .replace(/&(?:(amp|lt|gt|quot|apos|nbsp)|#([0-9]{1,7})|#x([0-9A-Fa-f]{1,6}));/g, (whole, name, decimal, hex) => {
      if (name !== undefined) return entities[name] ?? ""
      const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal)
      return code > 0 && code <= 0x10_ffff && !(code >= 0xd800 && code < 0xe000) ? String.fromCodePoint(code) : whole
    })

/** The rows of the transactions. Those that are pending have no row; `pending` counts them. */
export async function* rowsOf(
  chunks: AsyncIterable<string>,
  pending: () => void,
): AsyncGenerator<ReadonlyArray<TableRow>> {
  yield [Statement.header]
  let isStatement = false
  let currency = ""
  let code = ""
  let transactions = 0
  let isEnded = false
  let account = ""
  /** The places of transactions, by their account and what says that two are the same. */
  const seen = new Map<string, string>()
  let open: { readonly place: string; readonly fields: Map<string, string>; isOriginal: boolean } | undefined
  for await (const elements of elementsOf(chunks)) {
    const rows: Array<TableRow> = []
    for (const { name, isEnd, text, line } of elements) {
      isEnded = isEnd && name === "OFX"
      if (name === "STMTTRN" && !isEnd) {
        if (open !== undefined) throw new Error(`${open.place}: it has no end (</STMTTRN>)`)
        open = { place: `entry ${++transactions} (line ${line})`, fields: new Map(), isOriginal: false }
      } else if (name === "STMTTRN" && open !== undefined) {
        const { place, fields } = open
        if (fields.get("FITID")) {
          const same = JSON.stringify([account, ...identity.map((field) => fields.get(field))])
          const first = seen.get(same)
          if (first !== undefined)
            throw new Error(`${place}: it is ${first} again, by its FITID, amount and day. ${again}`)
          seen.set(same, place)
        }
        rows.push(Statement.toRow(place, transactionOf(place, fields, currency)))
        open = undefined
      } else if (name === "STMTTRNP" && !isEnd) pending()
      else if (open !== undefined && name === "ORIGCURRENCY") open.isOriginal = !isEnd
      else if (open !== undefined && !isEnd && !(open.isOriginal && name === "CURSYM")) {
        if (fieldsRead.has(name)) {
          // Text of a payer that was not escaped would change the amount.
          if (open.fields.has(name) && !texts.has(name))
            throw new Error(`${open.place}: it has two of ${name}. ${again}`)
          open.fields.set(name, text)
        }
      } else if (name === "CURDEF" && !isEnd) {
        if (currency !== "") throw new Error(`line ${line}: its statement has two currencies (CURDEF). ${again}`)
        currency = text
      } else if (name === "INVTRAN") {
        throw new Error(
          `line ${line}: it has a trade of securities (INVTRAN), which is no transaction of a bank. Export the statement of the cash account`,
        )
      } else if (name === "ACCTID" && !isEnd) account = text
      else if (name === "CODE" && !isEnd) code = text
      else if (name === "SEVERITY" && text === "ERROR") {
        throw new Error(`line ${line}: the bank answered with the error ${code.slice(0, 64)} (STATUS). ${again}`)
      } else if (/^(?:CC|INV)?STMTRS$/.test(name) && !isEnd) {
        isStatement = true
        currency = ""
      }
    }
    yield rows
  }
  if (open !== undefined) throw new Error(`${open.place}: it has no end (</STMTTRN>). Is the statement complete?`)
  if (!isStatement) throw new Error("it has no statement (STMTRS or CCSTMTRS)")
  if (!isEnded) throw new Error("it has no end (</OFX>). Is the statement complete?")
}

const again = "Export the statement again"

/** Banks that reuse a FITID do so for other amounts or days. */
const identity = ["FITID", "TRNAMT", "DTPOSTED"] as const

/** A transaction may have several, such as the name of a payee in it. */
const texts: ReadonlySet<string> = new Set(["MEMO", "NAME"])

/** The others are not kept: a transaction may have any number of them. */
const fieldsRead = new Set([
  "CHECKNUM",
  "CORRECTFITID",
  "CURSYM",
  "DTAVAIL",
  "DTPOSTED",
  "FITID",
  "MEMO",
  "NAME",
  "REFNUM",
  "TRNAMT",
  "TRNTYPE",
])

const transactionOf = (place: string, fields: ReadonlyMap<string, string>, currency: string): Statement.Transaction => {
  const reject = (reason: string): never => {
    throw new Error(`${place}: ${reason}`)
  }
  if (fields.has("CORRECTFITID")) {
    return reject("it corrects an earlier transaction, which may be in the statement, too. Export the statement again")
  }
  const dayIn = (name: string): string | undefined => {
    const written = fields.get(name) || undefined
    if (written === undefined) return undefined
    const [, year, month, date, hour = "0", minute, second] = time.exec(written) ?? []
    const day = `${year}-${month}-${date}`
    if (year === undefined || !Timestamp.isText(`${day}T00:00:00Z`)) return written
    return (
      ClockTime.dayOf(day, hour, minute, second) ??
      reject(`Not a time of OFX: ${JSON.stringify(written.slice(0, 64))} (${name})`)
    )
  }
  const code = fields.get("CURSYM") ?? currency
  if (!LedgerCurrency.isIso(code))
    return reject(`its currency ${JSON.stringify(code.slice(0, 64))} is none of ISO 4217 (CURDEF)`)
  const written = fields.get("TRNAMT") ?? ""
  const amount = amountOf(written)
  if (amount === undefined) return reject(`Not an amount of OFX: ${JSON.stringify(written.slice(0, 64))}`)
  const type = fields.get("TRNTYPE") ?? ""
  const isNegative = amount.startsWith("-")
  if ((type === "DEBIT" && !isNegative && /[1-9]/.test(amount)) || (type === "CREDIT" && isNegative)) {
    return reject(
      `it is a ${type} of ${written.slice(0, 64)}, and amounts of OFX have the customer's sign. Export the statement as CSV, and name its direction with --map`,
    )
  }
  const texts = [fields.get("NAME"), fields.get("MEMO")].filter((text) => text !== undefined && text !== "")
  return {
    Amt: amount,
    Ccy: code,
    BookgDt: dayIn("DTPOSTED"),
    ValDt: dayIn("DTAVAIL"),
    AcctSvcrRef: fields.get("FITID"),
    NtryRef: fields.get("REFNUM") || fields.get("CHECKNUM"),
    Ustrd: texts.length === 0 ? undefined : texts.join(" "),
  }
}

/** A time such as `20240930120000.000[-5:EST]` begins with the bank's day. */
const time = /^([0-9]{4})([0-9]{2})([0-9]{2})(?:([0-9]{2})(?:([0-9]{2})([0-9]{2})?)?)?/

/**
 * Amounts have a point or a comma before the fraction, and no groups. `1,234` may be a group in spite of that, so it is
 * none.
 */
const amountOf = (text: string): string | undefined => {
  const [, sign = "", whole = "", separator, fraction = ""] = /^([-+]?)([0-9]*)(?:([.,])([0-9]*))?$/.exec(text) ?? []
  if (whole === "" && fraction === "") return undefined
  if (separator === "," && fraction.length === 3 && whole.length < 4) return undefined
  return Statement.plain(sign, whole, fraction)
}
