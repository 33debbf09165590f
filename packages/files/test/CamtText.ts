/** The elements of camt.053 that tests put together, and what is read of them. */
import * as Camt from "../src/statements/Camt.ts"
import * as Statement from "../src/statements/Statement.ts"

/** What is read of a text: its rows, how many entries are pending, or why it is rejected. */
export const read = async (text: string) => {
  let pending = 0
  const rows: Array<Readonly<Record<string, string>>> = []
  const chunks = (async function* () {
    yield text
  })()
  try {
    for await (const batch of Camt.rowsOf(chunks, () => pending++)) {
      for (const { place, cells } of batch) {
        if (cells === Statement.header.cells) continue
        const named = Statement.columns.map((column, index) => [column, cells[index]] as const)
        rows.push(
          Object.fromEntries([["place", place], ...named.flatMap(([name, cell]) => (cell ? [[name, cell]] : []))]),
        )
      }
    }
    return { rows, pending }
  } catch (error) {
    return { reason: error instanceof Error ? error.message : "" }
  }
}

export const statement = (...parts: ReadonlyArray<string>) => `<Stmt>${parts.join("\n")}</Stmt>`
export const pages = (number: string, isLast: string, of = "Stmt") =>
  `<${of}Pgntn><PgNb>${number}</PgNb><LastPgInd>${isLast}</LastPgInd></${of}Pgntn>`
export const balance = (kind: string, amount: string, side = "CRDT") =>
  `<Bal><Tp><CdOrPrtry><Cd>${kind}</Cd></CdOrPrtry></Tp><Amt Ccy="EUR">${amount}</Amt><CdtDbtInd>${side}</CdtDbtInd></Bal>`
export const entry = (amount: string, more = "", side = "CRDT") =>
  `<Ntry><Amt Ccy="EUR">${amount}</Amt><CdtDbtInd>${side}</CdtDbtInd><Sts>BOOK</Sts>${more}</Ntry>`
export const transaction = (amount: string, more = "") =>
  `<TxDtls><AmtDtls><TxAmt><Amt Ccy="EUR">${amount}</Amt></TxAmt></AmtDtls>${more}</TxDtls>`
export const account = (iban: string) => `<Acct><Id><IBAN>${iban}</IBAN></Id></Acct>`
export const document = (...parts: ReadonlyArray<string>) => `<Document>${parts.join("\n")}</Document>`
