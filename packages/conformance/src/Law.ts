/** A promise that every implementation of the transfer service keeps, and its check. */
import type { TransferApi } from "@transferkit/domain/TransferApi"
import type { TransferApiError } from "@transferkit/domain/TransferApiError"
import type { TransferPager } from "@transferkit/domain/TransferPager"
import type { TransferPagerError } from "@transferkit/domain/TransferPagerError"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import type { Sample } from "./Sample.ts"

/** The law does not hold. `reason` says what happened, for the operator of the service. */
export class Violation extends Data.TaggedError("Violation")<{ readonly reason: string }> {
  override get message(): string {
    return this.reason
  }
}

/** The subject of a check: the service, a pager over it, and transfers known to exist. */
export interface Subject {
  readonly api: TransferApi["Service"]
  readonly pager: TransferPager["Service"]
  readonly sample: Sample
  /** The operator for "less than or equal", if the deployment is known to have one. */
  readonly lteToken: string | undefined
}

/** The errors that end a check early. */
export type CheckError = Violation | NotApplicable | TransferApiError | TransferPagerError

/** The data of the service cannot show whether the law holds. */
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

/** A law from its title and its check. */
export const make = (title: string, check: Law["check"]): Law => ({ title, check })

/** Continues if the condition holds; otherwise fails with the reason. */
export const expect = (condition: boolean, reason: () => string): Effect.Effect<void, Violation> =>
  condition ? Effect.void : Effect.suspend(() => new Violation({ reason: reason() }))

/** Both lists have the same ids, equally often, in any order. */
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
