/**
 * The address of a collector of telemetry, as the `OTEL_…` variables name it. Exporters drop what they cannot send without
 * a word, so an address that `fetch` rejects is found before.
 */
import * as Config from "effect/Config"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { InvalidConfiguration } from "./InvalidConfiguration.ts"

const variables = ["", "TRACES_", "METRICS_", "LOGS_"].map((signal) => `OTEL_EXPORTER_OTLP_${signal}ENDPOINT`)

/** Fails if one of the addresses has credentials, or no scheme of HTTP. The error repeats nothing of it. */
export const check: Effect.Effect<void, InvalidConfiguration | Config.ConfigError> = Effect.gen(function* () {
  for (const setting of variables) {
    const text = Option.getOrElse(yield* Config.option(Config.String(setting)), () => "")
    const reason = reasonOf(URL.parse(text))
    if (reason !== undefined) return yield* new InvalidConfiguration({ setting, reason })
  }
})

/** What is no URL is an error of the exporter. */
const reasonOf = (url: URL | null): string | undefined => {
  if (url === null) return undefined
  if (url.protocol !== "http:" && url.protocol !== "https:") return "it starts with neither http:// nor https://"
  if (url.username === "" && url.password === "") return undefined
  return "it holds credentials. Leave them out, and send them with OTEL_EXPORTER_OTLP_HEADERS"
}
