/** Ledgers as rows of cells: any column names, amounts in the grammar of `Amount`. */
import * as CurrencyCode from "@transferkit/domain/CurrencyCode"
import * as Money from "@transferkit/domain/Money"
import type { LedgerEntry } from "@transferkit/domain/Reconciliation"
import * as Result from "effect/Result"

/** The parts of a ledger entry, and the usual names of their columns. */
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

/** How to read a ledger. */
export interface LedgerOptions {
  /** Columns by part; the other parts are found by their usual names. */
  readonly columns: Readonly<Partial<Record<Part, string>>>
  /** For ledgers without a currency column. */
  readonly currency: string | undefined
  /** How the user names the column of a part: the end of an error about it. */
  readonly hint: (part: Part) => string
}

/** The index of the cell of each part. */
export type Columns = Readonly<Partial<Record<Part, number>>>

/** Finds the columns of a ledger by its header. */
export const findColumns = (header: ReadonlyArray<string>, options: LedgerOptions): Result.Result<Columns, Error> => {
  const names = header.map((name) => name.trim().toLowerCase())
  const columns: Partial<Record<Part, number>> = {}
  for (const part of parts) {
    const given = options.columns[part]
    const wanted = given === undefined ? defaultColumns[part] : [given.trim().toLowerCase()]
    const name = wanted.find((candidate) => names.includes(candidate))
    const index = name === undefined ? -1 : names.indexOf(name)
    if (name !== undefined && names.includes(name, index + 1)) {
      return Result.fail(new Error(`it has several columns ${name}, so its ${part} is ambiguous. Rename all but one.`))
    }
    if (index !== -1) columns[part] = index
    else if (
      given !== undefined ||
      part === "key" ||
      part === "amount" ||
      (part === "currency" && options.currency === undefined)
    ) {
      return Result.fail(
        new Error(
          `it has no column ${wanted.join(" or ")} for the ${part}; its columns are ${header.join(", ")}. ${options.hint(part)}`,
        ),
      )
    }
  }
  return Result.succeed(columns)
}

/** A row as an entry. `reference` names the row for people. */
export const toEntry = (
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

/**
 * Ledgers and people write USD for the service's fiat/USD.
 *
 * @example
 * currencyOf("USD") // => "fiat/USD"
 * currencyOf("ethereum/ETH") // => "ethereum/ETH"
 */
export const currencyOf = (text: string): string => (/^[A-Z]{3}$/.test(text) ? `fiat/${text}` : text)

/**
 * The most frequent delimiter of a header, outside quotes.
 *
 * @example
 * likelyDelimiter('key;"a, b, c";amount') // => ";"
 */
export const likelyDelimiter = (header: string): string => {
  const [line = ""] = header.replaceAll(/"[^"]*"/g, "").split(/\r?\n/, 1)
  const counts = [",", ";", "\t", "|"].map((delimiter) => ({ delimiter, count: line.split(delimiter).length }))
  return counts.reduce((most, next) => (next.count > most.count ? next : most)).delimiter
}
