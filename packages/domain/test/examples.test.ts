/** Every example in a docstring and in the README gives the result it shows, and every public function has one. */
import { readFileSync, readdirSync } from "node:fs"
import { join } from "node:path"
import { Decimal } from "decimal.js"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Equal from "effect/Equal"
import * as Result from "effect/Result"
import * as S from "effect/Schema"
import * as Stream from "effect/Stream"
import { describe, expect, test } from "vitest"
import { holdTheExamplesOf } from "../../../scripts/test/holdTheExamplesOf.ts"
import { capabilities, proposal, transfer } from "./fixtures/service.ts"

const folder = join(import.meta.dirname, "../src")
const scope = { DateTime, Decimal, Effect, Equal, Result, S, Stream, capabilities, proposal, transfer }

await holdTheExamplesOf(folder, { least: 90, scope, ofEveryFunction: true })

describe("README.md", async () => {
  const names = readdirSync(folder).flatMap((file) => /^(\w+)\.ts$/.exec(file)?.slice(1) ?? [])
  const modules = Object.fromEntries(
    await Promise.all(names.map(async (name) => [name, await import(`../src/${name}.ts`)] as const)),
  )
  const readme = readFileSync(join(folder, "../README.md"), "utf8")
  const blocks = [...readme.matchAll(/```ts\n([^]*?)```/g)].map(([, code = ""]) => code)

  test.each(blocks)("%#", (block) => {
    const body = block.replaceAll(/^import .*$/gm, "").replaceAll(/^(?!const )(.+) \/\/ => (.+)$/gm, "check($1, $2)")
    expect(body).not.toContain("// =>")
    const check = (actual: unknown, expected: unknown) => expect(actual).toStrictEqual(expected)
    const known = { check, ...modules, ...scope }
    new Function(...Object.keys(known), body)(...Object.values(known))
    expect.assertions(1 + (block.match(/\/\/ =>/g)?.length ?? 0))
  })
})
