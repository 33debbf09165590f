/** Spans, metrics and logs for an OpenTelemetry collector, if the environment names one: the usual `OTEL_…` variables. */
import * as BodilessFetch from "@transferkit/http-client/BodilessFetch"
import * as CollectorEndpoint from "@transferkit/http-client/CollectorEndpoint"
import * as Cause from "effect/Cause"
import * as Config from "effect/Config"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Otlp from "effect/observability/Otlp"
import * as OtlpSerialization from "effect/observability/OtlpSerialization"

/** Where the variables are not set. A collector that does not answer holds the end of a run up for no longer. */
const defaults = {
  OTEL_SERVICE_NAME: "transfers",
  OTEL_EXPORTER_OTLP_TIMEOUT: "500",
  OTEL_LOGS_EXPORTER: "otlp",
  OTEL_METRICS_EXPORTER: "otlp",
  OTEL_TRACES_EXPORTER: "otlp",
}

const protocol = Config.Literals(["http/json", "http/protobuf"], "OTEL_EXPORTER_OTLP_PROTOCOL").pipe(
  Config.withDefault("http/json" as const),
)

/** Sends what the program tells of itself. A variable that cannot be used turns that off, with a line that says so. */
export const layer = (version: string): Layer.Layer<never> =>
  Layer.unwrap(
    Effect.map(Effect.andThen(CollectorEndpoint.check, protocol), (chosen) =>
      Otlp.layerFromConfig({ resource: { serviceVersion: version } }).pipe(
        Layer.provide(chosen === "http/json" ? OtlpSerialization.layerJson : OtlpSerialization.layerProtobuf),
        Layer.provide(BodilessFetch.layer),
      ),
    ),
  ).pipe(
    Layer.provide(ConfigProvider.layerAdd(ConfigProvider.fromUnknown(defaults))),
    Layer.catchCause((cause) =>
      Layer.effectDiscard(
        Effect.sync(() => {
          const error = Cause.squash(cause)
          const reason = error instanceof Error ? error.message : String(error)
          process.stderr.write(`No telemetry is sent: ${reason}\n`)
        }),
      ),
    ),
  )
