/** What is wrong with a CSV file, in words for those who have the file; the parser's are about its own options. */
import { CsvError } from "csv-parse"
import { reasonOf } from "./AtomicFile.ts"

/** Why a CSV file cannot be read. */
export const csvReasonOf = (error: unknown): string => {
  if (!(error instanceof CsvError)) return reasonOf(error)
  const line = `line ${String(error["lines"])}`
  switch (error.code) {
    case "CSV_RECORD_INCONSISTENT_FIELDS_LENGTH": {
      const record = error["record"]
      return `${line} has ${Array.isArray(record) ? record.length : "too few or too many"} cells, and the header another number of them`
    }
    case "CSV_QUOTE_NOT_CLOSED":
      return `a quote is never closed; it is opened on ${line} or before`
    case "INVALID_OPENING_QUOTE":
    case "CSV_INVALID_CLOSING_QUOTE":
      return `${line} has a quote where none may be: quote the whole cell, and double the quotes in it`
    default:
      return error.message
  }
}
