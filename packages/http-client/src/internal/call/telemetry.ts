/**
 * What the client tells of its calls. It counts attempts by how they ended, by one label of few values, so that it
 * costs little to keep; the span of a call has its last answer and each retry.
 */
import type { TransferApiError } from "@transferkit/domain/TransferApiError"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
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

/** Puts an answer on the span of its call, by the names of OpenTelemetry. */
export const annotate = (status: number, requestId: string | undefined): Effect.Effect<void> =>
  Effect.annotateCurrentSpan({
    "http.response.status_code": status,
    ...(requestId === undefined ? {} : { "http.response.header.x-request-id": requestId }),
  })

/** Puts an attempt that failed, and is repeated after so many milliseconds, on the span of its call. */
export const retry = (error: TransferApiError, delay: number): Effect.Effect<void> =>
  Effect.flatMap(Clock.currentTimeNanos, (now) =>
    Effect.ignore(
      Effect.map(Effect.currentSpan, (span) =>
        span.event("retry", now, {
          "error.type": error._tag,
          "retry.delay_ms": delay,
          ...(error.requestId === undefined ? {} : { "http.response.header.x-request-id": error.requestId }),
        }),
      ),
    ),
  )
