/** Checks that a test which guards a budget exists and asserts the budget's limit. */
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { type Budget, bound, titleOf, type Test } from "./Budget.ts"

const root = join(import.meta.dirname, "../../..")

/** The number that the guard's assertion names, in units of the limit. */
export const asserted = ({ asserts, per = 1 }: Test): number =>
  Number(/([\d_.]+)\)$/.exec(asserts)?.[1]?.replaceAll("_", "")) / per

const readFile = (file: string): string => (existsSync(join(root, file)) ? readFileSync(join(root, file), "utf8") : "")

/** The problem with a guard; none if it enforces the budget. */
export const problem = (
  budget: Pick<Budget, "name" | "limit">,
  guard: Test,
  read: (file: string) => string = readFile,
): string | undefined => {
  const { file, name, asserts, differs } = guard
  const body = bodyOf(read(file), name)
  if (body === undefined) return `${titleOf(budget)}: ${file} has no test "${name}"`
  if (!body.includes(asserts)) return `${titleOf(budget)}: the test "${name}" does not assert ${asserts}`
  if (differs === undefined && asserted(guard) !== bound(budget.limit)) {
    return `${titleOf(budget)}: the test "${name}" asserts ${asserted(guard)}`
  }
  return undefined
}

/** The test's text: from its name to the line that closes it, by indentation. */
const bodyOf = (source: string, name: string): string | undefined => {
  const lines = source.split("\n")
  const named = lines.findIndex((line) => line.includes(name))
  if (named === -1) return undefined
  const first = lines.slice(0, named + 1).findLastIndex((line) => /^\s*(?:it|test)\b|^\s*\]/.test(line))
  const indent = /^\s*/.exec(lines[first] ?? "")?.[0] ?? ""
  const after = lines.slice(named + 1)
  const length = after.findIndex((line) => line.startsWith(`${indent}}`) || line.startsWith(`${indent})`))
  return after.slice(0, length).join("\n")
}
