/** 128 ledgers: 32 exports, each in four shapes. Every one is read right, or asked about with the answer; none wrong. */
import { afterAll, describe, expect, test } from "vitest"
import type { LedgerFileOptions } from "../src/node/LedgerFile.ts"
import { bookings, expected } from "./corpus/Bookings.ts"
import { type Export, exports } from "./corpus/Exports.ts"
import * as MoreExports from "./corpus/MoreExports.ts"
import * as Ledgers from "./Ledgers.ts"

const { read, remove } = Ledgers.folder()
afterAll(remove)

const all = [...exports, ...MoreExports.exports]
const titles = "Acme Inc.\nAccount statement\nFrom 1 Sep 2024 to 30 Sep 2024\n\n"

const shapes = ["plain", "below titles", "above totals", "between both"] as const

const write = (ledger: Export, shape: (typeof shapes)[number]): Buffer => {
  const { above = titles, header, below, delimiter = ",", encoding = "utf8", row } = ledger
  // The titles of DATEV are its first line.
  const isTitled = (shape === "below titles" || shape === "between both") && !header.startsWith('"EXTF"')
  const lines = [header, ...bookings.map((booking) => row(booking).join(delimiter))]
  const rest = shape === "above totals" || shape === "between both" ? below : []
  const text = `${isTitled ? above : ""}${[...lines, ...rest].join("\n")}\n`
  return Buffer.from(encoding === "utf16le" ? `\ufeff${text}` : text, encoding)
}

const shown = (rows: ReadonlyArray<string> | undefined, currency: string) =>
  rows?.map((row) => row.replace(/^[^|]+ \| /, "").replace(` ${currency}`, ""))

test("the corpus has 128 ledgers", () => {
  expect(all).toHaveLength(32)
  expect(new Set(all.map(({ name }) => name)).size).toBe(32)
  expect(all.length * shapes.length).toBe(128)
})

const counts = { read: 0, asked: 0 }

describe.each(all)("$name", (ledger) => {
  test.each(shapes)("is read right, or asked about: %s", async (shape) => {
    const bytes = write(ledger, shape)
    const isBelow = shape === "above totals" || shape === "between both"
    const asks = ledger.asks ?? (isBelow ? ledger.asksBelow : undefined)
    const readWith = (options: Partial<LedgerFileOptions>) => read(bytes, options)
    const found = await readWith(ledger.options)
    if (asks === undefined) {
      counts.read++
      expect({ reason: found.reason, rows: shown(found.rows, ledger.currency) }).toEqual({
        reason: undefined,
        rows: expected,
      })
      return
    }
    counts.asked++
    expect(found.reason).toContain(asks)
    if (ledger.answer === undefined) return
    const answered = await readWith(ledger.answer)
    expect({ reason: answered.reason, rows: shown(answered.rows, ledger.currency) }).toEqual({
      reason: undefined,
      rows: expected,
    })
  })

  test("is read as a text in memory as it is from a file", async () => {
    for (const shape of shapes) {
      const bytes = write(ledger, shape)
      const { encoding = "utf8", options } = ledger
      const file = await read(bytes, options)
      const text = await Ledgers.readText(bytes.toString(encoding), options)
      expect([text.rows, text.reason]).toEqual([file.rows, file.reason])
    }
  })

  test("without a flag is asked about, or read right", async () => {
    for (const shape of shapes) {
      const found = await read(write(ledger, shape), { currency: ledger.currency })
      if (found.reason !== undefined) expect(found.reason).toMatch(/--[a-z]|could name|Rename|correct/)
      else
        expect(shown(found.rows, ledger.currency)?.map((row) => row.split(" | ")[1])).toEqual(
          expected.map((row) => row.split(" | ")[1]),
        )
    }
  })
})

test("most of them are read at once", () => {
  expect(counts).toEqual({ read: 102, asked: 26 })
})
