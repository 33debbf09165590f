/** Transfers that arrive by themselves, while the clock runs. */
import * as Timestamp from "@transferkit/domain/Timestamp"
import * as TransferStore from "@transferkit/in-memory/TransferStore"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type { RateLimit } from "../../RateLimit.ts"
import * as FakeState from "./FakeState.ts"

/** More often than this, in milliseconds, several transfers arrive at once. */
const shortestPause = 100

/** Advances the clock with the real time and inserts transfers for each partner, without end. */
export const arrive = Effect.fnUntraced(function* (state: FakeState.FakeState, { requests, perMs }: RateLimit) {
  const sources = [...state.sources.values()]
  const timeOf = (): number =>
    Math.max(...sources.map(({ store }) => Timestamp.toDate(TransferStore.now(store)).getTime()))
  const [begin, start] = [timeOf(), state.clock()]
  let arrived = 0
  for (let before = 0; ;) {
    yield* Effect.sleep(Math.max(shortestPause, perMs / requests))
    const elapsed = state.clock() - start
    // A reset sets the clock back; an operation may have advanced it further.
    const by = Math.max(elapsed - before, begin + elapsed - timeOf())
    FakeState.advance(state, Duration.millis(by))
    before = elapsed
    const due = Math.floor((elapsed * requests) / perMs)
    const fields = Array.from({ length: due - arrived }, () => ({}))
    for (const source of sources) FakeState.insert(state, source, fields)
    arrived = due
  }
})
