/** Where the history of a partner begins, by a dozen requests. A hint: whoever uses it reads what is before it, too. */
import * as CreatedAt from "@transferkit/domain/CreatedAt"
import * as Timestamp from "@transferkit/domain/Timestamp"
import type { TransferPager } from "@transferkit/domain/TransferPager"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"

const secondsPerDay = 86_400

/** The start of the first day, at the latest that of an instant, with a transfer of some creation times. */
export const find = Effect.fnUntraced(function* (
  pager: TransferPager["Service"],
  created_at: CreatedAt.CreatedAt,
  until: Timestamp.Timestamp,
) {
  const startOf = (day: number) => Timestamp.fromEpochSeconds(day * secondsPerDay)
  // No day before `low` has one.
  let [low, high] = [0, Math.floor(Timestamp.epochSeconds(until) / secondsPerDay)]
  while (low < high) {
    const middle = (low + high) >> 1
    const before = CreatedAt.and(created_at, CreatedAt.lt(startOf(middle + 1)))
    const found = yield* Stream.runHead(pager.transfers({ created_at: before }, { prefetch: 0 }))
    if (Option.isSome(found)) high = middle
    else low = middle + 1
  }
  return startOf(low)
})
