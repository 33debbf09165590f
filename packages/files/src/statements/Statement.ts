/** What bank statements of any format are read as: a table of booked transactions, and balances that must add up. */
import * as Amount from "@transferkit/domain/Amount"
import type { TableRow } from "../ledgers/Ledger.ts"

/** The columns, in the names of ISO 20022; those of MT940 are its own. */
export const columns = [
  "EndToEndId",
  "Amt",
  "Ccy",
  "BookgDt",
  "ValDt",
  "InstrId",
  "TxId",
  "AcctSvcrRef",
  "NtryRef",
  "CdtrRef",
  "Ustrd",
] as const

/** A transaction by column. */
export type Transaction = { readonly [Column in (typeof columns)[number]]?: string | undefined } & {
  readonly Amt: string
}

/** The first row of every statement. */
export const header: TableRow = { place: "", cells: columns }

const numbers: TableRow["numbers"] = new Map([[columns.indexOf("Amt"), "plain"]])

/** A transaction as a row. `NOTPROVIDED` and `NONREF` stand for a reference that the bank does not have. */
export const toRow = (place: string, transaction: Transaction): TableRow => ({
  place,
  numbers,
  cells: columns.map((column) => {
    const text = transaction[column]?.trim()
    return text === "NOTPROVIDED" || text === "NONREF" ? undefined : text
  }),
})

/** What to ask if no transaction has an `EndToEndId`. */
export const keyQuestion =
  "no transaction has an EndToEndId. Name the reference that is the key, such as --map key=NtryRef or --map key=Ustrd"

// ---------------------------------------------------------------------------------------------------- amounts

const digits = 18

/** The parts of an amount in the grammar of `Amount`, without zeros before it. Either digits may be missing, not both. */
export const plain = (sign: string, whole: string, fraction: string): string => {
  const text = `${whole.replace(/^0+(?=[0-9])/, "") || "0"}${fraction === "" ? "" : `.${fraction}`}`
  return sign === "-" && /[1-9]/.test(text) ? `-${text}` : text
}

/** A signed amount in units of 10⁻¹⁸, if the text is an amount. */
export const units = (text: string, isDebit: boolean): bigint | undefined =>
  !Amount.isAmount(text) || text.startsWith("-") || Amount.scale(text) > digits
    ? undefined
    : Amount.toUnits(text, digits) * (isDebit ? -1n : 1n)

/** An amount with the sign of its side: a debit is negative. */
export const signed = (text: string, isDebit: boolean): string => (isDebit && /[1-9]/.test(text) ? `-${text}` : text)

/** Units as an amount, without zeros at its end. */
export const toText = (sum: bigint): string => Amount.withoutZeros(Amount.fromUnits(sum, digits))

/** Why a statement's entries do not lead from its opening to its closing balance, as a clause. */
export const imbalance = (opening: bigint, entries: bigint, closing: bigint): string | undefined =>
  opening + entries === closing
    ? undefined
    : `its entries add up to ${toText(entries)}, but its balances differ by ${toText(closing - opening)}. Is the statement complete?`
