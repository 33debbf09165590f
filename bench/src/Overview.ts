/** The table on top of the report: each kind of work, ours beside another, and how much ours may take. */
import * as Figure from "./Figure.ts"
import { type Result, spreadOf } from "./Result.ts"

interface Work {
  readonly title: string
  readonly bench: string
  readonly metric: string
  readonly ours: string
  /** None if the goal is a figure of its own. */
  readonly other?: string
  /** The most that ours may be of the other, or the most in the metric's unit. */
  readonly goal: number
  /** The goal that it replaces, because the details say, by a profile, why that one is out of reach. */
  readonly insteadOf?: number
}

const ours = "TransferKit"
const csv = { bench: "cli", metric: "wall", other: "transfers export, ndjson" }
const mirror = "mirror"
const fromFile = { bench: mirror, other: "transfers export, ndjson" } as const
/** The goals of a kind of mirror that are replaced: docs/decisions/0014. */
const loads: ReadonlyArray<{ readonly kind: string; readonly reconciled: number; readonly memory?: number }> = [
  { kind: "SQLite", reconciled: 1.2 },
  { kind: "PostgreSQL", reconciled: 1.5, memory: 230 },
]
const reconcile = { ours, other: "DuckDB" } as const
/** With the goals of CPU and time that replace the first ones. */
const reconciliations = [
  { rows: "200,000", bench: "reconcile", cpu: 1.35, wall: 2.2 },
  { rows: "1,000,000", bench: "reconcile-million", cpu: 1.5, wall: 2.7 },
  { rows: "10,000,000", bench: "reconcile-large", cpu: 1.35, wall: 2.5 },
] as const

const works: ReadonlyArray<Work> = [
  { title: "Decode a page of 20", bench: "decode", metric: "page", ours, other: "ajv", goal: 1 },
  { title: "Sum 1,000 amounts", bench: "money", metric: "sum", ours, other: "effect BigDecimal", goal: 1 },
  { title: "Add two amounts", bench: "money", metric: "add", ours, other: "decimal.js", goal: 1.3 },
  { title: "Add two amounts and print", bench: "money", metric: "print", ours, other: "decimal.js", goal: 1 },
  { title: "Compare two amounts", bench: "money", metric: "compare", ours, other: "bignumber.js", goal: 1 },
  {
    title: "Read a page, CPU",
    bench: "clients",
    metric: "cpu",
    ours: "TransferKit, Effect on Node",
    other: "node:http, by hand",
    goal: 2.5,
    insteadOf: 1.5,
  },
  {
    title: "Serve a page of 100,000, CPU",
    bench: "servers",
    metric: "cpu5",
    ours: "TransferKit, transfers-fake",
    other: "Fastify, by hand",
    goal: 1,
  },
  {
    title: "Serve each page of 100,000 for the first time, CPU",
    bench: "growth",
    metric: "cpu",
    ours: "TransferKit, 100,000 transfers",
    other: "Fastify by hand, 100,000 transfers",
    goal: 1.25,
    insteadOf: 1,
  },
  {
    title: "Export 100,000 as NDJSON",
    bench: "cli",
    metric: "wall",
    ours: "transfers export, ndjson",
    other: "fetch script, ndjson",
    goal: 1.25,
    insteadOf: 1,
  },
  {
    title: "Export 100,000 as NDJSON, CPU",
    bench: "cli",
    metric: "cpu",
    ours: "transfers export, ndjson",
    other: "fetch script, ndjson",
    goal: 1.55,
    insteadOf: 1.05,
  },
  { title: "Export as CSV, beside NDJSON", ...csv, ours: "transfers export, csv", goal: 1.1 },
  {
    title: "Export as Parquet, beside NDJSON",
    ...csv,
    ours: "transfers export, parquet",
    goal: 1.4,
    insteadOf: 1.3,
  },
  ...loads.map(({ kind }): Work => ({
    title: `Load 100,000 into ${kind}, CPU`,
    ...fromFile,
    metric: "cpu",
    ours: `${kind}, load`,
    goal: 1.5,
  })),
  {
    title: "Load 100,000 into PostgreSQL, CPU of the database",
    bench: mirror,
    metric: "database",
    ours: "PostgreSQL, load",
    other: "PostgreSQL, the inserts alone",
    goal: 1.6,
    insteadOf: 1.4,
  },
  ...loads.map(({ kind, memory }): Work => ({
    title: `Load 100,000 into ${kind}, memory`,
    bench: mirror,
    metric: "memory",
    ours: `${kind}, load`,
    goal: memory ?? 200,
    ...(memory !== undefined && { insteadOf: 200 }),
  })),
  {
    title: "Load 40,000 over 50 ms",
    bench: mirror,
    metric: "far",
    ours: "SQLite, as it comes",
    goal: 12,
  },
  {
    title: "Load 480,000 with 4 workers, CPU",
    bench: mirror,
    metric: "shared cpu",
    ours: "SQLite, by 4 workers",
    other: "SQLite, by one process",
    goal: 1.2,
  },
  ...loads.flatMap(({ kind, reconciled }): ReadonlyArray<Work> => [
    {
      title: `Summary from ${kind}, CPU, beside a file`,
      ...fromFile,
      metric: "summary",
      ours: `${kind}, load`,
      goal: 1,
    },
    {
      title: `Reconcile from ${kind}, CPU, beside a file`,
      ...fromFile,
      metric: "reconciled",
      ours: `${kind}, load`,
      goal: reconciled,
      insteadOf: 1,
    },
  ]),
  {
    title: "Audit 100,000 from SQLite with findings for each, CPU",
    bench: mirror,
    metric: "audited",
    ours: "SQLite, load",
    goal: 4,
  },
  ...reconciliations.flatMap(({ rows, bench, cpu, wall }): ReadonlyArray<Work> => [
    { title: `Reconcile ${rows}, CPU`, bench, metric: "cpu", goal: cpu, insteadOf: 1, ...reconcile },
    { title: `Reconcile ${rows}, time`, bench, metric: "wall", goal: wall, insteadOf: 1.3, ...reconcile },
    { title: `Reconcile ${rows}, memory`, bench, metric: "memory", goal: 256, ours },
  ]),
]

