/** The rows of a file of proposals, CSV or NDJSON, as they arrive: one at a time, each of a bounded size. */
import { pipeline, type Readable } from "node:stream"
import * as JsonText from "@transferkit/domain/JsonText"
import * as ProposalRow from "@transferkit/domain/ProposalRow"
import * as Proposals from "@transferkit/domain/Proposals"
import * as Utf8 from "@transferkit/domain/Utf8"
import { CsvError, parse } from "csv-parse"
import * as Result from "effect/Result"

/** A row: a proposal, which may be any value, or what is wrong with its text. */
export type Row =
  | { readonly _tag: "Proposal"; readonly value: unknown }
  | { readonly _tag: "Unreadable"; readonly text: string; readonly reason: string }

/** The most bytes of a row. It bounds the memory that an unclosed quote takes. */
const maxRowBytes = 1024 * 1024

/** A file of this name, or `undefined` if it has no format that is read. Throws `MalformedProposals`. */
export const formatOf = (key: string): ((body: Readable) => AsyncGenerator<Row>) | undefined => {
  if (/\.csv$/i.test(key)) return ofCsv
  return /\.(ndjson|jsonl)$/i.test(key) ? ofLines : undefined
}

const malformed = (reason: string) => new Proposals.MalformedProposals({ reason })

// ----------------------------------------------------------------------------------------------------- NDJSON

async function* ofLines(body: Readable): AsyncGenerator<Row> {
  let rest = ""
  let index = 0
  for await (const part of body.setEncoding("utf8")) {
    const lines = (rest + String(part)).split("\n")
    rest = lines.pop() ?? ""
    if (rest.length > maxRowBytes)
      throw malformed(`the line after ${index + lines.length} has more than ${maxRowBytes} bytes`)
    for (const line of lines) {
      index += 1
      if (line.trim() !== "") yield ofLine(line, index)
    }
  }
  if (rest.trim() !== "") yield ofLine(rest, index + 1)
}

const ofLine = (line: string, number: number): Row => {
  const text = line.replace(/^\ufeff/, "")
  if (text.length > maxRowBytes) throw malformed(`a line has more than ${maxRowBytes} bytes`)
  if (text.includes("\ufffd")) return { _tag: "Unreadable", text, reason: Utf8.lost }
  const value = JsonText.parse(text, { firstLine: number, keepsDigits: true })
  if (Result.isFailure(value)) {
    const reason = value.failure.startsWith("it is not JSON") ? "the line is not JSON" : value.failure
    return { _tag: "Unreadable", text, reason }
  }
  // An envelope or a list of several would be one row with several verdicts.
  const isSingle = Result.match(Proposals.fromJson(value.success), {
    onFailure: () => false,
    onSuccess: ([first, ...others]) => first === value.success && others.length === 0,
  })
  return isSingle
    ? { _tag: "Proposal", value: value.success }
    : { _tag: "Unreadable", text, reason: "the line is not one JSON object" }
}

// -------------------------------------------------------------------------------------------------------- CSV

async function* ofCsv(body: Readable): AsyncGenerator<Row> {
  const chunks = body[Symbol.asyncIterator]()
  const head = await headOf(chunks)
  const parser = parse({
    bom: true,
    delimiter: delimiterOf(head.toString("latin1")),
    max_record_size: maxRowBytes,
    // It would take the first one in the file for all of them.
    record_delimiter: ["\r\n", "\n", "\r"],
    relax_column_count: true,
    skip_empty_lines: true,
    skip_records_with_empty_values: true,
  })
  pipeline(withHead(head, chunks), parser, () => undefined)
  let columns: ReadonlyArray<string> | undefined
  try {
    for await (const record of parser) {
      const cells: ReadonlyArray<string> = record
      if (columns === undefined) {
        const header = ProposalRow.header(cells, (_, index) => `at place ${index + 1}`)
        if (Result.isFailure(header)) throw malformed(header.failure)
        columns = header.success
      } else {
        yield ofCells(columns, cells)
      }
    }
  } catch (error) {
    throw error instanceof CsvError ? malformed(`the file is not CSV: ${faultOf(error)}`) : error
  }
}

/** The parser's own words quote the cell, and the log holds no proposals. */
const faultOf = (error: CsvError): string => {
  const row = `the row at line ${String(error["lines"])}`
  switch (error.code) {
    case "CSV_QUOTE_NOT_CLOSED":
      return `a quote is never closed; it opens in ${row} or before`
    case "CSV_MAX_RECORD_SIZE":
      return `${row} has more than ${maxRowBytes} bytes; is a quote before it never closed?`
    default:
      return `${row} has a misplaced quote: quote the whole cell, and double the quotes in it`
  }
}

/** What is read first: a chunk may end within the header. */
const headOf = async (chunks: AsyncIterator<Buffer>): Promise<Buffer> => {
  const read: Array<Buffer> = []
  let size = 0
  for (let isWhole = false; !isWhole && size < maxRowBytes;) {
    const next = await chunks.next()
    if (next.done === true) break
    const chunk = Buffer.from(next.value)
    read.push(chunk)
    size += chunk.length
    isWhole = chunk.includes("\n") || chunk.includes("\r")
  }
  return Buffer.concat(read)
}

async function* withHead(head: Buffer, rest: AsyncIterator<Buffer>) {
  yield head
  for (let next = await rest.next(); next.done !== true; next = await rest.next()) yield next.value
}

/** The names of the columns have none of these characters. */
const delimiterOf = (text: string): string => {
  const [header = ""] = text.split(/[\r\n]/, 1)
  return [",", ";", "\t"].find((delimiter) => header.includes(delimiter)) ?? ","
}

const ofCells = (columns: ReadonlyArray<string>, cells: ReadonlyArray<string>): Row => {
  const text = cells.join(",")
  if (cells.length !== columns.length) {
    const reason = `the row has ${cells.length} cells, unlike the header, which has ${columns.length}`
    return { _tag: "Unreadable", text, reason }
  }
  return Result.match(ProposalRow.proposal(columns, cells), {
    onFailure: (reason): Row => ({ _tag: "Unreadable", text, reason }),
    onSuccess: (value): Row => ({ _tag: "Proposal", value }),
  })
}
