/**
 * The search operation of the contract over a store: parameters in, a page of row bytes out. Every rejection names its
 * parameter.
 */
import * as CreatedAt from "@transferkit/domain/CreatedAt"
import { maxLimit, type SearchRequest } from "@transferkit/domain/SearchRequest"
import type { ServiceError } from "@transferkit/domain/TransferApiError"
import * as Result from "effect/Result"
import * as Cursor from "./Cursor.ts"
import * as TransferGenerator from "./TransferGenerator.ts"
import * as TransferStore from "./TransferStore.ts"

/** How a deployment responds if the contract is silent. */
export interface Settings {
  /** The operator "less than or equal" of `created_at`; `undefined` for none. */
  readonly lteToken: string | undefined
  /** The limit of a request without one. */
  readonly defaultLimit: number
  /** Whether a cursor is accepted for the search that it was issued for, or for any of its partner. @default "search" */
  readonly cursorScope?: "search" | "any" | undefined
}

/** The settings unless others are given. */
export const defaultSettings: Settings = { lteToken: "lte", defaultLimit: maxLimit }

/** A partner's store, and the key of its cursors. */
export interface Source {
  readonly partner: string
  readonly store: TransferStore.TransferStore
  readonly cursorKey: string
  readonly settings: Settings
}

/** A page: the transfers as the bytes of their JSON, and the cursor to the next one. */
export interface Page {
  readonly rows: ReadonlyArray<Uint8Array>
  readonly end_cursor: string | undefined
  readonly has_next_page: boolean
}

/** Deviations from the request, to test how a client copes with them. */
export interface Deviation {
  /** Rows beyond the limit, or missing from it. */
  readonly extraRows?: number | undefined
  /** No rows, and a next page that starts where this one should have, under a new cursor. */
  readonly detour?: number | undefined
}

/** One page, or why the request is rejected. */
export const search = (
  source: Source,
  request: SearchRequest,
  deviation: Deviation = {},
): Result.Result<Page, ServiceError> => {
  const { store, settings } = source
  const limit = request.limit ?? settings.defaultLimit
  if (!Number.isInteger(limit) || limit < 1 || limit > maxLimit) {
    return invalid(`limit must be a whole number from 1 to ${maxLimit}, not ${limit}`)
  }
  const filter = filterOf(request.created_at, settings.lteToken)
  if (Result.isFailure(filter)) return invalid(filter.failure.message)
  const { external_id, after_cursor } = request
  const { created_at, text } = filter.success
  const filtered = settings.cursorScope === "any" ? "" : `\n${text}\n${external_id ?? ""}`
  const scope = { key: source.cursorKey, search: `${source.partner}${filtered}` }
  const place = after_cursor === undefined ? start : Cursor.decode(after_cursor, scope)
  if (Result.isFailure(place)) {
    const { reason } = place.failure
    return invalid(
      `after_cursor was ${reason}: send the end_cursor of the page before, with the same external_id and created_at`,
    )
  }
  const after = place.success
  if (deviation.detour !== undefined) {
    return Result.succeed({ rows: [], end_cursor: Cursor.encode(after, scope, deviation.detour), has_next_page: true })
  }
  if (created_at === undefined) return Result.succeed(emptyPage)
  const rows = Math.max(1, limit + (deviation.extraRows ?? 0))
  const found = TransferStore.search(store, { external_id, created_at, limit: rows, after })
  const end_cursor = found.last && Cursor.encode(found.last, scope)
  return Result.succeed({ rows: found.rows, end_cursor, has_next_page: found.hasMore })
}

const start: Result.Result<Cursor.Place, Cursor.InvalidCursor> = Result.succeed(undefined)

const emptyPage: Page = { rows: [], end_cursor: undefined, has_next_page: false }

const invalid = (message: string): Result.Result<never, ServiceError> =>
  Result.fail({ code: "invalid_parameter", message })

/** A filter as a store needs it; `created_at` is `undefined` if nothing can match. */
interface Filter {
  readonly created_at: TransferStore.InstantRange | undefined
  /** Equal for the same instants, however they are written. */
  readonly text: string
}

const everything: Filter = { created_at: {}, text: "" }

/** All pages of a search have the same filter, so the latest ones are cached. */
const cachedFilters = new Map<string, Filter>()
const mostCached = 1024

const filterOf = (
  values: ReadonlyArray<string> | undefined,
  lteToken: string | undefined,
): Result.Result<Filter, CreatedAt.InvalidCreatedAt> => {
  if (values === undefined || values.length === 0) return Result.succeed(everything)
  const key = JSON.stringify([lteToken, ...values])
  const known = cachedFilters.get(key)
  if (known !== undefined) return Result.succeed(known)
  return Result.map(CreatedAt.fromParams(values, { lteToken }), (filter) => {
    const range = rangeOf(filter)
    const made: Filter = { created_at: range, text: range ? `${range.first ?? ""}..${range.end ?? ""}` : "nothing" }
    if (cachedFilters.size >= mostCached) cachedFilters.clear()
    cachedFilters.set(key, made)
    return made
  })
}

/** The values of one request are one range. */
const rangeOf = (filter: CreatedAt.CreatedAt): TransferStore.InstantRange | undefined => {
  const [interval] = CreatedAt.intervals(filter)
  return interval
}

/** The page as JSON, in pieces. */
export const toJson = (page: Page): ReadonlyArray<Uint8Array> => {
  const parts: Array<Uint8Array> = [opening]
  for (const row of page.rows) {
    if (parts.length > 1) parts.push(comma)
    parts.push(row)
  }
  const end_cursor = page.end_cursor === undefined ? "" : `"end_cursor":${JSON.stringify(page.end_cursor)},`
  parts.push(Buffer.from(`],"page_info":{${end_cursor}"has_next_page":${page.has_next_page}}}`, "utf8"))
  return parts
}

/** A page as the bytes of its JSON. */
export interface PageJson {
  readonly json: Uint8Array
  readonly end_cursor: string | undefined
}

/**
 * One page as JSON in memory that `allocate` provides. Unlike the rows of {@link search}, it leaves nothing to the
 * garbage collector, whose pauses are longer than the rest of a page's work.
 */
export const searchJson = (
  source: Source,
  request: SearchRequest,
  allocate: (size: number) => Uint8Array,
): Result.Result<PageJson, ServiceError> =>
  TransferGenerator.lend(() =>
    Result.map(search(source, request), (page) => {
      const parts = toJson(page)
      const json = allocate(parts.reduce((size, part) => size + part.byteLength, 0))
      let offset = 0
      for (const part of parts) {
        json.set(part, offset)
        offset += part.byteLength
      }
      return { json, end_cursor: page.end_cursor }
    }),
  )

const opening = Buffer.from('{"results":[', "utf8")
const comma = Buffer.from(",", "utf8")
