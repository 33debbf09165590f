/**
 * The transactions of BAI2 balance reports. Read by descriptions of banks and samples of others: the specification of the
 * Bank Administration Institute was not at hand. The control totals of accounts, groups and the file must hold.
 */
import { createHash } from "node:crypto"
import type { RepeatedReport, TableRow, UnequalReport } from "../ledgers/Ledger.ts"
import * as LedgerCurrency from "../ledgers/LedgerCurrency.ts"
import * as TextLines from "../ledgers/TextLines.ts"
import * as MinorUnits from "./MinorUnits.ts"
import * as Statement from "./Statement.ts"

const maxRecordLength = 64 * 1024

/** A record with its continuations, and the line of its beginning. */
interface BaiRecord {
  readonly code: string
  readonly fields: ReadonlyArray<string>
  /** The physical records of which it consists. */
  readonly lines: number
  readonly line: number
}

/** The records. A record ends in a slash or with its line, and records 88 continue it. */
async function* recordsOf(chunks: AsyncIterable<string>): AsyncGenerator<BaiRecord> {
  let open: { text: string; readonly line: number; lines: number } | undefined
  let number = 0
  for await (const lines of TextLines.read(chunks, maxRecordLength)) {
    for (const raw of lines) {
      number++
      // Nothing is read below a line that is too long, whatever it has.
      if (raw.length > maxRecordLength) throw new Error(`line ${number}: its record is too long`)
      const line = raw.trimEnd()
      if (line === "") continue
      if (!/^[0-9]{2},/.test(line)) {
        throw new Error(`line ${number}: Not a record of BAI2: ${JSON.stringify(line.slice(0, 64))}`)
      }
      if (line.startsWith("88,")) {
        if (open === undefined) throw new Error(`line ${number}: a continuation (88) without a record before it`)
        // A slash ends a physical record only; a text without one goes on in the next.
        open.text = `${open.text.replace(/\/$/, ",")}${open.text.endsWith("/") ? "" : " "}${line.slice(3)}`
        open.lines++
        if (open.text.length > maxRecordLength) throw new Error(`line ${number}: its record is too long`)
        continue
      }
      if (open !== undefined) yield recordOf(open)
      open = { text: line, line: number, lines: 1 }
    }
  }
  if (open !== undefined) yield recordOf(open)
}

const recordOf = ({ text, line, lines }: { readonly text: string; readonly line: number; readonly lines: number }) => {
  const [code = "", ...fields] = text.replace(/\/$/, "").split(",")
  // A text keeps its blanks.
  return { code, fields: code === "16" ? fields : fields.map((field) => field.trim()), line, lines }
}

const shown = (text: string | undefined): string => JSON.stringify(text?.slice(0, 64) ?? "")

type Part = "file" | "group" | "account"

/** Within what each record may stand, what comes after it, and what is wrong if it stands elsewhere. */
const nesting = new Map<string, readonly [within: Part | undefined, next: Part | undefined, fault: string]>([
  ["01", [undefined, "file", "a file begins (01) before the one above it ends (99)"]],
  ["02", ["file", "group", "a group begins (02) outside of a file, or before the one above it ends (98)"]],
  ["03", ["group", "account", "an account begins (03) outside of a group, or before the one above it ends (49)"]],
  ["16", ["account", "account", "a transaction (16) outside of an account (03)"]],
  ["49", ["account", "group", "an account ends (49) that did not begin"]],
  ["98", ["group", "file", "a group ends (98) that did not begin, or before its last account (49)"]],
  ["99", ["file", undefined, "the file ends (99) that did not begin, or before its last group (98)"]],
])

interface Level {
  sum: bigint
  records: number
  parts: number
}

const level = (): Level => ({ sum: 0n, records: 0, parts: 0 })

/** What is said of reports of an account. */
export interface Notes {
  /** It is that of one above it. */
  readonly repeated: (report: RepeatedReport) => void
  /**
   * Its transactions do not lead from its opening (010) to its closing ledger balance (015). That is no error: a report may
   * list some of its transactions only, or memo items, which change no balance.
   */
  readonly unequal: (report: UnequalReport) => void
}

