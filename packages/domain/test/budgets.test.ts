/**
 * Budgets that hold on any machine, however busy: ratios of the CPU times of two pieces of work done in turns, with a
 * margin of two over what was measured. One pair within the limit shows what the code takes; the others show what else
 * the machine does. The figures themselves are in the benchmarks.
 */
import { Decimal } from "decimal.js"
import * as Result from "effect/Result"
import { describe, expect, it } from "vitest"
import * as CreatedAt from "../src/CreatedAt.ts"
import * as CurrencyCode from "../src/CurrencyCode.ts"
import * as Money from "../src/Money.ts"
import * as RefreshPlan from "../src/RefreshPlan.ts"
import * as Timestamp from "../src/Timestamp.ts"
import * as TransferPage from "../src/TransferPage.ts"
import { transferJson } from "./fixtures/service.ts"

/** Microseconds of CPU that one repetition takes, of as many as some systems need to count it in their units. */
const cpuOf = (run: () => unknown): number => {
  const before = process.threadCpuUsage()
  for (let repetitions = 20; ; repetitions += 20) {
    for (let i = 0; i < 20; i++) run()
    const { user, system } = process.threadCpuUsage(before)
    if (user + system > 40_000) return (user + system) / repetitions
  }
}

/** How many times as much the first takes as the second, in the best of some pairs: of more while none is below a limit. */
const ratio = (limit: number, first: () => unknown, second: () => unknown): number => {
  let best = Infinity
  for (let round = 0; round < 3 || (round < 100 && best >= limit); round++) {
    best = Math.min(best, cpuOf(first) / cpuOf(second))
  }
  return best
}

describe("budgets", () => {
  const page = `{"results":[${Array.from({ length: 20 }, () => transferJson).join()}],"page_info":{"has_next_page":false}}`

  it("a page is read and checked in less than three times what JSON.parse takes alone", () => {
    expect(Result.isSuccess(TransferPage.fromJson(page))).toBe(true)
    expect(
      ratio(
        3,
        () => TransferPage.fromJson(page),
        () => JSON.parse(page),
      ),
    ).toBeLessThan(3)
  })

  it("numbers that keep their text, in two unknown fields of each transfer, cost a page less than 3.5 times as much", () => {
    const withField = (value: string) => page.replaceAll('"kind"', `"rate":${value},"score":${value},"kind"`)
    const [numbers, texts] = [withField("1.10"), withField('"1.10"')]
    expect(JSON.stringify(Result.getOrThrow(TransferPage.fromJson(numbers)))).toContain('"score":1.10')
    const read = (text: string) => () => TransferPage.fromJson(text)
    expect(ratio(3.5, read(numbers), read(texts))).toBeLessThan(3.5)
  })

  it("the forty timestamps of a page take less than its JSON.parse, their instants included", () => {
    const texts = Array.from({ length: 40 }, (_, index) => `2024-09-01T10:00:${10 + index}.123456${index}+02:00`)
    expect(texts.map(Timestamp.parse).every(Result.isSuccess)).toBe(true)
    expect(
      ratio(
        1,
        () => texts.map((text) => Timestamp.parseUnsafe(text).epochNanoseconds),
        () => JSON.parse(page),
      ),
    ).toBeLessThan(1)
  })

  it("a thousand amounts are read and summed in less than three times what decimal.js takes alone", () => {
    const texts = Array.from(
      { length: 1000 },
      (_, index) => `${index * 7919}.${String(index * 104_729).padStart(18, "3")}`,
    )
    const Exact = Decimal.clone({ precision: 60 })
    const code = CurrencyCode.parseUnsafe("ethereum/ETH")
    const alone = () => texts.reduce((total, text) => total.plus(new Exact(text)), new Exact(0)).toFixed(18)
    const money = () => {
      const [first = Money.parseUnsafe("0", code), ...rest] = texts.map((text) =>
        Result.getOrThrow(Money.parse(text, code)),
      )
      return Result.getOrThrow(Money.sum([first, ...rest])).text
    }
    expect(money()).toBe(alone())
    expect(ratio(3, money, alone)).toBeLessThan(3)
  })

  it("eight times the ranges take less than 24 times as long to plan", () => {
    const [few, many] = [rangesTo(100), rangesTo(800)]
    expect(CreatedAt.plan(many).requests).toHaveLength(400)
    expect(
      ratio(
        24,
        () => CreatedAt.plan(many),
        () => CreatedAt.plan(few),
      ),
    ).toBeLessThan(24)
  })

  it("the refresh of a million transfers of which 3 % are open is planned in a quarter of a second", () => {
    const seconds = Array.from({ length: 30_000 }, (_, index) => ({
      second: index * 1000,
      transfers: 1,
      before: Math.round(index * 33.3 + 20 * Math.sin(index)),
    }))
    let best = Infinity
    for (let round = 0; round < 5 || (round < 50 && best >= 250); round++) {
      const before = process.threadCpuUsage()
      const pages = RefreshPlan.plan(seconds).reduce((sum, request) => sum + request.pages, 0)
      const { user, system } = process.threadCpuUsage(before)
      expect(pages).toBeLessThan(30_000)
      best = Math.min(best, (user + system) / 1000)
    }
    expect(best).toBeLessThan(250)
  })
})

/** Every other second, up to a second. */
const rangesTo = (end: number, from = 0): CreatedAt.CreatedAt => {
  const at = (second: number) => Timestamp.fromEpochNanoseconds(BigInt(second) * 1_000_000_000n)
  if (end - from === 2) return CreatedAt.between(at(from), at(from + 1))
  const middle = from + 2 * Math.floor((end - from) / 4)
  return CreatedAt.or(rangesTo(middle, from), rangesTo(end, middle))
}
