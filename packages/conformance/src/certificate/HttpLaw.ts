/** A promise of the service over HTTP, and its check by requests that only read. */
import type { Transfer } from "@transferkit/domain/Transfer"
import type { ServiceBehaviour } from "@transferkit/http-api/ServiceBehaviour"
import type * as Effect from "effect/Effect"
import type { NoResponse } from "../RawRequests.ts"
import type * as Sample from "./ServiceSample.ts"
import type { Exchange, NotDecidable, Trial } from "./Trial.ts"

/** What a check has found. It ends in one of them, or is not decidable. */
export interface Finding {
  readonly verdict: "kept" | "broken"
  /** The observation. It is the same at every run, as long as the service is. */
  readonly found: string
  readonly behaviour?: Partial<ServiceBehaviour> | undefined
  /** What shows it, if it is not the latest exchange. */
  readonly exchange?: Exchange | undefined
}

/** A law of a deployment. */
export interface HttpLaw {
  /** Stable: certificates are compared by it. */
  readonly id: string
  /** The promise, as a sentence. */
  readonly meaning: string
  readonly check: (trial: Trial, sample: Sample.ServiceSample) => Effect.Effect<Finding, NotDecidable | NoResponse>
}

/** A law from its id, its meaning and its check. */
export const make = (id: string, meaning: string, check: HttpLaw["check"]): HttpLaw => ({ id, meaning, check })

/** The law is kept. */
export const kept = (found: string, behaviour?: Partial<ServiceBehaviour>): Finding => ({
  verdict: "kept",
  found,
  behaviour,
})

/** The law is broken. */
export const broken = (found: string, exchange?: Exchange): Finding => ({ verdict: "broken", found, exchange })

/** The ids of some transfers, in any order. */
const idsOf = (transfers: ReadonlyArray<Transfer>): string =>
  transfers
    .map(({ id }) => id)
    .toSorted()
    .join(" ")

/** Whether two listings hold the same transfers, with what differs. */
export const sameIds = (
  actual: ReadonlyArray<Transfer>,
  expected: ReadonlyArray<Transfer>,
  found: string,
  exchange?: Exchange,
): Finding => {
  if (idsOf(actual) === idsOf(expected)) return kept(found)
  const [ids, wanted] = [new Set(actual.map(({ id }) => id)), new Set(expected.map(({ id }) => id))]
  if ([...wanted].some((id) => !ids.has(id))) return broken("transfers are missing", exchange)
  return broken(
    [...ids].some((id) => !wanted.has(id)) ? "there are transfers too many" : "a transfer is there twice",
    exchange,
  )
}
