/** Proposals as rows of a table, a column for each of their fields. */
import * as Result from "effect/Result"
import { excerpt } from "./internal/Excerpt.ts"

/** The columns of a proposal's fields, by JSON Pointer. */
const columns: Readonly<Record<string, string>> = {
  "/external_id": "external_id",
  "/country_code": "country_code",
  "/payment_method": "payment_method",
  "/source": "source_amount",
  "/source/amount": "source_amount",
  "/source/currency_code": "source_currency_code",
  "/destination_currency_code": "destination_currency_code",
}

/** The names of the columns. Their order is free, and so is their case in a header. */
export const names: ReadonlyArray<string> = [...new Set(Object.values(columns))]

/** Only this column may be absent. */
const optionalName = "external_id"

/**
 * The column of a field, by its JSON Pointer.
 *
 * @example
 * ProposalRow.columnOf("/source/amount") // => "source_amount"
 */
export const columnOf = (path: string): string => columns[path] ?? path

const quoted = (name: string): string => JSON.stringify(excerpt(name))

/**
 * The columns that a header names, or what is wrong with it, as a clause. `nameOf` says which column it is that proposals
 * do not have: by default it quotes up to 64 characters of it. A file without a header has a proposal there, so a log
 * should have the column's index only.
 *
 * @example
 * ProposalRow.header(["amount"]) // => Result.fail('it has a column "amount", which proposals do not have; its columns should be external_id, country_code, payment_method, source_amount, source_currency_code, destination_currency_code')
 */
export const header = (
  cells: ReadonlyArray<string>,
  nameOf: (name: string, index: number) => string = quoted,
): Result.Result<ReadonlyArray<string>, string> => {
  const found = cells.map((name) => name.trim().toLowerCase())
  const expected = `its columns should be ${names.join(", ")}`
  const unknown = found.findIndex((name) => !names.includes(name))
  if (unknown !== -1) {
    const name = nameOf(found[unknown] ?? "", unknown)
    return Result.fail(`it has a column ${name}, which proposals do not have; ${expected}`)
  }
  const twice = found.find((name, index) => found.indexOf(name) < index)
  if (twice !== undefined) return Result.fail(`it has several columns ${quoted(twice)}`)
  const missing = names.find((name) => name !== optionalName && !found.includes(name))
  return missing === undefined ? Result.succeed(found) : Result.fail(`it has no column ${missing}; ${expected}`)
}

/**
 * The proposal of a row below a header, or what is wrong with the row, as a clause. Cells stay texts, with the
 * blanks around them; empty ones and those of blanks alone are absent.
 *
 * @example
 * ProposalRow.proposal(["country_code", "source_amount"], ["US", "1.00"]) // => Result.succeed({ country_code: "US", source: { amount: "1.00" } })
 */
export const proposal = (
  columns: ReadonlyArray<string>,
  cells: ReadonlyArray<string>,
): Result.Result<{ readonly [field: string]: unknown }, string> => {
  const row: { [name: string]: string } = {}
  for (const [index, name] of columns.entries()) {
    const cell = cells[index] ?? ""
    if (/[\ufffd\0]/.test(cell)) {
      return Result.fail(`column ${name}: a character was lost. Save the file as UTF-8`)
    }
    if (cell.trim() !== "") row[name] = cell
  }
  const { source_amount: amount, source_currency_code: currency_code, ...others } = row
  const source = {
    ...(amount === undefined ? {} : { amount }),
    ...(currency_code === undefined ? {} : { currency_code }),
  }
  return Result.succeed({ ...others, source })
}
