/** Damaged files of every format are read or rejected with a reason: no defect, no hang, and no transfer from nowhere. */
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as TransferPage from "@transferkit/domain/TransferPage"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"
import { afterAll, beforeAll, expect, test } from "vitest"
import { mutate } from "../../../../scripts/test/mutations.ts"
import * as Seeds from "../../../../scripts/test/Seeds.ts"
import { ParquetEncoder } from "../../src/formats/ParquetEncoder.ts"
import * as TransferEncoder from "../../src/formats/TransferEncoder.ts"
import * as TransferFormat from "../../src/formats/TransferFormat.ts"
import type * as LedgerColumns from "../../src/ledgers/LedgerColumns.ts"
import * as LedgerFile from "../../src/node/LedgerFile.ts"
import * as TransferFile from "../../src/node/TransferFile.ts"

/** Half of them new in each run. */
const cases = Number(process.env["LAW_CASES"] ?? 160)
/** Of processor time. */
const secondsEach = 2

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "transfers-hostile-"))
})
afterAll(() => rm(folder, { recursive: true }))

const transfers = Result.getOrThrow(
  TransferPage.fromJson(
    JSON.stringify({
      results: Array.from({ length: 5 }, (_, index) => ({
        id: `tr_${index}`,
        kind: "cash_in",
        status: "complete",
        created_at: `2024-09-01T00:00:0${index}.123456789Z`,
        external_id: `=order, "${index}"\nor so`,
        source_total: { amount: `${index}.10`, currency_code: "fiat/USD" },
        colour: { deep: ["red"] },
      })),
      page_info: { has_next_page: false },
    }),
  ),
).results

const fileOf = (format: TransferFormat.TransferFormat): Buffer => {
  if (format === "parquet") {
    const encoder = new ParquetEncoder()
    return Buffer.concat([encoder.add(transfers), encoder.close()])
  }
  const encoder = TransferEncoder.make(format, { csvRaw: false })
  return Buffer.from(encoder.open + encoder.batch(transfers, true) + encoder.close)
}

test.each(TransferFormat.formats)(
  `%s: reads or rejects each of ${cases} damaged files`,
  { timeout: 120_000 + 300 * cases },
  async (format) => {
    const good = fileOf(format)
    const path = join(folder, `damaged.${format}`)
    const read = () =>
      Effect.runPromise(Effect.result(Stream.runCollect(TransferFile.transfers({ path, format, csvCells: "rfc4180" }))))
    await writeFile(path, good)
    expect([...Result.getOrThrow(await read())].flat()).toHaveLength(transfers.length)
    const rejected = new Set<string>()
    for (let number = 0; number < cases; number++) {
      const seed = `${Seeds.all[number % Seeds.all.length]}/${format}/${number}`
      await writeFile(path, mutate(good, seed))
      const started = process.cpuUsage()
      const result = await read()
      const note = `LAW_SEED=${Seeds.drawn} repeats the file ${seed}`
      expect(process.cpuUsage(started).user / 1_000_000, note).toBeLessThan(secondsEach)
      if (Result.isSuccess(result)) {
        expect([...result.success].flat().length, note).toBeLessThanOrEqual(2 * transfers.length)
      } else {
        expect(result.failure, note).toMatchObject({ _tag: "FileError", path })
        expect(result.failure.reason.length, note).toBeLessThan(2_000)
        rejected.add(result.failure.reason)
      }
    }
    expect(rejected.size).toBeGreaterThan(5)
  },
)

const ledgers: Readonly<Record<string, Buffer>> = {
  "a German ledger": Buffer.from(
    '\ufeffsep=;\r\nNotiz;Reference;Betrag;Currency\r\n"K\u00f6ln;\r\nSued";a-1;1.241,50;EUR\r\n;a-2;(28,49);EUR\r\n',
  ),
  "an American ledger": Buffer.from('external_id,amount,currency\na-1,"1,241.50 USD",USD\na-2,-28.49,USD\n'),
  "a ledger with titles and totals": Buffer.from(
    "Acme Inc.\nStatement\n\nnote,reference,amount,currency\nx,a,5.25,EUR\ny,b,7.75,EUR\nTotal,,13.00,\nprinted on 2024-10-01\n",
  ),
  "a ledger of two sides and a balance": Buffer.from(
    "reference,Debit,Credit,currency,Balance\na,5.25,,EUR,94.75\nb,,7.75,EUR,102.50\n",
  ),
  "a statement of OFX": Buffer.from(
    "OFXHEADER:100\n\n<OFX><STMTRS><CURDEF>USD<STMTTRN><TRNTYPE>OTHER<TRNAMT>5.25<REFNUM>a</STMTTRN><STMTTRN><TRNTYPE>OTHER<TRNAMT>-7.75<REFNUM>b</STMTTRN></STMTRS></OFX>\n",
  ),
  "a report of BAI2": Buffer.from(
    "01,a,b,240930,0200,1,80,,2/\n02,a,b,1,240930,,USD,2/\n03,1,,010,0,,/\n16,165,525,,B,a,text\n16,475,775,,B,b,text\n49,1300,4/\n98,1300,1,6/\n99,1300,1,8/\n",
  ),
  "a ledger in UTF-16": Buffer.from("\ufeffreference\tamount\tcurrency\r\na\t5.25\tEUR\r\nb\t7.75\tEUR\r\n", "utf16le"),
}

const named: Readonly<Record<string, LedgerColumns.Given>> = {
  German: { amount: "Betrag" },
  balance: { balance: "Balance" },
  OFX: { key: "NtryRef" },
  BAI2: { key: "NtryRef" },
}

test.each(Object.entries(ledgers))(
  `%s: reads or rejects each of ${cases} damaged ones, and no key or amount that is lost`,
  { timeout: 120_000 + 300 * cases },
  async (name, good) => {
    const path = join(folder, "damaged-ledger.csv")
    const columns = Object.entries(named).find(([part]) => name.includes(part))?.[1] ?? {}
    const read = () => Effect.runPromise(Effect.result(LedgerFile.read(path, { ...LedgerFile.detectAll, columns })))
    await writeFile(path, good)
    expect(Result.getOrThrow(await read()).reading.rows).toBe(2)
    let rejected = 0
    for (let number = 0; number < cases; number++) {
      const seed = `${Seeds.all[number % Seeds.all.length]}/${name}/${number}`
      await writeFile(path, mutate(good, seed))
      const started = process.cpuUsage()
      const result = await read()
      const note = `LAW_SEED=${Seeds.drawn} repeats the file ${seed}`
      expect(process.cpuUsage(started).user / 1_000_000, note).toBeLessThan(secondsEach)
      if (Result.isSuccess(result)) {
        for (const { key } of result.success.entries) expect(key, note).not.toMatch(/[\0\ufffd]/)
        expect(result.success.reading.rows, note).toBeGreaterThan(0)
      } else {
        rejected++
        expect(result.failure, note).toMatchObject({ _tag: "FileError", path })
        expect(result.failure.reason.length, note).toBeLessThan(4_000)
        expect(result.failure.reason, note).not.toMatch(/undefined|is not a function|Invalid array/)
      }
    }
    expect(rejected).toBeGreaterThan(10)
    expect(rejected).toBeLessThan(cases)
  },
)
