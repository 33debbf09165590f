/** How much faults add to a response: a few bytes of a rule become thousands of rows, or millions of blanks. */
import type { Fault } from "../../Fault.ts"

/** The most rows, by all faults of a response. */
export const mostRows = 10_000

/** The most bytes that faults add, and that they read and write of a body, in all. */
export const mostBytes = 128 * 1024 * 1024

/** How many rows a fault adds to a page, in the place of others or beyond its limit. */
export const rowsOf = (fault: Fault): number =>
  fault.fault === "duplicate_rows" || fault.fault === "extra_rows" ? (fault.count ?? 1) : 0

const bytesOf = (fault: Fault): number => (fault.fault === "padding" ? fault.bytes : 0)

const sumOf = (faults: ReadonlyArray<Fault>, of: (fault: Fault) => number): number =>
  faults.reduce((sum, fault) => sum + of(fault), 0)

/** Why the faults of a rule can never act together. */
export const problemOf = (faults: ReadonlyArray<Fault>): string | undefined => {
  const rows = sumOf(faults, rowsOf)
  if (rows > mostRows) return `expected at most ${mostRows} rows that faults add to a page, not ${rows},`
  const bytes = sumOf(faults, bytesOf)
  return bytes > mostBytes ? `expected at most ${mostBytes} bytes that faults add to a body, not ${bytes},` : undefined
}

/** The faults that have room on a page, and why others do not act: rules that apply together may add too many rows. */
export const withRoom = (
  faults: ReadonlyArray<Fault>,
): { readonly faults: ReadonlyArray<Fault>; readonly problems: ReadonlyArray<string> } => {
  const problems: Array<string> = []
  let rows = 0
  const kept = faults.filter((fault) => {
    const added = rowsOf(fault)
    const fits = added === 0 || rows + added <= mostRows
    if (fits) rows += added
    else problems.push(`${fault.fault}: all faults of a response together may add ${mostRows} rows, not ${added} more`)
    return fits
  })
  return { faults: kept, problems }
}
