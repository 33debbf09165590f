/** The formats of transfer files. */
import * as Result from "effect/Result"
import { FileError } from "../FileError.ts"
import * as TransferEncoder from "./TransferEncoder.ts"

/** All of them. */
export const formats = [...TransferEncoder.formats, "parquet"] as const

/** One of {@link formats}. */
export type TransferFormat = (typeof formats)[number]

/**
 * The format of a file, from its name.
 *
 * @example
 * ofName("september.CSV") // => "csv"
 * ofName("september.jsonl") // => "ndjson"
 */
export const ofName = (name: string): TransferFormat | undefined => {
  const lower = name.toLowerCase()
  return lower.endsWith(".jsonl") ? "ndjson" : formats.find((format) => lower.endsWith(`.${format}`))
}

/** The formats that an export can have. A workbook is for people: it is not read back. */
export const exportFormats = [...formats, "xlsx"] as const

/** One of {@link exportFormats}. */
export type ExportFormat = (typeof exportFormats)[number]

/**
 * The format of an export, from the name of its file.
 *
 * @example
 * ofExport("september.xlsx") // => "xlsx"
 */
export const ofExport = (name: string): ExportFormat | undefined =>
  name.toLowerCase().endsWith(".xlsx") ? "xlsx" : ofName(name)

/** The format of a file to read, from its name. `otherwise` ends the error: what else could be given. */
export const toRead = (path: string, otherwise = ""): Result.Result<TransferFormat, FileError> =>
  known(path, ofName(path), formats, otherwise)

/** The format of a file to write, from its name. `otherwise` ends the error: what else could be given. */
export const toWrite = (path: string, otherwise = ""): Result.Result<ExportFormat, FileError> =>
  known(path, ofExport(path), exportFormats, otherwise)

const known = <A>(
  path: string,
  format: A | undefined,
  names: ReadonlyArray<ExportFormat>,
  otherwise: string,
): Result.Result<A, FileError> => {
  if (format !== undefined) return Result.succeed(format)
  const endings = names.flatMap((name) => (name === "ndjson" ? [".ndjson", ".jsonl"] : [`.${name}`]))
  const listed = `${endings.slice(0, -1).join(", ")} or ${endings.at(-1)}`
  return Result.fail(new FileError({ path, reason: `its name does not end in ${listed}${otherwise}` }))
}
