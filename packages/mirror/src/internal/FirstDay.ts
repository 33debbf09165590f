/**
 * Where the history of a partner begins, by a dozen requests. A hint: whoever uses it reads what is before it, too, and
 * sees to it that the transfers which came meanwhile are received.
 */
import * as Checkpoint from "@transferkit/domain/Checkpoint"
import * as CreatedAt from "@transferkit/domain/CreatedAt"
import * as Timestamp from "@transferkit/domain/Timestamp"
import type { TransferPager } from "@transferkit/domain/TransferPager"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"

const secondsPerDay = 86_400

/** What is known of a transfer that came. */
export type Seen = NonNullable<Checkpoint.Checkpoint["given_up"]>[number]

export interface Options {
  readonly until: Timestamp.Timestamp
  /** Runs with the transfers of each page. */
  readonly onSeen: (transfers: ReadonlyArray<Seen>) => void
}

/** The start of the first day, at the latest that of an instant, with a transfer of some creation times. */
export const find = Effect.fnUntraced(function* (
  pager: TransferPager["Service"],
  created_at: CreatedAt.CreatedAt,
  { until, onSeen }: Options,
) {
  const startOf = (day: number) => Timestamp.fromEpochSeconds(day * secondsPerDay)
  // No day before `low` has one.
  let [low, high] = [0, Math.floor(Timestamp.epochSeconds(until) / secondsPerDay)]
  while (low < high) {
    const middle = (low + high) >> 1
    const before = CreatedAt.and(created_at, CreatedAt.lt(startOf(middle + 1)))
    const pages = pager.pages({ created_at: before }, { prefetch: 0 })
    const found = yield* Stream.runHead(Stream.filter(pages, (page) => page.length > 0))
    if (Option.isSome(found)) {
      onSeen(found.value.map(Checkpoint.givenUpOf))
      high = middle
    } else low = middle + 1
  }
  return startOf(low)
})