/** The rows of the transactions. */
export async function* rowsOf(
  chunks: AsyncIterable<string>,
  notes: Notes = { repeated: () => {}, unequal: () => {} },
): AsyncGenerator<ReadonlyArray<TableRow>> {
  yield [Statement.header]
  const [file, group, account] = [level(), level(), level()]
  let groupCurrency = ""
  let name = ""
  let currency = ""
  let day = ""
  let modifier = ""
  /** How final the reports of an account and a day are. */
  const reports = new Map<string, string>()
  const known = new Set<string>()
  let [content, begin, entriesAbove] = [createHash("sha256"), 0, 0]
  let balances: ReadonlyMap<string, bigint> = new Map()
  let booked = 0n
  let entries = 0
  let files = 0
  let part: Part | undefined
  for await (const record of recordsOf(chunks)) {
    const { code, fields, line, lines } = record
    const reject = (reason: string): never => {
      throw new Error(`line ${line}: ${reason}`)
    }
    const [within, next, fault] = nesting.get(code) ?? reject(`its record code ${code} is none of BAI2`)
    if (part !== within) reject(fault)
    part = next
    for (const each of [file, group, account]) each.records += lines
    if (code === "01") Object.assign(file, { ...level(), records: lines })
    else if (code === "02") {
      Object.assign(group, { ...level(), records: lines })
      const status = groupStatus.get(fields[2] ?? "")
      if (status !== undefined) reject(`its group is ${status}, and not an update. Ask the bank for the final report`)
      day = fields[3] ?? ""
      if (!/^[0-9]{6}$/.test(day)) reject(`Not a day of BAI2: ${shown(day)}`)
      groupCurrency = fields[5] || "USD"
      modifier = isFinal.has(fields[6] ?? "") ? "a final" : "an interim"
      file.parts++
    } else if (code === "03") {
      currency = fields[1] || groupCurrency
      if (!LedgerCurrency.isIso(currency)) reject(`its currency ${shown(currency)} is none of ISO 4217`)
      name = fields[0] ?? ""
      const report = JSON.stringify([name, currency, day])
      const other = reports.get(report)
      if (other !== undefined && other !== modifier) {
        reject(`account ${shown(name)} has ${other} and ${modifier} report of 20${day}. Keep the final one only`)
      }
      reports.set(report, modifier)
      content = createHash("sha256").update(report)
      ;[begin, entriesAbove] = [line, entries]
      Object.assign(account, { ...level(), records: lines })
      const summaries = summariesOf(fields.slice(2), reject)
      for (const [, amount = 0n] of summaries) account.sum += amount
      balances = new Map(summaries.flatMap(([type, amount]) => (amount === undefined ? [] : [[type, amount]])))
      booked = 0n
      group.parts++
    } else if (code === "16") {
      const place = `entry ${++entries} (line ${line})`
      const [type = "", amount = ""] = fields
      const units = unitsOf(amount)
      if (units === undefined) throw new Error(`${place}: Not an amount of BAI2: ${shown(amount)}`)
      if (units < 0n) {
        throw new Error(
          `${place}: Not an amount of BAI2: ${shown(amount)}. Its type, and no sign, says whether it is a credit or a debit`,
        )
      }
      account.sum += units
      content.update(JSON.stringify(fields))
      // Information without an amount.
      if (type === "890" && units === 0n) continue
      const isDebit = isDebitOf(type)
      if (isDebit === undefined) throw new Error(`${place}: its type ${shown(type)} is neither a credit nor a debit`)
      booked += isDebit ? -units : units
      const [bank, customer, ...text] = fields.slice(2 + fundsOf(fields, 2, reject))
      yield [
        Statement.toRow(place, {
          Amt: Statement.signed(MinorUnits.toDecimal(units, currency), isDebit),
          Ccy: currency,
          BookgDt: `20${day}`,
          AcctSvcrRef: bank,
          NtryRef: customer,
          Ustrd: text.join(","),
        }),
      ]
    } else if (code === "49") {
      check("account", account, fields, reject)
      const digest = content.digest("base64")
      const report = { account: name, day: `20${day.replace(/(..)(..)/, "$1-$2-")}`, place: `line ${begin}` }
      // A bank may report an account again without transactions, or with those since then.
      if (known.has(digest)) notes.repeated(report)
      else if (entries > entriesAbove) known.add(digest)
      const [opening, closing] = [balances.get("010"), balances.get("015")]
      const rest = opening === undefined || closing === undefined ? 0n : closing - opening - booked
      if (rest !== 0n) {
        const text = MinorUnits.toDecimal(rest < 0n ? -rest : rest, currency)
        notes.unequal({ ...report, difference: `${Statement.signed(text, rest < 0n)} ${currency}` })
      }
      group.sum += account.sum
    } else if (code === "98") {
      check("group", group, fields, reject)
      file.sum += group.sum
    } else {
      check("file", file, fields, reject)
      files++
    }
  }
  if (files === 0 || part !== undefined) throw new Error("it ends before its trailer (99). Is the report complete?")
}

