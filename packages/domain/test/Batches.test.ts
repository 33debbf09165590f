/** P20–P22: whole days and small sets of transfers are proposed by the measured rule of density, and never matched. */
import * as DateTime from "effect/DateTime"
import { describe, expect, test } from "vitest"
import * as Seeds from "../../../scripts/test/Seeds.ts"
import * as Batches from "../src/Batches.ts"
import * as Money from "../src/Money.ts"
import type { Transfer } from "../src/Transfer.ts"
import { transfer, transferWith } from "./fixtures/service.ts"

const euros = (cents: number): string => (cents / 100).toFixed(2)
const onDay = Array.from({ length: 31 }, (_, day) =>
  transferWith({ created_at: `2024-09-${String(Math.max(1, day)).padStart(2, "0")}T12:00:00Z` }),
)
/** Cheap: the tests need many. */
const of = (id: string, day: number, cents: number, currency = "fiat/EUR"): Transfer => ({
  ...(onDay[day] ?? transfer),
  id: id as Transfer["id"],
  source_total: Money.parseUnsafe(euros(cents), currency as "fiat/EUR"),
})
const line = (cents: number, currency = "fiat/EUR") => ({
  reference: "line 2",
  key: "",
  amount: Money.parseUnsafe(euros(cents), currency as "fiat/EUR"),
})
const said = (batch: Batches.Batch | undefined) =>
  batch?._tag === "Proposed" ? [batch.step, ...batch.transfers.map(({ id }) => id)] : batch?.why
const propose = (cents: number, transfers: ReadonlyArray<Transfer>, options: Batches.Options = {}) =>
  said(Batches.propose([line(cents)], transfers, options)[0])

describe("P20: what is tried", () => {
  const week = [of("a", 2, 12_345), of("b", 2, 23_456), of("c", 3, 31_811), of("d", 9, 47_031), of("e", 9, 59_996)]
  test.each<[string, number, unknown]>([
    ["a day", 12_345 + 23_456, ["days", "a", "b"]],
    ["days that follow each other, though some have no transfer", 31_811 + 47_031 + 59_996, ["days", "c", "d", "e"]],
    ["a set that is no run of days", 12_345 + 31_811 + 59_996, ["sets", "a", "c", "e"]],
  ])("%s", (_, cents, expected) => {
    expect(propose(cents, week)).toEqual(expected)
  })

  test("what no sum makes is refused, with the counts of both steps", () => {
    expect(propose(99_999, week)).toEqual([
      { _tag: "None", step: "days", sums: 6 },
      { _tag: "None", step: "sets", sums: 31 },
    ])
  })

  test("a day is one of the time zone", () => {
    const late = { ...of("z", 2, 77_777), created_at: transferWith({ created_at: "2024-09-02T23:30:00Z" }).created_at }
    const timeZone = { timeZone: Berlin }
    expect(propose(31_811 + 77_777, [...week, late], timeZone)).toEqual(["days", "c", "z"])
  })
})

describe("P22: a refusal says why, with counts", () => {
  test("two answers", () => {
    const twins = [of("a", 2, 500_001), of("b", 3, 500_001)]
    expect(propose(500_001, twins)).toEqual([
      { _tag: "Several", step: "days", answers: 2 },
      { _tag: "Several", step: "sets", answers: 2 },
    ])
    expect(propose(1_000_002, [...twins, of("c", 4, 77)])).toEqual(["days", "a", "b"])
  })

  test("foreign currency, or the other direction", () => {
    const none = [{ _tag: "NoTransfer", currency: "fiat/EUR" }]
    expect(propose(500, [of("a", 2, 500, "fiat/USD")])).toEqual(none)
    expect(propose(-500, [of("a", 2, 500)])).toEqual(none)
    expect(propose(-500_000, [of("a", 2, -200_001), of("b", 2, -299_999)])).toEqual(["days", "a", "b"])
  })

  test("too many transfers for sets", () => {
    const many = Array.from({ length: 19 }, (_, index) => of(`t${index}`, 1 + index, 10_007 * (index + 1)))
    expect(propose(1, many)).toContainEqual({ _tag: "TooMany", step: "sets", found: 19 })
  })

  test("more currencies than sets are tried in", () => {
    const all = (count: number) => {
      const codes = Array.from({ length: count }, (_, index) => `fiat/X${String.fromCharCode(65 + index)}`)
      const transfers = codes.flatMap((one) => [of(`a${one}`, 1, 500_017, one), of(`b${one}`, 1, 700_027, one)])
      const entries = codes.map((one) => line(700_027, one))
      return Batches.propose(entries, [...transfers, of("c", 5, 7)], {}).map(said)
    }
    const { mostCurrencies } = Batches
    expect(all(mostCurrencies).slice(0, 2)).toEqual([
      ["sets", "bfiat/XA"],
      ["sets", "bfiat/XB"],
    ])
    for (const why of all(mostCurrencies + 1))
      expect(why).toContainEqual({ _tag: "TooManyCurrencies", found: mostCurrencies + 1 })
  })

  test("round amounts, of which nearly every near one can be made", () => {
    const round = [of("a", 2, 10_000), of("b", 3, 20_000)]
    expect(propose(30_000, round)).toEqual([
      { _tag: "TooDense", step: "days", made: 0, of: 1 },
      { _tag: "TooDense", step: "sets", made: 0, of: 1 },
    ])
  })
})

const Berlin = (() => {
  const zone = DateTime.zoneMakeNamedUnsafe("Europe/Berlin")
  return zone
})()

