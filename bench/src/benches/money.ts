import type { Dinero } from "dinero.js"
import type { Bench, Contestant } from "../Bench.ts"
import * as Fixture from "../Fixture.ts"
import { nanoseconds, nanosecondsEach } from "../Microbench.ts"

/** What a library of exact decimals offers, in its own type of number. */
interface Arithmetic<N> {
  readonly parse: (text: string) => N
  readonly add: (left: N, right: N) => N
  readonly compare: (left: N, right: N) => number
  readonly print: (value: N) => string
  /** From texts to the text of their sum. */
  readonly sum: (texts: ReadonlyArray<string>) => string
}

const texts = Fixture.amounts(1000)

/** Each library may write a sum with or without the zeros that end it. */
const canonical = (text: string): string => (text.includes(".") ? text.replace(/\.?0+$/, "") : text)

/** A contestant of this benchmark. */
export const contestant = <N>(
  name: string,
  packages: ReadonlyArray<string>,
  load: () => Promise<Arithmetic<N>>,
  isOurs = false,
): Contestant => ({
  name,
  packages,
  isOurs,
  load: async () => {
    const { parse, add, compare, print, sum } = await load()
    const values = texts.map(parse)
    const pairs = values.map((value, index) => [value, values[(index * 7 + 1) % values.length] ?? value] as const)
    return {
      answer: () =>
        JSON.stringify([
          canonical(sum(texts)),
          pairs.map(([a, b]) => canonical(print(add(a, b)))),
          pairs.map(([a, b]) => Math.sign(compare(a, b))),
          values.map((value) => canonical(print(value))),
        ]),
      measure: async () => ({
        parse: await nanosecondsEach(texts, parse),
        add: await nanosecondsEach(pairs, ([a, b]) => add(a, b)),
        compare: await nanosecondsEach(pairs, ([a, b]) => compare(a, b)),
        print: await nanosecondsEach(pairs, ([a, b]) => print(add(a, b))),
        sum: (await nanoseconds(() => sum(texts))) / 1000,
      }),
      operations: {
        parse: () => texts.forEach(parse),
        add: () => pairs.map(([a, b]) => add(a, b)),
        compare: () => pairs.map(([a, b]) => compare(a, b)),
        print: () => pairs.map(([a, b]) => print(add(a, b))),
        sum: () => sum(texts),
      },
    }
  },
})

export const bench: Bench = {
  name: "money",
  title: "Exact money",
  work:
    "1,000 amounts of 8 to 25 digits, 18 of them after the point: parse, add, compare, add and print, and the whole way from 1,000 " +
    "texts to the text of their sum. The answer is every printed value, every sum and every comparison.",
  rounds: 5,
  metrics: [
    { key: "sum", title: "1,000 texts to the text of their sum", unit: "µs" },
    { key: "parse", title: "Parse one amount", unit: "ns" },
    { key: "add", title: "Add two", unit: "ns" },
    { key: "compare", title: "Compare two", unit: "ns" },
    { key: "print", title: "Add two and print", unit: "ns" },
  ],
  notes: [
    "Ours checks the grammar and the currency of every amount; the others compute with bare numbers and accept `1e5000000`.",
    "Our parse reads the units on first use, so that rows which are only passed on cost nothing. The sum pays for everything and is the row to read.",
    "Amounts are added and compared in whole units, as BigInt: it adds and prints them in less than half the time of decimals. An addition alone prints its text too, because the text is a property of its own, which `deepEqual`, `toEqual` and `structuredClone` see: read it with the row for adding and printing. What is left of a sum is BigInt reading digits, and the grammar and the currency of each amount.",
    "decimal.js is set to 60 digits: with its default of 20 it answers wrongly here.",
  ],
  contestants: [
    contestant(
      "TransferKit",
      ["@transferkit/domain", "decimal.js"],
      async () => {
        const Money = await import("@transferkit/domain/Money")
        const CurrencyCode = await import("@transferkit/domain/CurrencyCode")
        const Result = await import("effect/Result")
        const code = CurrencyCode.parseUnsafe("ethereum/ETH")
        const parse = (text: string) => Result.getOrThrow(Money.parse(text, code))
        return {
          parse,
          add: (left, right) => Result.getOrThrow(Money.add(left, right)),
          compare: (left, right) => Result.getOrThrow(Money.compare(left, right)),
          print: (value) => value.text,
          sum: ([first = "0", ...rest]) => Result.getOrThrow(Money.sum([parse(first), ...rest.map(parse)])).text,
        }
      },
      true,
    ),
    contestant("decimal.js", ["decimal.js"], async () => {
      const { Decimal } = await import("decimal.js")
      const Exact = Decimal.clone({ precision: 60 })
      return {
        parse: (text) => new Exact(text),
        add: (left, right) => left.plus(right),
        compare: (left, right) => left.comparedTo(right),
        print: (value) => value.toFixed(),
        sum: (all) => all.reduce((total, text) => total.plus(new Exact(text)), new Exact(0)).toFixed(),
      }
    }),
    contestant("big.js", ["big.js"], async () => {
      const { Big } = await import("big.js")
      return {
        parse: (text) => new Big(text),
        add: (left, right) => left.plus(right),
        compare: (left, right) => left.cmp(right),
        print: (value) => value.toFixed(),
        sum: (all) => all.reduce((total, text) => total.plus(new Big(text)), new Big(0)).toFixed(),
      }
    }),
    contestant("bignumber.js", ["bignumber.js"], async () => {
      const { BigNumber } = await import("bignumber.js")
      return {
        parse: (text) => new BigNumber(text),
        add: (left, right) => left.plus(right),
        compare: (left, right) => left.comparedTo(right) ?? Number.NaN,
        print: (value) => value.toFixed(),
        sum: (all) => all.reduce((total, text) => total.plus(new BigNumber(text)), new BigNumber(0)).toFixed(),
      }
    }),
    contestant("effect BigDecimal", ["effect"], async () => {
      const BigDecimal = await import("effect/BigDecimal")
      /** Its own `format` changes to exponents at 16 digits after the point, so plain notation is written here. */
      const print = (value: ReturnType<typeof BigDecimal.make>): string => {
        const scale = Math.max(value.scale, 0)
        const unsigned = (value.value < 0n ? -value.value : value.value) * 10n ** BigInt(Math.max(-value.scale, 0))
        const all = unsigned.toString().padStart(scale + 1, "0")
        const plain = scale === 0 ? all : `${all.slice(0, -scale)}.${all.slice(-scale)}`
        return value.value < 0n ? `-${plain}` : plain
      }
      return {
        parse: BigDecimal.fromStringUnsafe,
        add: BigDecimal.sum,
        compare: BigDecimal.Order,
        print,
        sum: (all) => print(BigDecimal.sumAll(all.map(BigDecimal.fromStringUnsafe))),
      }
    }),
    contestant<Dinero<bigint>>("dinero.js", ["dinero.js"], async () => {
      const Dinero = await import("dinero.js/bigint")
      const currency = { code: "ETH", base: 10n, exponent: 18n }
      const parse = (text: string) => {
        const [whole = "", fraction = ""] = text.split(".")
        return Dinero.dinero({ amount: BigInt(whole + fraction.padEnd(18, "0")), currency, scale: 18n })
      }
      return {
        parse,
        add: (left, right) => Dinero.add(left, right),
        compare: (left, right) => Dinero.compare(left, right),
        print: (value) => Dinero.toDecimal(value),
        sum: (all) => Dinero.toDecimal(all.map(parse).reduce((total, each) => Dinero.add(total, each))),
      }
    }),
  ],
}
