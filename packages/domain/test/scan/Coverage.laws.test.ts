/** The partition that a scan's promise rests on, under any sequence of opening, completing and giving up. */
import { describe, expect, test } from "vitest"
import * as Seeds from "../../../../scripts/test/Seeds.ts"
import * as Thorough from "../../../../scripts/test/Thorough.ts"
import { Coverage, type Span } from "../../src/internal/scan/Coverage.ts"
import { oneOf, random } from "./History.ts"

const runs = Thorough.times(500, 2000)
const start = Seeds.drawn.length * 1000 + (Seeds.drawn.codePointAt(0) ?? 0)

const seconds = (spans: Iterable<Span>): ReadonlyArray<number> =>
  [...spans].flatMap(({ from, to }) => Array.from({ length: to - from }, (_, index) => from + index))

const inOrder = (numbers: ReadonlyArray<number>) => numbers.toSorted((a, b) => a - b)

/** Moves at random until the coverage is complete. Returns the seconds that were completed, and how often it gave up. */
const play = (
  seed: number,
  range: ReadonlyArray<Span>,
  check: (coverage: Coverage, done: ReadonlyArray<number>) => void,
) => {
  const chance = random(seed)
  const coverage = new Coverage(range)
  const done: Array<number> = []
  let givenUp = 0
  while (!coverage.isComplete) {
    check(coverage, done)
    const [gaps, windows] = [[...coverage.gaps], [...coverage.windows]]
    const at = () => -5 + chance() * 45
    if (gaps.length > 0 && (windows.length === 0 || chance() < 0.5)) {
      const gap = oneOf(chance, gaps)
      const { window, rest } = chance() < 0.3 ? coverage.open(gap) : coverage.open(gap, { from: at(), to: at() })
      expect(inOrder(seconds([window, ...rest]))).toEqual(seconds([gap]))
      continue
    }
    const window = oneOf(chance, windows)
    if (chance() < 0.5) {
      coverage.complete(window)
      done.push(...seconds([window]))
    } else {
      const parts = coverage.giveUp(window, [at(), Math.round(at()), Math.round(at())])
      expect(seconds(parts)).toEqual(seconds([window]))
      // A window that is given up is never covered by one gap again, unless it is a single second.
      expect(parts.length > 1).toBe(window.to - window.from > 1)
      if (window.to - window.from > 1) givenUp++
    }
  }
  check(coverage, done)
  return { done, givenUp }
}

const ranges: ReadonlyArray<ReadonlyArray<Span>> = [
  [{ from: 0, to: 40 }],
  [{ from: 0, to: 1 }],
  [
    { from: 0, to: 10 },
    { from: 10, to: 11 },
    { from: 20, to: 35 },
  ],
]

describe.each(ranges.map((range) => [JSON.stringify(range), range] as const))("of %s", (_, range) => {
  const all = seconds(range)

  test("gaps, windows and what was completed are the range, each second once, at every moment", () => {
    for (let seed = start; seed < start + runs; seed++) {
      const { done } = play(seed, range, (coverage, completed) => {
        const covered = [...completed, ...seconds(coverage.gaps), ...seconds(coverage.windows)]
        expect(inOrder(covered).join()).toBe(all.join())
      })
      expect(inOrder(done).join()).toBe(all.join())
    }
  })

  test("what remains is what was not completed, in order and merged where it touches within a span of the range", () => {
    for (let seed = start; seed < start + runs / 10; seed++) {
      play(seed, range, (coverage, completed) => {
        const remaining = coverage.remaining()
        const left = new Set(completed)
        expect(seconds(remaining).join()).toBe(all.filter((second) => !left.has(second)).join())
        for (const [index, { from }] of remaining.entries()) {
          const before = remaining[index - 1]
          if (before === undefined) continue
          if (range.some((span) => span.from === from)) expect(from).toBeGreaterThanOrEqual(before.to)
          else expect(from).toBeGreaterThan(before.to)
        }
        for (const { from, to } of remaining) {
          expect(range.filter((span) => span.from <= from && to <= span.to)).toHaveLength(1)
        }
      })
    }
  })

  test("ends: every giving up uses up a second to cut at", () => {
    for (let seed = start; seed < start + runs; seed++) {
      expect(play(seed, range, () => {}).givenUp).toBeLessThan(all.length)
    }
  })
})

test("cuts a window in the middle if nothing better is known", () => {
  const coverage = new Coverage([{ from: 10, to: 15 }])
  const [gap] = coverage.gaps
  if (gap === undefined) throw new Error("a coverage starts with its range as gaps")
  const { window } = coverage.open(gap)
  expect(coverage.giveUp(window, [10, 15, 12.5, Number.NaN, 3, 99])).toEqual([
    { from: 10, to: 12 },
    { from: 12, to: 15 },
  ])
})

test("completes only windows, opens only gaps, and gives up only windows", () => {
  const coverage = new Coverage([{ from: 0, to: 4 }])
  const [gap] = coverage.gaps
  if (gap === undefined) throw new Error("a coverage starts with its range as gaps")
  expect(() => coverage.complete(gap)).toThrow("[0, 4)")
  expect(() => coverage.giveUp(gap, [])).toThrow("[0, 4)")
  const { window } = coverage.open(gap)
  expect(() => coverage.open(gap)).toThrow("[0, 4)")
  coverage.complete(window)
  expect(() => coverage.complete(window)).toThrow("[0, 4)")
})
