/** Runs the laws against a service. It only reads, and uses the data that is there. */
import { Dialect } from "@transferkit/domain/Dialect"
import { TransferApi } from "@transferkit/domain/TransferApi"
import type { TransferApiError } from "@transferkit/domain/TransferApiError"
import * as TransferPager from "@transferkit/domain/TransferPager"
import type { TransferPagerError } from "@transferkit/domain/TransferPagerError"
import * as Effect from "effect/Effect"
import type { Law, Subject } from "./Law.ts"
import * as Sample from "./Sample.ts"
import * as TransferApiLaws from "./TransferApiLaws.ts"
import * as TransferPagerLaws from "./TransferPagerLaws.ts"

/** All laws; those of single operations come first. */
export const laws: ReadonlyArray<Law> = [...TransferApiLaws.laws, ...TransferPagerLaws.laws]

/** The outcome of one law. */
export type LawOutcome =
  | { readonly _tag: "Holds" }
  | { readonly _tag: "Violated"; readonly reason: string }
  | { readonly _tag: "NotApplicable"; readonly reason: string }

/** One law and its outcome. */
export interface LawResult {
  readonly law: string
  readonly outcome: LawOutcome
}

/** The results of a run. */
export interface Report {
  /** The size of the sample. */
  readonly transfers: number
  readonly results: ReadonlyArray<LawResult>
}

/** The service, and a sample of its transfers to check laws on. */
export const subject = Effect.fn("Conformance.subject")(function* (
  options: Sample.SampleOptions = {},
): Effect.fn.Return<Subject, TransferApiError | TransferPagerError, TransferApi> {
  const api = yield* TransferApi
  const pager = yield* TransferPager.make
  const { lteToken } = yield* Dialect
  return { api, pager, lteToken, sample: yield* Sample.take(pager, options) }
})

/** Checks one law. An error of the service is a violation: the requests are ordinary ones. */
export const check = (law: Law, of: Subject): Effect.Effect<LawOutcome> =>
  Effect.match(law.check(of), {
    onSuccess: (): LawOutcome => ({ _tag: "Holds" }),
    onFailure: (error): LawOutcome =>
      error._tag === "NotApplicable"
        ? { _tag: "NotApplicable", reason: error.reason }
        : { _tag: "Violated", reason: error.message },
  })

/** Checks all laws, one after the other. */
export const run = Effect.fn("Conformance.run")(function* (
  options: Sample.SampleOptions = {},
): Effect.fn.Return<Report, TransferApiError | TransferPagerError, TransferApi> {
  const of = yield* subject(options)
  const results = yield* Effect.forEach(laws, (law) =>
    Effect.map(check(law, of), (outcome): LawResult => ({ law: law.title, outcome })),
  )
  return { transfers: of.sample.ids.length, results }
})

/** Whether no law is violated. */
export const isConforming = (report: Report): boolean =>
  report.results.every(({ outcome }) => outcome._tag !== "Violated")

/** A report for people: a line for each law, with the reason if it does not hold. */
export const print = ({ transfers, results }: Report): string =>
  [
    `${results.length} laws on ${transfers} transfers`,
    ...results.map(({ law, outcome }) => {
      if (outcome._tag === "Holds") return `  holds     ${law}`
      return `  ${outcome._tag === "Violated" ? "VIOLATED " : "no data  "} ${law}: ${outcome.reason}`
    }),
  ].join("\n")
