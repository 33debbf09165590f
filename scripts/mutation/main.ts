/** `pnpm mutation [PATH...]`: lists the changes of the sources that no test notices, and renders `docs/quality.md`. */
import { spawnSync } from "node:child_process"
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { availableParallelism, tmpdir } from "node:os"
import { join, relative, resolve } from "node:path"
import * as ImportGraph from "../ImportGraph.ts"
import * as Repository from "../Repository.ts"
import { folderOf, goals } from "./Goals.ts"
import * as Mutants from "./Mutants.ts"
import * as QualityPage from "./QualityPage.ts"
import * as TestSelection from "./TestSelection.ts"

const { root } = Repository
const results = join(root, "docs/quality/mutation.json")
const packages = join(import.meta.dirname, "node_modules/@stryker-mutator")

const readJson = <A>(file: string): A => JSON.parse(readFileSync(file, "utf8"))

const explanations = readJson<Mutants.Explanations>(join(import.meta.dirname, "explanations.json"))

/** The sources that the paths name: files, or folders with all that is in them. */
const sourcesIn = (paths: ReadonlyArray<string>): ReadonlyArray<string> => {
  const all = ImportGraph.sourceFiles(root).filter((file) => /^(?:packages|apps)\/[^/]+\/src\//.test(file))
  const named = paths.flatMap((path) => {
    const wanted = relative(root, resolve(path))
    const found = all.filter((file) => file === wanted || file.startsWith(`${wanted}/`))
    if (found.length === 0) throw new Error(`No source of a package or app in ${path}.`)
    return found
  })
  return [...new Set(named)]
}

const run = ({ sources, tests }: TestSelection.Group, folder: string): Mutants.StrykerReport => {
  const report = join(folder, "report.json")
  const config = join(folder, "stryker.json")
  writeFileSync(
    config,
    JSON.stringify({
      plugins: [join(packages, "vitest-runner/dist/src/index.js")],
      testRunner: "vitest",
      vitest: { configFile: "scripts/mutation/vitest.config.ts", related: false },
      mutate: sources,
      // A changed message is prose; a changed string in a comparison is a changed comparison too.
      mutator: { excludedMutations: ["StringLiteral"] },
      coverageAnalysis: "perTest",
      // A change of what a module does when it is loaded needs a run of all tests, which takes minutes each.
      ignoreStatic: true,
      // One core is left for whatever else the machine does.
      concurrency: Math.max(1, availableParallelism() - 1),
      // Added to the time that the tests take unchanged: a pause of a busy machine is not a loop without end.
      timeoutMS: 20_000,
      reporters: ["progress", "json"],
      jsonReporter: { fileName: report },
      tempDirName: join(folder, "copies"),
      ignorePatterns: ["bench", "dist", ".turbo", "coverage"],
      warnings: { slow: false },
    }),
  )
  const { status } = spawnSync(process.execPath, [join(packages, "core/bin/stryker.js"), "run", config], {
    cwd: root,
    stdio: ["ignore", "inherit", "inherit"],
    // A law tries fewer cases here: it runs again for each mutant.
    env: { ...process.env, MUTATION_TESTS: JSON.stringify(tests), LAW_CASES: "100", LAW_SEED: "mutation" },
  })
  if (!existsSync(report)) throw new Error(`Stryker ended with ${status} and wrote no report.`)
  return readJson(report)
}

const mutate = (paths: ReadonlyArray<string>): boolean => {
  const files = ImportGraph.sourceFiles(root)
  const groups = TestSelection.groups(sourcesIn(paths), files, ImportGraph.read(root))
  let isGood = true
  for (const group of groups) {
    console.log(
      `${group.sources.length} sources of ${TestSelection.workspaceOf(group.sources[0] ?? "")}, ${group.tests.length} test files`,
    )
    const folder = mkdtempSync(join(tmpdir(), "transferkit-mutation-"))
    const report = run(group, folder)
    rmSync(folder, { recursive: true, force: true })
    const outcomes = Mutants.outcomesOf(report, new Date().toISOString().slice(0, 10))
    const verdicts = Object.entries(outcomes).map(([file, outcome]) => {
      const verdict = Mutants.judge(file, outcome, explanations)
      for (const { at, change } of verdict.survivors) console.log(`${file}:${at}: ${change}`)
      return { folder: folderOf(file) ?? "", verdict }
    })
    const stale = Mutants.stale(outcomes, explanations)
    for (const { file, line, change } of stale) {
      console.error(`explanations.json: no survivor of ${file} matches ${change}, in the line ${line}`)
    }
    isGood &&= stale.length === 0
    for (const [folder, own] of Map.groupBy(verdicts, (each) => each.folder)) {
      const [reached, goal] = [Mutants.score(own.map(({ verdict }) => verdict)), goals[folder] ?? 0]
      console.log(`${folder}: score ${(reached * 100).toFixed(1)} %, goal ${goal * 100} %`)
      isGood &&= reached >= goal
    }
    const known = Object.entries({ ...readJson<Mutants.Outcomes>(results), ...outcomes })
    const existing = Object.fromEntries(
      known.filter(([file]) => existsSync(join(root, file))).sort(([a], [b]) => (a < b ? -1 : 1)),
    )
    writeFileSync(results, `${JSON.stringify(existing, undefined, 2)}\n`)
    render()
  }
  return isGood
}

const render = (): void =>
  writeFileSync(join(root, "docs/quality.md"), QualityPage.markdown(readJson(results), explanations))

const paths = process.argv.slice(2)
if (paths.join() === "--render") render()
else process.exitCode = mutate(paths.length > 0 ? paths : globSync(Object.keys(goals), { cwd: root })) ? 0 : 1
