/** The hostile simulation finds nothing wrong with the pager, and finds each fault that is planted in it. */
import { expect, it } from "vitest"
import { faults } from "../../packages/domain/test/scan/exhaustive/Faults.ts"
import * as HostileHistory from "../simulate/hostile/HostileHistory.ts"
import { textOf } from "../simulate/hostile/HostileService.ts"
import * as HostileSimulation from "../simulate/hostile/HostileSimulation.ts"
import * as Regressions from "../simulate/Regressions.ts"
import { shrink } from "../simulate/Shrink.ts"
import * as Seeds from "./Seeds.ts"

const start = [...Seeds.drawn].reduce((hash, letter) => (Math.imul(hash, 31) + letter.charCodeAt(0)) >>> 0, 0)

/** The first of some histories that breaks a promise. */
const search = async (from: number, most: number): Promise<string | undefined> => {
  for (let seed = from; seed < from + most; seed++) {
    const reason = await HostileSimulation.run(HostileHistory.draw(seed >>> 0))
    if (reason !== undefined) return `seed ${seed >>> 0}: ${reason}`
  }
  return undefined
}

it("finds nothing wrong in 500 new histories and those that once failed", async () => {
  expect(await search(start, 500)).toBeUndefined()
  for (const history of Regressions.read().hostile) expect(await HostileSimulation.run(history)).toBeUndefined()
})

it("draws holes, old dates, coarse and inclusive services, fresh cursors, single rows and current clocks", () => {
  const drawn = Array.from({ length: 400 }, (_, seed) => HostileHistory.draw(seed))
  const properties: ReadonlyArray<(history: HostileHistory.HostileHistory) => boolean> = [
    ({ bounds }) => bounds.some((bound, index) => (bounds[index + 1] ?? 0n) - bound === 1n),
    ({ rows }) => rows.some((at) => at < 0n),
    ({ isCoarse, isInclusive }) => isCoarse && isInclusive,
    ({ limit }) => limit === 1,
    ({ deviation }) => deviation === "ignores the cursor",
    ({ now, rows }) => rows.some((at) => at === BigInt(now) * 1_000_000n),
  ]
  for (const property of properties) expect(drawn.filter(property).length).toBeGreaterThan(5)
})

it.each(faults)("finds a planted fault: %s", async (_name, _scope, plant) => {
  const restore = plant()
  try {
    expect(await search(1, 1500)).toMatch(/^seed/)
  } finally {
    restore()
  }
})

it("makes a history that fails small", async () => {
  const [, , plant] = faults.find(([name]) => name.startsWith("a window whose cursor is rejected")) ?? expect.fail()
  const restore = plant()
  try {
    const reason = (await search(1, 1500)) ?? expect.fail("not found")
    const history = HostileHistory.draw(Number(/\d+/.exec(reason)?.[0]))
    const faultOf = (candidate: HostileHistory.HostileHistory) => HostileSimulation.run(candidate)
    const smallest = await shrink(history, HostileHistory.smaller, async (each) => (await faultOf(each)) !== undefined)
    const sizeOf = ({ rows, bounds, lives }: HostileHistory.HostileHistory) =>
      rows.length + bounds.length + lives.length
    expect(await faultOf(smallest)).toBeDefined()
    expect(sizeOf(smallest)).toBeLessThan(sizeOf(history) / 2)
  } finally {
    restore()
  }
})

it("keeps a history in a file exactly", () => {
  for (let seed = 0; seed < 50; seed++) {
    const history = HostileHistory.draw(seed)
    expect(HostileHistory.read(JSON.parse(JSON.stringify(HostileHistory.write(history))))).toEqual(history)
  }
})

it.each([
  [0n, "1970-01-01T00:00:00Z"],
  [-1n, "1969-12-31T23:59:59.999999999Z"],
  [1_725_148_800_000_000_001n, "2024-09-01T00:00:00.000000001Z"],
])("writes %d as %s", (at, text) => {
  expect(textOf(at)).toBe(text)
})
