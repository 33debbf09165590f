/**
 * A scan as a state that moves with each page: which request to send next, and what a page delivers. Transfers are
 * delivered when the listing of their window was read to its end, so that a window that is given up, for whatever
 * reason, has delivered nothing and is covered again, whole.
 */
import * as Result from "effect/Result"
import type { Checkpoint } from "../../Checkpoint.ts"
import { IdSet } from "../../IdSet.ts"
import type { SearchRequest } from "../../SearchRequest.ts"
import * as Timestamp from "../../Timestamp.ts"
import type { Transfer } from "../../Transfer.ts"
import type { TransferPage } from "../../TransferPage.ts"
import { CursorExpired, MovedTransfer, SecondTooLarge, type TransferPagerError } from "../../TransferPagerError.ts"
import { ListingCursor } from "../paging/ListingCursor.ts"
import { PageGuard } from "../paging/PageGuard.ts"
import type { Tally } from "../paging/Report.ts"
import { type Answer, leftOut, Nearest, type Question, type Received, Undelivered } from "../paging/Undelivered.ts"
import type { Interval } from "../time/Interval.ts"
import { nanosPerMillisecond } from "../time/WholeSecond.ts"
import * as Excess from "../wire/Excess.ts"
import { Coverage, isSecond, type Span } from "./Coverage.ts"
import type { Reading } from "./Reading.ts"
import type { ScanRange } from "./ScanRange.ts"
import { WindowScheduler } from "./WindowScheduler.ts"

export interface ScanSettings {
  readonly range: ScanRange
  readonly external_id: string | undefined
  readonly concurrency: number
  readonly windowSize: number
  readonly limit: number
  readonly strict: boolean
  readonly emptyPageBudget: number
  /** Transfers of one second that are held at the most: a second cannot be cut. */
  readonly mostInSecond: number
  /** Whether to fail if the same transfer would be delivered at two creation times. */
  readonly moved: "fail" | "deliver"
  /** The ids of all that was delivered. */
  readonly delivered: IdSet
  /** What is to be delivered, if it comes: by this scan, or by the one that it resumes. */
  readonly isOwed: (transfer: Transfer) => boolean
  readonly resume: Checkpoint | undefined
}

/** A window under way. */
export interface Window {
  readonly span: Span
  readonly interval: Interval
  readonly created_at: ReadonlyArray<string>
  readonly cursor: ListingCursor
  readonly reading: Reading
  /** By id, as read last: what the window delivers when it is complete. */
  readonly transfers: Map<string, Transfer>
  readonly nearest: Nearest
  duplicates: number
  outside: number
}

/** What came of a page: another one is to be requested, the window is complete or will be so after a question, or given up. */
export type Outcome =
  | { readonly _tag: "More" }
  | { readonly _tag: "Unconfirmed"; readonly question: Question }
  | {
      readonly _tag: "Complete"
      readonly transfers: ReadonlyArray<Transfer>
      readonly interval: Interval
      readonly remaining: ReadonlyArray<Interval>
      readonly strays: ReadonlyArray<Received>
      readonly givenUp: ReadonlyArray<Received>
      readonly expected: number
      readonly excess: number
    }
  | { readonly _tag: "GivenUp" }

/** Times that a second is read again because its cursor expired, if none of them got further than those before. */
const mostAttempts = 5

export class Scan {
  readonly #settings: ScanSettings
  readonly #coverage: Coverage
  readonly #scheduler: WindowScheduler
  readonly #attempts = new Map<number, { readonly count: number; readonly pages: number }>()
  #tally: Tally = { pages: 0, transfers: 0, duplicates: 0, outside: 0, oversized: 0, rejected: 0 }
  readonly #guard: PageGuard
  readonly #undelivered: Undelivered
  readonly #confirmed = new IdSet()
  #isAdmitting = false

  constructor(settings: ScanSettings) {
    const { range, concurrency, windowSize, mostInSecond, strict } = settings
    this.#guard = new PageGuard(strict)
    this.#undelivered = new Undelivered(settings.resume)
    this.#settings = settings
    this.#coverage = new Coverage(range.spans)
    this.#scheduler = new WindowScheduler(this.#coverage, { concurrency, windowSize, mostInSecond })
  }

