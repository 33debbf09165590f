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

/** A change that cannot be noticed, because the program behaves the same. */
export interface Equivalent {
  readonly file: string
  readonly line: string
  readonly change: string
  readonly reason: string
}

/** The result of one source file. */
export interface Outcome {
  readonly date: string
  readonly killed: number
  readonly equivalent: number
  readonly survivors: ReadonlyArray<Survivor>
}

/** The outcome of each file in the report, and the equivalents of these files that match no survivor. */
export const judge = (
  report: StrykerReport,
  equivalents: ReadonlyArray<Equivalent>,
  date: string,
): { readonly outcomes: Readonly<Record<string, Outcome>>; readonly stale: ReadonlyArray<Equivalent> } => {
  const stale = new Set(equivalents.filter(({ file }) => file in report.files))
  const outcomes = Object.entries(report.files).map(([file, { source, mutants }]): [string, Outcome] => {
    const all = mutants
      .filter(({ status }) => isUnnoticed(status))
      .map((mutant) => survivorOf(source, mutant))
      .sort((a, b) => a.at - b.at)
    const survivors = all.filter(({ line, change }) => {
      const known = equivalents.filter((each) => each.file === file && each.line === line && each.change === change)
      for (const each of known) stale.delete(each)
      return known.length === 0
    })
    const killed = mutants.filter(({ status }) => status === "Killed" || status === "Timeout").length
    return [file, { date, killed, equivalent: all.length - survivors.length, survivors }]
  })
  return { outcomes: Object.fromEntries(outcomes), stale: [...stale] }
}

/** The share of the mutants that some test notices; 1 if there are none. */
export const score = (outcomes: ReadonlyArray<Outcome>): number => {
  const killed = outcomes.reduce((sum, each) => sum + each.killed, 0)
  const survived = outcomes.reduce((sum, each) => sum + each.survivors.length, 0)
  return killed + survived === 0 ? 1 : killed / (killed + survived)
}

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
