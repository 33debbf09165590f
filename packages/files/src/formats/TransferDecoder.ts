/** Decodes the rows of transfer files, with the reader of the service's pages. */
import { moneyFields, type Transfer } from "@transferkit/domain/Transfer"
import * as TransferPage from "@transferkit/domain/TransferPage"
import * as Result from "effect/Result"
import * as TransferColumns from "./TransferColumns.ts"

/** Transfers from their JSON texts. */
export const fromJsonTexts = (texts: ReadonlyArray<string>): Result.Result<ReadonlyArray<Transfer>, Error> =>
  Result.mapBoth(TransferPage.fromJson(`{"results":[${texts.join(",")}],"page_info":{"has_next_page":false}}`), {
    onSuccess: ({ results }) => results,
    onFailure: ({ pointer, expected, actual }) =>
      new Error(`the value at ${pointer} should be ${expected}, but is ${actual}`),
  })

/** The JSON text of the transfer on a line of an NDJSON or JSON file. Both have a line per transfer. */
export const jsonTextOfLine = (line: string): string | undefined => {
  const text = line.trim()
  if (!text.startsWith("{") || text === `{"results":[`) return undefined
  return text.endsWith(",") ? text.slice(0, -1) : text
}

/** The JSON text of a transfer from its cells; the inverse of `TransferColumns.toCells`. An empty cell is an absent field. */
export const jsonTextOfCells = (cells: ReadonlyArray<string | undefined>): string => {
  const wire: Record<string, unknown> = {}
  TransferColumns.flat.forEach(({ name, kind }, index) => {
    const cell = cells[index]
    if (cell === undefined || cell === "") return
    if (kind === "json") Object.assign(wire, JSON.parse(cell))
    else wire[name] = cell
  })
  for (const field of moneyFields) {
    const amount = wire[`${field}_amount`]
    const currency_code = wire[`${field}_currency_code`]
    delete wire[`${field}_amount`]
    delete wire[`${field}_currency_code`]
    if (amount !== undefined) wire[field] = { amount, currency_code }
  }
  return JSON.stringify(wire)
}
