/** The client's metrics, and what it puts on the spans of calls, under the names of OpenTelemetry. */
import type { TransferApiError } from "@transferkit/domain/TransferApiError"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Metric from "effect/Metric"
import type * as Tracer from "effect/Tracer"

type Outcome = "success" | TransferApiError["_tag"]

const attempts = Metric.counter("transfers_attempts", {
  description: "Requests to the transfer service, by outcome",
  incremental: true,
})

const byOutcome = new Map<Outcome, typeof attempts>()

const durations = Metric.histogram("http.client.request.duration", {
  description: "Seconds from a request to the last byte of its response",
  // Those that OpenTelemetry recommends.
  boundaries: [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10],
})

const pages = Metric.counter("transfers_pages", { description: "Pages of transfers received", incremental: true })

const rows = Metric.counter("transfers_rows", { description: "Transfers on those pages", incremental: true })

const duplicates = Metric.counter("transfers_duplicates", {
  description: "Transfers not delivered by a pager, because they were delivered before",
  incremental: true,
})

const limit = Metric.gauge("transfers_concurrency_limit", {
  description: "Requests that may be in flight at once: fewer while the service reports an overload",
})

/** Measures an attempt that got a response, in milliseconds. */
export const measure = (milliseconds: number, status: number): Effect.Effect<void> =>
  Metric.update(Metric.withAttributes(durations, attributesOf(status)), milliseconds / 1000)

const byStatus = new Map<number, Record<string, string>>()

const attributesOf = (status: number): Record<string, string> => {
  const known = byStatus.get(status) ?? { "http.request.method": "GET", "http.response.status_code": String(status) }
  byStatus.set(status, known)
  return known
}

/** Counts a page and its transfers. */
export const countPage = (transfers: number): Effect.Effect<void> =>
  Effect.andThen(Metric.update(pages, 1), Metric.update(rows, transfers))

/** Counts transfers that were not delivered again. */
export const countDuplicates = (count: number): Effect.Effect<void> => Metric.update(duplicates, count)

/** Records how many requests may be in flight. */
export const setLimit = (permits: number): Effect.Effect<void> => Metric.update(limit, permits)

/** Counts an attempt. */
export const count = (outcome: Outcome): Effect.Effect<void> => {
  const known = byOutcome.get(outcome)
  if (known !== undefined) return Metric.update(known, 1)
  const metric = Metric.withAttributes(attempts, { outcome })
  byOutcome.set(outcome, metric)
  return Metric.update(metric, 1)
}

/** The attributes of a call's span that are known before it, for a service at a base URL. */
export const spanOptions = (base: string) => {
  const { protocol, hostname, port } = new URL(base)
  const server = {
    "http.request.method": "GET",
    "server.address": hostname,
    "server.port": Number(port === "" ? (protocol === "https:" ? 443 : 80) : port),
  }
  return (path: string): Tracer.SpanOptionsNoTrace => ({ kind: "client", attributes: { ...server, "url.path": path } })
}

/** Puts a response on the span of its call. */
export const annotate = (status: number, requestId: string | undefined): Effect.Effect<void> =>
  Effect.annotateCurrentSpan({
    "http.response.status_code": status,
    ...(requestId === undefined ? {} : { "http.response.header.x-request-id": requestId }),
  })

/** Puts what failed a call on its span. */
export const annotateError = (error: TransferApiError): Effect.Effect<void> =>
  Effect.annotateCurrentSpan("error.type", error._tag)

/** Puts a failed attempt, and the milliseconds until its retry, on the span of its call. */
export const retry = (error: TransferApiError, attempts: number, delay: number): Effect.Effect<void> =>
  Effect.flatMap(Clock.currentTimeNanos, (now) =>
    Effect.ignore(
      Effect.map(Effect.currentSpan, (span) => {
        span.attribute("http.request.resend_count", attempts)
        span.event("retry", now, {
          "error.type": error._tag,
          "retry.delay_ms": delay,
          ...(error.requestId === undefined ? {} : { "http.response.header.x-request-id": error.requestId }),
        })
      }),
    ),
  )
