/** What stands between the service's pages and the consumer: each transfer once, and only those that were asked for. */
import * as Result from "effect/Result"
import * as CreatedAt from "../CreatedAt.ts"
import type { Transfer } from "../Transfer.ts"
import type { TransferPage } from "../TransferPage.ts"
import type { Tally } from "../TransferPager.ts"
import { OutsideFilter, type TransferPagerError } from "../TransferPagerError.ts"
import { IdSet } from "./idSet.ts"
import * as Interval from "./interval.ts"

export interface GuardOptions {
  readonly external_id: string | undefined
  readonly limit: number
  readonly strict: boolean
}

/** What a page was to hold. */
export interface Expected {
  /** What the service was asked for. */
  readonly asked: Interval.Interval
  /** The part of it that this listing delivers. */
  readonly keep: Interval.Interval
  /** The query's own, which may be narrower than what can be asked for. */
  readonly filter: CreatedAt.CreatedAt
  /** Was asked for before, for a reason of our own. */
  readonly isRepeat: boolean
}

/** Judges the pages of one query, in the order in which they come. */
export class PageGuard {
  readonly #options: GuardOptions
  readonly #seenIds: IdSet
  #tally: Tally = { pages: 0, transfers: 0, duplicates: 0, outside: 0, oversized: 0, repeated: 0 }

  /** `seenIds` have been delivered before. */
  constructor(options: GuardOptions, seenIds: Iterable<string> = []) {
    this.#options = options
    this.#seenIds = new IdSet(seenIds)
  }

  get tally(): Tally {
    return this.#tally
  }

  /** The transfers of a page that the consumer is to have. */
  admit(expected: Expected, page: TransferPage): Result.Result<ReadonlyArray<Transfer>, TransferPagerError> {
    const results: Array<Transfer> = []
    let again = 0
    let outside = 0
    for (const transfer of page.results) {
      const at = transfer.created_at.epochNanoseconds
      const reason = this.#whyOutside(expected.asked, transfer)
      if (reason !== undefined) {
        if (this.#options.strict) return Result.fail(new OutsideFilter({ id: transfer.id, reason }))
        outside++
      } else if (!Interval.has(expected.keep, at) || !CreatedAt.matches(expected.filter, transfer.created_at)) {
        // What was asked for had to be wider than the query, or another listing has it by now.
      } else if (this.#seenIds.add(transfer.id)) {
        results.push(transfer)
      } else {
        again++
      }
    }
    this.#tally = {
      pages: this.#tally.pages + 1,
      transfers: this.#tally.transfers + results.length,
      duplicates: this.#tally.duplicates + (expected.isRepeat ? 0 : again),
      outside: this.#tally.outside + outside,
      oversized: this.#tally.oversized + (page.results.length > this.#options.limit ? 1 : 0),
      repeated: this.#tally.repeated + (expected.isRepeat ? again : 0),
    }
    return Result.succeed(results)
  }

  #whyOutside(asked: Interval.Interval, transfer: Transfer): string | undefined {
    const { external_id } = this.#options
    if (external_id !== undefined && transfer.external_id !== external_id) {
      return `its external_id is ${JSON.stringify(transfer.external_id ?? null)}`
    }
    return Interval.has(asked, transfer.created_at.epochNanoseconds)
      ? undefined
      : `it was created at ${transfer.created_at.text}`
  }
}
