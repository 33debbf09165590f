/** Reads ledgers from texts as tests like to compare them. */
import { mkdtempSync } from "node:fs"
import { rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type * as Ledger from "../src/ledgers/Ledger.ts"
import * as LedgerFile from "../src/node/LedgerFile.ts"

/** What a ledger is read as: its rows, or why it is not read. */
export interface Found {
  readonly rows?: ReadonlyArray<string>
  readonly reading?: Ledger.Reading
  readonly reason?: string
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
    return {
      rows: entries.map(({ reference, key, amount, date }) =>
        [reference, key, String(amount), ...(date === undefined ? [] : [date])].join(" | "),
      ),
      reading,
    }
  }
  return { path, read, remove: () => rm(path, { recursive: true }) }
}
