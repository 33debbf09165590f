/** `docs/quality.md`: the last mutation run of each source, folder by folder, and the changes that no test noticed. */
import { folderOf, goals } from "./Goals.ts"
import * as Mutants from "./Mutants.ts"

interface Judged extends Mutants.Verdict {
  readonly file: string
  readonly date: string
}

const percent = (share: number): string => `${(Math.floor(share * 1000) / 10).toFixed(1)} %`

/** All that ran of a folder's sources, or a sample of it. */
const row = (folder: string, goal: number, own: ReadonlyArray<Judged>, sample: Mutants.Sample | undefined): string => {
  const killed = own.reduce((sum, each) => sum + each.killed, 0)
  const survived = own.reduce((sum, each) => sum + each.survivors.length, 0)
  const equivalent = own.reduce((sum, each) => sum + each.equivalent.length, 0)
  const drawn = killed + survived + equivalent
  const mutants = sample === undefined ? `all ${drawn}` : `${drawn} of ${sample.of}, seed ${sample.seed}`
  const reached = Mutants.score(own)
  const [low, high] = Mutants.interval(reached, killed + survived)
  const shown = [
    percent(reached),
    ...(sample === undefined ? [] : [`(${percent(low)} to ${percent(high)})`]),
    ...(reached < goal ? ["**not met**"] : []),
  ].join(" ")
  const date = own.map((each) => each.date).sort()[0]
  return `| ${folder} | ${own.length} | ${mutants} | ${killed} | ${survived} | ${equivalent} | ${shown} | ${percent(goal)} | ${date} |`
}

const section = ({ file }: Judged, lines: ReadonlyArray<string>): ReadonlyArray<string> =>
  lines.length === 0 ? [] : [`### ${file}`, ["```text", ...lines, "```"].join("\n")]

const judged = (outcomes: Mutants.Outcomes, explanations: Mutants.Explanations): ReadonlyArray<Judged> =>
  Object.entries(outcomes).map(([file, outcome]) => ({
    file,
    date: outcome.date,
    ...Mutants.judge(file, outcome, explanations),
  }))

const rows = (
  folder: string,
  goal: number,
  { sources, samples }: Mutants.Results,
  explanations: Mutants.Explanations,
): ReadonlyArray<string> => {
  const rowOf = (outcomes: Mutants.Outcomes, sample?: Mutants.Sample): ReadonlyArray<string> => {
    const own = judged(outcomes, explanations).filter(({ file }) => folderOf(file) === folder)
    return own.length === 0 ? [] : [row(folder, goal, own, sample)]
  }
  const found = [...rowOf(sources), ...samples.flatMap((sample) => rowOf(sample.outcomes, sample))]
  return found.length > 0 ? found : [`| ${folder} | 0 | | | | | not run | ${percent(goal)} | |`]
}

/** The whole document. */
export const markdown = (results: Mutants.Results, explanations: Mutants.Explanations): string => {
  const files = [results.sources, ...results.samples.map(({ outcomes }) => outcomes)]
    .flatMap((outcomes) => judged(outcomes, explanations))
    .sort((a, b) => (a.file < b.file ? -1 : 1))
  const folders = Object.entries(goals).flatMap(([folder, goal]) => rows(folder, goal, results, explanations))
  return `${[
    "# Test quality",
    "## Nothing is lost, doubled or read for ever",
    "Three checks stand behind it, beside the unit tests and laws. Here, `pnpm` stands for `npx -y pnpm@12.21.0`.",
    "- **Every case of a small scope.** 46,101 runs of the shipped scan in each `pnpm test`: every order of up to five transfers and of the responses, and one event at every moment: a cursor is rejected or repeated, a page is empty, a row moves, the process dies and resumes, the service takes `lt` as inclusive. It finds 12 of 12 planted faults ([Scan.exhaustive.test.ts](../packages/domain/test/scan/exhaustive/Scan.exhaustive.test.ts)).",
    "- **Simulated histories.** `pnpm simulate` draws histories of faults, deaths and changes against the fake service, and as many against a hostile one that shares no code with ours: unions with holes of one instant, old dates, whole-second and inclusive bounds, fresh cursors, single-row pages. Each ends complete and exact, or with a typed error that fits what the service did. CI runs 300 of each kind with a new seed on every change, and 100,000 of each every night. The prototypes of the hostile service ran 8,500 histories and found the defects that are fixed since: a filter with a hole ended a scan and could lose rows, `gt:` lost rows of a service that compares whole seconds, fresh cursors were followed for ever, and data before 2009 took 20,000 requests. The last 24,000 of the hostile service found no fault of the reader, and one of the check: a service that takes `lt` as inclusive, compares whole seconds and rejects cursors ends a scan with an error that fits. It finds all 12 faults that the check above plants. A history that fails is made small and kept in [regressions.json](../scripts/simulate/regressions.json), which each run tries first.",
    "- **Planted bugs.** `pnpm planted` puts each of [a list of bugs](../scripts/planted/bugs.json) into its source, and demands that the named test fails. It runs every night. All 22 were found in the last run.",
    "## Mutants",
    "`pnpm mutation PATH...` changes the sources one small piece at a time (a comparison, an operator, a condition, a removed block) and runs the tests that import them. A change that fails no test is a survivor: the code may be wrong there without anybody noticing. Code that only runs while a module is loaded, such as a constant, is left as it is. The command also writes this page; do not edit it.",
    "The score is the share of mutants that the tests detect, not counting equivalent ones: changes that cannot alter behaviour, with their reasons in `scripts/mutation/explanations.json`. The date is that of the oldest result in the row.",
    "Packages with thousands of mutants have a sample: mutants drawn at random from those of the sources that did not run as a whole. Behind the score of a sample stands its 95 % confidence interval (Wilson). `pnpm mutation --sample SIZE --seed SEED PATH` draws the same mutants again as long as the sources stay the same. Suites that take long for each mutant are left out if quicker ones test the same sources (`scripts/mutation/TestSelection.ts`): a mutant that only they detect counts as a survivor.",
    [
      "| folder | sources | mutants | detected | survived | equivalent | score | goal | date |",
      "| --- | ---: | --- | ---: | ---: | ---: | --- | ---: | --- |",
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
