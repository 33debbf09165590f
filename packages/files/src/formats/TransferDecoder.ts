/** Decodes the rows of transfer files, each by itself: texts that are no JSON may become some beside others. */
import * as JsonBounds from "@transferkit/domain/JsonBounds"
import * as JsonDepth from "@transferkit/domain/JsonDepth"
import * as JsonSyntax from "@transferkit/domain/JsonSyntax"
import * as StoredText from "@transferkit/domain/StoredText"
import * as Transfer from "@transferkit/domain/Transfer"
import type { MalformedResponse } from "@transferkit/domain/TransferApiError"
import * as Result from "effect/Result"
import type * as TransferColumns from "./TransferColumns.ts"

/** The commas, lists and objects of a transfer, if there are many: as on the largest page of 100 that the client reads. */
const mostOfEach = JsonBounds.most / 100

/** Transfers from their JSON texts, one each. `placeOf` names the place of a text for an error. */
export const fromJsonTexts = (
  texts: ReadonlyArray<string>,
  placeOf = (index: number) => `transfer ${index + 1}`,
): Result.Result<ReadonlyArray<Transfer.Transfer>, Error> => {
  const most = Math.max(JsonBounds.most, mostOfEach * texts.length)
  const length = texts.reduce((sum, text) => sum + text.length, 0)
  if (length > most && JsonBounds.isExceeded(texts.join(","), most)) {
    const longest = texts.reduce((at, text, index) => (text.length > (texts[at] ?? "").length ? index : at), 0)
    const reason = `with the ${texts.length - 1} beside it, ${JsonBounds.tooMany(most)}`
    return Result.fail(new Error(`${placeOf(longest)}: ${texts.length === 1 ? JsonBounds.tooMany(most) : reason}`))
  }
  const transfers: Array<Transfer.Transfer> = []
  for (const [index, text] of texts.entries()) {
    const transfer = Transfer.fromJson(text)
    if (Result.isFailure(transfer)) return Result.fail(explain(placeOf(index), transfer.failure))
    transfers.push(transfer.success)
  }
  return Result.succeed(transfers)
}

const explain = (place: string, { pointer, expected, actual }: MalformedResponse): Error =>
  new Error(`${place}: ${pointer === "" ? "it" : `the value at ${pointer}`} should be ${expected}, but is ${actual}`)

/** Finds the JSON texts of the transfers in the lines of a file. Throws at a line that does not belong. */
export interface LineReader {
  /** The text of a transfer, if the line has one. Blank lines have none. */
  readonly line: (line: string, number: number) => string | undefined
  /** Call it after the last line. */
  readonly end: () => void
}

/** A transfer a line. */
export const ndjsonLines = (): LineReader => ({
  // Its beginning may be a byte order mark, which is a blank.
  line: (line) => {
    const text = line.trim()
    return text === "" ? undefined : text
  },
  end: () => {},
})

/** The lines that `TransferEncoder` writes: a transfer each, between the ends of an object. */
export const jsonLines = (): LineReader => {
  let state: "before" | "within" | "after" = "before"
  return {
    line: (line, number) => {
      const text = line.trim()
      if (text === "") return undefined
      if (state === "before") {
        if (text !== `{"results":[`)
          throw new Error(`line ${number} should be {"results":[ with a transfer a line below`)
        state = "within"
        return undefined
      }
      if (state === "after") throw new Error(`line ${number} follows the end of the object`)
      if (!text.startsWith("]")) return text.endsWith(",") ? text.slice(0, -1) : text
      state = "after"
      if (text === `],"page_info":{"has_next_page":false}}`) return undefined
      throw new Error(`line ${number} says that transfers are missing, or is not the end of an export`)
    },
    end: () => {
      if (state !== "after") throw new Error("it is truncated: the end of its object is missing")
    },
  }
}

/**
 * The JSON text of a transfer from its cells; the inverse of `TransferColumns.toCells`. An undefined cell is an absent field. A
 * field that the contract did not name when the file was written is among its unknown ones, and is read as what it is now.
 */
export const jsonTextOfCells = (
  cells: ReadonlyArray<string | undefined>,
  columns: ReadonlyArray<TransferColumns.TransferColumn>,
): string => {
  const wire: Record<string, unknown> = {}
  let extra = {}
  columns.forEach(({ name, kind }, index) => {
    const cell = cells[index]
    if (cell === undefined) return
    if (kind === "json") extra = extraOf(cell, columns)
    else wire[name] = kind === "text" ? StoredText.unescape(cell) : cell
  })
  for (const field of Transfer.moneyFields) {
    const [amountName, currencyName] = [`${field}_amount`, `${field}_currency_code`]
    const { [amountName]: amount, [currencyName]: currency_code } = wire
    delete wire[amountName]
    delete wire[currencyName]
    if (amount === undefined && currency_code === undefined) continue
    if (amount === undefined) throw new Error(halfOf(amountName, currencyName))
    if (currency_code === undefined) throw new Error(halfOf(currencyName, amountName))
    wire[field] = { amount, currency_code }
  }
  // Spread, because assignment would run into the setter of __proto__.
  return JSON.stringify({ ...wire, ...extra })
}

const halfOf = (empty: string, other: string): string =>
  `its column ${empty} is empty, but ${other} is not: both are, or neither`

const extraOf = (cell: string, columns: ReadonlyArray<TransferColumns.TransferColumn>): object => {
  // The object around the fields is a level more than their values may have.
  const parsed = JsonDepth.parse(cell, JsonDepth.maxDepth + 1)
  const extra = Result.getOrThrowWith(parsed, (reason) => new Error(`its column extra: ${reason}`))
  if (typeof extra !== "object" || extra === null || Array.isArray(extra)) {
    throw new Error("its column extra should hold JSON objects")
  }
  const repeat = JSON.stringify(extra).length === cell.length ? undefined : JsonSyntax.repeatOf(cell)
  if (repeat !== undefined) throw new Error(`its column extra: ${repeat}`)
  const taken = columns.find(({ field }) => field !== undefined && Object.hasOwn(extra, field))
  if (taken !== undefined) throw new Error(`its column extra holds ${taken.field}, which has a column of its own`)
  return extra
}
