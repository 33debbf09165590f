/** What is reported of how a ledger was read: all that was found out, and nothing that was not. */
import { readdirSync, readlinkSync } from "node:fs"
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as CreatedAt from "@transferkit/domain/CreatedAt"
import * as Timestamp from "@transferkit/domain/Timestamp"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import * as LedgerFile from "../src/node/LedgerFile.ts"
import { workbook } from "./zip.ts"

let folder: string
let path: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "transfers-reading-"))
  path = join(folder, "book")
})
afterAll(() => rm(folder, { recursive: true }))

const read = async (content: string | Buffer, options: Partial<LedgerFile.LedgerFileOptions> = {}) => {
  await writeFile(path, content)
  const result = await Effect.runPromise(Effect.result(LedgerFile.read(path, { ...LedgerFile.detectAll, ...options })))
  return Result.isSuccess(result) ? result.success.reading : result.failure.reason
}

const found = { key: "key", amount: "amount", currency: "ccy" }

describe("the reading of a ledger", () => {
  test("names what was detected", async () => {
    expect(await read("key,amount,ccy\na,1.50,EUR\n")).toEqual({
      file: path,
      format: "csv",
      encoding: "utf-8",
      delimiter: ",",
      rows: 1,
      columns: found,
      decimal: ".",
      detected: ["encoding", "delimiter", "decimal", "key", "amount", "currency"],
    })
  })

  test("does not name what was given as detected", async () => {
    const options = {
      columns: { key: "key", amount: "amount", date: "day" },
      currency: "EUR",
      decimal: ",",
      delimiter: ";",
      encoding: "windows-1252",
      dateOrder: "dmy",
    } as const
    expect(await read("key;amount;day\na;1,50;01.09.2024\n", options)).toEqual({
      file: path,
      format: "csv",
      encoding: "windows-1252",
      delimiter: ";",
      rows: 1,
      columns: { key: "key", amount: "amount", date: "day" },
      decimal: ",",
      date_order: "dmy",
      detected: [],
    })
  })

  test("of a workbook needs the day of each row, if it has a column of days", async () => {
    const cell = (text: string) => `<c t="str"><v>${text}</v></c>`
    const head = `<row>${["key", "amount", "ccy", "day"].map(cell).join("")}</row>`
    const row = (...cells: ReadonlyArray<string>) => `<row>${cells.map(cell).join("")}</row>`
    const dated = row("a", "1", "EUR", "2024-09-01")
    const columns = { date: "day" }
    expect(await read(workbook(head + dated), { columns })).toMatchObject({ rows: 1 })
    expect(await read(workbook(head + dated + row("b", "1", "EUR")), { columns })).toContain('row 3: Not a date: ""')
  })

  test("of numbers alone has no decimal sign, and counts them", async () => {
    const rows = `<row><c t="str"><v>key</v></c><c t="str"><v>amount</v></c><c t="str"><v>ccy</v></c></row>`
    const row = (number: string) => `<row><c t="str"><v>a</v></c><c><v>${number}</v></c><c t="str"><v>EUR</v></c></row>`
    expect(await read(workbook(rows + row("1.5") + row("0.30000000000000004")))).toEqual({
      file: path,
      format: "xlsx",
      sheet: "One",
      rows: 2,
      numbers: 2,
      rounded: 1,
      columns: found,
      detected: ["sheet", "key", "amount", "currency"],
    })
    expect(await read(workbook(rows + row("1.5")), { decimal: "," })).not.toHaveProperty("decimal")
  })

  test("of a statement counts no texts as numbers", async () => {
    const lines = [
      ":20:x",
      ":25:DE02",
      ":60F:C240930EUR0,",
      ":61:240930C5,NMSC",
      ":86:/EREF/a",
      ":62F:C240930EUR5,",
      "-",
    ]
    expect(await read(lines.join("\n"), { encoding: "utf-8" })).toEqual({
      file: path,
      format: "mt940",
      encoding: "utf-8",
      rows: 1,
      columns: { key: "EndToEndId", amount: "Amt", currency: "Ccy" },
      detected: ["key", "amount", "currency"],
    })
    expect(await read(lines.join("\n"))).toMatchObject({ detected: ["encoding", "key", "amount", "currency"] })
  })

  test.each([
    ['<?xml version="1.0"?>', "utf-8"],
    ["<?xml version='1.0' encoding='ISO-8859-1'?>", "iso-8859-1"],
    ['<a b="c"/>encoding="latin1"', undefined],
  ])("of camt.053 that begins with %s has the encoding %s", async (start, encoding) => {
    const xml = `${start}<Document xmlns="camt.053"><Stmt><Ntry><Amt Ccy="EUR">5</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts>BOOK</Sts></Ntry></Stmt></Document>`
    const reading = await read(xml, { columns: { key: "NtryRef" } })
    if (encoding === undefined) expect(reading).toContain("it is not well-formed XML")
    else expect(reading).toMatchObject({ encoding, detected: ["encoding", "amount", "currency"] })
  })

  test("counts anew each time that its entries are read", async () => {
    await writeFile(path, "key,amount,day\na,1.50,2024-09-01\nb,2.50,2024-10-01\n")
    const period = CreatedAt.lt(Timestamp.parseUnsafe("2024-09-15T00:00:00Z"))
    const options = { ...LedgerFile.detectAll, currency: "EUR", columns: { date: "day" }, period }
    const readings = Effect.gen(function* () {
      const ledger = yield* LedgerFile.open(path, options)
      const counts = []
      for (const _ of [1, 2]) {
        yield* Stream.runDrain(ledger.entries)
        const { rows, outside } = yield* ledger.reading
        counts.push([rows, outside])
      }
      return counts
    })
    expect(await Effect.runPromise(readings)).toEqual([
      [2, 1],
      [2, 1],
    ])
  })
})

