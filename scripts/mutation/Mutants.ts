/** Reads Stryker's report: which changes of the source no test noticed, less those that change nothing. */

/** The part of Stryker's report that we read, by source file. */
export interface StrykerReport {
  readonly files: Readonly<Record<string, { readonly source: string; readonly mutants: ReadonlyArray<StrykerMutant> }>>
}

interface StrykerMutant {
  readonly replacement?: string
  readonly status: string
  readonly location: { readonly start: Position; readonly end: Position }
}

interface Position {
  readonly line: number
  readonly column: number
}

/** A change that no test noticed. `line` is the text of the changed line, which outlives edits elsewhere in the file. */
export interface Survivor {
  readonly at: number
  readonly line: string
  readonly change: string
}

/** A change that no test has to notice, and why. */
export interface Explained {
  readonly file: string
  readonly line: string
  readonly change: string
  readonly reason: string
}

export interface Explanations {
  /** The program behaves the same. */
  readonly equivalent: ReadonlyArray<Explained>
  /** The program behaves differently, within what it promises. */
  readonly tolerated: ReadonlyArray<Explained>
}

/** The result of one source file; its survivors include equivalent mutants. */
export interface Outcome {
  readonly date: string
  readonly killed: number
  readonly survivors: ReadonlyArray<Survivor>
}

/** The last outcome of each source file. */
export type Outcomes = Readonly<Record<string, Outcome>>

/** The result of some mutants, drawn at random from those of several source files. */
export interface Sample {
  readonly date: string
  readonly seed: string
  /** How many mutants the sources have, less those of code that only runs while a module is loaded. */
  readonly of: number
  /** Has every source that was drawn from, even if none of its mutants was drawn. */
  readonly outcomes: Outcomes
}

/** Sources of which all mutants ran, and samples of others. */
export interface Results {
  readonly sources: Outcomes
  readonly samples: ReadonlyArray<Sample>
}

/** Survivors, those that are tolerated with their reasons, and apart from them those that cannot be noticed. */
export interface Verdict {
  readonly killed: number
  readonly survivors: ReadonlyArray<Survivor & { readonly reason?: string }>
  readonly equivalent: ReadonlyArray<Survivor & { readonly reason: string }>
}

export const outcomesOf = ({ files }: StrykerReport, date: string): Outcomes =>
  Object.fromEntries(
    Object.entries(files).map(([file, { source, mutants }]) => {
      const survivors = mutants
        .filter(({ status }) => isUnnoticed(status))
        .map((mutant) => survivorOf(source, mutant))
        .sort((a, b) => a.at - b.at)
      const killed = mutants.filter(({ status }) => isTested(status)).length - survivors.length
      return [file, { date, killed, survivors }]
    }),
  )

export const sampleOf = (report: StrykerReport, date: string, seed: string): Sample => ({
  date,
  seed,
  of: Object.values(report.files)
    .flatMap(({ mutants }) => mutants)
    .filter(({ status }) => isTested(status) || status === "CompileError").length,
  outcomes: outcomesOf(report, date),
})

/** The results with those of a run of all mutants of some sources, without a sample of nothing else. */
export const withSources = ({ sources, samples }: Results, outcomes: Outcomes): Results => {
  const all = { ...sources, ...outcomes }
  return {
    sources: Object.fromEntries(Object.entries(all).sort(([a], [b]) => (a < b ? -1 : 1))),
    samples: samples.filter((sample) => Object.keys(sample.outcomes).some((source) => !(source in all))),
  }
}

/** The results with those of a sample, in place of any that has a source in common with it. */
export const withSample = ({ sources, samples }: Results, sample: Sample): Results => ({
  sources,
  samples: [
    ...samples.filter(({ outcomes }) => Object.keys(outcomes).every((source) => !(source in sample.outcomes))),
    sample,
  ],
})

export const judge = (file: string, outcome: Outcome, explanations: Explanations): Verdict => {
  const survivors: Array<Verdict["survivors"][number]> = []
  const equivalent: Array<Verdict["equivalent"][number]> = []
  for (const survivor of outcome.survivors) {
    const isThis = (each: Explained) => each.file === file && isSame(each, survivor)
    const same = explanations.equivalent.find(isThis)
    if (same !== undefined) equivalent.push({ ...survivor, reason: same.reason })
    else {
      const known = explanations.tolerated.find(isThis)
      survivors.push(known === undefined ? survivor : { ...survivor, reason: known.reason })
    }
  }
  return { killed: outcome.killed, survivors, equivalent }
}

/** Those that match no survivor, among files of which all mutants ran: a test notices the change, or the line is gone. */
export const stale = (outcomes: Outcomes, { equivalent, tolerated }: Explanations): ReadonlyArray<Explained> =>
  [...equivalent, ...tolerated].filter(
    (each) => outcomes[each.file]?.survivors.every((survivor) => !isSame(each, survivor)) ?? false,
  )

/** The share of the mutants that some test notices; 1 if there are none. */
export const score = (verdicts: ReadonlyArray<Verdict>): number => {
  const killed = verdicts.reduce((sum, each) => sum + each.killed, 0)
  const survived = verdicts.reduce((sum, { survivors }) => sum + survivors.length, 0)
  return killed + survived === 0 ? 1 : killed / (killed + survived)
}

/** Wilson's interval: the shares of which one is the true share, with 95 % confidence, if `share` of `drawn` were hits. */
export const interval = (share: number, drawn: number): readonly [low: number, high: number] => {
  if (drawn === 0) return [0, 1]
  const z = 1.959964
  const centre = share + z ** 2 / (2 * drawn)
  const reach = z * Math.sqrt((share * (1 - share)) / drawn + z ** 2 / (4 * drawn ** 2))
  return [(centre - reach) / (1 + z ** 2 / drawn), (centre + reach) / (1 + z ** 2 / drawn)]
}

const isSame = (a: Pick<Survivor, "line" | "change">, b: Pick<Survivor, "line" | "change">): boolean =>
  a.line === b.line && a.change === b.change

const isTested = (status: string): boolean => isUnnoticed(status) || status === "Killed" || status === "Timeout"

const isUnnoticed = (status: string): boolean => status === "Survived" || status === "NoCoverage"

const survivorOf = (source: string, { location: { start, end }, replacement = "" }: StrykerMutant): Survivor => {
  const lines = source.split("\n").slice(start.line - 1, end.line)
  const line = (lines[0] ?? "").trim()
  lines[lines.length - 1] = (lines.at(-1) ?? "").slice(0, end.column - 1)
  lines[0] = (lines[0] ?? "").slice(start.column - 1)
  return { at: start.line, line, change: `${short(lines.join("\n"))} → ${short(replacement)}` }
}

/** A piece of code on one line, and not too long to read. */
const short = (code: string): string => {
  const text = code.replaceAll(/\s+/g, " ").trim()
  return text.length > 100 ? `${text.slice(0, 100)}…` : text
}
