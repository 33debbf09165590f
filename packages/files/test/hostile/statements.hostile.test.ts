/** Bank statements of which a part is gone: each says what it lacks, and none is read as if it were whole. */
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import * as LedgerFile from "../../src/node/LedgerFile.ts"
import { read } from "./MeasuredRead.ts"

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "transfers-statements-"))
})
afterAll(() => rm(folder, { recursive: true }))

const outcome = async (text: string) => {
  const path = join(folder, "statement")
  await writeFile(path, text)
  const options = { ...LedgerFile.detectAll, columns: { key: "NtryRef" } }
  const result = await Effect.runPromise(Effect.result(LedgerFile.read(path, options)))
  return Result.isSuccess(result) ? { rows: result.success.entries.length } : { reason: result.failure.reason }
}

/** Three pages of four entries, of which the second one nets to nothing. */
const amounts = [
  [100, -30, 5, 25],
  [60, -60, 7, -7],
  [1, 2, 3, -4],
]
const sumOf = (numbers: ReadonlyArray<number>): number => numbers.reduce((sum, one) => sum + one, 0)
const before = (page: number): number => sumOf(amounts.slice(0, page).flat())

describe("MT940", () => {
  const pages = amounts.map((entries, at) => [
    ":20:S",
    ":25:DE02/123",
    `:28C:9/${at + 1}`,
    `:60${at === 0 ? "F" : "M"}:C240901EUR${before(at)},`,
    ...entries.flatMap((amount, index) => [
      `:61:240910${amount < 0 ? "D" : "C"}${Math.abs(amount)},NTRFR${at}${index}`,
      ":86:text",
    ]),
    `:62${at === 2 ? "F" : "M"}:C240930EUR${before(at + 1)},`,
    "-",
  ])
  const fileOf = (all: ReadonlyArray<ReadonlyArray<string>>): string => `${all.flat().join("\r\n")}\r\n`

  test("is read if it is whole", async () => {
    expect(await outcome(fileOf(pages))).toEqual({ rows: 12 })
  })

  test("without pages, in all ways, is rejected", async () => {
    for (let kept = 1; kept < 7; kept++) {
      const file = fileOf(pages.filter((_, at) => (kept >> at) % 2 === 1))
      expect(await outcome(file), file).toEqual({ reason: expect.stringMatching(/line \d+/) })
    }
  })

  test("without an entry is rejected", async () => {
    for (const page of pages) {
      for (const line of page.filter((text) => text.startsWith(":61:"))) {
        const file = fileOf(pages.map((lines) => lines.filter((other) => other !== line)))
        expect(await outcome(file), line).toEqual({ reason: expect.stringContaining("its balances differ") })
      }
    }
  })

  test("that is cut is rejected, wherever it is", async () => {
    const whole = fileOf(pages)
    const end = whole.lastIndexOf(",") + 1
    for (let length = whole.indexOf(":61:"); length < end; length++) {
      expect(await outcome(whole.slice(0, length)), `${length}`).toEqual({ reason: expect.any(String) })
    }
  })

  test("of 200,000 accounts is read in time", async () => {
    const message = (at: number) => `:20:S\n:25:${at}\n:60F:C240901EUR1,\n:62F:C240901EUR1,\n-\n`
    const path = join(folder, "accounts.sta")
    await writeFile(path, `${Array.from({ length: 200_000 }, (_, at) => message(at)).join("")}`)
    expect(await read("ledger", path)).toMatchObject({ message: expect.stringContaining("no booked"), exceeded: [] })
  })
})

describe("camt.053", () => {
  const entry = (amount: number, name: string): string => {
    const [side, of] = [amount < 0 ? "DBIT" : "CRDT", Math.abs(amount)]
    const half = (part: number) => `<TxDtls><Amt Ccy="EUR">${part}</Amt></TxDtls>`
    const parts = [of / 4, (of * 3) / 4].map(half)
    return `<Ntry><NtryRef>${name}</NtryRef><Amt Ccy="EUR">${of}</Amt><CdtDbtInd>${side}</CdtDbtInd><Sts>BOOK</Sts><NtryDtls><Btch><NbOfTxs>2</NbOfTxs></Btch>
${parts.join("\n")}
</NtryDtls></Ntry>`
  }
  const balance = (kind: string, amount: number): string =>
    `<Bal><Tp><CdOrPrtry><Cd>${kind}</Cd></CdOrPrtry></Tp><Amt Ccy="EUR">${amount}</Amt><CdtDbtInd>CRDT</CdtDbtInd></Bal>`
  const pages = amounts.map((entries, at) => ({
    head: [
      `<Stmt><StmtPgntn><PgNb>${at + 1}</PgNb><LastPgInd>${at === 2}</LastPgInd></StmtPgntn><Acct><Id><IBAN>DE02</IBAN></Id></Acct>`,
      `<TxsSummry><TtlNtries><NbOfNtries>12</NbOfNtries></TtlNtries></TxsSummry>`,
      ...(at === 0 ? [balance("OPBD", 0)] : at === 2 ? [balance("CLBD", before(3))] : []),
    ].join("\n"),
    entries: entries.map((amount, index) => entry(amount, `R${at}${index}`)),
  }))
  const fileOf = (all: typeof pages): string =>
    `<?xml version="1.0"?><Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt>${all
      .map(({ head, entries }) => `${head}\n${entries.join("\n")}</Stmt>`)
      .join("\n")}</BkToCstmrStmt></Document>`

  test("is read if it is whole", async () => {
    expect(await outcome(fileOf(pages))).toEqual({ rows: 24 })
  })

  test("without pages, in all ways, is rejected", async () => {
    for (let kept = 1; kept < 7; kept++) {
      const file = fileOf(pages.filter((_, at) => (kept >> at) % 2 === 1))
      expect(await outcome(file), file).toEqual({ reason: expect.stringMatching(/statement \d+: .*page \d/) })
    }
  })

  test("without one or two entries of a page is rejected", async () => {
    for (const [at, { entries }] of pages.entries()) {
      for (const [one] of entries.entries()) {
        for (const [other] of entries.entries()) {
          const left = pages.map((page, index) =>
            index === at ? { ...page, entries: entries.filter((_, own) => own !== one && own !== other) } : page,
          )
          expect(await outcome(fileOf(left)), `${at} ${one} ${other}`).toEqual({ reason: expect.any(String) })
        }
      }
    }
  })

  test("without a transaction of a batch is rejected", async () => {
    const whole = fileOf(pages)
    for (const { index, 0: line } of whole.matchAll(/<TxDtls>.*\n/g)) {
      const file = whole.slice(0, index) + whole.slice(index + line.length)
      expect(await outcome(file), line).toEqual({ reason: expect.stringContaining("the file has 1 of them") })
    }
  })

  test("of 100,000 statements, each on the first of several pages, is rejected in time", async () => {
    const statement = (at: number) =>
      `<Stmt><StmtPgntn><PgNb>1</PgNb><LastPgInd>false</LastPgInd></StmtPgntn><Acct><Id><IBAN>${at}</IBAN></Id></Acct></Stmt>`
    const path = join(folder, "pages.xml")
    const all = Array.from({ length: 100_000 }, (_, at) => statement(at)).join("\n")
    await writeFile(path, `<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08">${all}</Document>`)
    expect(await read("ledger", path)).toMatchObject({ _tag: "FileError", exceeded: [] })
  })
})
