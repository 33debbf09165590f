import { expect, it } from "vitest"
import { quickToCompile } from "../scripts/quickToCompile.ts"

const module = `
const double = (number) => number * 2
const never = (number) => number * 3
class Counter {
  static made = [1, 2].map((number) => double(number))
  step = 1
  count = 0
  add = () => { this.count += this.step; return this.count }
}
function sum() { return [...arguments].map((each) => each + arguments.length).reduce((a, b) => a + b) }
const counter = new Counter()
const add = counter.add
export const found = { added: [add(), add()], made: Counter.made, sum: sum(1, 2, 3), name: never.name, limit: process.env.LIMIT }
export const later = async () => await (async () => never(2))()
`

const importText = async (code: string): Promise<unknown> => {
  const { found, later } = await import(`data:text/javascript,${encodeURIComponent(code)}`)
  return [found, await later()]
}

const options = {
  environment: { LIMIT: "5" },
  minified: { format: "esm", target: "node22", minifyWhitespace: true },
} as const

it("leaves a module what it was, without arrow functions, those it runs when it is loaded in parentheses", async () => {
  const quick = await quickToCompile(module, options)
  expect(await importText(quick)).toEqual(await importText(module))
  expect(quick).not.toContain("=>")
  expect(quick.match(/\b(double|never)=\(?function/g)).toEqual(["double=(function", "never=function"])
})

it("says why a module cannot be loaded", async () => {
  await expect(quickToCompile("throw new RangeError('too far')", options)).rejects.toThrow(
    /The module does not load:[^]*RangeError: too far/,
  )
})
