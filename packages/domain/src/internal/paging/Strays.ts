/**
 * Transfers that came for creation times which are not theirs. A service that only ignores a bound lists each of them at
 * its own time too. One that compares other times than it shows does not, and would leave transfers out of every listing
 * that they belong to. So each is due until another listing has delivered it, and what none will deliver is asked for by
 * its own second.
 */
import * as Result from "effect/Result"
import * as CreatedAt from "../../CreatedAt.ts"
import { IdSet } from "../../IdSet.ts"
import * as Timestamp from "../../Timestamp.ts"
import type { Transfer } from "../../Transfer.ts"
import { OutsideFilter } from "../../TransferPagerError.ts"
import type { Interval } from "../time/Interval.ts"

/** What is known of such a transfer. */
export interface Stray {
  readonly id: string
  readonly created_at: Timestamp.Timestamp
}

/**
 * The strays of one listing that were not wanted at all. Two are enough: those next to the interval, where a comparison that
 * is only coarser shows first.
 */
export class Nearest {
  readonly #interval: Interval
  #below: Stray | undefined
  #above: Stray | undefined

  constructor(interval: Interval) {
    this.#interval = interval
  }

  add(stray: Stray): void {
    const { created_at } = stray
    const { first } = this.#interval
    if (first !== undefined && created_at.epochNanoseconds < first) {
      if (this.#below === undefined || Timestamp.compare(this.#below.created_at, created_at) < 0) this.#below = stray
    } else if (this.#above === undefined || Timestamp.compare(this.#above.created_at, created_at) > 0) {
      this.#above = stray
    }
  }

  get strays(): ReadonlyArray<Stray> {
    return [this.#below, this.#above].filter((stray) => stray !== undefined)
  }
}

/** Where strays were found. */
interface Place {
  readonly nearest: Nearest
  /** What the run is to deliver, and what it has delivered. */
  readonly wanted: CreatedAt.CreatedAt
  readonly delivered: IdSet
}

/** The most strays that are due at once: so many are held. */
const mostDue = 100_000

/** The strays of a run. */
export class Strays {
  readonly #due = new Map<string, Stray>()
  readonly #confirmed = new IdSet()

  constructor(due: Iterable<Stray> = []) {
    for (const stray of due) this.#due.set(stray.id, stray)
  }

  /** Those that a listing of the run has to deliver. */
  get due(): ReadonlyArray<Stray> {
    return [...this.#due.values()]
  }

  /** Takes those of a page into account. */
  add(strays: ReadonlyArray<Transfer>, { nearest, wanted, delivered }: Place): Result.Result<void, OutsideFilter> {
    for (const { id, created_at } of strays) {
      if (delivered.has(id) || this.#confirmed.has(id)) continue
      if (CreatedAt.matches(wanted, created_at)) this.#due.set(id, { id, created_at })
      else nearest.add({ id, created_at })
      if (this.#due.size <= mostDue) continue
      const reason = `it was created at ${created_at.text}, and ${mostDue} others came that were not asked for yet`
      return Result.fail(new OutsideFilter({ id, reason }))
    }
    return Result.void
  }

  delivered(transfers: Iterable<Transfer>): void {
    if (this.#due.size === 0) return
    for (const { id } of transfers) this.#due.delete(id)
  }

  /** The service lists it at its own time. */
  confirm({ id }: Stray): void {
    this.#due.delete(id)
    this.#confirmed.add(id)
  }

  isConfirmed({ id }: Stray): boolean {
    return this.#confirmed.has(id)
  }
}
