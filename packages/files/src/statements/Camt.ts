/** The booked transactions of camt.053 statements (ISO 20022). */
import * as Xml from "../formats/Xml.ts"
import type { TableRow } from "../ledgers/Ledger.ts"
import * as CamtBatches from "./CamtBatches.ts"
import { again, Fields, isDebit, notAmount } from "./CamtFields.ts"
import * as CamtStatement from "./CamtStatement.ts"
import * as Statement from "./Statement.ts"
import { StatementNumbers } from "./StatementNumbers.ts"

const maxEntryLength = 1024 * 1024

/**
 * The rows of the transactions. Entries that are not booked have no row; `pending` counts them. `unbalanced` counts the
 * statements that lack an account, an opening or a closing balance, so that nothing shows whether they are complete: a
 * statement must have a balance by its schema, and these by the rule books of banks.
 */
export async function* rowsOf(
  chunks: AsyncIterable<string>,
  pending: () => void,
  numbers: StatementNumbers = new StatementNumbers(),
  unbalanced: () => void = () => {},
): AsyncGenerator<ReadonlyArray<TableRow>> {
  const reader = new Reader(pending, new CamtStatement.CamtStatements(numbers, unbalanced))
  yield [Statement.header]
  for await (const _ of Xml.read(chunks, reader)) yield reader.rows.splice(0)
  if (reader.statements === 0) throw new Error("it has no statement (Stmt)")
  reader.finish()
}

/** What is read by itself, and the elements right below which it is that; none if no other such element is around it. */
const scopes: ReadonlyMap<string, ReadonlyArray<string | undefined>> = new Map<string, Array<string | undefined>>([
  ["GrpHdr", [undefined]],
  ["Stmt", [undefined]],
  ["Bal", ["Stmt"]],
  ["Ntry", ["Stmt"]],
  ["NtryDtls", ["Ntry"]],
  ["TxDtls", ["NtryDtls", "Ntry"]],
])
/** Has any XML of the bank (Envlp), such as entries of another statement. */
const supplement = "SplmtryData"
/** Of what may have any number of other elements, only these are kept. */
const kept: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ["GrpHdr", new Set(["MsgPgntn/PgNb", "MsgPgntn/LastPgInd"])],
  [
    "Stmt",
    new Set([
      "Id",
      "Acct/Id/IBAN",
      "Acct/Id/Othr/Id",
      "Acct/Ccy",
      "ElctrncSeqNb",
      "LglSeqNb",
      "StmtPgntn/PgNb",
      "StmtPgntn/LastPgInd",
      ...[...CamtStatement.figurePaths].map((path) => `TxsSummry/${path}`),
    ]),
  ],
])
/** What an element has once: two of them would be read as one text, such as a key that is none. */
const single: ReadonlySet<string> = new Set([
  "Amt",
  "CdtDbtInd",
  "Sts",
  "Sts/Cd",
  "NtryRef",
  "AcctSvcrRef",
  "AmtDtls/TxAmt/Amt",
  "AmtDtls/CntrValAmt/Amt",
  "Refs/EndToEndId",
  "Refs/InstrId",
  "Refs/TxId",
  "Refs/AcctSvcrRef",
  "BookgDt/Dt",
  "BookgDt/DtTm",
  "ValDt/Dt",
  "ValDt/DtTm",
  "Btch/NbOfTxs",
  "Btch/TtlAmt",
  "Btch/CdtDbtInd",
])
const amounts: ReadonlySet<string> = new Set([...CamtBatches.amountPaths, "Btch/TtlAmt"])
const charges: ReadonlySet<string> = new Set(["Chrgs/TtlChrgsAndTaxAmt", "Chrgs/Rcrd/Amt", "Chrgs/Amt"])

class Reader implements Xml.Handlers {
  readonly rows: Array<TableRow> = []
  statements = 0
  readonly #pending: () => void
  readonly #statements: CamtStatement.CamtStatements
  #path: ReadonlyArray<string> = []
  /** How many elements are open that are supplementary data, or within it. */
  #ignored = 0
  /** What is being read, such as a balance, an entry, and a transaction of it. Each has the depth of its element. */
  #open: Array<{ readonly name: string; readonly depth: number; readonly fields: Fields; readonly from: number }> = []
  #transactions: Array<Fields> = []
  #batches: Array<CamtBatches.Batch> = []
  #entries = 0
  #length = 0
  #page = new CamtStatement.Page("")

  constructor(pending: () => void, statements: CamtStatement.CamtStatements) {
    this.#pending = pending
    this.#statements = statements
  }

