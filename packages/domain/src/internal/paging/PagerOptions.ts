/** The options of the pager with their defaults. Those that make no sense are rejected by name. */
import type * as Ref from "effect/Ref"
import * as Result from "effect/Result"
import type * as Checkpoint from "../../Checkpoint.ts"
import type { IdSet } from "../../IdSet.ts"
import * as SearchRequest from "../../SearchRequest.ts"
import type { Transfer } from "../../Transfer.ts"
import { InvalidPagerOption } from "../../TransferPagerError.ts"
import type { Report } from "./Report.ts"

/**
 * What paging and scanning have in common. A number out of its range is an `InvalidPagerOption`.
 *
 * @example
 * const report = Ref.makeUnsafe(emptyReport)
 * await Effect.runPromise(Stream.runDrain(pager.transfers({}, { limit: 10, strict: true, report })))
 * Ref.getUnsafe(report).tally.transfers // => 3
 */
export interface PagerOptions {
  /**
   * Transfers to a page, 1 to 20.
   * @default 20
   */
  readonly limit?: number
  /**
   * Fail with {@link OutsideFilter} rather than drop and count a transfer that was not asked for.
   * @default false
   */
  readonly strict?: boolean
  /**
   * Empty pages in a row to accept.
   * @default 100
   */
  readonly emptyPageBudget?: number
  /** Where to keep the report. */
  readonly report?: Ref.Ref<Report>
}

/**
 * How to read page after page.
 *
 * @example
 * const sizes = pager.pages({}, { prefetch: 4 }).pipe(Stream.map((page) => page.length))
 * await Effect.runPromise(Stream.runCollect(sizes)) // => [2, 1]
 */
export interface PagesOptions extends PagerOptions {
  /**
   * Pages to request ahead of the consumer, 0 to 1000.
   * @default 1
   */
  readonly prefetch?: number
}

/**
 * How to scan.
 *
 * @example
 * const counts = pager.scan({}, { concurrency: 4, windowSize: 100 }).pipe(Stream.map(({ results }) => results.length))
 * await Effect.runPromise(Stream.runSum(counts)) // => 3
 */
export interface ScanOptions extends PagerOptions {
  /**
   * Windows to read at once, 1 to 1000.
   * @default 8
   */
  readonly concurrency?: number
  /**
   * Transfers to aim at in a window at the most, 20 to 10,000. Smaller windows deliver sooner and hold less in memory,
   * at the price of more requests: each window costs half a page.
   * @default 480
   */
  readonly windowSize?: number
  /** Goes on after a checkpoint of the same query. */
  readonly resume?: Checkpoint.Checkpoint
  /**
   * The ids of what was delivered before the checkpoint; the scan adds those that it delivers. Without it, a transfer that
   * was delivered before the checkpoint and is listed at another creation time after it is delivered again.
   */
  readonly delivered?: IdSet
  /**
   * Which transfers `delivered` has, of those that were received before the checkpoint.
   * @default all of them
   */
  readonly isKept?: (transfer: Transfer) => boolean
  /**
   * Whether to fail with {@link MovedTransfer} if the service lists a transfer at two creation times, or to deliver it at
   * both. The latter is for targets in which it replaces what has its id.
   * @default "fail"
   */
  readonly moved?: "fail" | "deliver"
}

const ranges = {
  limit: { default: SearchRequest.maxLimit, from: 1, to: SearchRequest.maxLimit },
  emptyPageBudget: { default: 100, from: 0, to: 1_000_000 },
  prefetch: { default: 1, from: 0, to: 1000 },
  concurrency: { default: 8, from: 1, to: 1000 },
  windowSize: { default: 480, from: 20, to: 10_000 },
} as const

export type Numbers = { readonly [name in keyof typeof ranges]: number }

export const check = (options: PagesOptions & ScanOptions): Result.Result<Numbers, InvalidPagerOption> => {
  const numbers = { limit: 0, emptyPageBudget: 0, prefetch: 0, concurrency: 0, windowSize: 0 }
  for (const name of ["limit", "emptyPageBudget", "prefetch", "concurrency", "windowSize"] as const) {
    const { from, to, default: otherwise } = ranges[name]
    const value = options[name] ?? otherwise
    if (!Number.isInteger(value) || value < from || value > to) {
      return Result.fail(
        new InvalidPagerOption({
          option: name,
          given: String(value),
          accepted: `a whole number from ${from} to ${to}`,
        }),
      )
    }
    numbers[name] = value
  }
  return Result.succeed(numbers)
}
