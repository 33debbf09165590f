/** The states of breaks: new, accepted and until when, or resolved. */
import type { AcceptedBreak } from "@transferkit/files/node/AcceptedFile"
import * as AcceptedFile from "@transferkit/files/node/AcceptedFile"
import type { Line, StateCounts } from "./ReconciliationLines.ts"

/** What is accepted, and the day that decides whether it still is. */
export interface Options {
  readonly accepted: ReadonlyArray<AcceptedBreak>
  readonly asOfDay: string
}

/** A confirmed batch, and the fingerprints of the breaks that it explains. */
interface Batch {
  readonly accepted: AcceptedBreak
  readonly members: ReadonlyArray<string>
}

/**
 * The states of the breaks of a reconciliation. Breaks come in any order; equal ones are interchangeable. A confirmed
 * batch explains its breaks only if all of them are found; other breaks are accepted one by one.
 */
export class BreakStates {
  readonly #byFingerprint: ReadonlyMap<string, AcceptedBreak>
  readonly #batches: ReadonlyArray<Batch>
  readonly #wanted: ReadonlySet<string>
  readonly #asOfDay: string
  readonly #found = new Map<string, number>()
  #explained: ReadonlyMap<string, ReadonlyArray<AcceptedBreak>> | undefined

  constructor({ accepted, asOfDay }: Options) {
    const isBatch = ({ outcome }: AcceptedBreak) => outcome === "Batch"
    this.#byFingerprint = new Map(accepted.filter((one) => !isBatch(one)).map((one) => [one.fingerprint, one]))
    this.#batches = accepted.filter(isBatch).map((one) => ({ accepted: one, members: AcceptedFile.explained(one) }))
    this.#wanted = new Set([...this.#byFingerprint.keys(), ...this.#batches.flatMap(({ members }) => members)])
    this.#asOfDay = asOfDay
  }

  /** Counts a break. One without a fingerprint is new. */
  add(fingerprint: string | undefined): void {
    if (fingerprint === undefined || !this.#wanted.has(fingerprint)) return
    this.#found.set(fingerprint, (this.#found.get(fingerprint) ?? 0) + 1)
  }

  /** Whether a confirmed batch explains a break, when all breaks were added. */
  isExplained(fingerprint: string): boolean {
    return this.#explainedBy().has(fingerprint)
  }

  /** How many of all breaks have each state. */
  counts(breaks: number): StateCounts {
    const all = [...this.#all()]
    const sum = (of: (one: (typeof all)[number]) => number) => all.reduce((total, one) => total + of(one), 0)
    const known = sum(({ one, found }) => (this.#isExpired(one) ? 0 : found))
    const expired = sum(({ one, found }) => (this.#isExpired(one) ? found : 0))
    return { new: breaks - known - expired, known, expired, resolved: sum(({ gone }) => gone) }
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
    for (const { one, gone } of this.#all()) if (gone > 0) yield resolvedLine(one, gone)
  }

  /** What is accepted, how many of its breaks were found, and how many are gone. */
  *#all(): Generator<{ readonly one: AcceptedBreak; readonly found: number; readonly gone: number }> {
    const explained = this.#explainedBy()
    for (const [fingerprint, one] of this.#byFingerprint) {
      const left = (this.#found.get(fingerprint) ?? 0) - (explained.get(fingerprint)?.length ?? 0)
      const found = Math.min(left, one.count)
      yield { one, found, gone: one.count - found }
    }
    for (const { accepted: one, members } of this.#batches) {
      const isWhole = members.every((member) => explained.get(member)?.includes(one) === true)
      yield { one, found: isWhole ? members.length : 0, gone: isWhole ? 0 : 1 }
    }
  }

  /** The batches that explain each break: each batch all of its breaks or none, and each break once. */
  #explainedBy(): ReadonlyMap<string, ReadonlyArray<AcceptedBreak>> {
    if (this.#explained !== undefined) return this.#explained
    const explained = new Map<string, Array<AcceptedBreak>>()
    for (const { accepted, members } of this.#batches) {
      const needed = Map.groupBy(members, (member) => member)
      const isWhole = [...needed].every(
        ([member, { length }]) => (this.#found.get(member) ?? 0) - (explained.get(member)?.length ?? 0) >= length,
      )
      if (!isWhole) continue
      for (const member of members) explained.set(member, [...(explained.get(member) ?? []), accepted])
    }
    this.#explained = explained
    return explained
  }

  #stateOf(fingerprint: string | undefined, used: Map<string, number>): Pick<Line, "state" | "why"> {
    if (fingerprint === undefined || !this.#wanted.has(fingerprint)) return { state: "new", why: "" }
    const count = used.get(fingerprint) ?? 0
    used.set(fingerprint, count + 1)
    const batches = this.#explainedBy().get(fingerprint) ?? []
    const batch = batches[count]
    if (batch !== undefined) return this.#accepted(batch, "a batch that was ")
    const one = this.#byFingerprint.get(fingerprint)
    if (one === undefined) return { state: "new", why: "" }
    if (count - batches.length >= one.count)
      return { state: "new", why: `one more than the ${one.count} that ${one.by} accepted` }
    return this.#accepted(one, "")
  }

  #accepted(one: AcceptedBreak, what: string): Pick<Line, "state" | "why"> {
    return this.#isExpired(one)
      ? { state: "expired", why: `${what}accepted by ${one.by} until ${one.until}, which has passed: ${one.reason}` }
      : { state: "known", why: `${what}accepted by ${one.by} until ${one.until}: ${one.reason}` }
  }

  #isExpired({ until }: AcceptedBreak): boolean {
    return until < this.#asOfDay
  }
}

const resolvedLine = ({ outcome, key, fingerprint, reason, by }: AcceptedBreak, count: number): Line => ({
  // Of a batch, its row.
  outcome: outcome === "Batch" ? "NotAtService" : outcome,
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
