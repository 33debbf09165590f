/** The transactions of MT940 statements (SWIFT). */
import type { TableRow } from "../ledgers/Ledger.ts"
import * as TextLines from "../ledgers/TextLines.ts"
import * as EntryDate from "./EntryDate.ts"
import * as Field86 from "./Field86.ts"
import * as Pages from "./Pages.ts"
import * as Statement from "./Statement.ts"
import { StatementNumbers } from "./StatementNumbers.ts"
import { Succession } from "./Succession.ts"

const maxFieldLength = 64 * 1024

interface Field {
  readonly tag: string
  readonly text: string
  readonly line: number
}

/** The fields of all messages: a tag, and the lines up to the next tag or the end of a message. */
async function* fieldsOf(chunks: AsyncIterable<string>): AsyncGenerator<Field> {
  let field: { tag: string; text: string; line: number } | undefined
  let line = 0
  for await (const text of linesOf(chunks)) {
    line++
    if (text.length > maxFieldLength) throw new Error(`line ${line} is too long`)
    const [, tag, rest = ""] = /^(?:\{4:)?:([0-9]{2}[A-Z]?):(.*)$/.exec(text) ?? []
    const isEnd = text === "-" || text.startsWith("-}")
    if (tag === undefined && !isEnd) {
      if (field === undefined) continue
      field.text += `\n${text}`
      if (field.text.length > maxFieldLength) throw new Error(`line ${line}: the field ${field.tag} is too long`)
      continue
    }
    if (field !== undefined) yield field
    field = tag === undefined ? undefined : { tag, text: rest, line }
  }
  if (field !== undefined) yield field
}

async function* linesOf(chunks: AsyncIterable<string>): AsyncGenerator<string> {
  for await (const lines of TextLines.read(chunks, maxFieldLength)) yield* lines
}

/** The rows of the transactions. Throws an `Error` that names the entry and its line. */
export async function* rowsOf(
  chunks: AsyncIterable<string>,
  numbers: StatementNumbers = new StatementNumbers(),
): AsyncGenerator<ReadonlyArray<TableRow>> {
  yield [Statement.header]
  const messages = new Messages(numbers)
  let [entries, sum] = [0, 0n]
  let entry: { readonly place: string; readonly parsed: Entry } | undefined
  for await (const field of fieldsOf(chunks)) {
    const { tag, text, line } = field
    if (tag === "86" && entry !== undefined) {
      yield [Statement.toRow(entry.place, { ...entry.parsed, ...Field86.referencesOf(text) })]
      entry = undefined
      continue
    }
    if (entry !== undefined) yield [Statement.toRow(entry.place, entry.parsed)]
    entry = undefined
    if (tag === "60F" || tag === "60M") sum = 0n
    if (tag === "61") {
      const place = `entry ${++entries} (line ${line})`
      const { opening } = messages
      if (opening === undefined) throw new Error(`${place}: no opening balance (:60F:) before it names its currency`)
      const parsed = entryOf(text, opening.day)
      if (parsed === undefined) throw new Error(`${place}: Not an entry of MT940: ${JSON.stringify(text.slice(0, 64))}`)
      sum += parsed.units
      messages.sums.add(parsed)
      if (parsed.booked !== undefined) messages.book(parsed.booked, place)
      entry = { place, parsed: { ...parsed, Ccy: opening.currency } }
    } else messages.read(field, sum)
  }
  messages.end()
}

/** A statement of which pages were read, but not the last. */
interface Started {
  /** The balance with which its first page begins, and the line of it. */
  readonly opening: bigint
  readonly begin: number
  readonly closing: Balance
  readonly number: PageNumber | undefined
}

/** The number of a statement, and that of a page in it, if any. */
interface PageNumber {
  readonly statement: number
  readonly page: number | undefined
}

/** Of a statement, before its opening balance. */
const headerTags: ReadonlySet<string> = new Set(["20", "21", "25", "25P", "28", "28C"])

/** The balances of messages: a statement is one or several, each with a part of its entries. */
class Messages {
  opening: Balance | undefined
  /** The first field of a message of which nothing but its header was read. */
  #header: Field | undefined
  #first: Pick<Started, "opening" | "begin"> = { opening: 0n, begin: 0 }
  readonly sums = new EntrySums()
  /** The last booking of a message, and where it is. */
  #last: { readonly day: string; readonly place: string } | undefined
  #account = ""
  #number: PageNumber | undefined
  /** By account: the statement that goes on in another message. */
  readonly #goingOn = new Map<string, Started>()
  readonly #succession = new Succession()
  readonly #numbers: StatementNumbers

  constructor(numbers: StatementNumbers) {
    this.#numbers = numbers
  }

  /** Takes a field, and the sum of the entries before it. */
  read(field: Field, sum: bigint): void {
    if (field.tag === "20") {
      this.#endHeader()
      this.#header = field
    } else if (!headerTags.has(field.tag)) this.#header = undefined
    switch (field.tag) {
      case "20":
        this.#account = ""
        this.#number = undefined
        return
      case "25":
      case "25P":
        this.#account = field.text.split("\n", 1)[0]?.trim() ?? ""
        return
      case "28":
      case "28C":
        this.#number = pageNumberOf(field.text)
        return
      case "60F":
      case "60M":
        this.sums.begin(field.tag === "60F")
        return this.#begin(field)
      case "90C":
      case "90D":
        return this.sums.state(field)
      case "62F":
      case "62M":
        return this.#end(field, sum)
    }
  }

  #begin(field: Field): void {
    const reject = (reason: string): never => {
      throw new Error(`line ${field.line}: ${reason}. ${Pages.advice}`)
    }
    if (this.#account === "") {
      throw new Error(
        `line ${field.line}: a statement without its account (:25:), which shows what statement it follows. Export it again, with all fields of MT940`,
      )
    }
    if (this.opening !== undefined) reject("a statement begins before the closing balance (:62F:) of the one above")
    const opening = balanceOf(field)
    this.opening = opening
    const before = this.#goingOn.get(this.#account)
    if (field.tag === "60F") {
      if (before !== undefined) {
        reject(`a statement begins (:60F:), but the one above goes on (line ${before.closing.line}, :62M:)`)
      }
      this.#first = { opening: opening.units, begin: field.line }
      return
    }
    if (before === undefined) return reject("it goes on (:60M:), but the file does not have the page before it")
    const { closing, number } = before
    if (closing.units !== opening.units || closing.currency !== opening.currency) {
      const [own, other] = [opening, closing].map(({ units, currency }) => `${Statement.toText(units)} ${currency}`)
      reject(`the page begins with ${own}, but the one before it ends with ${other} (line ${closing.line})`)
    }
    if (number !== undefined && this.#number !== undefined && !isNext(number, this.#number)) {
      reject(`the page is ${shown(this.#number)} (:28C:), but the one before it is ${shown(number)}`)
    }
    this.#goingOn.delete(this.#account)
    this.#first = before
  }

  #end(field: Field, sum: bigint): void {
    const { tag, line } = field
    this.sums.isPart = tag === "62M"
    const closing = balanceOf(field)
    if (this.opening === undefined) {
      throw new Error(`line ${line}: a closing balance without an opening one (:60F:)`)
    }
    const { currency, units } = this.opening
    if (closing.currency !== currency) throw new Error(`line ${line}: its balances have two currencies`)
    const reason = Statement.imbalance(units, sum, closing.units)
    if (reason !== undefined) throw new Error(`line ${line}: ${reason}`)
    const last = this.#last
    if (last !== undefined && EntryDate.isAfter(last.day, closing.day)) {
      throw new Error(
        `${last.place}: booked on ${last.day} by the day of its value, after the closing balance of ${closing.day} (line ${line}). Export the statement again`,
      )
    }
    this.#last = undefined
    this.opening = undefined
    const { opening, begin } = this.#first
    const [own, number] = [`${this.#account} ${currency}`, this.#number?.statement]
    if (tag === "62M") this.#goingOn.set(this.#account, { opening, begin, closing, number: this.#number })
    else {
      const name = number === undefined || this.sums.isEmpty ? undefined : `${number} ${closing.day}`
      const gap = this.#succession.add(own, { opening, closing: closing.units, name })
      if (gap !== undefined) throw new Error(`line ${begin}: ${gap}`)
      if (number !== undefined) this.#numbers.add(own, number, closing.day)
    }
  }

  /** Takes the day of a booking. */
  book(day: string, place: string): void {
    if (this.#last === undefined || day > this.#last.day) this.#last = { day, place }
  }

  /** Throws an `Error` if the message ends with its header: nothing else would show that a file was cut there. */
  #endHeader(): void {
    if (this.#header === undefined) return
    throw new Error(
      `line ${this.#header.line}: the message ends before its opening balance (:60F:). Is the statement complete?`,
    )
  }

  /** Throws an `Error` if a message or a statement has no end. */
  end(): void {
    this.#endHeader()
    this.sums.check()
    if (this.opening !== undefined) {
      throw new Error("it ends before a closing balance (:62F:). Is the statement complete?")
    }
    for (const { closing } of this.#goingOn.values()) {
      throw new Error(
        `line ${closing.line}: the statement goes on (:62M:), but the file has no page after this one. ${Pages.advice}`,
      )
    }
  }
}

/** The number and the sum of the entries of one side, debits negative. */
interface Side {
  readonly count: number
  readonly sum: bigint
}

const none: Side = { count: 0, sum: 0n }

/** What a message says of its entries (`:90C:`, `:90D:`), before or after its closing balance, and what was read. */
class EntrySums {
  /** Whether the statement goes on in another message, which may say it of all. */
  isPart = false
  #hasReversal = false
  #page = { C: none, D: none }
  #whole = { C: none, D: none }
  #stated: Array<Field> = []

  /** Begins a message, the first of a statement or another. */
  begin(isFirst: boolean): void {
    this.check()
    this.#page = { C: none, D: none }
    if (!isFirst) return
    this.#whole = { C: none, D: none }
    this.#hasReversal = false
  }

  /** Whether the statement has no entry. */
  get isEmpty(): boolean {
    return this.#whole.C.count + this.#whole.D.count === 0
  }

  add({ units, isReversal }: Entry): void {
    const side = units < 0n ? "D" : "C"
    // Banks count a reversed credit among the credits or the debits.
    this.#hasReversal ||= isReversal
    for (const sums of [this.#page, this.#whole]) {
      const { count, sum } = sums[side]
      sums[side] = { count: count + 1, sum: sum + units }
    }
  }

  state(field: Field): void {
    this.#stated.push(field)
  }

  /** Throws an `Error` if the message that was read says something else. */
  check(): void {
    for (const { tag, text, line } of this.#stated.splice(0)) {
      const [, count, amount = ""] = /^([0-9]{1,5})[A-Z]{3}([0-9]{1,15},[0-9]*)\s*$/.exec(text) ?? []
      const sum = Statement.units(plain(amount), tag === "90D")
      if (sum === undefined) throw new Error(`line ${line}: Not a sum (:${tag}:): ${JSON.stringify(text.slice(0, 64))}`)
      const side = tag === "90D" ? "D" : "C"
      const isOf = (found: Side) => found.count === Number(count) && found.sum === sum
      if (this.isPart || this.#hasReversal || isOf(this.#page[side]) || isOf(this.#whole[side])) continue
      const read = this.#whole[side]
      throw new Error(
        `line ${line}: it says ${count} entries of ${Statement.toText(sum)} (:${tag}:), and the statement has ${read.count} of ${Statement.toText(read.sum)}. Is the statement complete? Export it again`,
      )
    }
  }
}

/** `273/1`: page 1 of the statement 273. */
const pageNumberOf = (text: string): PageNumber | undefined => {
  const [, statement, page] = /^\s*([0-9]{1,5})(?:\/([0-9]{1,5}))?\s*$/.exec(text) ?? []
  return statement === undefined
    ? undefined
    : { statement: Number(statement), page: page === undefined ? undefined : Number(page) }
}

const isNext = (before: PageNumber, after: PageNumber): boolean =>
  before.statement === after.statement &&
  (before.page === undefined || after.page === undefined || after.page === before.page + 1)

const shown = ({ statement, page }: PageNumber): string =>
  page === undefined ? `${statement}` : `${statement}/${page}`

interface Balance {
  readonly currency: string
  readonly units: bigint
  readonly day: string
  readonly line: number
}

const balanceOf = ({ tag, text, line }: Field): Balance => {
  const [, side, date = "", currency = "", amount = ""] =
    /^([CD])([0-9]{6})([A-Z]{3})([0-9]+,[0-9]*)\s*$/.exec(text) ?? []
  const units = Statement.units(plain(amount), side === "D")
  if (units === undefined)
    throw new Error(`line ${line}: Not a balance (:${tag}:): ${JSON.stringify(text.slice(0, 64))}`)
  return { currency, units, day: `20${date.replace(/(..)(..)(..)/, "$1-$2-$3")}`, line }
}

interface Entry extends Statement.Transaction {
  readonly units: bigint
  readonly isReversal: boolean
  /** The day of its booking, if it has more than that of its value. */
  readonly booked: string | undefined
}

/** `opened` is the day of the balance before the entry. */
const entryOf = (text: string, opened: string): Entry | undefined => {
  const found = /^([0-9]{6})([0-9]{4})?(RC|RD|EC|ED|C|D)[A-Z]?([0-9]{1,15},[0-9]*)[A-Z][A-Z0-9]{3}([^\n]*)/.exec(text)
  if (found === null) return undefined
  const [, value = "", entered, mark = "", amount = "", references = ""] = found
  // The reversal of a credit is a debit.
  const isDebit = mark === "RC" || mark === "D" || mark === "ED"
  const units = Statement.units(plain(amount), isDebit)
  if (units === undefined) return undefined
  const at = references.indexOf("//")
  const booked = entered === undefined ? undefined : EntryDate.of(entered, { value, opened })
  return {
    Amt: Statement.signed(plain(amount), isDebit),
    units,
    isReversal: mark.startsWith("R"),
    booked,
    BookgDt: booked ?? `20${value}`,
    ValDt: `20${value}`,
    NtryRef: at === -1 ? references : references.slice(0, at),
    AcctSvcrRef: at === -1 ? undefined : references.slice(at + 2),
  }
}

/** MT940 writes `28,49` and `28,`. */
const plain = (amount: string): string =>
  amount
    .replace(/^0+(?=[0-9])/, "")
    .replace(",", ".")
    .replace(/\.$/, "")
