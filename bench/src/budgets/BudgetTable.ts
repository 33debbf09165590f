/** The budgets as a table of the report: the limit, what enforces it, and the last figure. */
import * as Figure from "../Figure.ts"
import type { Result } from "../Result.ts"
import { type Budget, describe, type Guard, type Measured, titleOf } from "./Budget.ts"
import { budgets } from "./Budgets.ts"
import * as Check from "./Check.ts"
import * as TestGuard from "./TestGuard.ts"

const units = (guard: Measured, results: ReadonlyArray<Result>): string =>
  results.find(({ bench }) => bench === guard.bench)?.metrics.find(({ key }) => key === guard.metric)?.unit ?? ""

/** How a guard enforces the budget, and its last figure. */
const guardCells = (
  budget: Budget,
  guard: Guard,
  results: ReadonlyArray<Result>,
  ratios: Check.Ratios,
): readonly [heldBy: string, last: string] => {
  const marked = (figure: string, isWithin: boolean): string => (isWithin ? figure : `**${figure}, not met**`)
  switch (guard.kind) {
    case "test": {
      const differs = guard.differs === undefined ? "" : `, at most ${TestGuard.asserted(guard)} ${guard.differs}`
      const isHeld = TestGuard.problem(budget, guard) === undefined
      return [`[test](../${guard.file})${differs}`, isHeld ? "asserted" : "**not asserted**"]
    }
    case "instructions": {
      const value = ratios[titleOf(budget)]
      const last = value === undefined ? "not counted yet" : marked(Figure.ratio(value), value <= guard.atMost)
      return [`instructions, at most ${guard.atMost}×`, last]
    }
    case "measured": {
      const { value, isWithin } = Check.measured(budget.limit, guard, results)
      if (value === undefined) return [`seen in \`${guard.bench}\``, "not measured yet"]
      const figure = guard.to === undefined ? `${Figure.plain(value)} ${units(guard, results)}` : Figure.ratio(value)
      return [`seen in \`${guard.bench}\``, marked(figure, isWithin)]
    }
  }
}

/** The whole section. */
export const markdown = (results: ReadonlyArray<Result>, ratios: Check.Ratios): string => {
  const rows = budgets.map((budget) => {
    const cells = budget.guards.map((guard) => guardCells(budget, guard, results, ratios))
    const [held, last] = [0, 1].map((column) => cells.map((cell) => cell[column]).join("<br>"))
    return `| ${budget.name} | ${describe(budget.limit)} | ${held} | ${last} |`
  })
  return [
    "## Budgets",
    "`pnpm budgets`",
    "The limits that TransferKit sets itself, and what enforces each. Instructions are counted by Valgrind, ours against the baseline's: " +
      "the same figure on a busy machine, so `pnpm budgets` fails above the limit. So do the tests, which assert the number shown here. " +
      "Time can only be seen in a benchmark: its last figure stands here, and is marked if it exceeds the limit. " +
      "What a scan of each of 19 shapes costs, in virtual time, is held by [its own table](../packages/domain/test/scan/Scan.figures.test.ts).",
    ["| Budget | Limit | Enforced by | Last figure |", "| --- | --- | --- | --- |", ...rows].join("\n"),
  ].join("\n\n")
}
