/**
 * Regular expressions of sources, and what is wrong with them: outside text must not make one take more than linear
 * time. Only literals can be checked, so there may be no others.
 */
import { parseSync, Visitor } from "vite"

/** A regular expression, and where it is written. */
export interface Found {
  readonly place: string
  /** Absent if it is put together at run time. */
  readonly literal?: { readonly pattern: string; readonly flags: string }
}

/** The regular expressions of a source. */
export const find = (file: string, source: string): ReadonlyArray<Found> => {
  const { program, errors } = parseSync(file, source)
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]?.message}`)
  const found: Array<Found> = []
  const placeOf = (start: number) => `${file}:${source.slice(0, start).split("\n").length}`
  const madeOf = ({ callee, start }: { readonly callee: object; readonly start: number }): void => {
    if ("name" in callee && callee.name === "RegExp") found.push({ place: placeOf(start) })
  }
  new Visitor({
    Literal(node) {
      if ("regex" in node) found.push({ place: placeOf(node.start), literal: node.regex })
    },
    NewExpression: madeOf,
    CallExpression: madeOf,
  }).visit(program)
  return found
}

/** Rates one literal. */
export type Rate = (pattern: string, flags: string) => Promise<string>

/** A line for each regular expression that is not known to take linear time. */
export const problems = async (found: ReadonlyArray<Found>, rate: Rate): Promise<ReadonlyArray<string>> => {
  const ratings = new Map<string, string>()
  const lines: Array<string> = []
  for (const { place, literal } of found) {
    if (literal === undefined) {
      lines.push(`${place}: a regular expression that is put together at run time cannot be checked; write a literal`)
      continue
    }
    const { pattern, flags } = literal
    const text = `/${pattern}/${flags}`
    const rating = ratings.get(text) ?? (await rate(pattern, flags))
    ratings.set(text, rating)
    if (rating !== "linear") lines.push(`${place}: ${text} takes ${rating} time`)
  }
  return lines
}
