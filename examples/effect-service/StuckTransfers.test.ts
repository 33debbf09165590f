import assert from "node:assert/strict"
import { test } from "node:test"
import * as InMemoryTransferApi from "@transferkit/in-memory/InMemoryTransferApi"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/testing/TestClock"
import { StuckTransfers } from "./StuckTransfers.ts"

/** The service in memory, with the year 2024. */
const stuckTransfers = StuckTransfers.layer.pipe(
  Layer.provide(InMemoryTransferApi.layer({ transfers: 5000, seed: 2024 })),
)

/** Runs at a time. */
const at = <A, E>(time: string, effect: Effect.Effect<A, E, StuckTransfers>): Promise<A> =>
  TestClock.setTime(Date.parse(time)).pipe(
    Effect.andThen(effect),
    Effect.provide(Layer.merge(stuckTransfers, TestClock.layer())),
    Effect.runPromise,
  )

const olderThan = (days: number) => Effect.flatMap(StuckTransfers, (stuck) => stuck.olderThan(days))

test("lists open transfers only, and only those that are old enough", async () => {
  const all = await at("2025-01-01T00:00:00Z", olderThan(0))
  assert.ok(all.length > 0)
  for (const { status } of all) assert.match(status, /^(?:executing|approved)$/)
  const old = await at("2025-01-01T00:00:00Z", olderThan(30))
  assert.ok(old.length < all.length)
  for (const { created_at } of old) assert.ok(created_at.text < "2024-12-02")
})
