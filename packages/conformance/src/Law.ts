/** A promise that every implementation of the transfer service keeps, and how to find out whether one does. */
import type { TransferApi } from "@transferkit/domain/TransferApi"
import type { TransferApiError } from "@transferkit/domain/TransferApiError"
import type { TransferPager } from "@transferkit/domain/TransferPager"
import type { TransferPagerError } from "@transferkit/domain/TransferPagerError"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import type { Sample } from "./Sample.ts"

/** The law does not hold. `reason` says what was seen, in words for whoever runs the service. */
export class Violation extends Data.TaggedError("Violation")<{ readonly reason: string }> {
  override get message(): string {
    return this.reason
  }
}

/** What a check looks at: the service, the pager over it, and transfers that are known to be there. */
export interface Subject {
  readonly api: TransferApi["Service"]
  readonly pager: TransferPager["Service"]
  readonly sample: Sample
  /** The word for "less than or equal", where the deployment is known to have one. */
  readonly lteToken: string | undefined
}

/** What ends a check early. */
export type CheckError = Violation | NotApplicable | TransferApiError | TransferPagerError

/** The data that is there cannot show whether the law holds. */
export class NotApplicable extends Data.TaggedError("NotApplicable")<{ readonly reason: string }> {
  override get message(): string {
    return this.reason
  }
}

/** A law. Its check only reads. */
export interface Law {
  /** The promise, as a sentence. */
  readonly title: string
  readonly check: (subject: Subject) => Effect.Effect<void, CheckError>
}

/** A law whose check is a generator. */
export const make = (title: string, check: Law["check"]): Law => ({ title, check })

/** Goes on where the condition holds, and otherwise says what was seen instead. */
export const expect = (condition: boolean, reason: () => string): Effect.Effect<void, Violation> =>
  condition ? Effect.void : Effect.suspend(() => new Violation({ reason: reason() }))

/** The same ids, in any order, each as often. */
export const expectSameIds = (
  actual: ReadonlyArray<string>,
  expected: ReadonlyArray<string>,
  what: string,
): Effect.Effect<void, Violation> => {
  const lacking = difference(expected, actual)
  const surplus = difference(actual, expected)
  return expect(
    lacking.length === 0 && surplus.length === 0 && actual.length === expected.length,
    () => `${what}: ${describe("missing", lacking)}, ${describe("too many", surplus)}, of ${expected.length} transfers`,
  )
}

const difference = (some: ReadonlyArray<string>, others: ReadonlyArray<string>): ReadonlyArray<string> => {
  const left = new Map<string, number>()
  for (const id of others) left.set(id, (left.get(id) ?? 0) + 1)
  return some.filter((id) => {
    const count = left.get(id) ?? 0
    left.set(id, count - 1)
    return count <= 0
  })
}

const describe = (what: string, ids: ReadonlyArray<string>): string =>
  ids.length === 0 ? `none ${what}` : `${ids.length} ${what} (such as ${ids.slice(0, 3).join(", ")})`
