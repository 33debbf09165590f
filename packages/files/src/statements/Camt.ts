/** The booked transactions of camt.053 statements (ISO 20022). */
import * as Xml from "../formats/Xml.ts"
import type { TableRow } from "../ledgers/Ledger.ts"
import * as Statement from "./Statement.ts"

const maxEntryLength = 1024 * 1024

/** The texts of an element, by the path below it. */
class Fields {
  readonly texts = new Map<string, string>()
  currency: string | undefined
  readonly line: number

  constructor(line: number) {
    this.line = line
  }

  get(...paths: ReadonlyArray<string>): string | undefined {
    return paths.map((path) => this.texts.get(path)).find((text) => text !== undefined)
  }
}

/** The rows of the transactions. Entries that are not booked have no row; `pending` counts them. */
export async function* rowsOf(
  chunks: AsyncIterable<string>,
  pending: () => void,
): AsyncGenerator<ReadonlyArray<TableRow>> {
  const reader = new Reader(pending)
  yield [Statement.header]
  for await (const _ of Xml.read(chunks, reader)) yield reader.rows.splice(0)
  if (reader.statements === 0) throw new Error("it has no statement (Stmt)")
}

class Reader implements Xml.Handlers {
  readonly rows: Array<TableRow> = []
  statements = 0
  readonly #pending: () => void
  #path: ReadonlyArray<string> = []
  /** What is being read: a balance, an entry, and a transaction of it. Each has the depth of its element. */
  #open: Array<{ readonly name: string; readonly depth: number; readonly fields: Fields }> = []
  #transactions: Array<Fields> = []
  #entries = 0
  #length = 0
  #sum = 0n
  #balances = new Map<string, bigint>()
  #isPart = false

  constructor(pending: () => void) {
    this.#pending = pending
  }

  readonly open: Xml.Handlers["open"] = (name, { Ccy }, line) => {
    this.#path = [...this.#path, name]
    const parent = this.#open.at(-1)
    if (name === "Stmt") {
      this.statements++
      this.#sum = 0n
      this.#balances = new Map()
      this.#isPart = false
    }
    if (name === "Bal" || name === "Ntry" || name === "TxDtls") {
      if (name === "Ntry") {
        this.#entries++
        this.#length = 0
        this.#transactions = []
      }
      this.#open.push({ name, depth: this.#path.length, fields: new Fields(line) })
    } else if (parent !== undefined) {
      const path = this.#below(parent.depth)
      if (path === "Amt") parent.fields.currency = Ccy
      if (path === "AmtDtls/TxAmt/Amt") parent.fields.currency ??= Ccy
    }
  }

  readonly text: Xml.Handlers["text"] = (text) => {
    if (text.trim() === "") return
    const parent = this.#open.at(-1)
    if (parent === undefined) {
      if (this.#path.at(-1) === "LastPgInd" && text.trim() === "false") this.#isPart = true
      if (this.#path.at(-1) === "PgNb" && text.trim() !== "1") this.#isPart = true
      return
    }
    this.#length += text.length
    if (this.#length > maxEntryLength) throw new Error(`${this.#place(parent.fields)}: it is too long`)
    const path = this.#below(parent.depth)
    parent.fields.texts.set(path, (parent.fields.texts.get(path) ?? "") + text)
  }

  readonly close: Xml.Handlers["close"] = (name) => {
    const current = this.#open.at(-1)
    if (current?.depth === this.#path.length) {
      this.#open.pop()
      if (name === "TxDtls") this.#transactions.push(current.fields)
      if (name === "Ntry") this.#endEntry(current.fields)
      if (name === "Bal") this.#endBalance(current.fields)
    }
    if (name === "Stmt") this.#endStatement()
    // Repeated lines of a remittance are kept apart.
    const parent = this.#open.at(-1)
    const path = parent === undefined ? "" : this.#below(parent.depth)
    if (path === "RmtInf/Ustrd") parent?.fields.texts.set(path, `${parent.fields.texts.get(path) ?? ""} `)
    this.#path = this.#path.slice(0, -1)
  }

  #below(depth: number): string {
    return this.#path.slice(depth).join("/")
  }

  #place({ line }: Fields): string {
    return `entry ${this.#entries} (line ${line})`
  }

  #endBalance(balance: Fields): void {
    const kind = balance.get("Tp/CdOrPrtry/Cd")
    const amount = Statement.units(balance.get("Amt")?.trim() ?? "", isDebit(balance) === true)
    if (kind !== undefined && amount !== undefined) this.#balances.set(kind, amount)
  }

