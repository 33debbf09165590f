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
  /** The modules in which every export must have an example: values, classes, interfaces and types. */
  readonly ofEveryExport?: ReadonlyArray<string> | "all"
}

/** Runs the examples of the public modules in `folder`. They can use those modules by name. */
export const holdTheExamplesOf = async (
  folder: string,
  { least, scope = {}, ofEveryFunction = false, ofEveryExport = [] }: Options,
): Promise<void> => {
  const names = readdirSync(folder).flatMap((file) => /^([A-Z]\w+)\.ts$/.exec(file)?.slice(1) ?? [])
  // Before the tests: what a module does when it is loaded is part of none of them.
  const load = async (name: string): Promise<readonly [string, Record<string, unknown>]> => [
    name,
    await import(join(folder, `${name}.ts`)),
  ]
  const modules = Object.fromEntries(await Promise.all(names.map(load)))
  const documented = names
    .map((name) => ({ name, examples: examplesOf(join(folder, `${name}.ts`)) }))
    .filter(({ examples }) => ofEveryFunction || examples.length > 0)
  const held = ofEveryExport === "all" ? names : ofEveryExport

  describe.each(documented)("$name", ({ name, examples }) => {
    test.each(examples)("$member: $expression", async (example) => {
      const { actual, expected } = await DocExamples.run(example, {
        ...modules[name],
        ...modules,
        Duration,
        Option,
        Redacted,
        Result,
        ...scope,
      })
      expect(actual).toStrictEqual(expected)
    })

    if (!ofEveryFunction) return
    test("has an example for every public function", () => {
      const bare = Object.entries(modules[name] ?? {})
        .filter(([member, value]) => isPublicFunction(value) && !examples.some((example) => example.member === member))
        .map(([member]) => member)
      expect(bare).toEqual([])
    })
  })

  test.each(held)("%s has an example for every export", (name) => {
    const file = join(folder, `${name}.ts`)
    const members = new Set(examplesOf(file).map(({ member }) => member))
    const exported = new Set([
      ...DocExamples.exportsOf(readFileSync(file, "utf8")),
      ...Object.keys(modules[name] ?? {}),
    ])
    expect([...exported].filter((member) => !members.has(member))).toEqual([])
  })

  test("there are examples", () => {
    expect(documented.flatMap(({ examples }) => examples).length).toBeGreaterThan(least)
  })
}

/** The examples of a module, and of the members of others that it exports as its own. */
const examplesOf = (file: string): ReadonlyArray<DocExamples.Example> => {
  const source = readFileSync(file, "utf8")
  const relayed = DocExamples.relays(source).flatMap(({ names, from }) =>
    examplesOf(join(dirname(file), from)).filter(({ member }) => names.includes(member)),
  )
  return [...DocExamples.find(source), ...relayed]
}

const isPublicFunction = (value: unknown): boolean =>
  typeof value === "function" && !/^class\b/.test(Function.prototype.toString.call(value)) && !Schema.isSchema(value)
