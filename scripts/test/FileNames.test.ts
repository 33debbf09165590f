import { readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "vitest"
import * as Repository from "../Repository.ts"

/** Names that do not tell what is inside. */
const empty = /^(?:utils?|helpers?|common|types)$/i

const emptyNames = (files: ReadonlyArray<string>): ReadonlyArray<string> =>
  files.filter((file) => file.split("/").some((name) => empty.test(name.split(".")[0] ?? "")))

it("every file and folder is named after a concept", () => {
  const files = Repository.files(Repository.root)
  expect(files.length).toBeGreaterThan(400)
  expect(emptyNames(files)).toEqual([])
})

it.each(["a/utils/b.ts", "a/types.ts", "Helpers.ts", "a/common.test.ts", "b/Utils/a.ts"])("rejects %s", (file) => {
  expect(emptyNames([file])).toEqual([file])
})

it.each(["a/Money.types.ts", "a/Prototypes.ts", "commons/a.ts"])("accepts %s", (file) => {
  expect(emptyNames([file])).toEqual([])
})

it("a source of a package is named like the namespace that it is imported as", () => {
  const sources = Repository.files(Repository.root).filter((file) => /^packages\/[^/]+\/src\/.*\.ts$/.test(file))
  expect(sources.length).toBeGreaterThan(200)
  // `promise` is what users write in their import.
  expect(sources.filter((file) => !/\/[A-Z][A-Za-z0-9]*\.ts$/.test(file))).toEqual([
    "packages/http-client/src/promise.ts",
  ])
})

it("a source begins with its header, above the imports", () => {
  const sources = Repository.files(Repository.root).filter((file) => /^(?:apps|packages)\/[^/]+\/.*\.ts$/.test(file))
  expect(sources.length).toBeGreaterThan(700)
  const textOf = (file: string) => readFileSync(join(Repository.root, file), "utf8").replace(/^#!.*\n/, "")
  const isSource = (file: string) => /\/src\//.test(file)
  expect(sources.filter((file) => isSource(file) && !textOf(file).startsWith("/**"))).toEqual([])
  // Tests may do without one.
  expect(
    sources.filter((file) => /^import .*\n(?:import .*\n)*\/\*\*(?:[^*]|\*(?!\/))*\*\/\nimport /.test(textOf(file))),
  ).toEqual([])
})
