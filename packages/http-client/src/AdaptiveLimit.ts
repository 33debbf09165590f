/**
 * How many requests may be in flight, adjusted as TCP does it: halved when the service is overloaded (429, 503), and one
 * more for each round of responses that are not. A pure value.
 */
import type { TransferApiError } from "@transferkit/domain/TransferApiError"

/** The limit of the moment. */
export interface AdaptiveLimit {
  readonly max: number
  /** Fractional while it grows; see {@link permits}. */
  readonly limit: number
  /**
   * Requests still in flight that were sent before the limit last shrank. Their responses say nothing about the new limit,
   * so one overload that many of them report halves it once.
   */
  readonly staleInFlight: number
}

/** Starts at the maximum. */
export const make = (max: number): AdaptiveLimit => ({ max, limit: max, staleInFlight: 0 })

/** The number of requests that may be in flight at once, at least one. */
export const permits = (self: AdaptiveLimit): number => Math.max(1, Math.floor(self.limit))

/** The limit after a response, or after the error that it was. */
export const after = (self: AdaptiveLimit, error: TransferApiError | undefined): AdaptiveLimit => {
  if (error !== undefined && isOverload(error)) {
    if (self.staleInFlight > 0) return { ...self, staleInFlight: self.staleInFlight - 1 }
    return { ...self, limit: Math.max(1, self.limit / 2), staleInFlight: permits(self) - 1 }
  }
  if (self.staleInFlight === 0 && self.limit === self.max) return self
  const limit = error === undefined ? Math.min(self.max, self.limit + 1 / self.limit) : self.limit
  return { ...self, limit, staleInFlight: Math.max(0, self.staleInFlight - 1) }
}

const isOverload = (error: TransferApiError): boolean =>
  error._tag === "RateLimited" || (error._tag === "ServiceUnavailable" && error.status === 503)
