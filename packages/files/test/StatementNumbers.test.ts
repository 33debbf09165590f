/** The numbers of statements, of which one is missing if a statement is that changes no balance. */
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import { afterAll, beforeAll, expect, test } from "vitest"
import * as LedgerFile from "../src/node/LedgerFile.ts"

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "transfers-numbers-"))
})
afterAll(() => rm(folder, { recursive: true }))

type Numbered = readonly [number: number | string, day: string]

const mt940 = (statements: ReadonlyArray<Numbered>) =>
  statements
    .flatMap(([number, day]) => {
      const date = day.slice(2).replaceAll("-", "")
      const entries = [`:61:${date}C5,NMSCa`, `:61:${date}D5,NMSCb`]
      return [":20:x", ":25:NL1", `:28C:${number}/1`, `:60F:C${date}EUR9,`, ...entries, `:62F:C${date}EUR9,`, "-"]
    })
    .join("\n")

const camt =
  (name: "ElctrncSeqNb" | "LglSeqNb") =>
  (statements: ReadonlyArray<Numbered>): string => {
    const entry = (side: string) =>
      `<Ntry><NtryRef>${side}</NtryRef><Amt Ccy="EUR">5</Amt><CdtDbtInd>${side}</CdtDbtInd><Sts>BOOK</Sts></Ntry>`
    const balance = (kind: string, day: string) =>
      `<Bal><Tp><CdOrPrtry><Cd>${kind}</Cd></CdOrPrtry></Tp><Amt Ccy="EUR">9</Amt><CdtDbtInd>CRDT</CdtDbtInd><Dt><Dt>${day}</Dt></Dt></Bal>`
    const texts = statements.map(
      ([number, day]) =>
        `<Stmt><${name}>${number}</${name}><Acct><Id><IBAN>NL1</IBAN></Id><Ccy>EUR</Ccy></Acct>${balance("OPBD", day)}${balance("CLBD", day)}${entry("CRDT")}${entry("DBIT")}</Stmt>`,
    )
    return `<?xml version="1.0"?><Document xmlns="camt.053">${texts.join("")}</Document>`
  }

const gapsOf = async (text: string) => {
  const path = join(folder, "statement")
  await writeFile(path, text)
  const { reading } = await Effect.runPromise(
    LedgerFile.read(path, { ...LedgerFile.detectAll, columns: { key: "NtryRef" } }),
  )
  return (reading.gaps ?? []).map(({ account, after, before }) => `${account}: ${after}-${before}`)
}

/** As banks count: on the days of January 2024, or those that are given. */
const january = (...numbers: ReadonlyArray<number | string>): ReadonlyArray<Numbered> =>
  numbers.map((number, index) => [number, `2024-01-${String(index + 1).padStart(2, "0")}`])

test.each([
  ["MT940", mt940],
  ["camt.053 with ElctrncSeqNb", camt("ElctrncSeqNb")],
  ["camt.053 with LglSeqNb", camt("LglSeqNb")],
])("%s: says which numbers of an account are missing", async (_, of) => {
  expect(await gapsOf(of(january(31, 32, 34)))).toEqual(["NL1 EUR: 32-34"])
  expect(await gapsOf(of(january(34, 32, 31)))).toEqual(["NL1 EUR: 32-34"])
  expect(await gapsOf(of(january(31, 33)))).toEqual(["NL1 EUR: 31-33"])
  expect(await gapsOf(of(january(31, 32, 35, 36, 37, 39)))).toEqual(["NL1 EUR: 32-35", "NL1 EUR: 37-39"])
})

test.each([
  ["follow one another", january(31, 32, 33)],
  ["repeat", january(31, 31, 32)],
  ["begin again in a year", [...january(3, 4), [1, "2025-01-01"]]],
  [
    "go on over the end of a year that is not all there",
    [
      [250, "2023-12-29"],
      [2, "2024-01-02"],
    ],
  ],
  ["count something else", january(31, 40, 52, 53)],
  [
    "are those of days",
    [
      [24005, "2024-01-05"],
      [24008, "2024-01-08"],
      [24009, "2024-01-09"],
      [24010, "2024-01-10"],
    ],
  ],
] satisfies ReadonlyArray<readonly [string, ReadonlyArray<Numbered>]>)(
  "misses no number of those that %s",
  async (_, statements) => {
    for (const of of [mt940, camt("ElctrncSeqNb")]) expect(await gapsOf(of(statements))).toEqual([])
  },
)

test("a number that is none is ignored", async () => {
  expect(await gapsOf(camt("ElctrncSeqNb")(january("a", 3, "1e400")))).toEqual([])
})
