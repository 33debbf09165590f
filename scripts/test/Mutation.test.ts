import { readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import * as Goals from "../mutation/Goals.ts"
import * as Mutants from "../mutation/Mutants.ts"
import * as QualityPage from "../mutation/QualityPage.ts"
import * as Sample from "../mutation/Sample.ts"
import * as TestSelection from "../mutation/TestSelection.ts"
import * as Repository from "../Repository.ts"

const readJson = (path: string) => JSON.parse(readFileSync(join(Repository.root, path), "utf8"))

const explanations: Mutants.Explanations = readJson("scripts/mutation/explanations.json")
const results: Mutants.Results = readJson("docs/quality/mutation.json")
const unexplained: Mutants.Explanations = { equivalent: [], tolerated: [] }

const source = "const isLess = (a, b) =>\n  a < b\n"
const mutant = (status: string, replacement: string) => ({
  status,
  replacement,
  location: { start: { line: 2, column: 3 }, end: { line: 2, column: 8 } },
})
const report = {
  files: {
    "a.ts": {
      source,
      mutants: [mutant("Killed", "a > b"), mutant("Survived", "a <= b"), mutant("NoCoverage", "true")],
    },
  },
}
const explained = { file: "a.ts", line: "a < b", change: "a < b → a <= b", reason: "a is never b" }

describe("a mutation report", () => {
  const outcomes = Mutants.outcomesOf(report, "2026-11-21")
  const outcome = outcomes["a.ts"] ?? expect.fail("a.ts has no outcome")

  it("counts a mutant that no test runs as a survivor", () => {
    expect(outcome).toEqual({
      date: "2026-11-21",
      killed: 1,
      survivors: [
        { at: 2, line: "a < b", change: "a < b → a <= b" },
        { at: 2, line: "a < b", change: "a < b → true" },
      ],
    })
    expect(Mutants.score([Mutants.judge("a.ts", outcome, unexplained)])).toBe(1 / 3)
  })

  it("leaves equivalent mutants out of the score", () => {
    const explanations = { equivalent: [explained], tolerated: [] }
    const verdict = Mutants.judge("a.ts", outcome, explanations)
    expect(verdict.survivors).toMatchObject([{ change: "a < b → true" }])
    expect(verdict.equivalent).toMatchObject([{ at: 2, reason: "a is never b" }])
    expect(Mutants.score([verdict])).toBe(1 / 2)
    expect(Mutants.stale(outcomes, explanations)).toEqual([])
  })

  it("counts a tolerated mutant as a survivor, and gives its reason", () => {
    const explanations = { equivalent: [], tolerated: [explained] }
    const verdict = Mutants.judge("a.ts", outcome, explanations)
    expect(verdict.survivors).toMatchObject([{ at: 2, reason: "a is never b" }, { change: "a < b → true" }])
    expect(Mutants.score([verdict])).toBe(1 / 3)
    const results = { sources: outcomes, samples: [] }
    expect(QualityPage.markdown(results, explanations)).toContain("2: a < b → a <= b: a is never b\n")
  })

  it("names an explanation that matches no survivor, in the files of the run only", () => {
    const killed = { ...explained, change: "a < b → a > b" }
    const elsewhere = { ...killed, file: "b.ts" }
    expect(Mutants.stale(outcomes, { equivalent: [killed, elsewhere], tolerated: [] })).toEqual([killed])
    expect(Mutants.stale(outcomes, { equivalent: [], tolerated: [killed] })).toEqual([killed])
  })
})

describe("a sample", () => {
  const [file, other] = ["packages/files/src/A.ts", "packages/files/src/B.ts"]
  const mutantsOf = (killed: number, survived: number, ignored: number, notDrawn: number) => [
    ...Array.from({ length: killed }, () => mutant("Killed", "a > b")),
    ...Array.from({ length: survived }, () => mutant("Survived", "a <= b")),
    ...Array.from({ length: ignored }, () => mutant("Ignored", "a == b")),
    ...Array.from({ length: notDrawn }, () => mutant("CompileError", "a != b")),
  ]
  const report = {
    files: { [file]: { source, mutants: mutantsOf(81, 10, 30, 159) }, [other]: { source, mutants: [] } },
  }
  const whole = { date: "2026-11-21", killed: 100, survivors: [] }
  const sample = Mutants.sampleOf(report, "2026-11-22", "7")
  const tableOf = (results: Mutants.Results) =>
    QualityPage.markdown(results, unexplained)
      .split("\n")
      .filter((line) => line.startsWith("| packages/files |"))

  const listed = Array.from({ length: 1000 }, (_, at) => ({
    id: `${at}`,
    fileName: file,
    replacement: "true",
    location: { start: { line: at, column: 0 } },
  }))

  it("draws as many mutants as asked, the same ones for the same seed", () => {
    const drawn = Sample.draw(listed, { size: 150, seed: "1" })
    expect(drawn.size).toBe(150)
    expect(Sample.draw(listed.toReversed(), { size: 150, seed: "1" })).toEqual(drawn)
    const others = Sample.draw(listed, { size: 150, seed: "2" })
    expect([...others].filter((id) => drawn.has(id)).length).toBeLessThan(60)
  })

  it("draws all mutants if there are no more than asked", () => {
    expect(Sample.draw(listed.slice(0, 3), { size: 150, seed: "1" }).size).toBe(3)
  })

  it("rejects the mutants that were not drawn, before any test runs", async () => {
    const checker = Sample.strykerPlugins[0]?.factory({ sample: { size: 2, seed: "1" } }) ?? expect.fail("no checker")
    const mutants = listed.slice(0, 5)
    // In one group: those of several would be a sample each.
    expect(await checker.group(mutants)).toEqual([["0", "1", "2", "3", "4"]])
    const statuses = Object.values(await checker.check(mutants)).map(({ status }) => status)
    expect(statuses.toSorted()).toEqual(["compileError", "compileError", "compileError", "passed", "passed"])
  })

  it("gives its seed, its size, the number of mutants drawn from and the 95 % interval of its score", () => {
    // The interval: scipy.stats.binomtest(81, 91).proportion_ci(method="wilson")
    expect(Mutants.interval(81 / 91, 91)).toEqual([expect.closeTo(0.80941, 4), expect.closeTo(0.93921, 4)])
    expect(tableOf({ sources: {}, samples: [sample] })).toEqual([
      "| packages/files | 2 | 91 of 250, seed 7 | 81 | 10 | 0 | 89.0 % (80.9 % to 93.9 %) **not met** | 92.0 % | 2026-11-22 |",
    ])
  })

  it("meets the goal if its score does, whatever its interval", () => {
    const good = { files: { [file]: { source, mutants: mutantsOf(92, 8, 0, 50) } } }
    expect(tableOf({ sources: {}, samples: [Mutants.sampleOf(good, "2026-11-22", "7")] })).toEqual([
      "| packages/files | 1 | 100 of 150, seed 7 | 92 | 8 | 0 | 92.0 % (85.0 % to 95.8 %) | 92.0 % | 2026-11-22 |",
    ])
  })

  it("stands beside the results of the sources that ran as a whole", () => {
    const results = Mutants.withSources({ sources: {}, samples: [sample] }, { "packages/files/src/C.ts": whole })
    const [first, second] = tableOf(results)
    expect(first).toBe("| packages/files | 1 | all 100 | 100 | 0 | 0 | 100.0 % | 92.0 % | 2026-11-21 |")
    expect(second).toContain("| 91 of 250, seed 7 |")
  })

  it("gives way to a run of all mutants of its sources", () => {
    const results = { sources: {}, samples: [sample] }
    expect(Mutants.withSources(results, { [file]: whole }).samples).toEqual([sample])
    expect(Mutants.withSources(results, { [file]: whole, [other]: whole }).samples).toEqual([])
  })

  it("replaces an earlier sample that was drawn from one of its sources", () => {
    const earlier = { ...sample, seed: "6", outcomes: { [other]: whole } }
    const elsewhere = { ...earlier, seed: "5", outcomes: { "packages/domain/src/A.ts": whole } }
    const { samples } = Mutants.withSample({ sources: {}, samples: [earlier, elsewhere] }, sample)
    expect(samples.map(({ seed }) => seed)).toEqual(["5", "7"])
  })
})

it("gives a source the goal of the innermost folder", () => {
  expect(Goals.folderOf("packages/domain/src/internal/scan/Scan.ts")).toBe("packages/domain/src/internal/scan")
  expect(Goals.folderOf("packages/domain/src/Money.ts")).toBe("packages/domain")
  expect(Goals.folderOf("apps/cli/src/bin.ts")).toBeUndefined()
})

it("runs a source against the tests of its package that import it", () => {
  const edge = (from: string, target: string) => ({ from, target, specifier: target })
  const files = ["direct", "indirect", "other", "examples", "budgets"].map((name) => `packages/a/test/${name}.test.ts`)
  const imports = [
    edge("packages/a/src/B.ts", "packages/a/src/A.ts"),
    edge("packages/a/test/direct.test.ts", "packages/a/src/A.ts"),
    edge("packages/a/test/budgets.test.ts", "packages/a/src/A.ts"),
    edge("packages/a/test/indirect.test.ts", "packages/a/src/B.ts"),
    edge("packages/b/test/foreign.test.ts", "packages/a/src/A.ts"),
  ]
  expect(TestSelection.groups(["packages/a/src/A.ts"], [...files, "packages/b/test/foreign.test.ts"], imports)).toEqual(
    [
      {
        sources: ["packages/a/src/A.ts"],
        tests: ["direct", "examples", "indirect"].map((name) => `packages/a/test/${name}.test.ts`),
      },
    ],
  )
})

it("every explained mutant survived, has a reason, and is in a line that exists", () => {
  expect(Mutants.stale(results.sources, explanations)).toEqual([])
  for (const { file, line, reason } of [...explanations.equivalent, ...explanations.tolerated]) {
    expect(
      readFileSync(join(Repository.root, file), "utf8")
        .split("\n")
        .map((each) => each.trim()),
    ).toContain(line)
    expect(reason.length).toBeGreaterThan(10)
  }
})
