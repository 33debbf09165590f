/** Searches by status, which the contract cannot. Reads pages of the ordinary search until one is full. */
import type { SearchRequest } from "@transferkit/domain/SearchRequest"
import type { ServiceError } from "@transferkit/domain/TransferApiError"
import * as TransferSearch from "@transferkit/in-memory/TransferSearch"
import * as Result from "effect/Result"

/** A page is shorter than its limit after this many pages that were read for it. */
const mostPages = 500

/** One page of the transfers with a status. */
export const search = (
  source: TransferSearch.Source,
  request: SearchRequest,
  status: string,
): Result.Result<TransferSearch.Page, ServiceError> =>
  Result.gen(function* () {
    const limit = request.limit ?? source.settings.defaultLimit
    const rows: Array<Uint8Array> = []
    let { after_cursor } = request
    for (let pages = 1; ; pages += 1) {
      const from = after_cursor === undefined ? request : { ...request, after_cursor }
      const page = yield* TransferSearch.search(source, from)
      const found = [...page.rows.keys()].filter((index) => statusOf(page.rows[index]) === status)
      const taken = found.slice(0, limit - rows.length)
      for (const index of taken) rows.push(...page.rows.slice(index, index + 1))
      const last = taken.at(-1)
      if (rows.length === limit && last !== undefined) {
        // Ends after the last row that is taken, which only a page that ends there has a cursor for.
        const { end_cursor, has_next_page } = yield* TransferSearch.search(source, { ...from, limit: last + 1 })
        return { rows, end_cursor, has_next_page }
      }
      if (!page.has_next_page || pages === mostPages) return { ...page, rows }
      after_cursor = page.end_cursor
    }
  })

const statusOf = (row: Uint8Array | undefined): unknown =>
  row === undefined ? undefined : JSON.parse(Buffer.from(row).toString("utf8")).status
