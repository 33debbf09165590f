/** What stands between the service's pages and the consumer: the rules of design that keep paging finite and whole. */
import * as Result from "effect/Result"
import * as CreatedAt from "../CreatedAt.ts"
import type { PlannedRequest } from "../CreatedAt.ts"
import type { Transfer } from "../Transfer.ts"
import type { TransferPage } from "../TransferPage.ts"
import type { Tally } from "../TransferPager.ts"
import {
  CursorCycle,
  EmptyPages,
  MissingCursor,
  OutsideFilter,
  type TransferPagerError,
} from "../TransferPagerError.ts"

export interface GuardOptions {
  readonly external_id: string | undefined
  readonly limit: number
  readonly strict: boolean
  readonly emptyPageBudget: number
}

/** Judges the pages of one query, in the order in which they come. */
export class PageGuard {
  readonly #options: GuardOptions
  readonly #seenIds = new Set<string>()
  readonly #seenCursors = new Set<string>()
  #emptyInARow = 0
  #tally: Tally = { pages: 0, transfers: 0, duplicates: 0, outside: 0, oversized: 0 }

  constructor(options: GuardOptions) {
    this.#options = options
  }

  get tally(): Tally {
    return this.#tally
  }

  /** The transfers of a request's page that the consumer is to have. */
  admit(request: PlannedRequest, page: TransferPage): Result.Result<ReadonlyArray<Transfer>, TransferPagerError> {
    const number = this.#tally.pages + 1
    const misled = this.#checkCursor(page, number)
    if (misled !== undefined) return Result.fail(misled)
    const results: Array<Transfer> = []
    let duplicates = 0
    let outside = 0
    for (const transfer of page.results) {
      const reason = whyOutside(this.#options.external_id, request.window, transfer)
      if (reason !== undefined) {
        if (this.#options.strict) return Result.fail(new OutsideFilter({ id: transfer.id, reason }))
        outside++
      } else if (request.residual !== undefined && !CreatedAt.matches(request.residual, transfer.created_at)) {
        // The window had to be wider than the query, so the service did as it was told.
      } else if (this.#seenIds.has(transfer.id)) {
        duplicates++
      } else {
        this.#seenIds.add(transfer.id)
        results.push(transfer)
      }
    }
    this.#tally = {
      pages: number,
      transfers: this.#tally.transfers + results.length,
      duplicates: this.#tally.duplicates + duplicates,
      outside: this.#tally.outside + outside,
      oversized: this.#tally.oversized + (page.results.length > this.#options.limit ? 1 : 0),
    }
    return Result.succeed(results)
  }

  #checkCursor(page: TransferPage, number: number): TransferPagerError | undefined {
    const { has_next_page, end_cursor } = page.page_info
    this.#emptyInARow = page.results.length === 0 ? this.#emptyInARow + 1 : 0
    if (!has_next_page) {
      // Another request may well use the same cursors: an offset does.
      this.#seenCursors.clear()
      return undefined
    }
    if (end_cursor === undefined || end_cursor === "") return new MissingCursor({ page: number })
    if (this.#seenCursors.has(end_cursor)) return new CursorCycle({ cursor: end_cursor, page: number })
    this.#seenCursors.add(end_cursor)
    const { emptyPageBudget } = this.#options
    return this.#emptyInARow > emptyPageBudget ? new EmptyPages({ budget: emptyPageBudget }) : undefined
  }
}

const whyOutside = (
  external_id: string | undefined,
  window: CreatedAt.CreatedAt,
  transfer: Transfer,
): string | undefined => {
  if (external_id !== undefined && transfer.external_id !== external_id) {
    return `its external_id is ${JSON.stringify(transfer.external_id ?? null)}`
  }
  return CreatedAt.matches(window, transfer.created_at) ? undefined : `it was created at ${transfer.created_at.text}`
}
