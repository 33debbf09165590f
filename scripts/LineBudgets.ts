/**
 * How many lines each part may have. An app stays thin: what grows there is a concept that belongs into a package. A change
 * that adds a concept to a package raises its budget here, with the reason in the commit.
 */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import * as Repository from "./Repository.ts"

/** The most lines of the sources of each part. */
export const budgets: Readonly<Record<string, number>> = {
  // To be 8500 again once no command branches on the text of --from: the sources are a service then.
  "apps/cli": 8800,
  "apps/fake-server": 2800,
  "apps/validation-lambda": 3400,
  "packages/conformance": 1100,
  "packages/domain": 9000,
  "packages/fake": 4500,
  "packages/files": 9000,
  "packages/http-api": 700,
  "packages/http-client": 3100,
  "packages/in-memory": 2500,
  "packages/mcp": 1200,
  "packages/mirror": 4700,
  "packages/report": 1900,
}

/** A part, its lines, and the most that it may have. */
export interface Part {
  readonly part: string
  readonly lines: number
  readonly budget: number | undefined
}

/** The lines of the files of all parts. `read` returns the text of a file. */
export const measure = (files: ReadonlyArray<string>, read: (file: string) => string): ReadonlyArray<Part> => {
  const counts = new Map<string, number>()
  for (const file of files) {
    const [, part] = /^((?:apps|packages)\/[^/]+)\/src\/.*\.tsx?$/.exec(file) ?? []
    if (part !== undefined) counts.set(part, (counts.get(part) ?? 0) + (read(file).match(/\n/g)?.length ?? 0))
  }
  return [...counts]
    .map(([part, lines]) => ({ part, lines, budget: budgets[part] }))
    .sort((a, b) => (a.part < b.part ? -1 : 1))
}

/** The parts of this repository. */
export const here = (): ReadonlyArray<Part> =>
  measure(Repository.files(Repository.root), (file) => readFileSync(join(Repository.root, file), "utf8"))
