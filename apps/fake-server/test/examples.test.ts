/** Every example in a docstring holds. */
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import * as Duration from "effect/Duration"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import { expect, test } from "vitest"
import * as DocExamples from "../../../scripts/DocExamples.ts"

const folder = join(import.meta.dirname, "../src")
const names = readdirSync(folder).flatMap((file) => /^([A-Z]\w+)\.ts$/.exec(file)?.slice(1) ?? [])
const examples = names.flatMap((name) =>
  DocExamples.find(readFileSync(join(folder, `${name}.ts`), "utf8")).map((example) => ({ name, ...example })),
)

test.each(examples)("$name, $member: $expression", async ({ name, ...example }) => {
  const modules = await Promise.all(names.map(async (module) => [module, await import(`../src/${module}.ts`)] as const))
  const own = await import(`../src/${name}.ts`)
  const { actual, expected } = await DocExamples.run(example, {
    ...own,
    ...Object.fromEntries(modules),
    Duration,
    Option,
    Redacted,
    Result,
  })
  expect(actual).toStrictEqual(expected)
})

test("there are examples", () => {
  expect(examples.length).toBeGreaterThan(1)
})
