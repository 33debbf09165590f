/** The options of the pager with their defaults. Those that make no sense are rejected by name. */
import * as Result from "effect/Result"
import * as SearchRequest from "../../SearchRequest.ts"
import type { PagesOptions, ScanOptions } from "../../TransferPager.ts"
import { InvalidPagerOption } from "../../TransferPagerError.ts"

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
