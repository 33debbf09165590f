/** Follows one listing of the service from page to page, and ends it if its pages bring nothing new. */
import * as Result from "effect/Result"
import { IdSet } from "../../IdSet.ts"
import type { Transfer } from "../../Transfer.ts"
import type { TransferPage } from "../../TransferPage.ts"
import { CursorCycle, EmptyPages, MissingCursor, RepeatedPages } from "../../TransferPagerError.ts"

/** Pages in a row without a new transfer that are accepted at the least: a listing has each transfer about once. */
const mostRepeatedPages = 100

type Endless = MissingCursor | CursorCycle | EmptyPages | RepeatedPages

export class ListingCursor {
  readonly #emptyPageBudget: number
  readonly #cursors = new IdSet()
  readonly #repeated = new IdSet()
  readonly #ends = new IdSet()
  /** Of the transfers that were asked for. A repetition is one of this listing: an earlier one may have been cut short. */
  readonly #ids = new IdSet()
  #emptyInARow = 0
  #repeatedInARow = 0
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

  /** Whether another page follows one of whose transfers those `inside` were asked for. */
  advance(
    { page_info: { has_next_page, end_cursor }, results }: TransferPage,
    inside: ReadonlyArray<Transfer>,
  ): Result.Result<boolean, Endless> {
    this.#pages++
    if (!has_next_page) return Result.succeed(false)
    if (end_cursor === undefined || end_cursor === "") return Result.fail(new MissingCursor({ page: this.#pages }))
    // A cursor names the last transfer of its page, which may change and end another page. In a cycle the page is the same.
    const isSamePage = !this.#ends.add(`${end_cursor}\n${results.map(versionOf).join("\n")}`)
    if (!this.#cursors.add(end_cursor) && (isSamePage || !this.#repeated.add(end_cursor))) {
      return Result.fail(new CursorCycle({ cursor: end_cursor, page: this.#pages }))
    }
    const [first] = results
    if (first === undefined) {
      if (++this.#emptyInARow > this.#emptyPageBudget) {
        return Result.fail(new EmptyPages({ budget: this.#emptyPageBudget }))
      }
    } else {
      this.#emptyInARow = 0
      let isNew = false
      for (const { id } of inside) if (this.#ids.add(id)) isNew = true
      this.#repeatedInARow = isNew ? 0 : this.#repeatedInARow + 1
      const most = Math.max(mostRepeatedPages, this.#emptyPageBudget)
      if (this.#repeatedInARow > most) return Result.fail(new RepeatedPages({ pages: most, id: first.id }))
    }
    this.#cursor = end_cursor
    return Result.succeed(true)
  }
}

const versionOf = ({ id, updated_at }: Transfer): string => `${id} ${updated_at?.text ?? ""}`
