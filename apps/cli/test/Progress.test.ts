import { it } from "@effect/vitest"
import * as CreatedAt from "@transferkit/domain/CreatedAt"
import * as Transfer from "@transferkit/domain/Transfer"
import type { Batch } from "@transferkit/domain/TransferPager"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"
import { TestClock } from "effect/testing"
import { describe, expect, test } from "vitest"
import * as Progress from "../src/progress/Progress.ts"
import * as Screens from "../src/terminal/Screen.ts"

const batch = (transfers: number, expected: number): Batch => ({
  results: Array.from({ length: 20 }, () => transfer),
  window: CreatedAt.all,
  checkpoint: { version: 2, query: "", transfers, remaining: [] },
  expected,
})

const transfer = Result.getOrThrow(
  Transfer.fromJson('{"id":"1","kind":"cash_in","status":"complete","created_at":"2024-09-01T00:00:00Z"}'),
)

describe("fractions", () => {
  test("are the transfers received of those received and expected", () => {
    const fraction = Progress.fractions()
    expect([batch(0, 60), batch(20, 80), batch(50, 50), batch(100, 0)].map(fraction)).toEqual([0, 0.2, 0.5, 1])
  })

  test("never run backwards when more turns up than was expected", () => {
    const fraction = Progress.fractions()
    expect([batch(50, 50), batch(60, 240), batch(200, 100)].map(fraction)).toEqual([0.5, 0.5, 2 / 3])
  })

  test("are 1 for a scan that found nothing", () => {
    expect(Progress.fractions()(batch(0, 0))).toBe(1)
  })
})

describe("describe", () => {
  const run = {
    seconds: 10,
    before: { rows: 1000, fraction: 0 },
    traffic: { calls: 90, requests: 93, inFlight: 8, rejectedCursors: 0 },
  }

  test("names rows, rate, time left, requests in flight and retries", () => {
    expect(Progress.describe({ rows: 13_000, fraction: 0.25 }, run)).toBe(
      "13,000 transfers · 1,200/s · 30s left · 8 in flight · 3 retries",
    )
  })

  test("names rejected cursors, so that a scan that only starts over is seen", () => {
    const traffic = { calls: 90, requests: 90, inFlight: 0, rejectedCursors: 1234 }
    expect(Progress.describe({ rows: 0, fraction: undefined }, { ...run, traffic })).toContain(
      "cursors rejected: 1,234",
    )
  })

  test("leaves out what is unknown", () => {
    const quiet = {
      seconds: 0,
      before: { rows: 0, fraction: undefined },
      traffic: { calls: 0, requests: 0, inFlight: 0, rejectedCursors: 0 },
    }
    expect(Progress.describe({ rows: 0, fraction: undefined }, quiet)).toBe("0 transfers · 0/s")
  })

  test.each([
    [0.5, "10s left"],
    [0.1, "1m 30s left"],
    [0.01, "16m 30s left"],
  ])("at %d, counts down: %s", (fraction, words) => {
    expect(Progress.describe({ rows: 0, fraction }, run)).toContain(words)
  })

  test("estimates the time left of a resumed run from this run alone", () => {
    const resumed = { ...run, before: { rows: 9000, fraction: 0.6 } }
    expect(Progress.describe({ rows: 10_000, fraction: 0.7 }, resumed)).toContain("100/s · 30s left")
    expect(Progress.describe({ rows: 9020, fraction: 0.602 }, resumed)).not.toContain("left")
  })
})

describe("over a scan, without a terminal", () => {
  let told = ""
  const output: Screens.Output = {
    capabilities: { isTerminal: false, columns: Number.POSITIVE_INFINITY, colour: false },
    write: (text) => Effect.sync(() => void (told += text)),
  }
  const screen = Layer.succeed(Screens.Screen, Screens.over({ stdout: output, stderr: output }))
  it.effect("passes every batch on, and prints progress every five seconds", () =>
    Effect.gen(function* () {
      const batches = Array.from({ length: 10 }, (_, index) => batch(20 * (index + 1), 180 - 20 * index))
      const slow = Stream.fromIterable(batches).pipe(Stream.tap(() => Effect.sleep("1 second")))
      const scan = yield* Effect.forkChild(Stream.runCount(Progress.over(slow)))
      yield* TestClock.adjust("20 seconds")
      expect(yield* Fiber.join(scan)).toBe(10)
      expect(told).toBe("100 transfers · 20/s · 5s left\n200 transfers · 20/s · 0s left\n")
    }).pipe(Effect.provide(screen)),
  )
})
