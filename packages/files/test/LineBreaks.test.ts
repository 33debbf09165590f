/** LF, CRLF and CR each end a line of a ledger, in any mixture: as in files that several programs have appended to. */
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import * as LedgerFile from "../src/node/LedgerFile.ts"

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "transfers-breaks-"))
})
afterAll(() => rm(folder, { recursive: true }))

const read = async (content: string | Buffer) => {
  const path = join(folder, "book.csv")
  await writeFile(path, content)
  const result = await Effect.runPromise(
    Effect.result(LedgerFile.read(path, { ...LedgerFile.detectAll, currency: "EUR" })),
  )
  if (Result.isFailure(result)) return { reason: result.failure.reason }
  return { rows: result.success.entries.map(({ reference, key, amount }) => `${reference}|${key}|${amount.text}`) }
}

/** With a quoted header, the other reader is at work. */
const headers = [
  ["without quotes", "key,amount,note"],
  ["with quotes", '"key",amount,note'],
] as const

const chunkBytes = 64 * 1024

/** Rows of one kind of line break, until the last break ends `behind` bytes after the end of the first chunk. */
const filled = (header: string, lineBreak: string, behind: number): { text: string; lines: number } => {
  const row = `k,1.50,x${lineBreak}`
  const start = header + lineBreak
  const left = chunkBytes + behind - start.length
  const rows = Math.floor(left / row.length)
  const last = `k,1.50,${"x".repeat(1 + left - rows * row.length)}${lineBreak}`
  return { text: start + row.repeat(rows - 1) + last, lines: rows + 1 }
}

describe.each(headers)("of a ledger %s", (_, header) => {
  test.each([
    ["LF above CRLF", "\n", "\r\n"],
    ["CRLF above LF", "\r\n", "\n"],
    ["LF above CR", "\n", "\r"],
    ["CR above LF", "\r", "\n"],
    ["CRLF above CR", "\r\n", "\r"],
    ["CR above CRLF", "\r", "\r\n"],
  ])("are %s, and its rows keep their cells and lines", async (_, above, below) => {
    const text = `${header}${above}a,1.50,x${above}b,2.50,y${below}${below}c,3.50,z${below}d,4.50,${above}e,5.50,z`
    expect(await read(text)).toEqual({
      rows: ["line 2|a|1.50", "line 3|b|2.50", "line 5|c|3.50", "line 6|d|4.50", "line 7|e|5.50"],
    })
  })

  test.each([
    ["\n", "\r\n"],
    ["\r\n", "\n"],
  ])("change from %j to %j below the first chunk, and its rows keep their cells and lines", async (above, below) => {
    const { text, lines } = filled(header, above, 0)
    const { rows } = await read(`${text}y,2.50,x${below}z,3.50,x${below}`)
    expect(rows).toHaveLength(lines + 1)
    expect(rows?.slice(-3)).toEqual([`line ${lines}|k|1.50`, `line ${lines + 1}|y|2.50`, `line ${lines + 2}|z|3.50`])
  })

  test.each([
    ["begins a chunk", "\r\n", 2],
    ["lies across two chunks", "\r\n", 1],
    ["ends a chunk", "\r\n", 0],
    ["ends a chunk, and is CR", "\r", 0],
    ["ends a chunk, and is LF", "\n", 0],
  ])("are counted once if one %s", async (_, lineBreak, behind) => {
    const { text, lines } = filled(header, lineBreak, behind)
    expect((await read(`${text}z,3.50,x\n`)).rows?.slice(-2)).toEqual([
      `line ${lines}|k|1.50`,
      `line ${lines + 1}|z|3.50`,
    ])
  })

  test("are distinguished from the end of the file, if it ends in CR", async () => {
    expect(await read(`${header}\na,1.50,x\r`)).toEqual({ rows: ["line 2|a|1.50"] })
  })

  test.each([
    ["LF and CRLF", `${header}\r\na,1.50,x\nb,2.50\r\n`, "line 3 has 2 cells, unlike the header"],
    ["a row that a stray CR cuts in two", `${header}\na,1.50,x\rx\n`, "line 3 has 1 cells, unlike the header"],
    ["an amount that is none", `${header}\r\na,1.50,x\nb,x,y\r\n`, 'line 3: Not an amount: "x"'],
    ["a row that never ends", `${header}\r\na,1.50,x\n\nb,2,${"y".repeat(1_100_000)}`, "the row at line 4 is too long"],
  ])("are counted in the error of %s", async (_, text, reason) => {
    expect((await read(text)).reason).toContain(reason)
  })
})

describe("in quoted cells stay as they are, and the rows below are counted from them", () => {
  const above = 'key,amount,note\n"a\r\nb",1.50,"x\r\ny\nz\rz"\r\n\n'

  test("in the place of a row", async () => {
    expect(await read(`${above}b,2.50,\r\n`)).toEqual({ rows: ["line 2|a\r\nb|1.50", "line 8|b|2.50"] })
  })

  test("in the place of a row below one of blanks", async () => {
    expect(await read(`${above}"\r\n","\r\n",\nb,2.50,\r\n`)).toEqual({
      rows: ["line 2|a\r\nb|1.50", "line 11|b|2.50"],
    })
  })

  test.each([
    ["has too few cells", '\n"b\r\nb",2.50\n', "line 9 has 2 cells, unlike the header"],
    ["has a misplaced quote", '\n"b\r\nb",2.50,"x"y\n', "line 9 has a misplaced quote"],
    ["begins with a cell that has a quote in it", 'b"b,2.50,x\n', "line 8 has a misplaced quote"],
    ["is never closed", '\n"b\r\nb",2.50,"x', "a quote is never closed; it opens in the row at line 9 or before"],
    ["never ends", `\n"b\r\nb",2.50,"${"y\r\n".repeat(500_000)}`, "the row at line 9 is too long"],
  ])("in the error of a row that %s", async (_, row, reason) => {
    expect((await read(above + row)).reason).toContain(reason)
  })

  test("in the error of the first row", async () => {
    expect((await read('\r\n\n"key\r\nkey",amount,"x"y\n')).reason).toContain("line 3 has a misplaced quote")
  })
})

describe("of MT940", () => {
  const fields = [
    ":20:STARTUMSE",
    ":25:DE02/123",
    ":60F:C240930EUR0,",
    ":61:240930C1,NMSCNONREF",
    ":86:/EREF/a",
    ":62F:C240930EUR1,",
    "-",
  ]

  test.each([
    ["\n", "\r\n"],
    ["\r\n", "\n"],
    ["\r", "\n"],
  ])("may be %j and %j, and its entries keep their lines", async (above, below) => {
    const message = (breaks: string) => fields.join(breaks)
    const text = message(above) + above + message(below).replace("DE02", "DE03") + below
    expect(await read(text)).toEqual({ rows: ["entry 1 (line 4)|a|1", "entry 2 (line 11)|a|1"] })
  })

  test("are missed in a line of more than 64 KB, which is named", async () => {
    const [first = "", second = ""] = fields
    expect(await read(`${first}\r\n${second}\n:61:${"1".repeat(1 << 17)}`)).toEqual({ reason: "line 3 is too long" })
  })
})
