/** The formats of export files. */
import * as TransferEncoder from "./TransferEncoder.ts"

/** All of them. */
export const exportFormats = [...TransferEncoder.formats, "parquet"] as const

/** One of {@link exportFormats}. */
export type ExportFormat = (typeof exportFormats)[number]

/** The format that a file's name ends in. */
export const ofName = (name: string): ExportFormat | undefined => {
  const lower = name.toLowerCase()
  return lower.endsWith(".jsonl") ? "ndjson" : exportFormats.find((format) => lower.endsWith(`.${format}`))
}
