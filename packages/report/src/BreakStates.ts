/** Which breaks are new, which somebody has accepted, for how long, and which are gone. */
import type { AcceptedBreak } from "@transferkit/files/node/AcceptedFile"
import type { Line, StateCounts } from "./ReconciliationLines.ts"

/** What is accepted, and the day that decides whether it still is. */
export interface Options {
  readonly accepted: ReadonlyArray<AcceptedBreak>
  readonly asOfDay: string
}

/** The states of the breaks of a reconciliation. Breaks come in any order; equal ones are interchangeable. */
export class BreakStates {
  readonly #byFingerprint: ReadonlyMap<string, AcceptedBreak>
  readonly #asOfDay: string
  readonly #found = new Map<string, number>()

  constructor({ accepted, asOfDay }: Options) {
    this.#byFingerprint = new Map(accepted.map((one) => [one.fingerprint, one]))
    this.#asOfDay = asOfDay
  }

  /** Counts a break. One without a fingerprint is new. */
  add(fingerprint: string | undefined): void {
    if (fingerprint === undefined || !this.#byFingerprint.has(fingerprint)) return
    this.#found.set(fingerprint, (this.#found.get(fingerprint) ?? 0) + 1)
  }

  /** The states of so many breaks. */
  counts(breaks: number): StateCounts {
    let [known, expired, resolved] = [0, 0, 0]
    for (const [fingerprint, one] of this.#byFingerprint) {
      const found = Math.min(this.#found.get(fingerprint) ?? 0, one.count)
      if (this.#isExpired(one)) expired += found
      else known += found
      resolved += one.count - found
    }
    return { new: breaks - known - expired, known, expired, resolved }
  }

  /** The lines with the states of their breaks, then those that are resolved. Of equal breaks, the first are known. */
  *lines(lines: Iterable<Line>): Generator<Line> {
    const used = new Map<string, number>()
    let last: Pick<Line, "state" | "why"> = { state: undefined, why: "" }
    for (const line of lines) {
      if (!line.break) {
        yield line
        continue
      }
      if (line.continues !== true) last = this.#stateOf(line.fingerprint, used)
      yield { ...line, state: last.state, why: [last.why, line.why].filter((text) => text !== "").join("; ") }
    }
    for (const [fingerprint, one] of this.#byFingerprint) {
      const gone = one.count - Math.min(this.#found.get(fingerprint) ?? 0, one.count)
      if (gone > 0) yield resolvedLine(one, gone)
    }
  }

  #stateOf(fingerprint: string | undefined, used: Map<string, number>): Pick<Line, "state" | "why"> {
    const one = fingerprint === undefined ? undefined : this.#byFingerprint.get(fingerprint)
    if (one === undefined) return { state: "new", why: "" }
    const count = used.get(one.fingerprint) ?? 0
    used.set(one.fingerprint, count + 1)
    if (count >= one.count) return { state: "new", why: `one more than the ${one.count} that ${one.by} accepted` }
    return this.#isExpired(one)
      ? { state: "expired", why: `accepted by ${one.by} until ${one.until}, which has passed: ${one.reason}` }
      : { state: "known", why: `accepted by ${one.by} until ${one.until}: ${one.reason}` }
  }

  #isExpired({ until }: AcceptedBreak): boolean {
    return until < this.#asOfDay
  }
}

const resolvedLine = ({ outcome, key, fingerprint, reason, by }: AcceptedBreak, count: number): Line => ({
  outcome,
  break: false,
  state: "resolved",
  fingerprint,
  key,
  reference: undefined,
  date: undefined,
  transfer_id: undefined,
  ledger: undefined,
  service: undefined,
  difference: undefined,
  why: `resolved: accepted by ${by} (${reason}), and ${count === 1 ? "no longer found" : `${count} of them are no longer found`}`,
})
