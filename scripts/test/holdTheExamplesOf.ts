/** Runs the examples in a package's docstrings as tests. */
import { readdirSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import * as Duration from "effect/Duration"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { describe, expect, test } from "vitest"
import * as DocExamples from "../DocExamples.ts"

interface Options {
  /** Fails unless there are more examples than this. */
  readonly least: number
  /** Further names that the examples use. */
  readonly scope?: Readonly<Record<string, unknown>>
  /** Whether every public function must have an example. */
  readonly ofEveryFunction?: boolean
}

/** Runs the examples of the public modules in `folder`. They can use those modules by name. */
export const holdTheExamplesOf = (folder: string, { least, scope = {}, ofEveryFunction = false }: Options): void => {
  const names = readdirSync(folder).flatMap((file) => /^([A-Z]\w+)\.ts$/.exec(file)?.slice(1) ?? [])
  const load = (name: string): Promise<Record<string, unknown>> => import(join(folder, `${name}.ts`))
  const documented = names
    .map((name) => ({ name, examples: DocExamples.find(textsOf(join(folder, `${name}.ts`)).join("\n")) }))
    .filter(({ examples }) => ofEveryFunction || examples.length > 0)

  describe.each(documented)("$name", ({ name, examples }) => {
    test.each(examples)("$member: $expression", async (example) => {
      const modules = await Promise.all(names.map(async (module) => [module, await load(module)] as const))
      const { actual, expected } = await DocExamples.run(example, {
        ...(await load(name)),
        ...Object.fromEntries(modules),
        Duration,
        Option,
        Redacted,
        Result,
        ...scope,
      })
      expect(actual).toStrictEqual(expected)
    })

    if (!ofEveryFunction) return
    test("has an example for every public function", async () => {
      const bare = Object.entries(await load(name))
        .filter(([member, value]) => isPublicFunction(value) && !examples.some((example) => example.member === member))
        .map(([member]) => member)
      expect(bare).toEqual([])
    })
  })

  test("there are examples", () => {
    expect(documented.flatMap(({ examples }) => examples).length).toBeGreaterThan(least)
  })
}

/** A module, and those whose members it exports as its own. */
const textsOf = (file: string): ReadonlyArray<string> => {
  const text = readFileSync(file, "utf8")
  const parts = [...text.matchAll(/^export \{[^}]*\} from "(\.[^"]+)"/gm)]
  return [text, ...parts.flatMap(([, part = ""]) => textsOf(join(dirname(file), part)))]
}

const isPublicFunction = (value: unknown): boolean =>
  typeof value === "function" && !/^class\b/.test(Function.prototype.toString.call(value)) && !Schema.isSchema(value)
