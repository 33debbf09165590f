/** Holds a reader to bounds of time and memory on seeded mutations of a good file. */
import { expect } from "vitest"
import { mutate } from "./mutations.ts"
import * as Seeds from "./Seeds.ts"

/** Of a processor: other programs use the machine, too. */
const secondsEach = 2
const megabytesInAll = 300

/** What came of a damaged file: read, or rejected with a reason. */
export type Outcome = { readonly read: unknown } | { readonly reason: string }

/** Reads damaged copies one after the other. Returns how many were read, and the different reasons of the others. */
export const readEach = async (
  { name, good, cases }: { readonly name: string; readonly good: Buffer; readonly cases: number },
  read: (damaged: Buffer, note: string) => Outcome | Promise<Outcome>,
) => {
  const peak = () => process.resourceUsage().maxRSS / 1024
  const atFirst = peak()
  const reasons = new Set<string>()
  let count = 0
  for (let number = 0; number < cases; number++) {
    const seed = `${Seeds.all[number % Seeds.all.length]}/${name}/${number}`
    const note = `LAW_SEED=${Seeds.drawn} repeats the file ${seed}`
    const before = process.cpuUsage()
    const outcome = await read(mutate(good, seed), note)
    const { user, system } = process.cpuUsage(before)
    expect((user + system) / 1e6, note).toBeLessThan(secondsEach)
    if ("read" in outcome) count++
    else {
      expect(outcome.reason.length, note).toBeLessThan(2_000)
      expect(outcome.reason, note).not.toMatch(/^$|undefined is|is not a function|Invalid array/)
      reasons.add(outcome.reason)
    }
  }
  expect(peak() - atFirst, `memory, with LAW_SEED=${Seeds.drawn}`).toBeLessThan(megabytesInAll)
  return { read: count, reasons }
}
