/** Reads one file in a process of its own: prints what came of it, the time and the most memory that it took. */
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { FileError } from "../../src/FileError.ts"
import * as LedgerFile from "../../src/node/LedgerFile.ts"
import * as Spool from "../../src/node/Spool.ts"
import * as TransferFile from "../../src/node/TransferFile.ts"

const [reader = "", path = ""] = process.argv.slice(2)

const transfers = (format: TransferFile.Source["format"]) =>
  Stream.runFold(
    TransferFile.transfers({ path, format, csvCells: "rfc4180" }),
    () => 0,
    (count, batch) => count + batch.length,
  )

const readers: Readonly<Record<string, Effect.Effect<number, FileError>>> = {
  ndjson: transfers("ndjson"),
  json: transfers("json"),
  csv: transfers("csv"),
  parquet: transfers("parquet"),
  spool: Effect.scoped(Effect.map(Spool.resume(path), Spool.count)),
  ledger: Effect.map(
    LedgerFile.read(path, { ...LedgerFile.detectAll, currency: "USD" }),
    ({ entries }) => entries.length,
  ),
}

const outcome = await Effect.runPromise(
  Effect.match(readers[reader] ?? Effect.die(`no reader ${reader}`), {
    onSuccess: (read) => ({ read }),
    onFailure: ({ _tag, message }) => ({ _tag, message }),
  }),
)
const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage()
process.stdout.write(
  JSON.stringify({ ...outcome, megabytes: maxRSS / 1024, cpuSeconds: (userCPUTime + systemCPUTime) / 1e6 }),
)
