/** The dialects of CSV. */

/** How CSV files are written: RFC 4180, and what Excel opens by a double click, in English and in German. */
export const dialects = ["rfc4180", "excel", "excel-de", "tsv"] as const

/** One of {@link dialects}. */
export type CsvDialect = (typeof dialects)[number]

/** How the cells of a file were written: as they are, or escaped as in a dialect. */
export const cellForms = ["raw", ...dialects] as const

/** One of {@link cellForms}. */
export type CellForm = (typeof cellForms)[number]

/** Excel takes a file for UTF-8 if it begins with a mark, which a line `sep=;` before it would hide. */
export const forms: Readonly<
  Record<
    CsvDialect,
    {
      readonly delimiter: string
      readonly lineBreak: "\n" | "\r\n"
      readonly mark: string
      readonly comma: boolean
    }
  >
> = {
  rfc4180: { delimiter: ",", lineBreak: "\n", mark: "", comma: false },
  excel: { delimiter: ",", lineBreak: "\r\n", mark: "\ufeff", comma: false },
  "excel-de": { delimiter: ";", lineBreak: "\r\n", mark: "\ufeff", comma: true },
  tsv: { delimiter: "\t", lineBreak: "\n", mark: "", comma: false },
}
