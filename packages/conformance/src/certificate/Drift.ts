/** What has changed from one certificate of a deployment to the next. */
import * as Predicate from "effect/Predicate"
import type { Certificate } from "./Certificate.ts"

/** One change. It is drift unless one of the two could not decide. */
export interface Change {
  /** The id of a law, or a JSON Pointer into the behaviour. */
  readonly place: string
  readonly before: string
  readonly after: string
  readonly drifted: boolean
}

/** The changes: of laws first, then of behaviour. */
export const changes = (before: Certificate, after: Certificate): ReadonlyArray<Change> => [
  ...lawsOf(before, after),
  ...differences(before.behaviour, after.behaviour, "/behaviour"),
]

/** Whether the deployment behaves differently. */
export const isDrift = (found: ReadonlyArray<Change>): boolean => found.some((change) => change.drifted)

const absent = "not checked"

const lawsOf = (before: Certificate, after: Certificate): ReadonlyArray<Change> => {
  const ids = [...new Set([...before.laws, ...after.laws].map(({ id }) => id))]
  return ids.flatMap((id) => {
    const [old, now] = [before, after].map(({ laws }) => laws.find((law) => law.id === id))
    const isKnown = [old, now].every((law) => law !== undefined && law.verdict !== "not decidable")
    const [left, right] = [old, now].map((law) => {
      if (law === undefined) return absent
      return law.verdict === "not decidable" ? law.verdict : `${law.verdict}: ${law.found}`
    })
    if (left === right) return []
    const drifted = isKnown || now?.verdict === "broken"
    return [{ place: id, before: left ?? absent, after: right ?? absent, drifted }]
  })
}

const differences = (before: unknown, after: unknown, place: string): ReadonlyArray<Change> => {
  if (JSON.stringify(before) === JSON.stringify(after)) return []
  if (Predicate.isReadonlyObject(before) && Predicate.isReadonlyObject(after)) {
    const names = [...new Set([...Object.keys(before), ...Object.keys(after)])]
    return names.flatMap((name) =>
      differences(before[name], after[name], `${place}/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`),
    )
  }
  // A part of the behaviour that was not found is absent. A header that is absent was not sent.
  const isKnown = /\/(?:headers|responses)\//.test(place) || (before !== undefined && after !== undefined)
  return [{ place, before: words(before), after: words(after), drifted: isKnown }]
}

const words = (value: unknown): string => (value === undefined ? "absent" : JSON.stringify(value))