  get tally(): Tally {
    return this.#tally
  }

  get isComplete(): boolean {
    return this.#coverage.isComplete
  }

  /** Opens another window, if one should be read now. */
  open(): Window | undefined {
    const reading = this.#scheduler.open()
    if (reading === undefined) return undefined
    const { range, emptyPageBudget } = this.#settings
    const interval = range.intervalOf(reading.span)
    return {
      span: reading.span,
      interval,
      created_at: range.valuesOf(interval),
      cursor: new ListingCursor(emptyPageBudget),
      reading,
      transfers: new Map(),
      nearest: new Nearest(interval),
      duplicates: 0,
      outside: 0,
    }
  }

  /** The request for the next page of a window. */
  request({ created_at, cursor: { after_cursor } }: Window): SearchRequest {
    const { external_id, limit } = this.#settings
    return {
      ...(external_id === undefined ? {} : { external_id }),
      created_at,
      limit,
      ...(after_cursor === undefined ? {} : { after_cursor }),
    }
  }

  /** Takes a page of a window into account. After a defect it takes no other: nothing more is delivered. */
  admit(window: Window, page: TransferPage): Result.Result<Outcome, TransferPagerError> {
    if (this.#isAdmitting) throw new Error("An earlier page of this scan ended in a defect")
    this.#isAdmitting = true
    const outcome = this.#admit(window, page)
    this.#isAdmitting = false
    return outcome
  }

  #admit(window: Window, page: TransferPage): Result.Result<Outcome, TransferPagerError> {
    const { range, moved, external_id, limit, mostInSecond } = this.#settings
    const { span, interval, cursor, reading, transfers } = window
    const isOversized = page.results.length > limit
    this.#tally = {
      ...this.#tally,
      pages: this.#tally.pages + 1,
      oversized: this.#tally.oversized + (isOversized ? 1 : 0),
    }
    const admitted = this.#guard.admit({ external_id, interval, wanted: range.wanted }, page.results)
    if (Result.isFailure(admitted)) return Result.fail(admitted.failure)
    const more = cursor.advance(page, admitted.success.inside)
    if (Result.isFailure(more)) return Result.fail(more.failure)
    for (const transfer of admitted.success.wanted) {
      const before = transfers.get(transfer.id)
      if (before !== undefined) {
        if (moved === "fail" && !isAtSameTime(before, transfer)) return Result.fail(movedTransfer(transfer))
        window.duplicates++
      }
      transfers.set(transfer.id, transfer)
    }
    window.outside += admitted.success.outside
    const added = this.#undelivered.stray(admitted.success.strays, this.#placeOf(window))
    if (Result.isFailure(added)) return Result.fail(added.failure)
    this.#scheduler.page(reading, admitted.success.wanted.map(secondsOf), Excess.of(page))
    if (!more.success) return this.#end(window)
    const isTooLong = reading.excess > Excess.most
    if (isSecond(span) && (isTooLong || transfers.size > mostInSecond)) {
      const second = Timestamp.fromEpochSeconds(span.from).text
      return Result.fail(new SecondTooLarge({ second, most: isTooLong ? transfers.size : mostInSecond }))
    }
    if (!this.#scheduler.isWorthGivingUp(reading)) return Result.succeed({ _tag: "More" })
    this.#undelivered.giveUp(transfers.values())
    this.#scheduler.giveUp(reading)
    return Result.succeed({ _tag: "GivenUp" })
  }

