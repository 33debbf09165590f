/** Chooses the tests that a mutated source is run against: those of its package that import it, however indirectly. */
import type { Import } from "../ImportGraph.ts"

/** Tests that measure time, need a machine to themselves, or run a built artefact: too slow or too vague for a mutant. */
const unsuitable =
  /(?:budgets|bundle|faults|growth|memory|packed|figures|readme|Workbook[.]rows|soak|[.](?:browser|docs|hostile|large|postgres|sea|shells))[.]test[.]ts$/

/** Slow suites, and the only sources they are run for. */
const slow: ReadonlyArray<readonly [test: RegExp, sources: RegExp]> = [
  [
    /^packages\/domain\/test\/scan\//,
    /^packages\/domain\/src\/(?:internal\/(?:scan|paging)\/|TransferPager|Checkpoint)/,
  ],
  [/^packages\/files\/test\/partitions\//, /^packages\/files\/src\/partitions\//],
]

/** Sources that are run against the same tests, in one run. */
export interface Group {
  readonly sources: ReadonlyArray<string>
  readonly tests: ReadonlyArray<string>
}

/** The folder of the package or app that a file belongs to. */
export const workspaceOf = (file: string): string => file.split("/").slice(0, 2).join("/")

/** Groups sources by package and by the slow suites they need. */
export const groups = (
  sources: ReadonlyArray<string>,
  files: ReadonlyArray<string>,
  imports: ReadonlyArray<Import>,
): ReadonlyArray<Group> => {
  const found = new Map<string, { sources: Array<string>; tests: Set<string> }>()
  for (const source of sources) {
    const tests = testsOf(source, files, imports)
    const key = [workspaceOf(source), ...tests.filter((test) => slow.some(([suite]) => suite.test(test)))].join()
    const group = found.get(key) ?? { sources: [], tests: new Set() }
    group.sources.push(source)
    for (const test of tests) group.tests.add(test)
    found.set(key, group)
  }
  return [...found.values()].map((group) => ({ sources: group.sources, tests: [...group.tests].sort() }))
}

const testsOf = (
  source: string,
  files: ReadonlyArray<string>,
  imports: ReadonlyArray<Import>,
): ReadonlyArray<string> => {
  const importers = Map.groupBy(imports, ({ target }) => target)
  const reached = new Set([source])
  for (const file of reached) for (const { from } of importers.get(file) ?? []) reached.add(from)
  const own = `${workspaceOf(source)}/test/`
  const isPublic = !source.includes("/internal/")
  // The examples' test loads every public module by name.
  return files.filter(
    (file) =>
      file.startsWith(own) &&
      file.endsWith(".test.ts") &&
      (reached.has(file) || (isPublic && file.endsWith("/examples.test.ts"))) &&
      !unsuitable.test(file) &&
      slow.every(([suite, for_]) => !suite.test(file) || for_.test(source)),
  )
}
