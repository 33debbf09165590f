/** Reads ledgers from files, row by row. */
import type * as Reconciliation from "@transferkit/domain/Reconciliation"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { FileError } from "../FileError.ts"
import * as CsvRows from "../formats/CsvRows.ts"
import * as Ledger from "../ledgers/Ledger.ts"
import * as LedgerReader from "../ledgers/LedgerReader.ts"
import * as LedgerText from "../ledgers/LedgerText.ts"
import * as CsvTable from "./CsvTable.ts"
import * as LedgerBytes from "./LedgerBytes.ts"
import { SteadyFile } from "./SteadyFile.ts"

/** How a ledger file is written. What is absent is detected. */
export interface LedgerFileOptions extends Ledger.LedgerOptions, CsvTable.CsvTableOptions {
  /** The sheet of a workbook that has several. */
  readonly sheet: string | undefined
}

/** Options that detect everything. */
export const detectAll: LedgerFileOptions = {
  ...Ledger.detectAll,
  delimiter: undefined,
  encoding: undefined,
  sheet: undefined,
}

/** A ledger whose columns and notation are known. */
export interface LedgerFile {
  /** Its entries, in batches. Each run reads the file again, and fails at the first row that cannot be read. */
  readonly entries: Stream.Stream<ReadonlyArray<Reconciliation.LedgerEntry>, FileError>
  /** How it was read. Its counts are those of the latest run of `entries`. */
  readonly reading: Effect.Effect<Ledger.Reading>
  /** The hash of its bytes. */
  readonly sha256: Effect.Effect<string, FileError>
}

/**
 * Detects how a ledger is written, reading as much of it as that takes. Whatever is read of it later must be of the same,
 * unchanged file. `placeOf` names a place in it for people.
 */
export const open = (
  path: string,
  options: LedgerFileOptions,
  placeOf?: (place: string) => string,
): Effect.Effect<LedgerFile, FileError> => {
  const toError = (error: unknown) => new FileError({ path, reason: CsvRows.reasonOf(error) })
  return Effect.tryPromise({
    try: async () => {
      const file = await SteadyFile.of(path)
      const reader = await LedgerReader.open(path, await tableOf(file, options), options, placeOf)
      return {
        entries: Stream.suspend(() => Stream.fromAsyncIterable(reader.entries(), toError)),
        reading: Effect.sync(reader.reading),
        sha256: Effect.tryPromise({ try: () => LedgerBytes.sha256(file), catch: toError }),
      }
    },
    catch: toError,
  })
}

/** Reads all of a ledger. */
export const read = Effect.fnUntraced(function* (...args: Parameters<typeof open>) {
  const { entries, reading } = yield* open(...args)
  const batches = yield* Stream.runCollect(entries)
  return { entries: batches.flat(), reading: yield* reading }
})

/** Code for other formats than CSV is loaded when it is needed. */
const tableOf = async (file: SteadyFile, options: LedgerFileOptions): Promise<Ledger.Table> => {
  const head = await LedgerBytes.head(file)
  const format = LedgerText.formatOf(head)
  switch (format) {
    case "csv":
      return CsvTable.detect(file, options)
    case "xlsx":
      return import("./WorkbookTable.ts").then(({ detect }) => detect(file, options))
    case "camt.053":
      return import("./StatementTable.ts").then(({ camt }) => camt(file, head))
    default:
      return import("./StatementTable.ts").then(({ text }) => text(file, format, options.encoding))
  }
}