/** Modifiers of the day: 2 is the final report of the previous day, and 4 of the same day. Without one it is final. */
const isFinal: ReadonlySet<string> = new Set(["", "2", "4"])

const groupStatus: ReadonlyMap<string, string> = new Map([
  ["2", "a deletion"],
  ["3", "a correction"],
  ["4", "a test"],
])

/** Types 1xx to 3xx are credits, 4xx to 6xx debits; of the banks' own, 920 to 959 are credits and 960 to 999 debits. */
const isDebitOf = (type: string): boolean | undefined => {
  if (!/^[0-9]{3}$/.test(type)) return undefined
  const code = Number(type)
  if ((code > 100 && code < 400) || (code >= 920 && code <= 959)) return false
  return (code > 400 && code < 700) || code >= 960 ? true : undefined
}

const unitsOf = (text: string): bigint | undefined =>
  text === "" ? 0n : /^[-+]?[0-9]{1,30}$/.test(text) ? BigInt(text) : undefined

type Reject = (reason: string) => never

/** How many fields the type of funds takes, with what belongs to it. */
const fundsOf = (fields: ReadonlyArray<string>, at: number, reject: Reject): number => {
  switch (fields[at] ?? "") {
    case "":
    case "0":
    case "1":
    case "2":
    case "Z":
      return 1
    case "S":
      return 4
    case "V":
      return 3
    case "D": {
      const count = fields[at + 1] ?? ""
      return /^[0-9]{1,3}$/.test(count)
        ? 2 + 2 * Number(count)
        : reject(`Not a number of distributions: ${shown(count)}`)
    }
    default:
      return reject(`its type of funds ${shown(fields[at])} is none of BAI2`)
  }
}

type Summary = readonly [type: string, amount: bigint | undefined]

/** The types and amounts of an account's summaries: each has a count and a type of funds, too, and may lack its amount. */
const summariesOf = (fields: ReadonlyArray<string>, reject: Reject): ReadonlyArray<Summary> => {
  const amounts: Array<Summary> = []
  for (let at = 0; at < fields.length;) {
    const [type = "", amount = ""] = fields.slice(at)
    const units = unitsOf(amount) ?? reject(`Not an amount of BAI2: ${shown(amount)}`)
    amounts.push([type, amount === "" ? undefined : units])
    at += 3 + fundsOf(fields, at + 3, reject)
  }
  return amounts
}

/** A trailer has the sum of the amounts, the number of parts unless it is an account's, and that of the records. */
const check = (name: string, { sum, records, parts }: Level, fields: ReadonlyArray<string>, reject: Reject): void => {
  const [total = "", ...counts] = fields
  if (unitsOf(total) !== sum) {
    reject(
      `the amounts of its ${name} add up to ${sum}, and not to its control total ${shown(total)}. Is the report complete?`,
    )
  }
  const expected = name === "account" ? [records] : [parts, records]
  if (counts.slice(0, expected.length).some((count, index) => count !== "" && Number(count) !== expected[index])) {
    reject(
      `its ${name} has ${expected.join(" parts and ")} records, and not ${shown(counts.join(" and "))}. Is it complete?`,
    )
  }
}
