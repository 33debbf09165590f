/** How a list of transfers is shown: which columns, in which order of rows. */
import type { Transfer } from "@transferkit/domain/Transfer"
import * as TransferColumns from "@transferkit/files/formats/TransferColumns"
import * as TransferOrder from "@transferkit/files/formats/TransferOrder"
import * as Result from "effect/Result"
import { UsageError } from "../UsageError.ts"
import * as Suggestion from "./Suggestion.ts"

/** The flags as they are written. */
export interface ListingFlags {
  readonly columns: string | undefined
  readonly sort: string | undefined
}

/** The chosen columns, if any were chosen, and the columns to sort by. */
export interface Listing {
  readonly columns: ReadonlyArray<TransferColumns.TransferColumn> | undefined
  readonly sort: ReadonlyArray<TransferOrder.SortKey>
}

/** Reads the flags. */
export const parse = (flags: ListingFlags): Result.Result<Listing, UsageError> =>
  Result.gen(function* () {
    return {
      columns: flags.columns === undefined ? undefined : yield* columnsOf(flags.columns),
      sort: flags.sort === undefined ? [] : yield* Result.all(namesOf(flags.sort).map(sortKeyOf)),
    }
  })

/** The columns that the value of `--columns` names. */
export const columnsOf = (text: string): Result.Result<ReadonlyArray<TransferColumns.TransferColumn>, UsageError> =>
  Result.gen(function* () {
    const names = yield* distinctNames("--columns", text)
    return yield* Result.all(names.map((name) => columnOf("--columns", name)))
  })

/** Transfers in the order of the listing; without one, as they came. */
export const sorted = ({ sort }: Listing, transfers: ReadonlyArray<Transfer>): ReadonlyArray<Transfer> =>
  sort.length === 0 ? transfers : TransferOrder.sorted(transfers, sort)

/** The names that a flag lists. It has none of them twice. */
export const distinctNames = (flag: string, text: string): Result.Result<ReadonlyArray<string>, UsageError> => {
  const names = namesOf(text)
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  return twice === undefined
    ? Result.succeed(names)
    : Result.fail(new UsageError({ message: `${flag}: ${JSON.stringify(twice)} is named twice.` }))
}

const namesOf = (text: string): ReadonlyArray<string> => text.split(",").map((name) => name.trim())

const sortKeyOf = (text: string): Result.Result<TransferOrder.SortKey, UsageError> => {
  const isDescending = text.startsWith("-")
  return Result.map(columnOf("--sort", isDescending ? text.slice(1) : text), (column) => ({ column, isDescending }))
}

const names = TransferColumns.flat.map(({ name }) => name)

const columnOf = (flag: string, name: string): Result.Result<TransferColumns.TransferColumn, UsageError> =>
  Result.fromNullishOr(
    TransferColumns.flat.find((column) => column.name === name),
    () => Suggestion.unknownName(flag, "column", name, names),
  )