test("places are named as the caller likes", async () => {
  await writeFile(path, "key,amount\na,1.50\n")
  const ledger = LedgerFile.read(path, { ...LedgerFile.detectAll, currency: "EUR" }, (place) => `book, ${place}`)
  expect((await Effect.runPromise(ledger)).entries.map(({ reference }) => reference)).toEqual(["book, line 2"])
})

test("a number whose row cannot be read is not held against the decimal sign of texts", async () => {
  const header = `<row><c t="str"><v>key</v></c><c t="str"><v>amount</v></c></row>`
  const row = (key: string, amount: string) => `<row><c t="str"><v>${key}</v></c>${amount}</row>`
  const rows = header + row("a", '<c t="str"><v>1,50</v></c>') + row("\ufffd", "<c><v>1.5</v></c>")
  expect(await read(workbook(rows), { currency: "EUR" })).toContain("row 3: its key holds U+FFFD")
})

describe("closes its file", () => {
  /** How often this process has the file open, from Linux. */
  const timesOpen = () =>
    readdirSync("/proc/self/fd").filter((fd) => {
      try {
        return readlinkSync(`/proc/self/fd/${fd}`) === path
      } catch {
        return false
      }
    }).length

  test.each<[string, string | Buffer]>([
    ["CSV", "key,amount,ccy\na,1.50,EUR\n"],
    ["CSV with quotes", '"key",amount,ccy\na,1.50,EUR\n'],
    ["a row that cannot be read", "key,amount,ccy\na,x,EUR\n"],
    ["another encoding", Buffer.from("key,amount,ccy\n\xfc,1.50,EUR\n", "latin1")],
    ["a PDF", "%PDF"],
    ["a workbook", workbook(`<row><c t="str"><v>key</v></c></row>`)],
  ])("after reading %s", async (_, content) => {
    await read(content)
    // yauzl closes its file a moment later.
    await expect.poll(timesOpen).toBe(0)
  })
})
