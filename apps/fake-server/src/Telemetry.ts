/** Spans, metrics and logs of the requests for an OpenTelemetry collector, by the usual `OTEL_…` variables. */
import * as Journal from "@transferkit/fake/Journal"
import * as BodilessFetch from "@transferkit/http-client/BodilessFetch"
import * as CollectorEndpoint from "@transferkit/http-client/CollectorEndpoint"
import * as Cause from "effect/Cause"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Metric from "effect/Metric"
import * as Otlp from "effect/observability/Otlp"
import * as OtlpSerialization from "effect/observability/OtlpSerialization"
import manifest from "../package.json" with { type: "json" }
import { say } from "./Say.ts"

/** Where the variables are not set. A collector that does not answer holds the end of the fake up for no longer. */
const defaults = {
  OTEL_SERVICE_NAME: "transfers-fake",
  OTEL_EXPORTER_OTLP_TIMEOUT: "500",
  OTEL_LOGS_EXPORTER: "otlp",
  OTEL_METRICS_EXPORTER: "otlp",
  OTEL_TRACES_EXPORTER: "otlp",
}

const exporters = Otlp.layerFromConfig({
  resource: { serviceVersion: manifest.version },
  // Standard output is for the address.
  loggerMergeWithExisting: false,
}).pipe(
  Layer.provide([OtlpSerialization.layerJson, BodilessFetch.layer]),
  Layer.provide(ConfigProvider.layerAdd(ConfigProvider.fromUnknown(defaults))),
)

const durations = Metric.histogram("http.server.request.duration", {
  description: "Seconds that a response took to make, without the delays that were asked for",
  // Those that OpenTelemetry recommends.
  boundaries: [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10],
})

const faults = Metric.counter("transfers_fake_faults", {
  description: "Faults that changed a response",
  incremental: true,
})

const tell = Effect.fnUntraced(function* ({
  id,
  method,
  path,
  status,
  duration_ms,
  partner,
  faults: applied,
}: Journal.Entry) {
  const route = Journal.routeOf(path)
  const attributes = { "http.request.method": method, "http.route": route, "http.response.status_code": String(status) }
  const span = yield* Effect.makeSpan(`${method} ${route}`, {
    kind: "server",
    root: true,
    attributes: {
      ...attributes,
      "http.response.header.x-request-id": id,
      "transfers.faults": applied.join(" "),
      ...(partner === undefined ? {} : { "transfers.partner": partner }),
    },
  })
  span.end(span.status.startTime + BigInt(Math.round(duration_ms * 1e6)), Exit.void)
  yield* Metric.update(Metric.withAttributes(durations, attributes), duration_ms / 1000)
  for (const fault of applied) yield* Metric.update(Metric.withAttributes(faults, { fault }), 1)
  yield* Effect.logInfo(`${method} ${route} ${status}`).pipe(Effect.annotateLogs({ id, faults: applied.join(" ") }))
})

/** Sends until the scope closes. A variable that cannot be used turns that off, with a line that says so. */
export const make = CollectorEndpoint.check.pipe(
  Effect.andThen(Layer.build(exporters)),
  Effect.map((context) => {
    const run = Effect.runForkWith(context)
    return { onRequest: (entry: Journal.Entry): void => void run(tell(entry)) }
  }),
  Effect.catchCause((cause) =>
    Effect.sync(() => {
      const error = Cause.squash(cause)
      const reason = error instanceof Error ? error.message : String(error)
      say(`No telemetry is sent: ${reason}`)
      return undefined
    }),
  ),
)
