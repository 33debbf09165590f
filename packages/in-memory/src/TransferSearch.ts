/**
 * The search operation of the contract over a store: parameters in, a page of row bytes out, and every refusal naming
 * the parameter it is about.
 */
import * as CreatedAt from "@transferkit/domain/CreatedAt"
import { maxLimit, type SearchRequest } from "@transferkit/domain/SearchRequest"
import type { ServiceError } from "@transferkit/domain/TransferApiError"
import * as Result from "effect/Result"
import * as Cursor from "./Cursor.ts"
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

/** A page as the bytes of its transfers' JSON. */
export interface Page {
  readonly rows: ReadonlyArray<Uint8Array>
  readonly end_cursor: string | undefined
  readonly has_next_page: boolean
}

/** One page, or why the request is refused. */
export const search = (source: Source, request: SearchRequest): Result.Result<Page, ServiceError> =>
  Result.gen(function* () {
    const { store, dialect } = source
    const limit = request.limit ?? dialect.defaultLimit
    if (!Number.isInteger(limit) || limit < 1 || limit > maxLimit) {
      return yield* Result.fail(invalid(`limit must be a whole number from 1 to ${maxLimit}, not ${limit}`))
    }
    const filter = yield* Result.mapError(
      CreatedAt.fromParams(request.created_at ?? [], { lteToken: dialect.lteToken }),
      (error) => invalid(error.message),
    )
    const created_at = rangeOf(filter)
    const { external_id } = request
    const scope = { key: source.cursorKey, search: JSON.stringify([source.partner, external_id, String(filter)]) }
    const after = yield* place(request.after_cursor, scope)
    if (created_at === undefined) return { rows: [], end_cursor: undefined, has_next_page: false }
    const found = TransferStore.search(store, { external_id, created_at, limit, after })
    return {
      rows: found.rows,
      end_cursor: found.last && Cursor.encode(found.last, scope),
      has_next_page: found.hasMore,
    }
  })

const place = (
  cursor: string | undefined,
  scope: Cursor.Scope,
): Result.Result<TransferStore.Position | undefined, ServiceError> =>
  cursor === undefined
    ? Result.succeed(undefined)
    : Result.mapError(Cursor.decode(cursor, scope), (error) =>
        invalid(
          `after_cursor was ${error.reason}: send the end_cursor of the page before, with the same external_id and created_at`,
        ),
      )

const invalid = (message: string): ServiceError => ({ code: "invalid_parameter", message })

/** The values of one request are one range; `undefined` where it holds nothing. */
const rangeOf = ({ set }: CreatedAt.CreatedAt): TransferStore.InstantRange | undefined => {
  const [a, b] = set.boundaries
  if (set.startsInside) return { end: a }
  return a === undefined ? undefined : { first: a, end: b }
}

/** The page as JSON text in bytes. */
export const toJson = (page: Page): Uint8Array => {
  const tail = JSON.stringify({
    ...(page.end_cursor === undefined ? {} : { end_cursor: page.end_cursor }),
    has_next_page: page.has_next_page,
  })
  const parts: Array<Uint8Array> = [opening]
  page.rows.forEach((row, index) => {
    if (index > 0) parts.push(comma)
    parts.push(row)
  })
  parts.push(Buffer.from(`],"page_info":${tail}}`, "utf8"))
  return Buffer.concat(parts)
}

const opening = Buffer.from('{"results":[', "utf8")
const comma = Buffer.from(",", "utf8")
