import { afterEach, expect, it, vi } from "vitest"
import drawSeed from "./drawSeed.ts"
import * as Seeds from "./Seeds.ts"

afterEach(() => vi.unstubAllEnvs())

const draw = (given: string | undefined): ReadonlyArray<string | undefined> => {
  vi.stubEnv("LAW_SEED", given)
  const printed = vi.spyOn(process.stderr, "write").mockReturnValue(true)
  drawSeed()
  const output = printed.mock.calls.join("")
  printed.mockRestore()
  return [process.env["LAW_SEED"], output]
}

it("draws another seed for each run, and prints it", () => {
  const [first, output] = draw(undefined)
  expect(output).toBe(`LAW_SEED=${first}\n`)
  expect(draw(undefined)[0]).not.toBe(first)
})

it("repeats the run whose seed is given", () => {
  expect(draw("1a2b3c4d")).toEqual(["1a2b3c4d", "LAW_SEED=1a2b3c4d\n"])
})

it("gives every test process the fixed seed and the drawn one", () => {
  expect(process.env["LAW_SEED"]).toBeDefined()
  expect(Seeds.all).toEqual([Seeds.fixed, process.env["LAW_SEED"]])
})
