/** `bench/README.md`: the results as tables, ratios first, with the conditions and notes. */
import type { Bench } from "./Bench.ts"
import * as BudgetTable from "./budgets/BudgetTable.ts"
import type { Ratios } from "./budgets/Check.ts"
import * as Figure from "./Figure.ts"
import * as Overview from "./Overview.ts"
import { type Result, type Spread, spreadOf } from "./Result.ts"

/** One line of a metric's table. `ratio` is to the median of the first contestant of ours: 2 takes twice as long. */
export interface Row {
  readonly name: string
  readonly isOurs: boolean
  readonly ratio: number
  readonly spread: Spread
}

/** The contestants of one metric, the lowest median first. */
export const rows = (result: Result, metric: string): ReadonlyArray<Row> => {
  const spreads = result.contestants.flatMap(({ name, isOurs, samples }) => {
    const spread = spreadOf(samples[metric])
    return spread === undefined ? [] : [{ name, isOurs, spread }]
  })
  const ours = spreads.find(({ isOurs }) => isOurs)?.spread.median ?? Number.NaN
  return spreads
    .map((row) => ({ ...row, ratio: row.spread.median / ours }))
    .sort((a, b) => a.spread.median - b.spread.median)
}

const table = (result: Result, { key, title, unit }: Result["metrics"][number]): string => {
  const lines = rows(result, key).map(
    ({ name, isOurs, ratio, spread }) =>
      `| ${isOurs ? `**${name}**` : name} | ${ratio === 1 ? "**1**" : Figure.ratio(ratio)} | ${Figure.plain(spread.median)} ${unit} | ${Figure.plain(spread.lowest)}–${Figure.plain(spread.highest)} |`,
  )
  return [`| ${title} | to ours | median | lowest–highest |`, "| --- | ---: | ---: | ---: |", ...lines].join("\n")
}

const section = (bench: Bench, result: Result): string => {
  const { conditions } = result
  const versions = result.contestants.flatMap((each) => Object.entries(each.versions))
  const baselineOnly = bench.contestants.flatMap(({ name, baselineOnly: reason }) =>
    reason === undefined ? [] : [`${name} is a baseline that does not do the work: ${reason}.`],
  )
  const fewer = bench.contestants.flatMap(({ name, rounds = bench.rounds }) =>
    rounds < bench.rounds ? [`${name} takes part in ${rounds} of the ${bench.rounds} rounds.`] : [],
  )
  const named = [...new Map(versions)].filter(([name]) => !name.startsWith("@transferkit/"))
  return [
    `## ${bench.title}`,
    `\`pnpm bench ${bench.name}\``,
    bench.work,
    `![${bench.title}](results/${bench.name}.svg)`,
    ...result.metrics.map((metric) => table(result, metric)),
    [...bench.notes, ...baselineOnly, ...fewer].map((note) => `- ${note}`).join("\n"),
    `${result.rounds} rounds, ${conditions.date}, Node ${conditions.node}, ${conditions.cores} × ${conditions.cpu}, ` +
      `${conditions.memory_gb} GB, ${conditions.os}; load ${conditions.load_average.toFixed(1)}. A fixed piece of work ` +
      `varied by ${Math.round(conditions.noise * 100)} % (interquartile) between the measurements: smaller differences of wall time mean nothing. ` +
      "CPU times and medians of short samples vary less. " +
      `${named.map(([name, version]) => `${name} ${version}`).join(", ")}.`,
  ].join("\n\n")
}

/** The anchor that GitHub gives a heading. */
const anchorOf = (title: string): string =>
  title
    .toLowerCase()
    .replaceAll(/[^\w\s-]/g, "")
    .replaceAll(" ", "-")

/** The whole document, of all benchmarks that have a result. */
export const markdown = (results: ReadonlyArray<readonly [Bench, Result]>, ratios: Ratios): string =>
  [
    "# Benchmarks",
    "TransferKit beside its alternatives. Here, `pnpm` stands for `npx -y pnpm@12.21.0`: `pnpm bench` runs all benchmarks, `pnpm bench NAME` one; both write this page from " +
      "`bench/results`. The peers are installed on the first run, apart from the repository's own dependencies.",
    "Nothing is timed unless all contestants give the same answer. Then they take turns, each time in a new process and after a " +
      "warm-up; every round starts with another contestant. Figures are medians over the rounds; the lines in the charts run from the " +
      "lowest to the highest.",
    Overview.markdown(results.map(([{ title }, result]) => ({ anchor: anchorOf(title), result }))),
    [...results.map(([bench]) => bench.title), "Budgets"]
      .map((title) => `- [${title}](#${anchorOf(title)})`)
      .join("\n"),
    ...results.map(([bench, result]) => section(bench, result)),
    BudgetTable.markdown(
      results.map(([, result]) => result),
      ratios,
    ),
  ].join("\n\n") + "\n"