  readonly open: Xml.Handlers["open"] = (name, { Ccy }, line) => {
    if (name === supplement || this.#ignored > 0) {
      this.#ignored++
      return
    }
    this.#path = [...this.#path, name]
    const parent = this.#open.at(-1)
    if (name === "Ntry") {
      this.#entries++
      this.#transactions = []
      this.#batches = []
    }
    if (this.#isScope(name)) {
      if (name === "Stmt") this.#page = new CamtStatement.Page(`statement ${++this.statements}`)
      if (name !== "NtryDtls" && name !== "TxDtls") this.#length = 0
      const from = this.#transactions.length
      this.#open.push({ name, depth: this.#path.length, fields: new Fields(line), from })
      return
    }
    if (name === "Ntry") {
      throw new Error(`entry ${this.#entries} (line ${line}): it is in no statement (Stmt). Export it as camt.053`)
    }
    if (parent === undefined) return
    const path = this.#below(parent.depth)
    if (single.has(path) && parent.fields.texts.has(path)) {
      throw new Error(`line ${line}: it is the second ${path} of one ${parent.name}. ${again}`)
    }
    if (amounts.has(path)) parent.fields.currencies.set(path, Ccy)
    if (charges.has(path)) parent.fields.chargeCurrency = Ccy
  }

  readonly text: Xml.Handlers["text"] = (text) => {
    const parent = this.#open.at(-1)
    if (parent === undefined || this.#ignored > 0) return
    const path = this.#below(parent.depth)
    // Blanks between elements are no text, but those within one are.
    if (text.trim() === "" && !parent.fields.texts.has(path)) return
    if (kept.get(parent.name)?.has(path) === false) return
    this.#length += text.length
    if (this.#length > maxEntryLength) throw new Error(`${this.#place(parent.fields)}: it is too long`)
    parent.fields.texts.set(path, (parent.fields.texts.get(path) ?? "") + text)
  }

  readonly close: Xml.Handlers["close"] = (name) => {
    if (this.#ignored > 0) {
      this.#ignored--
      return
    }
    const current = this.#open.at(-1)
    if (current?.depth === this.#path.length) {
      this.#open.pop()
      this.#end(name, current.fields, current.from)
    } else if (current !== undefined) this.#endElement(current.fields, this.#below(current.depth))
    this.#path = this.#path.slice(0, -1)
  }

  finish(): void {
    this.#statements.finish()
  }

  #isScope(name: string): boolean {
    const parent = this.#open.at(-1)
    const isBelow = parent === undefined || parent.depth === this.#path.length - 1
    return isBelow && scopes.get(name)?.includes(parent?.name) === true
  }

  #below(depth: number): string {
    return this.#path.slice(depth).join("/")
  }

