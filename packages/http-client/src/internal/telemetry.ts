/** What the client counts: attempts by how they ended. One label of few values, so that it costs little to keep. */
import type { TransferApiError } from "@transferkit/domain/TransferApiError"
import type * as Effect from "effect/Effect"
import * as Metric from "effect/Metric"

type Outcome = "success" | TransferApiError["_tag"]

const attempts = Metric.counter("transfers_attempts", {
  description: "Requests to the transfer service, by how they ended",
  incremental: true,
})

const byOutcome = new Map<Outcome, typeof attempts>()

/** Counts an attempt. */
export const count = (outcome: Outcome): Effect.Effect<void> => {
  const known = byOutcome.get(outcome)
  if (known !== undefined) return Metric.update(known, 1)
  const metric = Metric.withAttributes(attempts, { outcome })
  byOutcome.set(outcome, metric)
  return Metric.update(metric, 1)
}
