/** Reads ledgers from texts as tests like to compare them. */
import { mkdtempSync } from "node:fs"
import { rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { LedgerEntry } from "@transferkit/domain/Reconciliation"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as CsvRows from "../src/formats/CsvRows.ts"
import * as CsvText from "../src/ledgers/CsvText.ts"
import type * as Ledger from "../src/ledgers/Ledger.ts"
import * as LedgerReader from "../src/ledgers/LedgerReader.ts"
import * as LedgerFile from "../src/node/LedgerFile.ts"

/** What a ledger is read as: its rows, or why it is not read. */
export interface Found {
  readonly rows?: ReadonlyArray<string>
  readonly reading?: Ledger.Reading
  readonly reason?: string
}

const shown = (entries: ReadonlyArray<LedgerEntry>): ReadonlyArray<string> =>
  entries.map(({ reference, key, amount, date }) =>
    [reference, key, String(amount), ...(date === undefined ? [] : [date])].join(" | "),
  )

/** Reads a CSV text without a file. */
export const readText = async (text: string, options: Partial<LedgerFile.LedgerFileOptions> = {}): Promise<Found> => {
  try {
    const all = { ...LedgerFile.detectAll, ...options }
    const reader = await LedgerReader.open("ledger", CsvText.table(text, all), all)
    const entries: Array<LedgerEntry> = []
    for await (const batch of reader.entries()) entries.push(...batch)
    return { rows: shown(entries), reading: reader.reading() }
  } catch (error) {
    return { reason: CsvRows.reasonOf(error) }
  }
}

/** A folder of ledgers, and how to read one. */
export const folder = () => {
  const path = mkdtempSync(join(tmpdir(), "transfers-ledgers-"))
  const read = async (
    content: string | Buffer,
    options: Partial<LedgerFile.LedgerFileOptions> = {},
    name = "ledger",
  ): Promise<Found> => {
    await writeFile(join(path, name), content)
    const found = await Effect.runPromise(
      Effect.result(LedgerFile.read(join(path, name), { ...LedgerFile.detectAll, ...options })),
    )
    if (Result.isFailure(found)) return { reason: found.failure.reason }
    const { entries, reading } = found.success
    return { rows: shown(entries), reading }
  }
  return { path, read, remove: () => rm(path, { recursive: true }) }
}
