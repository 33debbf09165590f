import { globSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "vitest"
import * as Repository from "../Repository.ts"

/** Milliseconds, and seconds or more, in nanoseconds. Timestamp and Effect's Duration convert them. */
const literal = /\b(?:1_?000_?000|[\d_]{1,7}_?000_?000_?000)n\b/

const owner = "packages/domain/src/internal/time/WholeSecond.ts"

it("one file of the sources says how many nanoseconds a second has", () => {
  const sources = globSync("{packages,apps}/*/src/**/*.ts", { cwd: Repository.root })
  expect(sources.length).toBeGreaterThan(300)
  const found = sources.filter((file) => literal.test(readFileSync(join(Repository.root, file), "utf8")))
  expect(found).toEqual([owner])
})

it.each(["1_000_000_000n", "1000000000n", "86_400_000_000_000n", "1_000_000n"])("finds %s", (text) => {
  expect(literal.test(`const unit = ${text}`)).toBe(true)
})

it.each(["1_000_000", "1000n", "21_000n"])("leaves %s alone", (text) => {
  expect(literal.test(`const other = ${text}`)).toBe(false)
})
