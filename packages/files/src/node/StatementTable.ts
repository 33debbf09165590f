/** Bank statements as tables. */
import type * as Ledger from "../ledgers/Ledger.ts"
import * as LedgerText from "../ledgers/LedgerText.ts"
import * as Bai2 from "../statements/Bai2.ts"
import * as Camt from "../statements/Camt.ts"
import * as Mt940 from "../statements/Mt940.ts"
import * as Ofx from "../statements/Ofx.ts"
import * as Statement from "../statements/Statement.ts"
import { StatementNumbers } from "../statements/StatementNumbers.ts"
import * as LedgerBytes from "./LedgerBytes.ts"
import type { SteadyFile } from "./SteadyFile.ts"

/** A camt.053 file. XML names its encoding, unless its first bytes show it. */
export const camt = (file: SteadyFile, head: Buffer): Ledger.Table => {
  const [, encoding = "utf-8"] = /^[^>]*\sencoding\s*=\s*["']([A-Za-z0-9._-]+)/.exec(head.toString("latin1")) ?? []
  const marked = LedgerText.markedEncoding(head)
  // Programs that write XML to a text first say so, and save that as UTF-8.
  if (marked === undefined && /^utf-?16/i.test(encoding)) {
    throw new Error(
      `its first line says ${encoding}, which it is not: write UTF-8 there if it is that, or export it again`,
    )
  }
  let [pending, unbalanced] = [0, 0]
  let numbers = new StatementNumbers()
  return {
    facts: { format: "camt.053", encoding: (marked ?? encoding).toLowerCase() },
    detected: ["encoding"],
    keyQuestion: Statement.keyQuestion,
    pending: () => pending,
    gaps: () => numbers.gaps(),
    unbalanced: () => unbalanced,
    rows: () => {
      pending = unbalanced = 0
      numbers = new StatementNumbers()
      const chunks = LedgerBytes.text(file, marked ?? encoding, true)
      return Camt.rowsOf(
        chunks,
        () => pending++,
        numbers,
        () => unbalanced++,
      )
    },
  }
}

/** As many reports of a kind are named. */
const mostReports = 20

/** A file of MT940, OFX or BAI2. */
export const text = async (
  file: SteadyFile,
  format: "mt940" | "ofx" | "bai2",
  given: LedgerText.Encoding | undefined,
): Promise<Ledger.Table> => {
  const { encoding } = await LedgerBytes.inspect(file, given)
  let pending = 0
  let numbers = new StatementNumbers()
  let repeated: ReadonlyArray<Ledger.RepeatedReport> = []
  let unequal: ReadonlyArray<Ledger.UnequalReport> = []
  return {
    facts: { format, encoding },
    detected: given === undefined ? ["encoding"] : [],
    keyQuestion: Statement.keyQuestion,
    pending: () => pending,
    gaps: () => numbers.gaps(),
    repeated: () => repeated,
    unequal: () => unequal,
    rows: () => {
      pending = 0
      numbers = new StatementNumbers()
      repeated = unequal = []
      const chunks = LedgerBytes.text(file, encoding)
      if (format === "ofx") return Ofx.rowsOf(chunks, () => pending++)
      if (format === "mt940") return Mt940.rowsOf(chunks, numbers)
      return Bai2.rowsOf(chunks, {
        repeated: (report) => (repeated = [...repeated, report].slice(0, mostReports)),
        unequal: (report) => (unequal = [...unequal, report].slice(0, mostReports)),
      })
    },
  }
}
