/** The formats of transfer files. */
import { FileError } from "../FileError.ts"

/** Those that are text. */
export const textFormats = ["ndjson", "csv", "json"] as const

/** One of {@link textFormats}. */
export type TextFormat = (typeof textFormats)[number]

/** All of them. */
export const formats = [...textFormats, "parquet"] as const

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

/** How Parquet can hold amounts. */
export const amountForms = ["decimal", "text"] as const

/** One of {@link amountForms}. */
export type AmountForm = (typeof amountForms)[number]

/** The formats that an export can have. A workbook is for people: it is not read back. */
export const exportFormats = [...formats, "xlsx"] as const

/** One of {@link exportFormats}. */
export type ExportFormat = (typeof exportFormats)[number]

/**
 * Whether a format has a column for each field, and not the objects of the service.
 *
 * @example
 * isOfColumns("csv") // => true
 * isOfColumns("ndjson") // => false
 */
export const isOfColumns = (format: ExportFormat): boolean => format !== "ndjson" && format !== "json"

/**
 * The format of an export, from the name of its file.
 *
 * @example
 * ofExport("september.xlsx") // => "xlsx"
 */
export const ofExport = (name: string): ExportFormat | undefined =>
  name.toLowerCase().endsWith(".xlsx") ? "xlsx" : ofName(name)

/**
 * The error for a file whose name shows none of some formats. `otherwise` ends it: what else could be given.
 *
 * @example
 * unknownEnding("a.txt", ["ndjson", "csv"], ": give --format").message // => "a.txt: its name does not end in .ndjson, .jsonl or .csv: give --format"
 */
export const unknownEnding = (path: string, names: ReadonlyArray<ExportFormat>, otherwise = ""): FileError => {
  const endings = names.flatMap((name) => (name === "ndjson" ? [".ndjson", ".jsonl"] : [`.${name}`]))
  const listed = `${endings.slice(0, -1).join(", ")} or ${endings.at(-1)}`
  return new FileError({ path, reason: `its name does not end in ${listed}${otherwise}` })
}
