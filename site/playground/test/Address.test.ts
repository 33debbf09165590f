import { randomInt } from "node:crypto"
import { expect, it } from "vitest"
import * as History from "../../../scripts/simulate/History.ts"
import * as PlaygroundLink from "../../../scripts/simulate/PlaygroundLink.ts"
import * as Address from "../src/Address.ts"
import * as Example from "../src/scan/Example.ts"

it.each(["#scan", "#filter?created=2024-09+but+not+2024-09-10", "#ledger?a=1.10&b=2"])(
  "%s is read and written",
  (text) => expect(Address.print(Address.parse(text))).toBe(text),
)

it.each(["", "#", "#nothing?x=1", "#constructor"])("%j is the scan", (text) =>
  expect(Address.parse(text).tool).toBe("scan"),
)

it("an example is its settings, and nonsense in them is the default", () => {
  const example = Example.parse(
    new Map([
      ["seed", "7"],
      ["shape", "shuffled"],
      ["windows", "64"],
    ]),
  )
  expect(Example.parse(Example.print(example))).toEqual(example)
  const nonsense = new Map([
    ["seed", "-1"],
    ["shape", "constructor"],
    ["windows", "1e9"],
    ["transfers", "999999999"],
    ["history", "{"],
  ])
  expect(Example.parse(nonsense)).toEqual({ ...Example.parse(new Map()), transfers: 10_000 })
})

it("a history before 1970 is none", () => {
  const history = { ages: [9e15], order: "shuffled", displaced: 0, limit: 7, windowSize: 60 }
  expect(Example.parse(new Map([["history", JSON.stringify(history)]])).history).toBe(undefined)
})

it("a history of the simulator is kept as far as it can be shown", () => {
  const history = { ages: [1000, 5000], order: "shuffled", displaced: 9, limit: 7, windowSize: 60, seed: 3, faults: [] }
  const example = Example.parse(new Map([["history", JSON.stringify(history)]]))
  expect(example.history).toEqual({ ages: [1000, 5000], order: "shuffled", displaced: 2, limit: 7, windowSize: 60 })
  expect(Example.parse(Example.print(example))).toEqual(example)
  expect(Example.parse(new Map([["history", '{"ages":[-1]}']])).history).toBeUndefined()
})

it("the simulator's link to a history leads to it", () => {
  const history = History.draw(randomInt(2 ** 32))
  const { tool, settings } = Address.parse(PlaygroundLink.of(history).replace(/^[^#]*/, ""))
  const { ages, order, displaced, limit, windowSize } = history
  expect(tool).toBe("scan")
  expect(Example.parse(settings)).toMatchObject({
    concurrency: history.concurrency,
    history: { ages, order, displaced: Math.min(displaced, ages.length), limit, windowSize },
  })
})
