/** `docs/quality.md`: the last mutation run of each source, folder by folder, and the changes that no test noticed. */
import { goals } from "./Goals.ts"
import { type Outcome, score } from "./Mutants.ts"
import { workspaceOf } from "./TestSelection.ts"

/** The last outcome of each source file. */
export type Outcomes = Readonly<Record<string, Outcome>>

const percent = (share: number): string => `${(Math.floor(share * 1000) / 10).toFixed(1)} %`

const row = (folder: string, goal: number, own: ReadonlyArray<Outcome>): string => {
  if (own.length === 0) return `| ${folder} | 0 | | | | not run | ${percent(goal)} | |`
  const killed = own.reduce((sum, each) => sum + each.killed, 0)
  const survived = own.reduce((sum, each) => sum + each.survivors.length, 0)
  const equivalent = own.reduce((sum, each) => sum + each.equivalent, 0)
  const reached = score(own)
  const shown = reached < goal ? `**${percent(reached)}, not met**` : percent(reached)
  const dates = own.map(({ date }) => date).sort()
  return `| ${folder} | ${own.length} | ${killed} | ${survived} | ${equivalent} | ${shown} | ${percent(goal)} | ${dates[0]} |`
}

const survivorsOf = ([file, { survivors }]: readonly [string, Outcome]): ReadonlyArray<string> =>
  survivors.length === 0
    ? []
    : [`### ${file}`, ["```text", ...survivors.map(({ at, change }) => `${at}: ${change}`), "```"].join("\n")]

/** The whole document. */
export const markdown = (outcomes: Outcomes): string => {
  const files = Object.entries(outcomes).sort(([a], [b]) => (a < b ? -1 : 1))
  const folders = Object.entries(goals).map(([folder, goal]) => {
    const own = files.filter(([file]) => workspaceOf(file) === folder).map(([, outcome]) => outcome)
    return row(folder, goal, own)
  })
  return `${[
    "# Test quality",
    "`pnpm mutation PATH...` changes the sources one small piece at a time (a comparison, an operator, a condition, a removed block) and runs the tests that import them. A change that fails no test is a survivor: the code may be wrong there without anybody noticing. Code that only runs while a module is loaded, such as a constant, is left as it is. The command also writes this page; do not edit it.",
    "The score is the share of mutants that the tests detect, not counting equivalent ones: changes that cannot alter behaviour, listed with their reasons in `scripts/mutation/equivalent.json`. The date is that of the oldest result in the row.",
    [
      "| folder | sources run | detected | survived | equivalent | score | goal | date |",
      "| --- | ---: | ---: | ---: | ---: | ---: | ---: | --- |",
      ...folders,
    ].join("\n"),
    "## Survivors",
    "Line and change, as of the run.",
    ...files.flatMap(survivorsOf),
  ].join("\n\n")}\n`
}
