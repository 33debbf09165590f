/** The client's metrics and spans: attempts counted by outcome, and each call's last response and retries on its span. */
import type { TransferApiError } from "@transferkit/domain/TransferApiError"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Metric from "effect/Metric"

type Outcome = "success" | TransferApiError["_tag"]

const attempts = Metric.counter("transfers_attempts", {
  description: "Requests to the transfer service, by outcome",
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

/** Puts a response on the span of its call, under the names of OpenTelemetry. */
export const annotate = (status: number, requestId: string | undefined): Effect.Effect<void> =>
  Effect.annotateCurrentSpan({
    "http.response.status_code": status,
    ...(requestId === undefined ? {} : { "http.response.header.x-request-id": requestId }),
  })

/** Puts a failed attempt, and the milliseconds until its retry, on the span of its call. */
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
