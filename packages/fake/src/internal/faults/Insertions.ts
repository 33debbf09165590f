/**
 * How many transfers a request inserts. What is left out of a transfer is generated, so that three bytes of a request become
 * a kilobyte here.
 */
import type { Fault } from "../../Fault.ts"

/** The most of a request, by all faults of all rules that apply to it. */
export const most = 10_000

/** How many a fault inserts: those given, and those generated. */
export const countOf = (fault: Fault): { readonly given: number; readonly generated: number } => {
  if (fault.fault !== "insert") return { given: 0, generated: 0 }
  const given = fault.transfers?.length ?? 0
  return { given, generated: fault.count ?? (given === 0 ? 1 : 0) }
}

/** How many faults insert together. */
export const sumOf = (faults: ReadonlyArray<Fault>): number =>
  faults.reduce((sum, fault) => {
    const { given, generated } = countOf(fault)
    return sum + given + generated
  }, 0)
