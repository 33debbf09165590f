/** The test of a package that every example in its docstrings holds. */
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import * as Duration from "effect/Duration"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import { expect, test } from "vitest"
import * as DocExamples from "../DocExamples.ts"

/** Runs the examples of the modules in `folder`, of which there are more than `least`. */
export const holdTheExamplesOf = (folder: string, { least }: { readonly least: number }): void => {
  const names = readdirSync(folder).flatMap((file) => /^([A-Z]\w+)\.ts$/.exec(file)?.slice(1) ?? [])
  const examples = names.flatMap((name) =>
    DocExamples.find(readFileSync(join(folder, `${name}.ts`), "utf8")).map((example) => ({ name, ...example })),
  )
  const load = (name: string): Promise<Record<string, unknown>> => import(join(folder, `${name}.ts`))

  test.each(examples)("$name, $member: $expression", async ({ name, ...example }) => {
    const modules = await Promise.all(names.map(async (module) => [module, await load(module)] as const))
    const { actual, expected } = await DocExamples.run(example, {
      ...(await load(name)),
      ...Object.fromEntries(modules),
      Duration,
      Option,
      Redacted,
      Result,
    })
    expect(actual).toStrictEqual(expected)
  })

  test("there are examples", () => {
    expect(examples.length).toBeGreaterThan(least)
  })
}
