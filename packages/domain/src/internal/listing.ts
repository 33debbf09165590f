/**
 * One listing of the service, read page by page behind its cursor: what is still to come of it, and what its order
 * turned out to be.
 */
import * as Result from "effect/Result"
import * as CreatedAt from "../CreatedAt.ts"
import type { Dialect } from "../Dialect.ts"
import type { Transfer } from "../Transfer.ts"
import type { TransferPage } from "../TransferPage.ts"
import { CursorCycle, EmptyPages, MissingCursor, type TransferPagerError } from "../TransferPagerError.ts"
import { IdSet } from "./idSet.ts"
import * as Interval from "./interval.ts"
import * as WholeSecond from "./wholeSecond.ts"

/** How the creation times of a listing run, as far as they have been seen. */
export type Order = "unseen" | "ascending" | "descending" | "none"

/** Where a listing stands. A value: a step makes another. */
export interface Position {
  /** What was asked of the service; the cursor is good for this only. */
  readonly asked: Interval.Interval
  /** The part that this listing is to deliver. */
  readonly keep: Interval.Interval
  readonly after_cursor: string | undefined
  readonly order: Order
  /** The creation time of the last transfer seen. */
  readonly frontier: bigint | undefined
  /** The transfers seen that were created just then: the first `count` of `ids`, to which later positions add. */
  readonly atFrontier: { readonly ids: Array<string>; readonly count: number }
  /** Transfers of `keep` that had been delivered before it began. */
  readonly delivered: ReadonlyArray<string>
  /** There are more of those than can be named. */
  readonly isAgain: boolean
}

/** A listing from its beginning, for an interval of any instants. */
export const start = (keep: Interval.Interval, before: Partial<Position> = {}): Position => ({
  asked: Interval.toWholeSeconds(keep),
  keep,
  after_cursor: undefined,
  order: "unseen",
  frontier: undefined,
  atFrontier: { ids: [], count: 0 },
  delivered: [],
  isAgain: false,
  ...before,
})

/** So many pages show how the transfers of a listing without order are spread. */
const pagesToSample = 5

/** No more than this is read twice for it. */
const mostToSample = 200

/** Starts over in a row that brought nothing, before a listing is given up. */
const mostIdleRestarts = 5

export class Listing {
  position: Position
  /** Began in another process, so that not all of the transfers it has given are known. */
  readonly isResumed: boolean
  /** A request of it is under way. */
  isBusy = false
  pages = 0
  /** Times that the creation time changed from one transfer to the next. */
  steps = 0
  /** Transfers to a second around the frontier, or a guess before there is a page. */
  density: number
  /** The same where it started. */
  startDensity: number
  /** The listing that goes on where this one ends. */
  successor: Listing | undefined
  /** Transfers delivered since it was started or started again. */
  progress = 0
  readonly #idleRestarts: number
  readonly #seenCursors = new IdSet()
  /** The first transfers it has given. */
  readonly #given: Array<{ readonly id: string; readonly at: bigint }> = []
  #emptyInARow = 0
  #sent: { readonly asked: Interval.Interval; readonly values: ReadonlyArray<string> } | undefined

  constructor(position: Position, options: { readonly density?: number; readonly idleRestarts?: number } = {}) {
    this.position = position
    this.isResumed = position.after_cursor !== undefined
    this.#idleRestarts = options.idleRestarts ?? 0
    this.density = options.density ?? 0
    this.startDensity = this.density
    if (position.after_cursor !== undefined) this.#seenCursors.add(position.after_cursor)
  }

  /** Was asked for before, for a reason of our own: what it gives twice is no fault of the service. */
  get isRepeat(): boolean {
    return this.position.isAgain || this.position.delivered.length > 0
  }

  /** The values of `created_at` that ask for it. */
  createdAt(dialect: Dialect): ReadonlyArray<string> {
    const { asked } = this.position
    if (this.#sent?.asked !== asked) {
      const [planned] = CreatedAt.plan(Interval.toFilter(asked), dialect).requests
      if (planned === undefined) throw new Error("a listing of no instant was to be read")
      this.#sent = { asked, values: planned.created_at }
    }
    return this.#sent.values
  }

  /** It was asked for as it is, so a cut does not change what its pages hold. */
  get isBegun(): boolean {
    return this.isBusy || this.position.after_cursor !== undefined
  }

