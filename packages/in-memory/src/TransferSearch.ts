/**
 * The search operation of the contract over a store: parameters in, a page of row bytes out, and every refusal naming
 * the parameter it is about.
 */
import * as CreatedAt from "@transferkit/domain/CreatedAt"
import { maxLimit, type SearchRequest } from "@transferkit/domain/SearchRequest"
import type { ServiceError } from "@transferkit/domain/TransferApiError"
import * as Result from "effect/Result"
import * as Cursor from "./Cursor.ts"
import * as TransferGenerator from "./TransferGenerator.ts"
import * as TransferStore from "./TransferStore.ts"

/** How a deployment answers where the contract is silent. */
export interface Dialect {
  /** The operator "less than or equal" of `created_at`; `undefined` for none. */
  readonly lteToken: string | undefined
  /** The limit where none is given. */
  readonly defaultLimit: number
}

/** The dialect unless another is given. */
export const defaultDialect: Dialect = { lteToken: "lte", defaultLimit: maxLimit }

/** A partner's store, and what its cursors are signed with. */
export interface Source {
  readonly partner: string
  readonly store: TransferStore.TransferStore
  readonly cursorKey: string
  readonly dialect: Dialect
}

/** A page: the transfers as the bytes of their JSON, and where the next one starts. */
export interface Page {
  readonly rows: ReadonlyArray<Uint8Array>
  readonly end_cursor: string | undefined
  readonly has_next_page: boolean
}

/** Deviations from what was asked for, for those who test how a client takes them. */
export interface Deviation {
  /** Rows beyond the limit, or missing from it. */
  readonly extraRows?: number | undefined
  /** No rows, and a next page that starts where this one should have, by a cursor that was not seen before. */
  readonly detour?: number | undefined
}

/** One page, or why the request is refused. */
export const search = (
  source: Source,
  request: SearchRequest,
  deviation: Deviation = {},
): Result.Result<Page, ServiceError> => {
  const { store, dialect } = source
  const limit = request.limit ?? dialect.defaultLimit
  if (!Number.isInteger(limit) || limit < 1 || limit > maxLimit) {
    return invalid(`limit must be a whole number from 1 to ${maxLimit}, not ${limit}`)
  }
  const filter = filterOf(request.created_at, dialect.lteToken)
  if (Result.isFailure(filter)) return invalid(filter.failure.message)
  const { external_id, after_cursor } = request
  const { created_at, text } = filter.success
  const scope = { key: source.cursorKey, search: `${source.partner}\n${text}\n${external_id ?? ""}` }
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

/** A filter as a store needs it; `created_at` is `undefined` where nothing can match. */
interface Filter {
  readonly created_at: TransferStore.InstantRange | undefined
  /** The same for the same instants, however they are written. */
  readonly text: string
}

const everything: Filter = { created_at: {}, text: "" }

/** All pages of a search ask for the same instants, so the latest few filters are kept. */
const filters = new Map<string, Filter>()
const filtersKept = 1024

const filterOf = (
  values: ReadonlyArray<string> | undefined,
  lteToken: string | undefined,
): Result.Result<Filter, CreatedAt.InvalidCreatedAt> => {
  if (values === undefined || values.length === 0) return Result.succeed(everything)
  const key = `${lteToken ?? ""} ${values.join(" ")}`
  const known = filters.get(key)
  if (known !== undefined) return Result.succeed(known)
  return Result.map(CreatedAt.fromParams(values, { lteToken }), (filter) => {
    const range = rangeOf(filter)
    const made: Filter = { created_at: range, text: range ? `${range.first ?? ""}..${range.end ?? ""}` : "nothing" }
    if (filters.size >= filtersKept) filters.clear()
    filters.set(key, made)
    return made
  })
}

/** The values of one request are one range. */
const rangeOf = (filter: CreatedAt.CreatedAt): TransferStore.InstantRange | undefined => {
  const [interval] = CreatedAt.intervals(filter)
  return interval
}

/** The page as JSON, in the pieces it is put together from. */
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
 * One page as JSON in the memory that `allocate` gives for so many bytes. Unlike the rows of {@link search}, nothing of
 * it is left to a garbage collection, whose pauses are longer than all that a page takes.
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
