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
import * as DocExamples from "../../../scripts/DocExamples.ts"
import { capabilities, proposal, transfer } from "./fixtures/service.ts"

const folder = join(import.meta.dirname, "../src")
const names = readdirSync(folder)
  .filter((name) => name.endsWith(".ts"))
  .map((name) => name.replace(/\.ts$/, ""))
const modules = Object.fromEntries(
  await Promise.all(names.map(async (name) => [name, await import(`../src/${name}.ts`)] as const)),
)
const scope = { ...modules, Decimal, Effect, Equal, Result, S, Stream, capabilities, proposal, transfer }

const evaluate = (code: string): unknown => new Function(...Object.keys(scope), code)(...Object.values(scope))

const isPublicFunction = (value: unknown): boolean =>
  typeof value === "function" && !/^class\b/.test(Function.prototype.toString.call(value)) && !S.isSchema(value)

let count = 0

describe.each(names)("%s", (name) => {
  const examples = DocExamples.find(readFileSync(join(folder, `${name}.ts`), "utf8"))

  test.each(examples)("$member: $expression", ({ expression, expected, setup }) => {
    count++
    const actual = evaluate(`${setup}\nreturn (${expression})`)
    expect(actual).toStrictEqual(evaluate(`return (${expected})`))
  })

  test("has an example for every public function", () => {
    const bare = Object.entries(modules[name])
      .filter(([member, value]) => isPublicFunction(value) && !examples.some((example) => example.member === member))
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
