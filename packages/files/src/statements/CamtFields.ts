/** What is read of an element of camt.053, such as an entry: texts, amounts and charges. */
import * as Statement from "./Statement.ts"

/** The texts of an element, by the path below it. */
export class Fields {
  readonly texts = new Map<string, string>()
  /** The currencies of its amounts, by their paths. */
  readonly currencies = new Map<string, string | undefined>()
  readonly charges: Array<{ readonly isTotal: boolean; readonly text: string; readonly currency: string | undefined }> =
    []
  chargeCurrency: string | undefined
  /** The creditor's references of its remittance. */
  readonly references = new Set<string>()
  readonly line: number

  constructor(line: number) {
    this.line = line
  }

  get(...paths: ReadonlyArray<string>): string | undefined {
    return paths.map((path) => this.texts.get(path)).find((text) => text !== undefined)
  }

  /** The text of an amount. */
  amount(path: string): string | undefined {
    const text = this.get(path)
    return text === undefined ? undefined : amountOf(text)
  }

  /** The charges in a currency: their total, or the sum of each. */
  charged(currency: string): bigint {
    const own = this.charges.filter((charge) => charge.currency === currency)
    const totals = own.filter(({ isTotal }) => isTotal)
    return (totals.length > 0 ? totals : own).reduce(
      (sum, { text }) => sum + (Statement.units(amountOf(text), false) ?? 0n),
      0n,
    )
  }
}

/** An amount, which may be any decimal of XML Schema, such as `+09.` for 9; another text as it was, trimmed. */
export const amountOf = (written: string): string => {
  const text = written.trim()
  const [, sign = "", whole = "", fraction = ""] = /^([-+]?)([0-9]*)(?:\.([0-9]*))?$/.exec(text) ?? []
  return whole === "" && fraction === "" ? text : Statement.plain(sign, whole, fraction)
}

/** Whether an element is a debit, if it has a side. */
export const isDebit = (fields: Fields): boolean | undefined => {
  const side = fields.get("CdtDbtInd")?.trim()
  return side === "DBIT" ? true : side === "CRDT" ? false : undefined
}

/** What to do about a statement that contradicts itself. */
export const again = "Is the statement complete? Export it again"

/** Why a text is rejected, as a clause. */
export const notAmount = (text: string): string => `Not an amount: ${JSON.stringify(text.slice(0, 64))}`
