import { it } from "@effect/vitest"
import * as Transfer from "@transferkit/domain/Transfer"
import { TransferApi } from "@transferkit/domain/TransferApi"
import * as TransferApiError from "@transferkit/domain/TransferApiError"
import type { Batch } from "@transferkit/domain/TransferSource"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"
import { TestClock } from "effect/testing"
import { describe, expect, test } from "vitest"
import { Globals } from "../src/flags/Globals.ts"
import * as Progress from "../src/progress/Progress.ts"
import * as Traffic from "../src/progress/Traffic.ts"
import * as Screens from "../src/terminal/Screen.ts"
import * as GivenGlobals from "./GivenGlobals.ts"

const batch = (expected: number): Batch => ({ results: Array.from({ length: 200 }, () => transfer), expected })

const transfer = Result.getOrThrow(
  Transfer.fromJson('{"id":"1","kind":"cash_in","status":"complete","created_at":"2024-09-01T00:00:00Z"}'),
)

describe("fractions", () => {
  test("are the transfers received of those received and expected", () => {
    const fraction = Progress.fractions()
    expect([fraction(2000, 8000), fraction(5000, 5000), fraction(10_000, 0)]).toEqual([0.2, 0.5, 1])
  })

  test("are unknown while a scan can only guess: what 14 of 20,000 transfers expect is not what comes", () => {
    const fraction = Progress.fractions()
    expect([fraction(0, 60), fraction(14, 56), fraction(999, 1500)]).toEqual([undefined, undefined, undefined])
    expect([fraction(1000, 19_000), fraction(2000, 18_000)]).toEqual([0.05, 0.1])
    expect(Progress.fractions()(30, 30)).toBe(0.5)
  })

  test("never run backwards when more turns up than was expected", () => {
    const fraction = Progress.fractions()
    expect([fraction(50, 50), fraction(60, 240), fraction(200, 100)]).toEqual([0.5, 0.5, 2 / 3])
  })

  test("are 1 for a scan that found nothing", () => {
    expect(Progress.fractions()(0, 0)).toBe(1)
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
  ])("at %d, counts down: %s", (fraction, words) => {
    expect(Progress.describe({ rows: 0, fraction }, run)).toContain(words)
  })

  test("says no time left in its first seconds, before a tenth is done", () => {
    const at = (seconds: number, fraction: number) => Progress.describe({ rows: 0, fraction }, { ...run, seconds })
    expect(at(2, 0.09)).not.toContain("left")
    expect(at(29, 0.09)).not.toContain("left")
    expect(at(30, 0.09)).toContain("5m 3s left")
    expect(at(30, 0.009)).not.toContain("left")
    expect(at(2, 0.1)).toContain("18s left")
  })

  test("estimates the time left of a resumed run from this run alone", () => {
    const resumed = { ...run, before: { rows: 9000, fraction: 0.6 } }
    expect(Progress.describe({ rows: 10_500, fraction: 0.75 }, resumed)).toContain("150/s · 17s left")
    const unknown = { ...run, before: { rows: 9000, fraction: undefined } }
    expect(Progress.describe({ rows: 12_000, fraction: 0.6 }, unknown)).toContain("300/s · 27s left")
    expect(Progress.describe({ rows: 9020, fraction: 0.602 }, resumed)).not.toContain("left")
  })
})

describe("over a scan, without a terminal", () => {
  const printed = (told: { text: string }) => {
    const output: Screens.Output = {
      capabilities: { isTerminal: false, columns: Number.POSITIVE_INFINITY, colour: false },
      write: (text) => Effect.sync(() => void (told.text += text)),
    }
    const screen = Layer.succeed(Screens.Screen, Screens.over({ stdout: output, stderr: output }))
    return Layer.merge(screen, Layer.succeed(Globals, GivenGlobals.none))
  }

  it.effect("passes every batch on, and prints progress every five seconds", () => {
    const told = { text: "" }
    return Effect.gen(function* () {
      const batches = Array.from({ length: 10 }, (_, index) => batch(1800 - 200 * index))
      const slow = Stream.fromIterable(batches).pipe(Stream.tap(() => Effect.sleep("1.2 seconds")))
      const scan = yield* Effect.forkChild(Stream.runCount(Progress.over(slow)))
      yield* TestClock.adjust("20 seconds")
      expect(yield* Fiber.join(scan)).toBe(10)
      expect(told.text).toBe("800 transfers · 160/s\n1,600 transfers · 160/s · 2s left\n")
    }).pipe(Effect.provide(printed(told)))
  })

  it.effect("shows that all cursors are rejected, although nothing is delivered, and stops with the scan", () => {
    const told = { text: "" }
    const expired = new TransferApiError.UnexpectedStatus({ status: 410, body: "" })
    const rejecting = Layer.succeed(TransferApi, {
      capabilities: Effect.fail(expired),
      origin: Effect.succeed(undefined),
      search: () => Effect.delay(Effect.fail(expired), "1 second"),
    })
    const starvingScan = Effect.gen(function* () {
      const { search } = yield* TransferApi
      return Stream.fromEffectRepeat(Effect.ignore(search({ after_cursor: "old" }))).pipe(Stream.take(12))
    })
    const never = Stream.unwrap(starvingScan).pipe(
      Stream.map(() => batch(20)),
      Stream.filter(() => false),
    )
    return Effect.gen(function* () {
      const scan = yield* Effect.forkChild(Stream.runDrain(Progress.over(never)))
      yield* TestClock.adjust("60 seconds")
      yield* Fiber.join(scan)
      expect(told.text).toBe("0 transfers · 0/s · cursors rejected: 4\n0 transfers · 0/s · cursors rejected: 9\n")
    }).pipe(
      Effect.provide([printed(told), Traffic.countCalls.pipe(Layer.provide(rejecting))]),
      Effect.provideService(Traffic.Traffic, { calls: 0, requests: 0, inFlight: 0, rejectedCursors: 0 }),
    )
  })
})
