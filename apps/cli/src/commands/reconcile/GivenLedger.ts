/** What the flags of a ledger mean. Every command declares its flags at the start; only these load what reads ledgers. */
import type * as CreatedAt from "@transferkit/domain/CreatedAt"
import * as Ledger from "@transferkit/files/ledgers/Ledger"
import * as LedgerColumns from "@transferkit/files/ledgers/LedgerColumns"
import type { LedgerFileOptions } from "@transferkit/files/node/LedgerFile"
import type * as DateTime from "effect/DateTime"
import * as Result from "effect/Result"
import { UsageError } from "../../UsageError.ts"
import type { Input } from "./Flags.ts"

/** How to read the ledgers. Rows outside what is searched are left out if they have a date. */
export const toOptions = (
  input: Input,
  { searched, timeZone }: { readonly searched: CreatedAt.CreatedAt; readonly timeZone: DateTime.TimeZone },
): Result.Result<LedgerFileOptions, UsageError> =>
  Result.gen(function* () {
    return {
      ...Ledger.detectAll,
      columns: yield* Result.mapError(
        LedgerColumns.parse(input.map),
        (reason) => new UsageError({ message: `--map: ${reason}.` }),
      ),
      headerRow: yield* parseHeaderRow(input.header_row),
      skipRows: input.skip_row.map((text) => ({ text })),
      markers: { in: input.marker_in, out: input.marker_out },
      keyPattern: input.key_pattern,
      monthNames: input.month_names,
      sheet: input.sheet,
      delimiter: yield* parseDelimiter(input.delimiter),
      encoding: input.encoding,
      currency: input.ledger_currency,
      decimal: input.decimal,
      thousands: input.thousands === "space" ? " " : input.thousands,
      dateOrder: input.date_order,
      flipSign: input.flip_sign,
      period: searched,
      timeZone,
    }
  })

const parseHeaderRow = (text: string | undefined): Result.Result<number | undefined, UsageError> => {
  if (text === undefined) return Result.succeed(undefined)
  if (/^[1-9][0-9]{0,6}$/.test(text)) return Result.succeed(Number(text))
  const message = `--header-row: expected the number of a line, counted from 1, found ${JSON.stringify(text)}.`
  return Result.fail(new UsageError({ message }))
}

const parseDelimiter = (text: string | undefined): Result.Result<string | undefined, UsageError> => {
  if (text === undefined) return Result.succeed(undefined)
  if (text === "\\t") return Result.succeed("\t")
  if (/^[^"\r\n]+$/.test(text)) return Result.succeed(text)
  const message = `--delimiter: expected the text between cells, such as ';' or '\\t', found ${JSON.stringify(text)}.`
  return Result.fail(new UsageError({ message }))
}
