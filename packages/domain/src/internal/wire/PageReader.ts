/** Reads pages from the values of `JSON.parse`. See TransferReader.ts for why the schema is not enough. */
import type { Transfer } from "./TransferFields.ts"
import { type Read, readTransfer } from "./TransferReader.ts"

/** The end of a page. `end_cursor` is the `after_cursor` of the next page. */
export interface PageInfo {
  readonly end_cursor?: string
  readonly has_next_page: boolean
}

/** The transfers of one page, in the order of the service. */
export interface TransferPage {
  readonly results: ReadonlyArray<Transfer>
  readonly page_info: PageInfo
}

/** The page of a value from the wire, or `undefined` if its schema would reject it. */
export const readPage: Read<TransferPage> = (value, found) => {
  if (typeof value !== "object" || value === null || !("results" in value) || !("page_info" in value)) return undefined
  const page_info = readPageInfo(value.page_info)
  if (page_info === undefined || !Array.isArray(value.results)) return undefined
  const results: Array<Transfer> = []
  for (const item of value.results) {
    const transfer = readTransfer(item, found)
    if (transfer === undefined) return undefined
    results.push(transfer)
  }
  return { results, page_info }
}

const readPageInfo = (value: unknown): PageInfo | undefined => {
  if (typeof value !== "object" || value === null || !("has_next_page" in value)) return undefined
  const { has_next_page } = value
  const end_cursor = "end_cursor" in value ? value.end_cursor : null
  if (typeof has_next_page !== "boolean") return undefined
  if (end_cursor === null) return { has_next_page }
  return typeof end_cursor === "string" ? { end_cursor, has_next_page } : undefined
}