  #place({ line }: Fields): string {
    return `entry ${this.#entries} (line ${line})`
  }

  #end(name: string, fields: Fields, from: number): void {
    if (name === "TxDtls") this.#transactions.push(fields)
    if (name === "NtryDtls") this.#batches.push({ fields, from, to: this.#transactions.length })
    if (name === "Ntry") this.#endEntry(fields)
    if (name === "Bal") this.#endBalance(fields)
    if (name === "Stmt") this.#endStatement(fields)
    if (name === "GrpHdr") this.#statements.message(pageOf(fields, "MsgPgntn"), `line ${fields.line}: the message`)
  }

  /** Takes an element of which an entry may have several. */
  #endElement(fields: Fields, path: string): void {
    // Repeated lines of a remittance are kept apart.
    if (path === "RmtInf/Ustrd") fields.texts.set(path, `${fields.texts.get(path) ?? ""} `)
    const text = fields.texts.get(path)
    if (text === undefined) return
    if (path === "RmtInf/Strd/CdtrRefInf/Ref") fields.references.add(text.trim())
    else if (charges.has(path))
      fields.charges.push({ isTotal: path.endsWith("TaxAmt"), text, currency: fields.chargeCurrency })
    else return
    fields.texts.delete(path)
  }

  #endBalance(balance: Fields): void {
    const kind = balance.get("Tp/CdOrPrtry/Cd")?.trim()
    if (kind === undefined || !bookedKinds.has(kind)) return
    const text = balance.amount("Amt") ?? ""
    const units = Statement.units(text, isDebit(balance) === true)
    if (units === undefined) throw new Error(`line ${balance.line}: its balance ${kind}: ${notAmount(text)}`)
    this.#page.balances.set(kind, { units, currency: balance.currencies.get("Amt") })
    if (kind === "CLBD") this.#page.day = balance.get("Dt/Dt", "Dt/DtTm")?.trim().slice(0, 10) ?? ""
  }

  #endStatement(statement: Fields): void {
    const page = this.#page
    const account = statement.get("Acct/Id/IBAN", "Acct/Id/Othr/Id")?.trim()
    if (account !== undefined) page.account = `${account} ${statement.get("Acct/Ccy")?.trim() ?? ""}`.trim()
    page.id = statement.get("Id")?.trim() ?? ""
    page.sequence = Number(statement.get("ElctrncSeqNb", "LglSeqNb")?.trim() || Number.NaN)
    Object.assign(page, pageOf(statement, "StmtPgntn"))
    for (const path of CamtStatement.figurePaths) {
      const text = statement.get(`TxsSummry/${path}`)
      if (text !== undefined) page.summary.set(path, text)
    }
    this.#statements.end(page)
  }

  #endEntry(entry: Fields): void {
    const reject = (reason: string): never => {
      throw new Error(`${this.#place(entry)}: ${reason}`)
    }
    const status = entry.get("Sts/Cd", "Sts")?.trim() ?? reject("it has no status (Sts)")
    if (status !== "BOOK") {
      const debit = isDebit(entry)
      this.#page.addPending(Statement.units(entry.amount("Amt") ?? "", debit === true), debit)
      return this.#pending()
    }
    const amount = entry.amount("Amt") ?? reject("it has no amount (Amt)")
    const debit = isDebit(entry) ?? reject("it is neither a credit nor a debit (CdtDbtInd)")
    const total = Statement.units(amount, debit) ?? reject(notAmount(amount))
    const currency = entry.currencies.get("Amt") ?? reject("its amount has no currency (Ccy)")
    this.#page.add({ units: total, isDebit: debit, currency, place: this.#place(entry) })
    const booked = { entry, debit, total, currency }
    CamtBatches.check(this.#batches, this.#transactions, booked, reject)
    const [only] = this.#transactions
    if (only === undefined || this.#transactions.length === 1) {
      this.#push(this.#place(entry), entry, only, Statement.signed(amount, debit))
      return
    }
    let sum = 0n
    for (const [index, transaction] of this.#transactions.entries()) {
      const which = `its transaction ${index + 1} (line ${transaction.line})`
      const part = CamtBatches.amountOf(transaction, currency) ?? reject(`${which} has no amount`)
      if (part.currency !== currency) reject(`${which} is in another currency than the entry`)
      const partDebit = isDebit(transaction) ?? debit
      sum += Statement.units(part.text, partDebit) ?? reject(`${which}: ${notAmount(part.text)}`)
      const place = `entry ${this.#entries}.${index + 1} (line ${transaction.line})`
      this.#push(place, entry, transaction, Statement.signed(part.text, partDebit))
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
      Ccy: entry.currencies.get("Amt"),
      BookgDt: dayOf(entry, "BookgDt"),
      ValDt: dayOf(entry, "ValDt"),
      InstrId: of("Refs/InstrId"),
      TxId: of("Refs/TxId"),
      AcctSvcrRef: of("Refs/AcctSvcrRef") ?? entry.get("AcctSvcrRef"),
      NtryRef: entry.get("NtryRef"),
      // One payment may settle several invoices: together they are the key of none.
      CdtrRef: [...(transaction?.references ?? [])].join(" ") || undefined,
      Ustrd: of("RmtInf/Ustrd"),
    }
    this.rows.push(Statement.toRow(place, row))
  }
}

/** A day may have a zone, which makes it no other day. An instant keeps its own. */
const dayOf = (entry: Fields, name: "BookgDt" | "ValDt"): string | undefined =>
  entry.get(`${name}/Dt`)?.trim().replace(zoneOfDay, "$1") ?? entry.get(`${name}/DtTm`)

const zoneOfDay = /^([0-9]{4}-[0-9]{2}-[0-9]{2})(?:Z|[-+](?:0[0-9]|1[0-3]):[0-5][0-9]|[-+]14:00)$/

/** The kinds of balances between which the booked entries lie. */
const bookedKinds: ReadonlySet<string> = new Set(["OPBD", "PRCD", "CLBD"])

/** The page of a message or of a statement. Without a number it is the only one. */
const pageOf = (fields: Fields, name: "MsgPgntn" | "StmtPgntn") => {
  const [number, isLast] = [fields.get(`${name}/PgNb`)?.trim(), fields.get(`${name}/LastPgInd`)?.trim()]
  return { number: number === undefined ? 1 : Number(number), isLast: isLast !== "false" && isLast !== "0" }
}
