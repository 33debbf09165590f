/** Follows one listing of the service from page to page, and notices if it would never end. */
import * as Result from "effect/Result"
import type { PageInfo } from "../../TransferPage.ts"
import { CursorCycle, EmptyPages, MissingCursor } from "../../TransferPagerError.ts"
import { IdSet } from "./IdSet.ts"

export class ListingCursor {
  readonly #emptyPageBudget: number
  readonly #seen = new IdSet()
  #emptyInARow = 0
  #pages = 0
  #cursor: string | undefined

  constructor(emptyPageBudget: number) {
    this.#emptyPageBudget = emptyPageBudget
  }

  /** The `after_cursor` of the next request; `undefined` before the first. */
  get after_cursor(): string | undefined {
    return this.#cursor
  }

  /** Pages read so far. */
  get pages(): number {
    return this.#pages
  }

  /** Whether another page follows one with so many transfers. */
  advance(
    { has_next_page, end_cursor }: PageInfo,
    transfers: number,
  ): Result.Result<boolean, MissingCursor | CursorCycle | EmptyPages> {
    this.#pages++
    if (!has_next_page) return Result.succeed(false)
    if (end_cursor === undefined || end_cursor === "") return Result.fail(new MissingCursor({ page: this.#pages }))
    if (!this.#seen.add(end_cursor)) return Result.fail(new CursorCycle({ cursor: end_cursor, page: this.#pages }))
    this.#emptyInARow = transfers === 0 ? this.#emptyInARow + 1 : 0
    if (this.#emptyInARow > this.#emptyPageBudget) return Result.fail(new EmptyPages({ budget: this.#emptyPageBudget }))
    this.#cursor = end_cursor
    return Result.succeed(true)
  }
}
