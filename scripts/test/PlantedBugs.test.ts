/** The list of planted bugs is up to date: `pnpm planted` plants each and runs its test. */
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "vitest"
import * as Bugs from "../planted/Bugs.ts"
import * as Repository from "../Repository.ts"

it.each(Bugs.all.map((bug) => [bug.name, bug] as const))("%s: its code occurs once, and its test exists", (_, bug) => {
  expect(Bugs.plant(bug, readFileSync(Bugs.pathOf(bug), "utf8"))).toMatchObject({ source: expect.any(String) })
  expect(existsSync(join(Repository.root, bug.test))).toBe(true)
})

it("says how often the code occurs, if not once", () => {
  const bug: Bugs.Bug = { name: "n", file: "f.ts", code: "a", bug: "b", test: "t" }
  expect(Bugs.plant(bug, "aa")).toEqual({ reason: "f.ts has 2 times a" })
  expect(Bugs.plant(bug, "a$&")).toEqual({ source: "b$&" })
})

it("has enough of them to say something", () => {
  expect(Bugs.all.length).toBeGreaterThanOrEqual(22)
})