  /**
   * The listing to read where the service does not know the cursor any more, and the part that is taken as read on
   * the word of the order. `undefined` where nothing can be done: it has come no further since it was started, several
   * times over, or it is not known which transfers have been delivered.
   */
  restart(): { readonly listing: Listing; readonly read?: Interval.Interval } | undefined {
    const { asked, keep, after_cursor, order, frontier, atFrontier } = this.position
    const idleRestarts = this.progress > 0 ? 0 : this.#idleRestarts + 1
    if (after_cursor === undefined || idleRestarts > mostIdleRestarts) return undefined
    const delivered = [...this.position.delivered, ...atFrontier.ids.slice(0, atFrontier.count)]
    if (frontier === undefined || order === "unseen") {
      // All it has given was created at one instant.
      const isKnown = !this.isResumed || delivered.length > 0
      return isKnown ? { listing: new Listing(start(keep, { asked, delivered }), { idleRestarts }) } : undefined
    }
    if (order === "none") {
      const isKnown = !this.isResumed
      return isKnown ? { listing: new Listing(start(keep, { asked, isAgain: true }), { idleRestarts }) } : undefined
    }
    if (this.isResumed && this.pages === 0 && atFrontier.count === 0) return undefined
    const [rest, read] =
      order === "descending"
        ? [Interval.before(keep, frontier + 1n), Interval.from(keep, frontier + 1n)]
        : [Interval.from(keep, frontier), Interval.before(keep, frontier)]
    const listing = new Listing(start(rest, { delivered }), { idleRestarts, density: this.density })
    listing.successor = this.successor
    return { listing, read }
  }

  /**
   * Listings that together give what this one has left, cut where the transfers it has given suggest that they are
   * of one size: for a service without order, which cannot be cut where it stands. `undefined` where that is too
   * early, too late, or of no use.
   */
  scatter(most: number): ReadonlyArray<Listing> | undefined {
    const { keep, order } = this.position
    if (order !== "none" || this.isRepeat || this.isResumed || most < 2) return undefined
    if (this.pages < pagesToSample || this.#given.length > mostToSample) return undefined
    const instants = this.#given.map(({ at }) => at).sort((a, b) => (a < b ? -1 : a > b ? 1 : 0))
    const cuts = new Set<bigint>()
    for (let part = 1; part < most; part++) {
      const at = WholeSecond.ceilSecond(instants[Math.floor((instants.length * part) / most)] ?? 0n)
      if (Interval.has(keep, at) && at !== keep.first) cuts.add(at)
    }
    if (cuts.size === 0) return undefined
    let rest = keep
    const parts = [...cuts].map((at) => {
      const part = Interval.before(rest, at)
      rest = Interval.from(rest, at)
      return part
    })
    return [...parts, rest].map((part) => {
      const delivered = this.#given.filter(({ at }) => Interval.has(part, at)).map(({ id }) => id)
      return new Listing(start(part, { delivered }))
    })
  }

  /** Takes a page into account. Gives whether another follows. */
  advance(
    page: TransferPage,
    limits: { readonly emptyPageBudget: number; readonly page: number },
  ): Result.Result<boolean, TransferPagerError> {
    const { end_cursor, has_next_page } = page.page_info
    this.#emptyInARow = page.results.length === 0 ? this.#emptyInARow + 1 : 0
    this.pages++
    if (has_next_page) {
      if (end_cursor === undefined || end_cursor === "") return Result.fail(new MissingCursor({ page: limits.page }))
      if (!this.#seenCursors.add(end_cursor)) {
        return Result.fail(new CursorCycle({ cursor: end_cursor, page: limits.page }))
      }
      if (this.#emptyInARow > limits.emptyPageBudget) {
        return Result.fail(new EmptyPages({ budget: limits.emptyPageBudget }))
      }
    }
    this.position = { ...this.#observe(page.results), after_cursor: has_next_page ? end_cursor : undefined }
    return Result.succeed(has_next_page)
  }

  #observe(transfers: ReadonlyArray<Transfer>): Position {
    let { order, frontier, atFrontier } = this.position
    let first: bigint | undefined
    const seen = new Set<string>()
    for (const { id, created_at } of transfers) {
      const at = created_at.epochNanoseconds
      // A transfer that is on the page twice says nothing about its order.
      if (seen.has(id) || !Interval.has(this.position.asked, at)) continue
      first ??= at
      seen.add(id)
      if (this.#given.length <= mostToSample) this.#given.push({ id, at })
      if (at === frontier) {
        atFrontier.ids.length = atFrontier.count
        atFrontier = { ids: atFrontier.ids, count: atFrontier.ids.push(id) }
        continue
      }
      if (frontier !== undefined) {
        order = follow(order, at > frontier ? "ascending" : "descending")
        this.steps++
      }
      frontier = at
      atFrontier = { ids: [id], count: 1 }
    }
    if (first !== undefined && frontier !== undefined && seen.size > 1) {
      const span = Math.abs(Interval.seconds(frontier) - Interval.seconds(first))
      this.density = (seen.size - 1) / Math.max(span, 1 / 64)
      if (this.pages === 1) this.startDensity = this.density
    }
    return { ...this.position, order, frontier, atFrontier }
  }
}

const follow = (order: Order, step: "ascending" | "descending"): Order =>
  order === "unseen" || order === step ? step : "none"
