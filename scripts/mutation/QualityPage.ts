/** `docs/quality.md`: the last mutation run of each source, folder by folder, and the changes that no test noticed. */
import { folderOf, goals } from "./Goals.ts"
import { type Explanations, judge, type Outcomes, score, type Verdict } from "./Mutants.ts"

interface Judged extends Verdict {
  readonly file: string
  readonly date: string
}

const percent = (share: number): string => `${(Math.floor(share * 1000) / 10).toFixed(1)} %`

const row = (folder: string, goal: number, own: ReadonlyArray<Judged>): string => {
  if (own.length === 0) return `| ${folder} | 0 | | | | not run | ${percent(goal)} | |`
  const killed = own.reduce((sum, each) => sum + each.killed, 0)
  const survived = own.reduce((sum, each) => sum + each.survivors.length, 0)
  const equivalent = own.reduce((sum, each) => sum + each.equivalent.length, 0)
  const reached = score(own)
  const shown = reached < goal ? `**${percent(reached)}, not met**` : percent(reached)
  const dates = own.map(({ date }) => date).sort()
  return `| ${folder} | ${own.length} | ${killed} | ${survived} | ${equivalent} | ${shown} | ${percent(goal)} | ${dates[0]} |`
}

const section = ({ file }: Judged, lines: ReadonlyArray<string>): ReadonlyArray<string> =>
  lines.length === 0 ? [] : [`### ${file}`, ["```text", ...lines, "```"].join("\n")]

/** The whole document. */
export const markdown = (outcomes: Outcomes, explanations: Explanations): string => {
  const files = Object.entries(outcomes)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([file, outcome]): Judged => ({ file, date: outcome.date, ...judge(file, outcome, explanations) }))
  const folders = Object.entries(goals).map(([folder, goal]) =>
    row(
      folder,
      goal,
      files.filter(({ file }) => folderOf(file) === folder),
    ),
  )
  return `${[
    "# Test quality",
    "`pnpm mutation PATH...` changes the sources one small piece at a time (a comparison, an operator, a condition, a removed block) and runs the tests that import them. A change that fails no test is a survivor: the code may be wrong there without anybody noticing. Code that only runs while a module is loaded, such as a constant, is left as it is. The command also writes this page; do not edit it.",
    "The score is the share of mutants that the tests detect, not counting equivalent ones: changes that cannot alter behaviour, with their reasons in `scripts/mutation/explanations.json`. The date is that of the oldest result in the row.",
    [
      "| folder | sources run | detected | survived | equivalent | score | goal | date |",
      "| --- | ---: | ---: | ---: | ---: | ---: | ---: | --- |",
      ...folders,
    ].join("\n"),
    "## Survivors",
    "Line and change, as of the run, and the reason why that is tolerated, if it is.",
    ...files.flatMap((each) =>
      section(
        each,
        each.survivors.map(({ at, change, reason }) =>
          [`${at}: ${change}`, ...(reason === undefined ? [] : [reason])].join(": "),
        ),
      ),
    ),
    "## Equivalent mutants",
    "Line, change, and why it cannot be noticed.",
    ...files.flatMap((each) =>
      section(
        each,
        each.equivalent.map(({ at, change, reason }) => `${at}: ${change}: ${reason}`),
      ),
    ),
  ].join("\n\n")}\n`
}
