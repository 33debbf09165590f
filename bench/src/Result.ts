/** The result of a benchmark, as kept in `results/`. */
import type { Metric } from "./Bench.ts"

/** The samples of one contestant, one of each metric for each round. */
export interface Samples {
  readonly name: string
  readonly isOurs: boolean
  readonly versions: Readonly<Record<string, string>>
  readonly samples: Readonly<Record<string, ReadonlyArray<number>>>
}

/** Where and when a benchmark ran, and how steady the machine was. */
export interface Conditions {
  readonly date: string
  readonly node: string
  readonly cpu: string
  readonly cores: number
  readonly memory_gb: number
  readonly os: string
  /** The interquartile range of the calibrations, as a share of their median: 0.05 is five per cent. */
  readonly noise: number
  readonly load_average: number
}

/** The result of one benchmark. */
export interface Result {
  readonly bench: string
  readonly rounds: number
  readonly metrics: ReadonlyArray<Metric>
  readonly conditions: Conditions
  readonly contestants: ReadonlyArray<Samples>
}

/** The middle of some samples, and their ends. */
export interface Spread {
  readonly median: number
  readonly lowest: number
  readonly highest: number
}

/** Summarises samples; `undefined` if there are none. */
export const spreadOf = (samples: ReadonlyArray<number> | undefined): Spread | undefined => {
  const sorted = [...(samples ?? [])].sort((a, b) => a - b)
  const [lowest, highest] = [sorted[0], sorted.at(-1)]
  if (lowest === undefined || highest === undefined) return undefined
  const middle = (sorted.length - 1) / 2
  const median = ((sorted[Math.floor(middle)] ?? lowest) + (sorted[Math.ceil(middle)] ?? highest)) / 2
  return { median, lowest, highest }
}
