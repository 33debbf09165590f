/** The breaks of a run, for a person to accept: equal ones are counted. */
import * as BreakIdentity from "@transferkit/domain/BreakIdentity"
import { FileError } from "../FileError.ts"
import type { AcceptedBreak } from "./AcceptedFile.ts"
import * as AcceptedFile from "./AcceptedFile.ts"

/** The most breaks that a person would accept one by one. */
const most = 10_000

export class AcceptedDraft {
  readonly #accepted: ReadonlyMap<string, AcceptedBreak>
  readonly #found = new Map<string, AcceptedBreak>()

  /** What was accepted before keeps its reason, and its name and days if there are not more of it now. */
  constructor(accepted: ReadonlyArray<AcceptedBreak>) {
    this.#accepted = new Map(accepted.map((one) => [one.fingerprint, one]))
  }

  add(fingerprint: string, identity: BreakIdentity.BreakIdentity): void {
    const count = (this.#found.get(fingerprint)?.count ?? 0) + 1
    const accepted = this.#accepted.get(fingerprint)
    const { reason = "" } = accepted ?? {}
    // This one was never accepted.
    const { by = "", at = "", until = "" } = accepted !== undefined && count <= accepted.count ? accepted : {}
    this.#found.set(fingerprint, { fingerprint, count, ...identity, reason, by, at, until })
    if (this.#found.size <= most) return
    throw new FileError({
      path: "--write-accepted",
      reason: `there are more than ${most} breaks: fix what they have in common first`,
    })
  }

  /** Adds a batch that is proposed, in place of the breaks that it explains. */
  addBatch(identity: BreakIdentity.BreakIdentity): void {
    for (const member of BreakIdentity.membersOf(identity)) {
      const fingerprint = AcceptedFile.fingerprint(member)
      const one = this.#found.get(fingerprint)
      if (one !== undefined && one.count > 1) this.#found.set(fingerprint, { ...one, count: one.count - 1 })
      else this.#found.delete(fingerprint)
    }
    this.add(AcceptedFile.fingerprint(identity), identity)
  }

  /** In the order of their keys, which does not depend on that of the rows. */
  get breaks(): ReadonlyArray<AcceptedBreak> {
    const orderOf = ({ key, outcome, fingerprint }: AcceptedBreak) => JSON.stringify([key, outcome, fingerprint])
    return [...this.#found.values()].toSorted((one, other) => (orderOf(one) < orderOf(other) ? -1 : 1))
  }
}
