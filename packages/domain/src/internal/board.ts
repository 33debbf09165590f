/**
 * Who reads what. Each listing is read by its own cursor; where the service's order has shown itself, one can be cut
 * so that several are read at once. The order is never needed for the result: when it breaks, what had been taken on
 * its word is read again.
 */
import * as Result from "effect/Result"
import * as CreatedAt from "../CreatedAt.ts"
import type { Dialect } from "../Dialect.ts"
import type { SearchRequest } from "../SearchRequest.ts"
import * as Timestamp from "../Timestamp.ts"
import type { Transfer } from "../Transfer.ts"
import type { TransferPage } from "../TransferPage.ts"
import { OrderBroken, type TransferPagerError } from "../TransferPagerError.ts"
import type { TransferQuery } from "../TransferQuery.ts"
import * as Interval from "./interval.ts"
import { Listing, type Position, start } from "./listing.ts"
import type { PageGuard } from "./pageGuard.ts"
import * as Share from "./share.ts"
import * as WholeSecond from "./wholeSecond.ts"

export interface BoardOptions {
  readonly query: TransferQuery
  readonly dialect: Dialect
  readonly guard: PageGuard
  readonly positions: ReadonlyArray<Position>
  readonly limit: number
  readonly emptyPageBudget: number
  /** Listings that may be read at once; one never is cut. */
  readonly concurrency: number
  /** Listings were left before their end, in a process before this one. */
  readonly reliedBefore: boolean
}

/** Less than a page is left to the one who is reading. */
const worthStealing = 20

/** Requests that may find less than a page, for those who would otherwise be idle: so many, and a share of all. */
const requestsToWaste = 12
const shareToWaste = 0.04

/** So many changes of the creation time, all in one direction, are an order until it breaks. */
const stepsToTrust = 5

export class Board {
  readonly #options: BoardOptions
  readonly #filter: CreatedAt.CreatedAt
  #listings: Array<Listing>
  #direction: "ascending" | "descending" | undefined
  #isBroken = false
  #pages = 0
  #fullPages = 0
  /** Delivered on the word of the order: a listing was left before its end. */
  #relied: Array<Interval.Interval> = []

  /** Which transfers of those have been delivered is known. */
  #canRepeat: boolean

  constructor(options: BoardOptions) {
    this.#options = options
    this.#canRepeat = !options.reliedBefore
    this.#filter = options.query.created_at ?? CreatedAt.all
    this.#listings = options.positions.map((position) => new Listing(position))
  }

  get reliedOnOrder(): boolean {
    return this.#options.reliedBefore || this.#relied.length > 0
  }

  get isDone(): boolean {
    return this.#listings.length === 0
  }

  /** What is still to be read. */
  get positions(): ReadonlyArray<Position> {
    return this.#listings.map(({ position }) => position)
  }

  /** A listing to request the next page of, if there is one; `now` helps to guess where the newest transfers are. */
  take(now: bigint): Listing | undefined {
    const listing = this.#listings.find(({ isBusy }) => !isBusy) ?? this.#steal(now)
    if (listing !== undefined) listing.isBusy = true
    return listing
  }

  request(listing: Listing): SearchRequest {
    const { query, dialect, limit } = this.#options
    const { after_cursor } = listing.position
    const created_at = listing.createdAt(dialect)
    return {
      ...(query.external_id === undefined ? {} : { external_id: query.external_id }),
      ...(created_at.length === 0 ? {} : { created_at }),
      limit,
      ...(after_cursor === undefined ? {} : { after_cursor }),
    }
  }

  /** The transfers of a page that the consumer is to have. */
  admit(listing: Listing, page: TransferPage): Result.Result<ReadonlyArray<Transfer>, TransferPagerError> {
    const { guard, emptyPageBudget } = this.#options
    listing.isBusy = false
    this.#pages += 1
    this.#fullPages += Math.min(1, page.results.length / this.#options.limit)
    const hasMore = listing.advance(page, { emptyPageBudget, page: guard.tally.pages + 1 })
    if (Result.isFailure(hasMore)) return Result.fail(hasMore.failure)
    const admitted = guard.admit({ ...listing.position, filter: this.#filter, isRepeat: listing.isRepeat }, page)
    if (Result.isFailure(admitted)) return admitted
    listing.progress += admitted.success.length
    if (this.#isAgainstTheOrder(listing)) {
      if (!this.#canRepeat) return Result.fail(new OrderBroken())
      this.#break()
    }
    if (!hasMore.success) this.#drop(listing)
    else if (this.#isPastItsPart(listing)) {
      this.#rely(listing, listing.position.keep)
      this.#drop(listing)
    } else if (this.#isBroken) this.#scatter(listing)
    return admitted
  }

  /** The service refuses the cursor of a listing. Whether that could be mended by asking for the rest anew. */
  recover(listing: Listing): boolean {
    const restart = listing.restart()
    if (restart === undefined) return false
    if (restart.read !== undefined) this.#rely(listing, restart.read)
    this.#replace(listing, Interval.isEmpty(restart.listing.position.keep) ? [] : [restart.listing])
    return true
  }

  #rely(listing: Listing, read: Interval.Interval): void {
    if (Interval.isEmpty(read)) return
    this.#relied.push(read)
    if (listing.isResumed) this.#canRepeat = false
  }

  #scatter(listing: Listing): void {
    const { concurrency } = this.#options
    const parts = concurrency < 2 ? undefined : listing.scatter(concurrency + requestsToWaste)
    if (parts !== undefined) this.#replace(listing, parts)
  }

  #replace(listing: Listing, by: ReadonlyArray<Listing>): void {
    this.#listings = this.#listings.flatMap((other) => (other === listing ? by : other))
  }

  #drop(listing: Listing): void {
    this.#listings = this.#listings.filter((other) => other !== listing)
  }

