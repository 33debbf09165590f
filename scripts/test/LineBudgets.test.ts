import { expect, it } from "vitest"
import * as LineBudgets from "../LineBudgets.ts"

const parts = LineBudgets.here()

it.each(parts)("$part has $lines lines of sources, at most $budget", ({ lines, budget }) => {
  expect(lines).toBeGreaterThan(300)
  expect(lines).toBeLessThanOrEqual(budget ?? 0)
})

it("every budget is that of a part", () => {
  expect(parts.map(({ part }) => part)).toEqual(Object.keys(LineBudgets.budgets).sort())
})

it("counts the lines of sources, and of nothing else", () => {
  const texts: Readonly<Record<string, string>> = {
    "apps/cli/src/a.ts": "1\n2\n",
    "apps/cli/src/room/b.tsx": "3\n",
    "apps/cli/test/a.test.ts": "4\n",
    "packages/new/src/A.ts": "5\n",
    "scripts/a.ts": "6\n",
  }
  expect(LineBudgets.measure(Object.keys(texts), (file) => texts[file] ?? "")).toEqual([
    { part: "apps/cli", lines: 3, budget: LineBudgets.budgets["apps/cli"] },
    { part: "packages/new", lines: 1, budget: undefined },
  ])
})
