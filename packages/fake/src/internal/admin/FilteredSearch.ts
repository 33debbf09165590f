/**
 * Searches by status and by the start of an id, which the contract cannot, and counts what a search finds. Reads pages of
 * the ordinary search, at most 500 of them, so that no call of the console holds up the fake.
 */
import { maxLimit, type SearchRequest } from "@transferkit/domain/SearchRequest"
import type { ServiceError } from "@transferkit/domain/TransferApiError"
import * as TransferSearch from "@transferkit/in-memory/TransferSearch"
import * as TransferStore from "@transferkit/in-memory/TransferStore"
import * as Result from "effect/Result"

/** A page is shorter than its limit, and a count incomplete, after this many pages that were read for it. */
const mostPages = 500

/** Which of the transfers that a request finds. */
export interface Filter {
  readonly status: string | undefined
  /** How the `id` or the `external_id` begins. */
  readonly prefix: string | undefined
}

/** One page of the transfers that pass the filter. */
export const search = (
  source: TransferSearch.Source,
  request: SearchRequest,
  filter: Filter,
): Result.Result<TransferSearch.Page, ServiceError> =>
  Result.gen(function* () {
    if (isOpen(filter)) return yield* TransferSearch.search(source, request)
    const limit = request.limit ?? source.settings.defaultLimit
    const rows: Array<Uint8Array> = []
    let { after_cursor } = request
    for (let pages = 1; ; pages += 1) {
      const from = after_cursor === undefined ? request : { ...request, after_cursor }
      const page = yield* TransferSearch.search(source, from)
      const found = [...page.rows.keys()].filter((index) => passes(page.rows[index], filter))
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

/** How many transfers a search finds, and whether those are all. */
export interface Count {
  readonly count: number
  readonly is_complete: boolean
}

/** Counts the transfers that pass the filter. */
export const count = (
  source: TransferSearch.Source,
  { limit: _limit, after_cursor: _cursor, ...request }: SearchRequest,
  filter: Filter,
): Result.Result<Count, ServiceError> =>
  Result.gen(function* () {
    const isEverything = isOpen(filter) && request.external_id === undefined && request.created_at === undefined
    if (isEverything) return { count: TransferStore.size(source.store), is_complete: true }
    let found = 0
    let after: { readonly after_cursor?: string } = {}
    for (let pages = 1; ; pages += 1) {
      const page = yield* TransferSearch.search(source, { ...request, ...after, limit: maxLimit })
      found += isOpen(filter) ? page.rows.length : page.rows.filter((row) => passes(row, filter)).length
      if (!page.has_next_page || page.end_cursor === undefined) return { count: found, is_complete: true }
      if (pages === mostPages) return { count: found, is_complete: false }
      after = { after_cursor: page.end_cursor }
    }
  })

const isOpen = ({ status, prefix }: Filter): boolean => status === undefined && prefix === undefined

const passes = (row: Uint8Array | undefined, filter: Filter): boolean => {
  if (row === undefined) return false
  const { id, external_id, status } = JSON.parse(Buffer.from(row).toString("utf8"))
  const { prefix } = filter
  const starts = (text: unknown): boolean =>
    prefix === undefined || (typeof text === "string" && text.startsWith(prefix))
  return (filter.status === undefined || status === filter.status) && (starts(id) || starts(external_id))
}
