/** A call that reads much keeps no other waiting. */
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { expect, test } from "vitest"
import * as ReadLimit from "../src/internal/ReadLimit.ts"

test("lets other calls and signals through after each batch of a source that has all at once", async () => {
  let turns = 0
  let next = setImmediate(function turn() {
    turns++
    next = setImmediate(turn)
  })
  const batches = Stream.fromIterable(Array.from({ length: 100 }, () => []))
  await Effect.runPromise(Stream.runDrain(ReadLimit.of(1, "")(batches)))
  clearImmediate(next)
  expect(turns).toBeGreaterThanOrEqual(99)
})
