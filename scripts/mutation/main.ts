/**
 * `pnpm mutation [--sample SIZE [--seed TEXT]] [--workers COUNT] [PATH...]`: lists the changes of the sources that no
 * test notices, and renders `docs/quality.md`. A sample is drawn from the sources that never ran as a whole.
 */
import { spawnSync } from "node:child_process"
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { availableParallelism, tmpdir } from "node:os"
import { join, relative, resolve } from "node:path"
import * as Arguments from "../Arguments.ts"
import * as ImportGraph from "../ImportGraph.ts"
import * as Repository from "../Repository.ts"
import { folderOf, goals } from "./Goals.ts"
import * as Mutants from "./Mutants.ts"
import * as QualityPage from "./QualityPage.ts"
import * as TestSelection from "./TestSelection.ts"

const usage = "pnpm mutation [--sample SIZE [--seed TEXT]] [--workers COUNT] [PATH…]"
const { root } = Repository
const resultsFile = join(root, "docs/quality/mutation.json")
const packages = join(import.meta.dirname, "node_modules/@stryker-mutator")

const readJson = <A>(file: string): A => JSON.parse(readFileSync(file, "utf8"))

const explanations = readJson<Mutants.Explanations>(join(import.meta.dirname, "explanations.json"))

interface Settings {
  readonly sample: { readonly size: number; readonly seed: string } | undefined
  readonly workers: number
}

/** The sources that the paths name: files, or folders with all that is in them. */
const sourcesIn = (paths: ReadonlyArray<string>): ReadonlyArray<string> => {
  const all = ImportGraph.sourceFiles(root).filter((file) => /^(?:packages|apps)\/[^/]+\/src\//.test(file))
  const named = paths.flatMap((path) => {
    const wanted = relative(root, resolve(path))
    const found = all.filter((file) => file === wanted || file.startsWith(`${wanted}/`))
    if (found.length === 0) Arguments.reject(usage, `No source of a package or app in ${path}.`)
    return found
  })
  return [...new Set(named)]
}

const run = (
  { sources, tests }: TestSelection.Group,
  folder: string,
  { sample, workers }: Settings,
): Mutants.StrykerReport => {
  const report = join(folder, "report.json")
  const config = join(folder, "stryker.json")
  writeFileSync(
    config,
    JSON.stringify({
      plugins: [join(packages, "vitest-runner/dist/src/index.js"), join(import.meta.dirname, "Sample.ts")],
      ...(sample === undefined ? {} : { checkers: ["sample"], sample }),
      testRunner: "vitest",
      vitest: { configFile: "scripts/mutation/vitest.config.ts", related: false },
      mutate: sources,
      // A changed message is prose; a changed string in a comparison is a changed comparison too.
      mutator: { excludedMutations: ["StringLiteral"] },
      coverageAnalysis: "perTest",
      // A change of what a module does when it is loaded needs a run of all tests, which takes minutes each.
      ignoreStatic: true,
      concurrency: workers,
      // Added to the time that the tests take unchanged: a pause of a busy machine is not a loop without end.
      timeoutMS: 20_000,
      dryRunTimeoutMinutes: 20,
      reporters: ["progress", "json"],
      jsonReporter: { fileName: report },
      tempDirName: join(folder, "copies"),
      ignorePatterns: ["bench", "dist", ".turbo", "coverage"],
      warnings: { slow: false, unknownOptions: false },
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

const mutate = (paths: ReadonlyArray<string>, settings: Settings): boolean => {
  const { sample } = settings
  const { sources } = readJson<Mutants.Results>(resultsFile)
  const files = ImportGraph.sourceFiles(root)
  const named = sourcesIn(paths).filter((source) => sample === undefined || !(source in sources))
  let isGood = true
  for (const group of TestSelection.groups(named, files, ImportGraph.read(root))) {
    console.log(
      `${group.sources.length} sources of ${TestSelection.workspaceOf(group.sources[0] ?? "")}, ${group.tests.length} test files`,
    )
    const folder = mkdtempSync(join(tmpdir(), "transferkit-mutation-"))
    const report = run(group, folder, settings)
    rmSync(folder, { recursive: true, force: true })
    const date = new Date().toISOString().slice(0, 10)
    const outcomes = Mutants.outcomesOf(report, date)
    const verdicts = Object.entries(outcomes).map(([file, outcome]) => {
      const verdict = Mutants.judge(file, outcome, explanations)
      for (const { at, change } of verdict.survivors) console.log(`${file}:${at}: ${change}`)
      return { folder: folderOf(file) ?? "", verdict }
    })
    const stale = sample === undefined ? Mutants.stale(outcomes, explanations) : []
    for (const { file, line, change } of stale) {
      console.error(`explanations.json: no survivor of ${file} matches ${change}, in the line ${line}`)
    }
    isGood &&= stale.length === 0
    for (const [folder, own] of Map.groupBy(verdicts, (each) => each.folder)) {
      const [reached, goal] = [Mutants.score(own.map(({ verdict }) => verdict)), goals[folder] ?? 0]
      console.log(`${folder}: score ${(reached * 100).toFixed(1)} %, goal ${goal * 100} %`)
      isGood &&= reached >= goal
    }
    const known = readJson<Mutants.Results>(resultsFile)
    const all =
      sample === undefined
        ? Mutants.withSources(known, outcomes)
        : Mutants.withSample(known, Mutants.sampleOf(report, date, sample.seed))
    const existing = Object.entries(all.sources).filter(([file]) => existsSync(join(root, file)))
    const results = { ...all, sources: Object.fromEntries(existing) }
    writeFileSync(resultsFile, `${JSON.stringify(results, undefined, 2)}\n`)
    writeFileSync(join(root, "docs/quality.md"), QualityPage.markdown(results, explanations))
  }
  return isGood
}

const { values, positionals } = Arguments.read(usage, {
  allowPositionals: true,
  options: {
    sample: { type: "string" },
    seed: { type: "string", default: String(Date.now()) },
    workers: { type: "string" },
  },
})

const count = (name: "sample" | "workers"): number | undefined => {
  const text = values[name]
  if (text === undefined) return undefined
  if (/^[1-9]\d{0,5}$/.test(text)) return Number(text)
  return Arguments.reject(usage, `--${name} takes a whole number of 1 or more, not ${text}.`)
}

const size = count("sample")
const sample = size === undefined ? undefined : { size, seed: values.seed }
// One core is left for whatever else the machine does.
const workers = count("workers") ?? Math.max(1, availableParallelism() - 1)
const paths = positionals.length > 0 ? positionals : globSync(Object.keys(goals), { cwd: root })
process.exitCode = mutate(paths, { sample, workers }) ? 0 : 1
