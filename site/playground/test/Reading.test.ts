/** What the picture shows is what happens: the scan loses nothing, and the loop loses what it cannot see. */
import { randomInt } from "node:crypto"
import { describe, expect, it } from "vitest"
import * as Example from "../src/scan/Example.ts"
import * as Reading from "../src/scan/Reading.ts"

const read = async (settings: Readonly<Record<string, string>>) => {
  const example = Example.parse(new Map(Object.entries({ transfers: "400", latency: "10", ...settings })))
  const run = Reading.start(example)
  await expect.poll(run.isOver).toBe(true)
  return {
    run,
    scan: Reading.compare(example, run.ids, run.scan),
    loop: Reading.compare(example, run.ids, run.loop),
  }
}

const seed = String(randomInt(1e9))

describe(`histories of seed ${seed}`, () => {
  it.each(Example.shapes)("%s: the scan delivers each transfer once", async (shape) => {
    const { run, scan } = await read({ shape, seed, rejected: shape === "even" ? "10" : "0" })
    expect([run.scan.end?.error, scan.lost, scan.doubled]).toEqual([undefined, [], 0])
    expect(scan.asked).toBeGreaterThan(0)
  })
})

it("the loop loses what is listed out of order, and nothing else", async () => {
  expect((await read({ shape: "even" })).loop.lost).toEqual([])
  expect((await read({ shape: "displaced" })).loop.lost.length).toBeGreaterThan(0)
  expect((await read({ shape: "shuffled" })).loop.lost.length).toBeGreaterThan(100)
})

it("a history of the simulator is read, also one of no transfers and one that is all in one second", async () => {
  for (const ages of [[], [1000], Array.from({ length: 90 }, () => 5000)]) {
    const { run, scan } = await read({
      history: JSON.stringify({ ages, order: "by-id", displaced: 1, limit: 7, windowSize: 20 }),
    })
    expect([run.scan.end?.error, scan.lost, scan.doubled]).toEqual([undefined, [], 0])
  }
})
