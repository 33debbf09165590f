/** A partner's ledger as CSV: any delimiter, any column names, amounts in the one grammar. */
import { createReadStream } from "node:fs"
import { open } from "node:fs/promises"
import * as CurrencyCode from "@transferkit/domain/CurrencyCode"
import * as Money from "@transferkit/domain/Money"
import type { LedgerEntry } from "@transferkit/domain/Reconciliation"
import { parse } from "csv-parse"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { FileError } from "../FileError.ts"
import * as Csv from "../formats/Csv.ts"

/** What a ledger entry is made of, and the columns it is looked for in unless `--map` names one. */
export const defaultColumns = {
  key: ["external_id", "key", "reference", "order_id"],
  amount: ["amount", "source_total_amount", "total"],
  currency: ["currency_code", "currency", "source_total_currency_code"],
  status: ["status"],
} as const

/** A part of a ledger entry. */
export type Part = keyof typeof defaultColumns

/** All parts. */
export const parts: ReadonlyArray<Part> = ["key", "amount", "currency", "status"]

/** How a ledger is written. */
export interface LedgerOptions {
  /** Columns by part; the others are found by their usual names. */
  readonly columns: Readonly<Partial<Record<Part, string>>>
  /** Found out where it is not given. */
  readonly delimiter: string | undefined
  /** For ledgers that have no column for it. */
  readonly currency: string | undefined
}

/** All entries of a ledger, or what is wrong with its first bad row. */
export const read = (path: string, options: LedgerOptions): Effect.Effect<ReadonlyArray<LedgerEntry>, FileError> =>
  Effect.tryPromise({
    try: async () => {
      const input = createReadStream(path)
      const delimiter = options.delimiter ?? (await likelyDelimiter(path))
      const parser = parse({
        bom: true,
        delimiter,
        info: true,
        relax_column_count: false,
        skip_empty_lines: true,
      })
      input.on("error", (error) => parser.destroy(error)).pipe(parser)
      const entries: Array<LedgerEntry> = []
      let columns: Columns | undefined
      for await (const { record, info } of parser) {
        if (columns === undefined) columns = Result.getOrThrow(findColumns(record, options))
        else entries.push(Result.getOrThrow(toEntry(record, columns, options, `line ${info.lines - breaksIn(record)}`)))
      }
      if (columns === undefined) throw new Error("it is empty: its first row should name the columns")
      return entries
    },
    catch: (error) => new FileError({ path, reason: Csv.reasonOfError(error) }),
  })

/** A row with line breaks in its cells ends further down than it begins; the parser counts CR and LF as one each. */
const breaksIn = (record: ReadonlyArray<string>): number => record.join("").match(/[\r\n]/g)?.length ?? 0

type Columns = Readonly<Partial<Record<Part, number>>>

const findColumns = (header: ReadonlyArray<string>, options: LedgerOptions): Result.Result<Columns, Error> => {
  const names = header.map((name) => name.trim().toLowerCase())
  const columns: Partial<Record<Part, number>> = {}
  for (const part of parts) {
    const given = options.columns[part]
    const wanted = given === undefined ? defaultColumns[part] : [given.trim().toLowerCase()]
    const name = wanted.find((candidate) => names.includes(candidate))
    const index = name === undefined ? -1 : names.indexOf(name)
    if (name !== undefined && names.includes(name, index + 1)) {
      return Result.fail(
        new Error(`it has several columns ${name}, so that its ${part} is not certain. Rename all but one.`),
      )
    }
    if (index !== -1) columns[part] = index
    else if (
      given !== undefined ||
      part === "key" ||
      part === "amount" ||
      (part === "currency" && options.currency === undefined)
    ) {
      const hint =
        part === "currency" ? `--map currency=<column> or --ledger-currency fiat/USD` : `--map ${part}=<column>`
      return Result.fail(
        new Error(
          `it has no column ${wanted.join(" or ")} for the ${part}; its columns are ${header.join(", ")}. Name it with ${hint}.`,
        ),
      )
    }
  }
  return Result.succeed(columns)
}

const toEntry = (
  record: ReadonlyArray<string>,
  columns: Columns,
  options: LedgerOptions,
  reference: string,
): Result.Result<LedgerEntry, Error> =>
  Result.gen(function* () {
    const cell = (part: Part): string | undefined => {
      const index = columns[part]
      return index === undefined ? undefined : record[index]
    }
    const trimmed = (part: Part): string | undefined => cell(part)?.trim()
    const at = (error: Error) => new Error(`${reference}: ${error.message}`)
    const currency = yield* Result.mapError(
      CurrencyCode.parse(currencyOf(trimmed("currency") ?? options.currency ?? "")),
      at,
    )
    const amount = yield* Result.mapError(Money.parse(cell("amount") ?? "", currency), at)
    const status = trimmed("status")
    return {
      reference,
      key: trimmed("key") ?? "",
      amount,
      ...(status === undefined || status === "" ? {} : { status }),
    }
  })

/** Ledgers and people say USD where the service says fiat/USD. */
export const currencyOf = (text: string): string => (/^[A-Z]{3}$/.test(text) ? `fiat/${text}` : text)

/** The delimiter that the header has most of. */
const likelyDelimiter = async (path: string): Promise<string> => {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(64 * 1024), 0, 64 * 1024, 0)
    const [header = ""] = buffer
      .toString("utf8", 0, bytesRead)
      .replaceAll(/"[^"]*"/g, "")
      .split(/\r?\n/, 1)
    const counts = [",", ";", "\t", "|"].map((delimiter) => ({ delimiter, count: header.split(delimiter).length }))
    return counts.reduce((most, next) => (next.count > most.count ? next : most)).delimiter
  } finally {
    await file.close()
  }
}
