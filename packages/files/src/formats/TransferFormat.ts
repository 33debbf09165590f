/** The formats of transfer files. */
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
