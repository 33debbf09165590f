/** The budgets as a table of the report: the limit, what holds it, and the last figure. */
import * as Figure from "../Figure.ts"
import type { Result } from "../Result.ts"
import type { Budget, Guard, Measured } from "./Budget.ts"
import { budgets } from "./Budgets.ts"
import * as Check from "./Check.ts"

const units = (guard: Measured, results: ReadonlyArray<Result>): string =>
  results.find(({ bench }) => bench === guard.bench)?.metrics.find(({ key }) => key === guard.metric)?.unit ?? ""

/** How a guard holds the budget, and what it found last. */
const guardCells = (budget: Budget, guard: Guard, results: ReadonlyArray<Result>, ratios: Check.Ratios) => {
  switch (guard.kind) {
    case "test":
      return [`[test](../${guard.file})`, "passes"]
    case "instructions": {
      const value = ratios[Check.titleOf(budget)]
      return [`instructions, at most ${guard.atMost}×`, value === undefined ? "not counted yet" : Figure.ratio(value)]
    }
    case "measured": {
      const { value, isWithin } = Check.measured(guard, results)
      if (value === undefined) return [`seen in \`${guard.bench}\``, "not measured yet"]
      const figure = guard.to === undefined ? `${Figure.plain(value)} ${units(guard, results)}` : Figure.ratio(value)
      return [`seen in \`${guard.bench}\``, isWithin ? figure : `**${figure}, not met**`]
    }
  }
}

/** The whole section. */
export const markdown = (results: ReadonlyArray<Result>, ratios: Check.Ratios): string => {
  const rows = budgets.map((budget) => {
    const cells = budget.guards.map((guard) => guardCells(budget, guard, results, ratios))
    const [held, last] = [0, 1].map((column) => cells.map((cell) => cell[column]).join("<br>"))
    return `| ${budget.name} | ${budget.limit} | ${held} | ${last} |`
  })
  return [
    "## Budgets",
    "`pnpm budgets`",
    "The limits that TransferKit has set itself, and what holds it to them. Instructions are counted by Valgrind, ours against the " +
      "baseline's, which gives the same figure on a busy machine; `pnpm budgets` fails above the limit, and so do the tests. Time can only " +
      "be seen in a benchmark: its last figure stands here, and says so where it is over the limit.",
    ["| What | At most, or at least | Held by | Last figure |", "| --- | --- | --- | --- |", ...rows].join("\n"),
  ].join("\n\n")
}
