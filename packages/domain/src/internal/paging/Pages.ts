/**
 * Reading page after page as a state that moves with each page: which request to send next, and what a page delivers.
 * Each request of the plan is one listing, read to its end. If its cursor is rejected it is read again from the start
 * and what was delivered is skipped, so nothing depends on its order.
 */
import * as Result from "effect/Result"
import * as CreatedAt from "../../CreatedAt.ts"
import type { Dialect } from "../../Dialect.ts"
import { IdSet } from "../../IdSet.ts"
import type { SearchRequest } from "../../SearchRequest.ts"
import type { Transfer } from "../../Transfer.ts"
import type { TransferPage } from "../../TransferPage.ts"
import { CursorExpired, type TransferPagerError } from "../../TransferPagerError.ts"
import type { TransferQuery } from "../../TransferQuery.ts"
import { everything, type Interval } from "../time/Interval.ts"
import { ListingCursor } from "./ListingCursor.ts"
import { PageGuard } from "./PageGuard.ts"
import type { Tally } from "./Report.ts"
import { type Answer, leftOut, Nearest, type Received, Undelivered } from "./Undelivered.ts"

/** Attempts at a listing whose cursors are rejected, if none of them got further than those before. */
const mostAttempts = 3

export interface PagesSettings {
  readonly query: TransferQuery
  readonly dialect: Dialect
  readonly limit: number
  readonly strict: boolean
  readonly emptyPageBudget: number
}

export class Pages {
  readonly #settings: PagesSettings
  readonly #wanted: CreatedAt.CreatedAt
  readonly #requests: Array<CreatedAt.PlannedRequest>
  readonly #delivered = new IdSet()
  readonly #guard: PageGuard
  readonly #undelivered = new Undelivered()
  #nearest: Nearest
  #unconfirmed: ReadonlyArray<Received> = []
  #cursor: ListingCursor
  #isRestarted = false
  /** Those that got no further than `pages`. Transfers show nothing: a service may have a new one for each. */
  #attempts = { count: 0, pages: 0 }
  #tally: Tally = { pages: 0, transfers: 0, duplicates: 0, outside: 0, oversized: 0, rejected: 0 }

  constructor(settings: PagesSettings) {
    this.#settings = settings
    this.#wanted = settings.query.created_at ?? CreatedAt.all
    this.#requests = [...CreatedAt.plan(this.#wanted, settings.dialect).requests]
    this.#cursor = new ListingCursor(settings.emptyPageBudget)
    this.#guard = new PageGuard(settings.strict)
    this.#nearest = new Nearest(this.#interval)
  }

  get tally(): Tally {
    return this.#tally
  }

  /** The request for the next page, if there is one. */
  get request(): SearchRequest | undefined {
    const [planned] = this.#requests
    if (planned === undefined) return undefined
    const { query, limit } = this.#settings
    const { after_cursor } = this.#cursor
    return {
      ...(query.external_id === undefined ? {} : { external_id: query.external_id }),
      ...(planned.created_at.length === 0 ? {} : { created_at: planned.created_at }),
      limit,
      ...(after_cursor === undefined ? {} : { after_cursor }),
    }
  }

  /** The transfers of a page that were not delivered yet. */
  admit(page: TransferPage): Result.Result<ReadonlyArray<Transfer>, TransferPagerError> {
    const { query, limit } = this.#settings
    const request = { external_id: query.external_id, interval: this.#interval, wanted: this.#wanted }
    const admitted = this.#guard.admit(request, page.results)
    if (Result.isFailure(admitted)) return Result.fail(admitted.failure)
    const { wanted, inside, outside, strays } = admitted.success
    const added = this.#undelivered.stray(strays, this.#place)
    if (Result.isFailure(added)) return Result.fail(added.failure)
    return Result.flatMap(this.#cursor.advance(page, inside), (more) => {
      const fresh = wanted.filter(({ id }) => this.#delivered.add(id))
      const again = wanted.length - fresh.length
      this.#tally = {
        pages: this.#tally.pages + 1,
        transfers: this.#tally.transfers + fresh.length,
        duplicates: this.#tally.duplicates + (this.#isRestarted ? 0 : again),
        outside: this.#tally.outside + outside,
        oversized: this.#tally.oversized + (page.results.length > limit ? 1 : 0),
        rejected: this.#tally.rejected,
      }
      this.#undelivered.delivered(fresh)
      if (!more) {
        this.#requests.shift()
        const complete = this.#complete()
        if (Result.isFailure(complete)) return Result.fail(complete.failure)
        this.#unconfirmed = this.#nearest.strays
        this.#nearest = new Nearest(this.#interval)
        this.#attempts = { count: 0, pages: 0 }
        this.#start(false)
      }
      return Result.succeed(fresh)
    })
  }

  /** The service rejects the cursor. Starts the listing over, unless that has brought it no further a few times. */
  expire(reason: string): Result.Result<void, CursorExpired> {
    this.#tally = { ...this.#tally, rejected: this.#tally.rejected + 1 }
    const { count, pages } = this.#attempts
    const isFurther = this.#cursor.pages > pages
    this.#attempts = { count: isFurther ? 1 : count + 1, pages: Math.max(this.#cursor.pages, pages) }
    if (this.#attempts.count >= mostAttempts) return Result.fail(new CursorExpired({ reason }))
    this.#start(true)
    return Result.succeed(undefined)
  }

  /** Strays next to the listing that has ended: the service has to list them at their own times. */
  get unconfirmed(): ReadonlyArray<Received> {
    return this.#unconfirmed
  }

  /** Unless any are lost, it does. */
  confirm({ lost: [lost, ...others], overheard, pages }: Answer): Result.Result<void, TransferPagerError> {
    this.#tally = { ...this.#tally, pages: this.#tally.pages + pages }
    this.#unconfirmed = []
    if (lost !== undefined) return Result.fail(leftOut(lost, [...others, ...this.#undelivered.strays]))
    return Result.flatMap(this.#undelivered.stray(overheard.strays, this.#place), () => this.#complete())
  }

  /** Whether all that came has been delivered, once everything was read. */
  #complete(): Result.Result<void, TransferPagerError> {
    const [lost, ...others] = this.#requests.length === 0 ? this.#undelivered.strays : []
    return lost === undefined ? Result.void : Result.fail(leftOut(lost, others))
  }

  get #place() {
    const isOwed = ({ created_at }: Transfer) => CreatedAt.matches(this.#wanted, created_at)
    return { nearest: this.#nearest, isOwed, delivered: this.#delivered }
  }

  /** What the listing under way was asked for. */
  get #interval(): Interval {
    const [interval = everything] = this.#requests.slice(0, 1).flatMap(({ window }) => CreatedAt.intervals(window))
    return interval
  }

  get isAtStart(): boolean {
    return this.#cursor.after_cursor === undefined
  }

  #start(isRestarted: boolean): void {
    this.#cursor = new ListingCursor(this.#settings.emptyPageBudget)
    this.#isRestarted = isRestarted
  }
}
