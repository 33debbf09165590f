/** Runs the laws against a service. It only reads, and takes the data that it finds. */
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

/** All laws, those of the operations first. */
export const laws: ReadonlyArray<Law> = [...TransferApiLaws.laws, ...TransferPagerLaws.laws]

/** How a law fared. */
export type Verdict =
  | { readonly _tag: "Holds" }
  | { readonly _tag: "Violated"; readonly reason: string }
  | { readonly _tag: "NotApplicable"; readonly reason: string }

/** The verdict on one law. */
export interface Finding {
  readonly law: string
  readonly verdict: Verdict
}

/** What a run found. */
export interface Report {
  /** How many transfers the laws were tried on. */
  readonly transfers: number
  readonly findings: ReadonlyArray<Finding>
}

/** The service and the sample that laws are checked on. */
export const subject = Effect.fn("Conformance.subject")(function* (
  options: Sample.SampleOptions = {},
): Effect.fn.Return<Subject, TransferApiError | TransferPagerError, TransferApi> {
  const api = yield* TransferApi
  const pager = yield* TransferPager.make
  const { lteToken } = yield* Dialect
  return { api, pager, lteToken, sample: yield* Sample.take(pager, options) }
})

/** The verdict on one law. An error of the service is a violation: it had been asked for nothing unusual. */
export const check = (law: Law, of: Subject): Effect.Effect<Verdict> =>
  Effect.match(law.check(of), {
    onSuccess: (): Verdict => ({ _tag: "Holds" }),
    onFailure: (error): Verdict =>
      error._tag === "NotApplicable"
        ? { _tag: "NotApplicable", reason: error.reason }
        : { _tag: "Violated", reason: error.message },
  })

/** Checks all laws, one after the other. */
export const run = Effect.fn("Conformance.run")(function* (
  options: Sample.SampleOptions = {},
): Effect.fn.Return<Report, TransferApiError | TransferPagerError, TransferApi> {
  const of = yield* subject(options)
  const findings = yield* Effect.forEach(laws, (law) =>
    Effect.map(check(law, of), (verdict): Finding => ({ law: law.title, verdict })),
  )
  return { transfers: of.sample.ids.length, findings }
})

/** Whether no law is violated. */
export const isConforming = (report: Report): boolean =>
  report.findings.every(({ verdict }) => verdict._tag !== "Violated")

/** A report for people: a line for each law, with the reason where it does not hold. */
export const print = ({ transfers, findings }: Report): string =>
  [
    `${findings.length} laws on ${transfers} transfers`,
    ...findings.map(({ law, verdict }) => {
      if (verdict._tag === "Holds") return `  holds     ${law}`
      return `  ${verdict._tag === "Violated" ? "VIOLATED " : "no data  "} ${law}: ${verdict.reason}`
    }),
  ].join("\n")
