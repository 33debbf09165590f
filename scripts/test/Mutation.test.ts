import { readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import * as Goals from "../mutation/Goals.ts"
import * as Mutants from "../mutation/Mutants.ts"
import * as QualityPage from "../mutation/QualityPage.ts"
import * as TestSelection from "../mutation/TestSelection.ts"
import * as Repository from "../Repository.ts"

const readJson = (path: string) => JSON.parse(readFileSync(join(Repository.root, path), "utf8"))

const explanations: Mutants.Explanations = readJson("scripts/mutation/explanations.json")

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
    expect(Mutants.score([Mutants.judge("a.ts", outcome, { equivalent: [], tolerated: [] })])).toBe(1 / 3)
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
    expect(QualityPage.markdown(outcomes, explanations)).toContain("2: a < b → a <= b: a is never b\n")
  })

  it("names an explanation that matches no survivor, in the files of the run only", () => {
    const killed = { ...explained, change: "a < b → a > b" }
    const elsewhere = { ...killed, file: "b.ts" }
    expect(Mutants.stale(outcomes, { equivalent: [killed, elsewhere], tolerated: [] })).toEqual([killed])
    expect(Mutants.stale(outcomes, { equivalent: [], tolerated: [killed] })).toEqual([killed])
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

it("docs/quality.md shows the last results; `pnpm mutation:page` writes it", () => {
  const page = readFileSync(join(Repository.root, "docs/quality.md"), "utf8")
  expect(page).toBe(QualityPage.markdown(readJson("docs/quality/mutation.json"), explanations))
})

it("every explained mutant survived, has a reason, and is in a line that exists", () => {
  expect(Mutants.stale(readJson("docs/quality/mutation.json"), explanations)).toEqual([])
  for (const { file, line, reason } of [...explanations.equivalent, ...explanations.tolerated]) {
    expect(
      readFileSync(join(Repository.root, file), "utf8")
        .split("\n")
        .map((each) => each.trim()),
    ).toContain(line)
    expect(reason.length).toBeGreaterThan(10)
  }
})