/** None of a metric that the benchmark did not have when it ran last. */
const line = (work: Work, result: Result, anchor: string): ReadonlyArray<string> => {
  const median = (name: string): number =>
    spreadOf(result.contestants.find((each) => each.name === name)?.samples[work.metric])?.median ?? Number.NaN
  const unit = result.metrics.find(({ key }) => key === work.metric)?.unit ?? ""
  const figure = (value: number) => `${Figure.plain(value)} ${unit}`
  const mine = median(work.ours)
  const others = work.other === undefined ? 1 : median(work.other)
  if (Number.isNaN(mine / others)) return []
  const beside = work.other === undefined ? "" : `${work.other}, ${figure(others)}`
  const [ratio, sign] = work.other === undefined ? ["", ` ${unit}`] : [Figure.ratio(mine / others), "×"]
  const why = work.insteadOf === undefined ? "" : ` instead of ${work.insteadOf}${sign}, [why](#${anchor})`
  const verdict = mine / others <= work.goal ? "met" : "**not met**"
  return [
    `| [${work.title}](#${anchor}) | ${figure(mine)} | ${beside} | ${ratio} | at most ${work.goal}${sign}${why}: ${verdict} |`,
  ]
}

/** The table, of the works whose benchmark has a result. */
export const markdown = (results: ReadonlyArray<{ readonly anchor: string; readonly result: Result }>): string => {
  const lines = works.flatMap((work) => {
    const found = results.find(({ result }) => result.bench === work.bench)
    return found === undefined ? [] : line(work, found.result, found.anchor)
  })
  return ["| Work | TransferKit | beside | ratio | goal |", "| --- | ---: | --- | ---: | --- |", ...lines].join("\n")
}
