/** A scan whose consumer is slower than the service. */
import { it } from "@effect/vitest"
import * as TransferPager from "@transferkit/domain/TransferPager"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Stream from "effect/Stream"
import { TestClock } from "effect/testing"
import { expect } from "vitest"
import { make, now } from "./History.ts"
import { Listing } from "./Listing.ts"
import { idsIn, idsOf, pagerOf, sorted } from "./ListingPager.ts"

it.effect("waits for its consumer: no more windows are opened than have room", () =>
  Effect.gen(function* () {
    const listing = new Listing(make({ count: 4000, shape: "even", order: "newest first", seed: 3 }).rows)
    yield* TestClock.setTime(now)
    const fiber = yield* TransferPager.TransferPager.use((pager) =>
      Stream.runForEach(pager.scan({}, { concurrency: 4 }), () => Effect.never),
    ).pipe(Effect.provide(pagerOf(listing)), Effect.forkChild)
    yield* TestClock.adjust("1 minute")
    const sent = listing.requests.length
    expect(sent).toBeGreaterThan(8)
    expect(sent).toBeLessThan(3 + 9 * 24)
    yield* TestClock.adjust("1 hour")
    expect(listing.requests.length).toBe(sent)
    yield* Fiber.interrupt(fiber)
  }),
)

it.effect.each([1, 3])(
  "completes twice as many windows as it reads at once, %d, while its consumer pauses",
  (concurrency) =>
    Effect.gen(function* () {
      const listing = new Listing(make({ count: 1000, shape: "even", order: "newest first", seed: 3 }).rows)
      yield* TestClock.setTime(now)
      let afterPause: number | undefined
      let waiting = 0
      const fiber = yield* TransferPager.TransferPager.use((pager) =>
        Stream.runForEach(pager.scan({}, { concurrency, windowSize: 20 }), () =>
          Effect.gen(function* () {
            if (afterPause === undefined) {
              yield* Effect.sleep("1 minute")
              afterPause = yield* Clock.currentTimeMillis
            } else if ((yield* Clock.currentTimeMillis) === afterPause) waiting++
          }),
        ),
      ).pipe(Effect.provide(pagerOf(listing)), Effect.forkChild)
      yield* TestClock.adjust("1 hour")
      yield* Fiber.join(fiber)
      expect(waiting).toBe(2 * concurrency)
    }),
)

it.effect("keeps every batch for a consumer that pauses, however many wait", () =>
  Effect.gen(function* () {
    const { rows } = make({ count: 4000, shape: "even", order: "newest first", seed: 3 })
    yield* TestClock.setTime(now)
    const ids: Array<string> = []
    const fiber = yield* TransferPager.TransferPager.use((pager) =>
      Stream.runForEach(pager.scan({}, { concurrency: 64, windowSize: 20 }), (batch) =>
        Effect.andThen(
          Effect.sleep("1 minute"),
          Effect.sync(() => ids.push(...idsOf([batch]))),
        ),
      ),
    ).pipe(Effect.provide(pagerOf(new Listing(rows))), Effect.forkChild)
    yield* TestClock.adjust("1 day")
    yield* Fiber.join(fiber)
    expect(sorted(ids)).toEqual(idsIn(rows))
  }),
)
