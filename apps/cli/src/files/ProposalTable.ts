/** Proposals as rows of a CSV file, a column for each of their fields. */
import * as ProposalRow from "@transferkit/domain/ProposalRow"
import * as Proposals from "@transferkit/domain/Proposals"
import * as CsvRows from "@transferkit/files/formats/CsvRows"
import * as LedgerText from "@transferkit/files/ledgers/LedgerText"
import * as TextLines from "@transferkit/files/ledgers/TextLines"
import { parse as parseCsv } from "csv-parse/sync"
import * as Result from "effect/Result"

/** A proposal and the line on which its row begins. */
export interface Row {
  readonly line: number
  readonly proposal: Readonly<Record<string, unknown>>
}

/** Whether a text is a table: its first line names a column, but for one that names the separator and empty ones. */
export const isTable = (text: string): boolean => {
  const [header = ""] = fromHeader(separated(text).body).split(/[\r\n]/, 1)
  return !/^\s*[[{]/.test(header) && ProposalRow.names.some((name) => header.toLowerCase().includes(name))
}

/** The rows, and what separates their cells if the text says it. */
const separated = (text: string) => {
  const all = text.replace(/^\ufeff/, "")
  const separator = LedgerText.separatorOf(all)
  return { body: separator?.rest ?? all, named: separator?.delimiter }
}

const fromHeader = (body: string): string => body.replace(/^[\r\n]+/, "")

/** The proposals of a table, or what is wrong with it. Cells stay texts; empty ones are absent. */
export const parse = (text: string): Result.Result<ReadonlyArray<Row>, string> => {
  const { body, named } = separated(text)
  const delimiter = named ?? LedgerText.likelyDelimiter(fromHeader(body)) ?? ","
  const lines = new CsvRows.LineCounter(named === undefined ? 0 : 1)
  return Result.gen(function* () {
    const records: Array<{ readonly cells: ReadonlyArray<string>; readonly line: number }> = []
    yield* Result.try({
      try: () =>
        parseCsv(body, {
          delimiter,
          // It would take the first one in the file for all of them.
          record_delimiter: [...TextLines.lineBreaks],
          skip_empty_lines: true,
          skip_records_with_empty_values: true,
          on_record: (cells, info) => {
            records.push({ cells, line: lines.firstOf(cells, info.lines, info.empty_lines) })
            return cells
          },
        }),
      catch: (error) => {
        lines.correct(error)
        return CsvRows.reasonOf(error)
      },
    })
    const [first, ...rest] = records
    const header = yield* ProposalRow.header(first?.cells ?? [])
    if (rest.length === 0) return yield* Result.fail("it has a header, but no rows")
    return yield* Result.all(
      (yield* Result.mapError(Proposals.some(rest), ({ reason }) => reason)).map(({ cells, line }) =>
        Result.mapBoth(ProposalRow.proposal(header, cells), {
          onFailure: (reason) => `line ${line}, ${reason}`,
          onSuccess: (proposal) => ({ line, proposal }),
        }),
      ),
    )
  })
}