const randomOf = (seed: string) => {
  let state = [...seed].reduce((sum, letter) => Math.imul(sum, 31) + letter.charCodeAt(0), 7) >>> 0
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 0x1_0000_0000
  }
}
const mixes = {
  small: (draw: () => number) => 500 + Math.floor(draw() ** 2 * 17_700),
  large: (draw: () => number) => 20_000 + Math.floor(draw() ** 2 * 1_100_000),
  round: (draw: () => number) => [2000, 5000, 10_000, 20_000, 25_000, 50_000, 100_000][Math.floor(draw() * 7)] ?? 0,
}

/** How many batches of the amount of some days get a proposal; of foreign ones, any proposal is wrong. */
const measured = (mix: keyof typeof mixes, count: number, seed: string) => {
  const [trials, found] = [60, { right: 0, wrong: 0, foreign: 0 }]
  const draw = randomOf(seed)
  for (let trial = 0; trial < trials; trial++) {
    const amounts = Array.from({ length: count }, () => mixes[mix](draw))
    const dayOf = (index: number) => 1 + Math.floor((index * 30) / count)
    const from = 1 + Math.floor(draw() * 28)
    const length = 1 + Math.floor(draw() * 12)
    const own = amounts.filter((_, index) => dayOf(index) >= from && dayOf(index) < from + length)
    const total = own.reduce((sum, one) => sum + one, 0)
    const all = amounts.map((amount, index) => of(`t${index}`, dayOf(index), amount))
    const days = (cents: number) => {
      const [batch] = Batches.propose([line(cents)], all, {})
      return batch?._tag === "Proposed" && batch.step === "days" ? batch.transfers.length : undefined
    }
    const answer = days(total)
    if (answer === own.length) found.right++
    else if (answer !== undefined) found.wrong++
    if (days(total + mixes[mix](draw)) !== undefined) found.foreign++
  }
  return { right: found.right / trials, wrong: found.wrong / trials, foreign: found.foreign / trials }
}

describe("P21: as measured, wrong proposals of whole days are rare in every mix", () => {
  test.each(Seeds.all.slice(0, 2))("seed %s", (seed) => {
    const large = measured("large", 60, seed)
    const small = measured("small", 200, seed)
    const round = measured("round", 60, seed)
    expect(large.right).toBeGreaterThan(0.95)
    expect(small.right).toBeGreaterThan(0.8)
    expect(round.right).toBe(0)
    for (const { wrong, foreign } of [large, small, round]) {
      expect(wrong).toBe(0)
      expect(foreign).toBeLessThan(0.02)
    }
  })
})

describe("P21: a slow model, over every run and every set", () => {
  test.each(Seeds.all.slice(0, 2))("seed %s", (seed) => {
    const draw = randomOf(`${seed} slow`)
    let proposed = 0
    for (let trial = 0; trial < 60; trial++) {
      const count = 1 + Math.floor(draw() * 7)
      const mix = trial % 2 === 0 ? mixes.large : (draw: () => number) => 100 * (1 + Math.floor(draw() * 60))
      const amounts = Array.from({ length: count }, () => mix(draw))
      const days = Array.from({ length: count }, () => 1 + Math.floor(draw() * 5))
      const target = amounts.reduce((sum, one) => (draw() < 0.6 ? sum + one : sum), 0) || mix(draw)
      const answer = propose(
        target,
        amounts.map((amount, index) => of(`t${index}`, days[index] ?? 1, amount)),
      )
      expect(answer).toEqual(slow(target, amounts, days))
      if (Array.isArray(answer) && typeof answer[0] === "string") proposed++
    }
    expect(proposed).toBeGreaterThan(5)
  })
})

const slow = (target: number, amounts: ReadonlyArray<number>, days: ReadonlyArray<number>): unknown => {
  const sumOf = (set: ReadonlyArray<number>) => set.reduce((sum, index) => sum + (amounts[index] ?? 0), 0)
  const indexes = amounts.map((_, index) => index)
  const used = [...new Set(days)].sort((a, b) => a - b)
  const runs = used.flatMap((from) =>
    used
      .filter((to) => to >= from)
      .map((to) => indexes.filter((index) => (days[index] ?? 0) >= from && (days[index] ?? 0) <= to)),
  )
  const sets = Array.from({ length: 2 ** amounts.length - 1 }, (_, mask) =>
    indexes.filter((index) => ((mask + 1) >> index) % 2 === 1),
  )
  let unit = target === 0 ? 1 : 0
  for (const amount of amounts)
    for ([unit] = [unit || amount]; amount % unit !== 0 || amounts.some((one) => one % unit !== 0); unit--);
  const why: Array<unknown> = []
  for (const [step, all] of [
    ["days", runs],
    ["sets", sets],
  ] as const) {
    const [answer, another] = all.filter((set) => sumOf(set) === target)
    const near = new Set(
      all.map(sumOf).filter((sum) => sum !== target && sum * 10 >= target * 9 && sum * 10 <= target * 11),
    )
    let possible = 0
    for (let amount = unit; amount * 10 <= target * 11; amount += unit) if (amount * 10 >= target * 9) possible++
    if (answer === undefined) why.push({ _tag: "None", step, sums: all.length })
    else if (another !== undefined)
      why.push({ _tag: "Several", step, answers: all.filter((set) => sumOf(set) === target).length })
    else if (possible < 3000 || near.size / possible > 0.001)
      why.push({ _tag: "TooDense", step, made: near.size, of: possible })
    else return [step, ...answer.map((index) => `t${index}`)]
  }
  return why
}
