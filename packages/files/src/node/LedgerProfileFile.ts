/** Ledger profiles by the name of a preset, or from a file. */
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { FileError } from "../FileError.ts"
import * as LedgerPresets from "../ledgers/LedgerPresets.ts"
import * as LedgerProfile from "../ledgers/LedgerProfile.ts"
import type { LedgerFileOptions } from "./LedgerFile.ts"
import * as TextFile from "./TextFile.ts"

/** Reads a profile. */
export const read = (nameOrPath: string): Effect.Effect<LedgerProfile.LedgerProfile, FileError> => {
  const preset = Object.entries(LedgerPresets.presets).find(([name]) => name === nameOrPath)?.[1]
  if (preset !== undefined) return Effect.succeed(preset.profile)
  const toError = (reason: string) => new FileError({ path: nameOrPath, reason })
  return TextFile.read(nameOrPath).pipe(
    Effect.mapError(({ reason }) => toError(`${reason}. A ledger profile is a file, or one of ${names}`)),
    Effect.flatMap((text) => Effect.fromResult(Result.mapError(LedgerProfile.parse(text), toError))),
  )
}

const names = Object.keys(LedgerPresets.presets).join(", ")

/** The options that a profile gives, and those that are given beside it, which come first. */
export const toOptions = (
  profile: LedgerProfile.LedgerProfile,
  given: LedgerFileOptions,
  account: string | undefined,
): Result.Result<LedgerFileOptions, string> => {
  const number = account ?? profile.account
  const own = profile.account_columns
  if (own !== undefined && number === undefined) {
    return Result.fail(
      `its markers belong to the account in ${JSON.stringify(own.own)}, so your own account must be named. Name it with --ledger-account <number>`,
    )
  }
  if (number !== undefined && own === undefined) {
    return Result.fail("an account needs a ledger profile with account_columns, such as --ledger-profile datev")
  }
  return Result.succeed({
    ...given,
    columns: { ...profile.columns, ...given.columns },
    headerRow: given.headerRow ?? profile.header_row,
    skipRows: [...(profile.skip_rows ?? []), ...given.skipRows],
    markers: {
      in: given.markers.in.length > 0 ? given.markers.in : (profile.marker_in ?? []),
      out: given.markers.out.length > 0 ? given.markers.out : (profile.marker_out ?? []),
    },
    account: own === undefined || number === undefined ? undefined : { number, ...own },
    keyPattern: given.keyPattern ?? profile.key_pattern,
    sheet: given.sheet ?? profile.sheet,
    delimiter: given.delimiter ?? profile.delimiter,
    encoding: given.encoding ?? profile.encoding,
    currency: given.currency ?? profile.currency,
    decimal: given.decimal ?? profile.decimal,
    thousands: given.thousands ?? profile.thousands,
    dateOrder: given.dateOrder ?? profile.date_order,
    utcTimes: given.utcTimes || (profile.utc_times === true && isDateColumn(profile, given)),
    monthNames: given.monthNames ?? profile.month_names,
    flipSign: given.flipSign || profile.flip_sign === true,
  })
}

/** Whether the dates are those that the profile is about: `--map date=…` may name a column of another zone. */
const isDateColumn = (profile: LedgerProfile.LedgerProfile, { columns }: LedgerFileOptions): boolean =>
  columns.date === undefined || columns.date.trim().toLowerCase() === profile.columns?.date?.trim().toLowerCase()

/** The profile that gives the same options again. */
export const fromOptions = (options: LedgerFileOptions): LedgerProfile.LedgerProfile => {
  const { columns, skipRows, markers, account, utcTimes, flipSign } = options
  const given = {
    header_row: options.headerRow,
    account: account?.number,
    account_columns: account && { own: account.own, contra: account.contra },
    key_pattern: options.keyPattern,
    sheet: options.sheet,
    delimiter: options.delimiter,
    encoding: options.encoding,
    currency: options.currency,
    decimal: options.decimal,
    thousands: options.thousands,
    date_order: options.dateOrder,
    month_names: options.monthNames,
  }
  return {
    ...(Object.keys(columns).length === 0 ? {} : { columns }),
    ...(skipRows.length === 0 ? {} : { skip_rows: skipRows }),
    ...(markers.in.length === 0 ? {} : { marker_in: markers.in }),
    ...(markers.out.length === 0 ? {} : { marker_out: markers.out }),
    ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)),
    ...(utcTimes ? { utc_times: true } : {}),
    ...(flipSign ? { flip_sign: true } : {}),
  }
}
