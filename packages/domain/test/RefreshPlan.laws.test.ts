/** A plan covers all it should, asks for nothing twice, and needs no more pages than any other. */
import * as Arbitrary from "effect/Arbitrary"
import * as S from "effect/Schema"
import { expect, test } from "vitest"
import * as CreatedAt from "../src/CreatedAt.ts"
import * as RefreshPlan from "../src/RefreshPlan.ts"
import * as Timestamp from "../src/Timestamp.ts"
import { law } from "./fixtures/law.ts"

/** Seconds with `transfers` each and `gap` transfers in the seconds between it and the one before. */
const Parts = S.Array(
  S.Struct({
    gap: S.Int.check(S.isBetween({ minimum: 0, maximum: 30 })),
    transfers: S.Int.check(S.isBetween({ minimum: 1, maximum: 45 })),
  }),
).check(S.isMaxLength(9))

const parts = Arbitrary.schema(Parts)

const secondsOf = (given: typeof Parts.Type): ReadonlyArray<RefreshPlan.Second> => {
  let before = 0
  return given.map(({ gap, transfers }, index) => {
    const second = { second: index * 10, transfers, before: before + gap }
    before += gap + transfers
    return second
  })
}

const pagesOf = (requests: ReadonlyArray<RefreshPlan.Refresh>): number =>
  requests.reduce((sum, { pages }) => sum + pages, 0)

const pagesBetween = (first: RefreshPlan.Second, last: RefreshPlan.Second): number =>
  Math.ceil((last.before + last.transfers - first.before) / 20)

/** By trying every way to join neighbours. */
const fewestPages = (seconds: ReadonlyArray<RefreshPlan.Second>): number => {
  const [first] = seconds
  if (first === undefined) return 0
  return Math.min(...seconds.map((last, index) => pagesBetween(first, last) + fewestPages(seconds.slice(index + 1))))
}

law("covers every second", { given: parts }, ({ given }) => {
  const requests = RefreshPlan.plan(secondsOf(given))
  return secondsOf(given).every(({ second }) => requests.some(({ from, to }) => from <= second && second < to))
})

law("is in order, and asks for nothing twice", { given: parts }, ({ given }) => {
  const requests = RefreshPlan.plan(secondsOf(given))
  return requests.every(({ from, to }, index) => from < to && from >= (requests[index - 1]?.to ?? -Infinity))
})

law("never takes more pages than one request for each second", { given: parts }, ({ given }) => {
  const seconds = secondsOf(given)
  return (
    pagesOf(RefreshPlan.plan(seconds)) <= seconds.reduce((sum, { transfers }) => sum + Math.ceil(transfers / 20), 0)
  )
})

law("takes as few pages as the best of all plans", { given: parts }, ({ given }) => {
  const seconds = secondsOf(given)
  const [pages, fewest] = [pagesOf(RefreshPlan.plan(seconds)), fewestPages(seconds)]
  return fewest > 8 ? pages <= fewest * 1.2 : pages === fewest
})

test("takes whole seconds, before 1970 too", () => {
  const [request] = RefreshPlan.plan([{ second: -5, transfers: 1, before: 0 }])
  expect(request).toEqual({ from: -5, to: -4, pages: 1 })
  const filter = CreatedAt.between(
    Timestamp.fromEpochNanoseconds(-5_000_000_000n),
    Timestamp.fromEpochNanoseconds(-4_000_000_000n),
  )
  expect(request && CreatedAt.equals(RefreshPlan.createdAt(request), filter)).toBe(true)
})

test("asks for the last second that RFC 3339 can write", () => {
  const from = Timestamp.epochSeconds(Timestamp.latest)
  const filter = RefreshPlan.createdAt({ from, to: from + 1, pages: 1 })
  expect(CreatedAt.matches(filter, Timestamp.latest)).toBe(true)
  expect(CreatedAt.matches(filter, Timestamp.fromEpochSeconds(from - 1))).toBe(false)
})

test("has nothing to ask for if nothing may change", () => {
  expect(RefreshPlan.plan([])).toEqual([])
})
