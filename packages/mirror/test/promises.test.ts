/** The tests that the README of this folder names are there, and its suites run on both databases. */
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"

const read = (path: string): string => readFileSync(join(import.meta.dirname, path), "utf8")

const named = read("README.md")
  .split("\n")
  .filter((line) => line.startsWith("| ") && line.includes("]("))
  .flatMap((line) =>
    [...line.matchAll(/\]\(([^)]*)\)([^[]*)/g)].flatMap(([, path = "", titles = ""]) =>
      [...titles.matchAll(/"([^"]+)"/g)].map(([, title = ""]) => ({ path, title })),
    ),
  )

test("each test that is named is there", () => {
  expect(named.length).toBeGreaterThan(40)
  expect(named.filter(({ path, title }) => !read(path).includes(`"${title}"`))).toEqual([])
})

test("each suite that needs a database runs on PostgreSQL, too", () => {
  const pure = ["decisionSuite", "timeLeftSuite"]
  const suites = readdirSync(join(import.meta.dirname, "suites")).flatMap((file) =>
    [...read(`suites/${file}`).matchAll(/export const (\w+Suite)\b/g)].map(([, name = ""]) => name),
  )
  const texts = (pattern: RegExp) =>
    readdirSync(import.meta.dirname).flatMap((file) => (pattern.test(file) ? [read(file)] : []))
  const lacking = (pattern: RegExp) =>
    suites.filter((name) => !texts(pattern).some((text) => text.includes(`${name}(`)))
  expect(lacking(/\.postgres\.test\.ts$/)).toEqual(pure)
  expect(lacking(/\.test\.ts$/)).toEqual([])
})
