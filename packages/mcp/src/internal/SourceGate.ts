/** Lets only questions through that the source can answer: what it lacks is an error, and not a zero. */
import * as Coverage from "@transferkit/domain/Coverage"
import * as Selection from "@transferkit/domain/Selection"
import type { Timestamp } from "@transferkit/domain/Timestamp"
import type { Kind } from "@transferkit/domain/TransferSource"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"

/** What an answer says of its source. */
export interface Claim {
  readonly as_of: string | null
  readonly missing?: ReadonlyArray<ReadonlyArray<string>>
  readonly stale?: ReadonlyArray<string>
}

/** The question names transfers that the source lacks. */
export class NotCovered extends Data.TaggedError("NotCovered")<{
  readonly source: string
  /** The creation times, as values of `created_at`. */
  readonly missing: ReadonlyArray<ReadonlyArray<string>>
  readonly narrowed: ReadonlyArray<string>
  /** Statuses that are final for the source alone. */
  readonly stale: ReadonlyArray<string>
}> {
  override get message(): string {
    const times = this.missing.map((range) => range.join(" ") || "at any time").join(", or ")
    const values = this.narrowed.map((property) => `other values of ${property} than it has`)
    const stale = this.stale.map((status) => JSON.stringify(status)).join(", ")
    const lacks = [
      ...(stale === "" ? [] : [`later changes of transfers with status ${stale}, which it takes as final`]),
      ...(times === "" ? [] : [`transfers created ${times}`]),
      ...values,
    ].join(", and ")
    return `${this.source} lacks ${lacks}. Nothing can be said of these. Ask for other times, or bring the source up to date.`
  }
}

/** The names of sources in answers, without the paths of this machine. */
export const names: Readonly<Record<Kind, string>> = {
  service: "the service",
  file: "a file",
  mirror: "a mirror",
  memory: "memory",
}

/** The part of a source that is asked. */
interface Asked {
  readonly kind: Kind
  /** Read before the transfers, so that what is added meanwhile only makes them newer than the claim. */
  readonly coverage: Coverage.Coverage | undefined
}

/** Lets a question through, with what its answer may claim. */
export const pass = Effect.fnUntraced(function* (
  { kind, coverage }: Asked,
  question: Coverage.Question,
  { now, allowIncomplete }: { readonly now: Timestamp; readonly allowIncomplete: boolean },
) {
  const answer = Coverage.answer(coverage, question, now)
  const claim: Claim = { as_of: coverage?.as_of.text ?? null }
  if (answer._tag !== "Partial") return claim
  const missing = Selection.timesToWire(answer.missing)
  const { narrowed, stale } = answer
  if (allowIncomplete) return { ...claim, missing, ...(stale.length === 0 ? {} : { stale }) }
  return yield* new NotCovered({ source: names[kind], missing, narrowed, stale })
})