  #placeOf({ nearest }: Window) {
    const { isOwed, delivered } = this.#settings
    return { nearest, isOwed, delivered }
  }

  /** Unless any are lost, the strays of a question are listed, and the others have vanished. */
  confirm(
    window: Window,
    { strays, givenUp }: Question,
    { lost: [lost, ...more], overheard, pages }: Answer,
  ): Result.Result<Outcome, TransferPagerError> {
    this.#tally = { ...this.#tally, pages: this.#tally.pages + pages }
    if (lost !== undefined) return Result.fail(leftOut(lost, [...more, ...this.#undelivered.strays]))
    const { isOwed, delivered, moved } = this.#settings
    const isNew = ({ id }: Transfer) => !window.transfers.has(id) && !delivered.has(id)
    const others = overheard.givenUp.filter((transfer) => isNew(transfer) && isOwed(transfer))
    const owed = [...overheard.strays.filter(isNew), ...(moved === "fail" ? others : [])]
    const added = this.#undelivered.stray(owed, this.#placeOf(window))
    if (Result.isFailure(added)) return Result.fail(added.failure)
    // Only a target that replaces what has its id takes transfers of other times than those of the window.
    if (moved === "deliver") for (const transfer of others) window.transfers.set(transfer.id, transfer)
    for (const { id } of strays) this.#confirmed.add(id)
    for (const { id } of givenUp) this.#undelivered.vanished(id)
    return this.#end(window)
  }

  /** The last window answers for all that no window has delivered. */
  #end(window: Window): Result.Result<Outcome, TransferPagerError> {
    const isLast = this.#coverage.isLast(window.span)
    const isLeft = ({ id }: Received) => !window.transfers.has(id)
    const [lost, ...others] = isLast ? this.#undelivered.strays.filter(isLeft) : []
    if (lost !== undefined) return Result.fail(leftOut(lost, [...others, ...this.#undelivered.givenUp.filter(isLeft)]))
    const strays = window.nearest.strays.filter(({ id }) => !this.#confirmed.has(id))
    const givenUp = isLast ? this.#undelivered.givenUp.filter(isLeft) : []
    return strays.length + givenUp.length === 0
      ? this.#complete(window)
      : Result.succeed({ _tag: "Unconfirmed", question: { strays, givenUp } })
  }

  /** The service rejects the cursor of a window, so the window is given up. */
  expire({ span, cursor, reading, transfers }: Window, reason: string): Result.Result<void, CursorExpired> {
    this.#tally = { ...this.#tally, rejected: this.#tally.rejected + 1 }
    if (isSecond(span)) {
      const before = this.#attempts.get(span.from)
      const isFurther = before === undefined || cursor.pages > before.pages
      const count = isFurther ? 1 : before.count + 1
      if (count >= mostAttempts) return Result.fail(new CursorExpired({ reason }))
      this.#attempts.set(span.from, { count, pages: Math.max(cursor.pages, before?.pages ?? 0) })
    }
    this.#undelivered.giveUp(transfers.values())
    this.#scheduler.expired(reading)
    return Result.succeed(undefined)
  }

  /** All that may fail comes before the window leaves the coverage: what is not delivered stays in every checkpoint. */
  #complete({
    span,
    interval,
    reading,
    transfers,
    duplicates,
    outside,
  }: Window): Result.Result<Outcome, MovedTransfer> {
    const { moved, delivered } = this.#settings
    for (const transfer of transfers.values()) {
      // Windows are disjoint in time: what another one has delivered was created at another time.
      if (!delivered.add(transfer.id) && moved === "fail") return Result.fail(movedTransfer(transfer))
    }
    this.#scheduler.complete(reading)
    this.#undelivered.delivered(transfers.values())
    const outcome: Outcome = {
      _tag: "Complete",
      transfers: [...transfers.values()],
      interval,
      remaining: this.#coverage.remaining(span).map((rest) => this.#settings.range.intervalOf(rest)),
      strays: this.#undelivered.strays,
      givenUp: this.#undelivered.givenUp,
      expected: this.#scheduler.expected,
      excess: reading.excess,
    }
    this.#coverage.complete(span)
    this.#tally = {
      ...this.#tally,
      transfers: this.#tally.transfers + transfers.size,
      duplicates: this.#tally.duplicates + duplicates,
      outside: this.#tally.outside + outside,
    }
    return Result.succeed(outcome)
  }
}

const isAtSameTime = (one: Transfer, other: Transfer): boolean =>
  one.created_at.epochNanoseconds === other.created_at.epochNanoseconds

const movedTransfer = ({ id, created_at }: Transfer): MovedTransfer =>
  new MovedTransfer({ id, created_at: created_at.text })

/** To the millisecond: enough to estimate by. */
const secondsOf = ({ created_at }: Transfer): number => Number(created_at.epochNanoseconds / nanosPerMillisecond) / 1000