  #isAgainstTheOrder({ position: { order }, steps }: Listing): boolean {
    if (this.#isBroken || order === "unseen" || order === this.#direction) return false
    if (order === "none" || this.#direction !== undefined) return true
    if (steps >= stepsToTrust) this.#direction = order
    return false
  }

  /** The order does not hold, so what was left unread on its word is to be read. */
  #break(): void {
    this.#isBroken = true
    for (const interval of this.#relied) {
      this.#listings.push(new Listing(start(interval, { isAgain: true })))
    }
    this.#relied = []
  }

  /** Another listing has the rest. */
  #isPastItsPart({ position: { frontier, keep, order } }: Listing): boolean {
    if (this.#isBroken || this.#direction === undefined || frontier === undefined) return false
    if (order !== "unseen" && order !== this.#direction) return false
    return this.#direction === "descending"
      ? keep.first !== undefined && frontier < keep.first
      : keep.end !== undefined && frontier >= keep.end
  }

  #steal(now: bigint): Listing | undefined {
    if (this.#options.concurrency < 2 || this.#direction === undefined || this.#isBroken) return undefined
    if (this.#pages - this.#fullPages > requestsToWaste + this.#pages * shareToWaste) return undefined
    let busiest: { readonly listing: Listing; readonly share: Share.Share; readonly rest: Share.Rest } | undefined
    for (const listing of this.#listings) {
      const rest = restOf(listing, this.#direction, now)
      if (rest === undefined) continue
      const share = Share.share(rest)
      if (share.weight > (busiest?.share.weight ?? worthStealing)) busiest = { listing, share, rest }
    }
    return busiest === undefined ? undefined : this.#cut(busiest.listing, this.#direction, busiest.share, busiest.rest)
  }

  #cut(
    victim: Listing,
    direction: "ascending" | "descending",
    share: Share.Share,
    rest: Share.Rest,
  ): Listing | undefined {
    const { keep } = victim.position
    const at = clampCut(victim.position, direction, Interval.ofSeconds(share.cut))
    if (at === undefined) return undefined
    const [mine, taken] =
      direction === "descending"
        ? [Interval.from(keep, at), Interval.before(keep, at)]
        : [Interval.before(keep, at), Interval.from(keep, at)]
    const thief = new Listing(start(taken), { density: Share.densityAtCut(rest) })
    thief.successor = victim.successor
    victim.successor = thief
    victim.position = { ...victim.position, keep: mine, ...(victim.isBegun ? {} : { asked: mine }) }
    this.#listings.push(thief)
    return thief
  }
}

/** Before this there were no crypto networks; only a guess at where to look. */
const genesis = Timestamp.parseUnsafe("2009-01-03T00:00:00Z").epochNanoseconds

const restOf = (listing: Listing, direction: "ascending" | "descending", now: bigint): Share.Rest | undefined => {
  const { frontier, keep } = listing.position
  const isDown = direction === "descending"
  const near = frontier ?? (isDown ? keep.end : keep.first)
  if (near === undefined) return undefined
  const bound = isDown ? keep.first : keep.end
  const far = bound ?? (isDown ? genesis : now)
  const rest = {
    near: Interval.seconds(near),
    nearDensity: listing.density,
    farDensity: listing.successor?.startDensity,
  }
  if (isDown ? far < near : far > near) {
    return { ...rest, far: Interval.seconds(far), isOpen: bound === undefined && isDown }
  }
  // It goes on beyond where anything was expected: how far, nobody knows, and it takes a page to know that it does.
  if (bound !== undefined || frontier === undefined) return undefined
  return { ...rest, far: rest.near + (isDown ? -beyond : beyond), isOpen: true }
}

/** A year, in seconds. */
const beyond = 366 * 86_400

const second = 1_000_000_000n
const earliest = Timestamp.earliest.epochNanoseconds
const latest = Timestamp.latest.epochNanoseconds

/** The nearest place to cut that leaves the frontier to the one and something to the other. */
const clampCut = (
  { frontier, keep }: Position,
  direction: "ascending" | "descending",
  at: bigint,
): bigint | undefined => {
  const begin = keep.first === undefined ? undefined : WholeSecond.floorSecond(keep.first) + second
  const end = keep.end === undefined ? undefined : WholeSecond.ceilSecond(keep.end) - second
  const [least, most] =
    direction === "descending"
      ? [begin, frontier === undefined ? end : WholeSecond.floorSecond(frontier)]
      : [frontier === undefined ? begin : WholeSecond.ceilSecond(frontier + 1n), end]
  const cut = least !== undefined && at < least ? least : most !== undefined && at > most ? most : at
  const isPossible = (least === undefined || cut >= least) && (most === undefined || cut <= most)
  return isPossible && cut > earliest && cut < latest ? cut : undefined
}
