/** A benchmark: one piece of work, the contestants that do it, and the metrics. */

/** One thing that is measured. Lower is better in all of them. */
export interface Metric {
  readonly key: string
  readonly title: string
  readonly unit: "ns" | "µs" | "ms" | "s" | "MB" | "kB" | "requests" | "transfers"
}

/** A contestant that has loaded its modules and its input. */
export interface Ready {
  /** Its result, in a form that is the same for every correct contestant. */
  readonly answer: () => string | Promise<string>
  /** One sample of each metric it takes part in. */
  readonly measure: () => Promise<Readonly<Record<string, number>>>
  /** The work of a metric, done once, for the budgets to count the instructions of. */
  readonly operations?: Readonly<Record<string, () => unknown>>
}

/** One way to do the work. `packages` are those whose versions belong in the result. */
export interface Contestant {
  readonly name: string
  readonly isOurs: boolean
  readonly packages: ReadonlyArray<string>
  /** Why it gives no answer. It is measured all the same, as a baseline. */
  readonly baselineOnly?: string
  /** Fewer rounds than the benchmark has, for a contestant that takes minutes and hardly varies. */
  readonly rounds?: number
  readonly load: () => Promise<Ready>
}

/** A benchmark. `notes` are Markdown: where the time goes, what is not compared, what limits it now. */
export interface Bench {
  readonly name: string
  readonly title: string
  readonly work: string
  readonly notes: ReadonlyArray<string>
  /** How often each contestant is started in a process of its own. */
  readonly rounds: number
  readonly metrics: ReadonlyArray<Metric>
  readonly contestants: ReadonlyArray<Contestant>
}
