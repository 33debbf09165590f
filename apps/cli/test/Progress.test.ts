import { it } from "@effect/vitest"
import type { Checkpoint } from "@transferkit/domain/Checkpoint"
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

const september = Result.getOrThrow(CreatedAt.fromParams(["gte:2024-09-01T00:00:00Z", "lt:2024-09-11T00:00:00Z"]))

const checkpoint = (...windows: Checkpoint["windows"]): Checkpoint => ({ version: 1, query: "", transfers: 0, windows })

describe("fractionOf", () => {
  const asked = { gte: "2024-09-01T00:00:00Z", lt: "2024-09-11T00:00:00Z" }

  test.each([
    ["nothing left", [], 1],
    ["everything left", [{ asked }], 0],
    ["from the newest down to the 4th", [{ asked, order: "descending", frontier: "2024-09-04T00:00:00Z" }], 0.7],
    ["from the oldest up to the 4th", [{ asked, order: "ascending", frontier: "2024-09-04T00:00:00Z" }], 0.3],
    ["in no order", [{ asked, order: "none", frontier: "2024-09-04T00:00:00Z" }], 0],
    [
      "two windows of a day",
      [
        { asked, keep: { gte: "2024-09-01T00:00:00Z", lt: "2024-09-02T00:00:00Z" } },
        { asked: { gte: "2024-09-10T00:00:00Z", lt: "2024-09-11T00:00:00Z" } },
      ],
      0.8,
    ],
  ] as const)("with %s", (_, windows, fraction) => {
    expect(Progress.fractionOf(checkpoint(...windows), september)).toBeCloseTo(fraction, 9)
  })

  test("is undefined for a range without a start", () => {
    expect(Progress.fractionOf(checkpoint(), CreatedAt.all)).toBeUndefined()
  })
})

describe("describe", () => {
  const run = { seconds: 10, before: { rows: 1000, fraction: 0 }, traffic: { calls: 90, requests: 93, inFlight: 8 } }

  test("names rows, rate, time left, requests in flight and retries", () => {
    expect(Progress.describe({ rows: 13_000, fraction: 0.25 }, run)).toBe(
      "13,000 transfers · 1,200/s · 30s left · 8 in flight · 3 retries",
    )
  })

  test("leaves out what is unknown", () => {
    const quiet = {
      seconds: 0,
      before: { rows: 0, fraction: undefined },
      traffic: { calls: 0, requests: 0, inFlight: 0 },
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
  const transfer = Result.getOrThrow(
    Transfer.fromJson('{"id":"1","kind":"cash_in","status":"complete","created_at":"2024-09-01T00:00:00Z"}'),
  )
  const asked = { gte: "2024-09-01T00:00:00Z", lt: "2024-09-11T00:00:00Z" }
  const day = (number: number): Batch => ({
    results: Array.from({ length: 20 }, () => transfer),
    checkpoint: checkpoint({
      asked,
      order: "ascending",
      frontier: `2024-09-${String(number).padStart(2, "0")}T00:00:00Z`,
    }),
  })

  it.effect("passes every batch on, and prints progress every five seconds", () =>
    Effect.gen(function* () {
      const days = Array.from({ length: 10 }, (_, index) => day(index + 2))
      const slow = Stream.fromIterable(days).pipe(Stream.tap(() => Effect.sleep("1 second")))
      const scan = yield* Effect.forkChild(Stream.runCount(Progress.over(slow, september)))
      yield* TestClock.adjust("20 seconds")
      expect(yield* Fiber.join(scan)).toBe(10)
      expect(told).toBe("100 transfers · 20/s · 5s left\n200 transfers · 20/s · 0s left\n")
    }).pipe(Effect.provide(screen)),
  )
})
