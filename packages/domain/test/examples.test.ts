/** Every example in a docstring holds, and every public function has one. */
import { readFileSync, readdirSync } from "node:fs"
import { join } from "node:path"
import { Decimal } from "decimal.js"
import * as Effect from "effect/Effect"
import * as Equal from "effect/Equal"
import * as Result from "effect/Result"
import * as S from "effect/Schema"
import * as Stream from "effect/Stream"
import { describe, expect, test } from "vitest"
import { capabilities, proposal, transfer } from "./fixtures/service.ts"

const folder = join(import.meta.dirname, "../src")
const names = readdirSync(folder)
  .filter((name) => name.endsWith(".ts"))
  .map((name) => name.replace(/\.ts$/, ""))
const modules = Object.fromEntries(
  await Promise.all(names.map(async (name) => [name, await import(`../src/${name}.ts`)] as const)),
)
const scope = { ...modules, Decimal, Effect, Equal, Result, S, Stream, capabilities, proposal, transfer }

interface Example {
  readonly expression: string
  readonly expected: string
  readonly setup: string
}

/** The docblock of each exported value, and the examples in it. */
const documented = (source: string): ReadonlyMap<string, ReadonlyArray<Example>> => {
  const found = new Map<string, ReadonlyArray<Example>>()
  for (const [, block = "", name = ""] of source.matchAll(
    /\/\*\*((?:(?!\*\/)[^])*)\*\/\s*export (?:const|class) (\w+)/g,
  )) {
    found.set(name, examplesOf(block))
  }
  return found
}

const examplesOf = (block: string): ReadonlyArray<Example> => {
  const [, ...blocks] = block.split("@example")
  return blocks.flatMap((example) => {
    const examples: Array<Example> = []
    const setup: Array<string> = []
    for (const line of example.split("\n").map((text) => text.replace(/^\s*\*\s?/, "").trimEnd())) {
      const [expression = "", expected] = line.split(" // => ")
      if (expected === undefined) setup.push(line)
      else examples.push({ expression, expected, setup: setup.join("\n") })
    }
    return examples
  })
}

const evaluate = (code: string): unknown => new Function(...Object.keys(scope), code)(...Object.values(scope))

const isPublicFunction = (value: unknown): boolean =>
  typeof value === "function" && !/^class\b/.test(Function.prototype.toString.call(value)) && !S.isSchema(value)

let count = 0

describe.each(names)("%s", (name) => {
  const examples = documented(readFileSync(join(folder, `${name}.ts`), "utf8"))

  test.each([...examples].flatMap(([member, list]) => list.map((example) => ({ member, ...example }))))(
    "$member: $expression",
    ({ expression, expected, setup }) => {
      count++
      const actual = evaluate(`${setup}\nreturn (${expression})`)
      expect(actual).toStrictEqual(evaluate(`return (${expected})`))
    },
  )

  test("has an example for every public function", () => {
    const bare = Object.entries(modules[name])
      .filter(([member, value]) => isPublicFunction(value) && (examples.get(member) ?? []).length === 0)
      .map(([member]) => member)
    expect(bare).toEqual([])
  })
})

describe("README.md", () => {
  const readme = readFileSync(join(folder, "../README.md"), "utf8")
  const blocks = [...readme.matchAll(/```ts\n([^]*?)```/g)].map(([, code = ""]) => code)

  test.each(blocks)("%#", (block) => {
    const body = block.replaceAll(/^import .*$/gm, "").replaceAll(/^(?!const )(.+) \/\/ => (.+)$/gm, "check($1, $2)")
    expect(body).not.toContain("// =>")
    const check = (actual: unknown, expected: unknown) => {
      count++
      expect(actual).toStrictEqual(expected)
    }
    new Function("check", ...Object.keys(scope), body)(check, ...Object.values(scope))
    expect.assertions(1 + (block.match(/\/\/ =>/g)?.length ?? 0))
  })
})

test("finds the examples", () => {
  expect(count).toBeGreaterThan(100)
})