  #endStatement(): void {
    const opening = this.#balances.get("OPBD") ?? this.#balances.get("PRCD")
    const closing = this.#balances.get("CLBD")
    if (opening === undefined || closing === undefined || this.#isPart) return
    const reason = Statement.imbalance(opening, this.#sum, closing)
    if (reason !== undefined) throw new Error(`statement ${this.statements}: ${reason}`)
  }

  #endEntry(entry: Fields): void {
    const reject = (reason: string): never => {
      throw new Error(`${this.#place(entry)}: ${reason}`)
    }
    const status = entry.get("Sts/Cd", "Sts")?.trim() ?? reject("it has no status (Sts)")
    if (status !== "BOOK") return this.#pending()
    const amount = entry.get("Amt")?.trim() ?? reject("it has no amount (Amt)")
    const debit = isDebit(entry) ?? reject("it is neither a credit nor a debit (CdtDbtInd)")
    const total = Statement.units(amount, debit) ?? reject(notAmount(amount))
    if (entry.currency === undefined) reject("its amount has no currency (Ccy)")
    this.#sum += total
    const [only] = this.#transactions
    if (only === undefined || this.#transactions.length === 1) {
      this.#push(this.#place(entry), entry, only, Statement.signed(amount, debit))
      return
    }
    let sum = 0n
    for (const [index, transaction] of this.#transactions.entries()) {
      const which = `its transaction ${index + 1} (line ${transaction.line})`
      const part = transaction.get("Amt", "AmtDtls/TxAmt/Amt")?.trim() ?? reject(`${which} has no amount`)
      if (transaction.currency !== entry.currency) reject(`${which} is in another currency than the entry`)
      const partDebit = isDebit(transaction) ?? debit
      sum += Statement.units(part, partDebit) ?? reject(`${which}: ${notAmount(part)}`)
      const place = `entry ${this.#entries}.${index + 1} (line ${transaction.line})`
      this.#push(place, entry, transaction, Statement.signed(part, partDebit))
    }
    if (sum !== total) {
      reject(`its transactions add up to ${Statement.toText(sum)}, and not to its ${Statement.toText(total)}`)
    }
  }

  #push(place: string, entry: Fields, transaction: Fields | undefined, Amt: string): void {
    const of = (...paths: ReadonlyArray<string>) => transaction?.get(...paths)
    const row: Statement.Transaction = {
      EndToEndId: of("Refs/EndToEndId"),
      Amt,
      Ccy: entry.currency,
      BookgDt: entry.get("BookgDt/Dt", "BookgDt/DtTm"),
      ValDt: entry.get("ValDt/Dt", "ValDt/DtTm"),
      InstrId: of("Refs/InstrId"),
      TxId: of("Refs/TxId"),
      AcctSvcrRef: of("Refs/AcctSvcrRef") ?? entry.get("AcctSvcrRef"),
      NtryRef: entry.get("NtryRef"),
      CdtrRef: of("RmtInf/Strd/CdtrRefInf/Ref"),
      Ustrd: of("RmtInf/Ustrd"),
    }
    this.rows.push(Statement.toRow(place, row))
  }
}

const isDebit = (fields: Fields): boolean | undefined => {
  const side = fields.get("CdtDbtInd")?.trim()
  return side === "DBIT" ? true : side === "CRDT" ? false : undefined
}

const notAmount = (text: string): string => `Not an amount: ${JSON.stringify(text.slice(0, 64))}`
