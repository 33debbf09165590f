/** The files of the benchmarks of reconciliation. Run with a number of rows, it makes them unless they are there. */
import { once } from "node:events"
import { createWriteStream, existsSync, mkdirSync, writeFileSync, type WriteStream } from "node:fs"
import { join } from "node:path"
import { finished } from "node:stream/promises"
import * as Fixture from "./Fixture.ts"

/** This program. */
export const program = join(import.meta.dirname, "ReconcileFiles.ts")

/** A ledger in CSV, and transfers in NDJSON. */
export interface Paths {
  readonly transfers: string
  readonly ledger: string
}

const folderOf = (rows: number): string => join(import.meta.dirname, "../.cache/reconcile", String(rows))

/** Where the files with so many rows are. */
export const pathsOf = (rows: number): Paths => ({
  transfers: join(folderOf(rows), "transfers.ndjson"),
  ledger: join(folderOf(rows), "ledger.csv"),
})

/** A transfer as the fixture makes it, as far as the ledger repeats it. */
export interface Wire {
  readonly id: string
  readonly external_id: string
  readonly source_total: { readonly amount: string; readonly currency_code: string }
}

/** So many transfers are made. Later ones are the same with other keys, because making one takes longer than all else. */
const made = 10_000

/** Of a thousand entries ten differ, ten are missing on each side and five stand twice. */
const make = async (rows: number): Promise<void> => {
  const { transfers, ledger } = pathsOf(rows)
  const done = join(folderOf(rows), "done")
  if (existsSync(done)) return
  mkdirSync(folderOf(rows), { recursive: true })
  const all = Fixture.transfers(Fixture.random(200), made) as ReadonlyArray<Wire>
  const [ndjson, csv] = [createWriteStream(transfers), createWriteStream(ledger)]
  await write(csv, "external_id,amount,currency_code\n")
  for (let i = 0; i < rows; i += 1000) {
    const [from, turn] = [i % made, Math.floor(i / made)]
    const some = all
      .slice(from, from + 1000)
      .map((transfer) => ({ ...transfer, id: `${transfer.id}${turn}`, external_id: `${transfer.external_id}-${turn}` }))
    await write(ndjson, some.map((transfer) => `${JSON.stringify(transfer)}\n`).join(""))
    const entries = some.flatMap(({ external_id, source_total: { amount, currency_code } }, index) => {
      if (index < 10) return []
      const entry = `${external_id},${index < 20 ? `1${amount}` : amount},${currency_code}\n`
      return index >= 20 && index < 25 ? [entry, entry] : [entry]
    })
    const foreign = Array.from({ length: 10 }, (_, index) => `other-${i + index},1.00,fiat/EUR\n`)
    await write(csv, [...entries, ...foreign].join(""))
  }
  for (const stream of [ndjson, csv]) {
    stream.end()
    await finished(stream)
  }
  writeFileSync(done, "")
}

/** Waits until there is room, so that files may be larger than memory. */
const write = async (stream: WriteStream, text: string): Promise<void> => {
  if (!stream.write(text)) await once(stream, "drain")
}

if (import.meta.main) await make(Number(process.argv[2]))
