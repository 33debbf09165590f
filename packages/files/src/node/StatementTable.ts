/** Bank statements as tables. */
import * as Camt from "../ledgers/Camt.ts"
import type * as Ledger from "../ledgers/Ledger.ts"
import type * as LedgerText from "../ledgers/LedgerText.ts"
import * as Mt940 from "../ledgers/Mt940.ts"
import * as Statement from "../ledgers/Statement.ts"
import * as LedgerBytes from "./LedgerBytes.ts"

/** A camt.053 file. XML names its encoding. */
export const camt = (path: string, head: Buffer): Ledger.Table => {
  const [, encoding = "utf-8"] = /^[^>]*encoding=["']([A-Za-z0-9._-]+)/.exec(head.toString("latin1")) ?? []
  let pending = 0
  return {
    facts: { format: "camt.053", encoding: encoding.toLowerCase() },
    detected: ["encoding"],
    keyQuestion: Statement.keyQuestion,
    pending: () => pending,
    rows: () => {
      pending = 0
      return Camt.rowsOf(LedgerBytes.text(path, encoding, true), () => pending++)
    },
  }
}

/** An MT940 file. */
export const mt940 = async (path: string, given: LedgerText.Encoding | undefined): Promise<Ledger.Table> => {
  const { encoding } = await LedgerBytes.inspect(path, given)
  return {
    facts: { format: "mt940", encoding },
    detected: given === undefined ? ["encoding"] : [],
    keyQuestion: Statement.keyQuestion,
    rows: () => Mt940.rowsOf(LedgerBytes.text(path, encoding)),
  }
}
