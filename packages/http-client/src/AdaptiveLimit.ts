/**
 * How many requests may be in flight: half as many when the service says it is too many (429, 503), one more for
 * every round of answers that come through. A pure value, as TCP does it.
 */
import type { TransferApiError } from "@transferkit/domain/TransferApiError"

export interface AdaptiveLimit {
  readonly max: number
  /** Not whole while it grows; see {@link permits}. */
  readonly limit: number
  /**
   * Answers to requests that were sent before it last shrank, and say nothing about the limit since. They are counted,
   * so that one refusal of many at once halves it once.
   */
  readonly old: number
}

/** Starts with as many as there may be at the most. */
export const make = (max: number): AdaptiveLimit => ({ max, limit: max, old: 0 })

/** Requests that may be in flight at once; never none. */
export const permits = (self: AdaptiveLimit): number => Math.max(1, Math.floor(self.limit))

/** After an answer, which is an error where it is one. */
export const after = (self: AdaptiveLimit, error: TransferApiError | undefined): AdaptiveLimit => {
  if (error !== undefined && isOverload(error)) {
    if (self.old > 0) return { ...self, old: self.old - 1 }
    return { ...self, limit: Math.max(1, self.limit / 2), old: permits(self) - 1 }
  }
  if (self.old === 0 && self.limit === self.max) return self
  const limit = error === undefined ? Math.min(self.max, self.limit + 1 / self.limit) : self.limit
  return { ...self, limit, old: Math.max(0, self.old - 1) }
}

const isOverload = (error: TransferApiError): boolean =>
  error._tag === "RateLimited" || (error._tag === "ServiceUnavailable" && error.status === 503)
