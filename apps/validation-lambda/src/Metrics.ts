/**
 * The metrics of an invocation as log entries in CloudWatch's embedded metric format: CloudWatch takes them from the
 * log, and the function calls nothing. It is loaded only if the metrics have a namespace.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import * as Log from "./Log.ts"

/** What an invocation measured. */
export interface Measurements {
  readonly exit: Exit.Exit<{ readonly entry: Log.Entry }, { readonly _tag: string; readonly unchecked?: number }>
  readonly duration_ms: number
  /** Milliseconds of each call of the service. */
  readonly serviceLatency: ReadonlyArray<number>
}

/** The most values of a metric in an entry. */
const maxValues = 100

/** Logs the metrics, in a namespace of CloudWatch. */
export const log = Effect.fnUntraced(function* (
  namespace: string,
  { exit, duration_ms, serviceLatency }: Measurements,
) {
  const Timestamp = yield* Clock.currentTimeMillis
  const { capabilities, duplicates, violations } = Exit.isSuccess(exit) ? exit.value.entry : emptyEntry
  const failure = Option.getOrUndefined(Exit.findErrorOption(exit))
  const metadata = (dimensions: ReadonlyArray<string>, metrics: ReadonlyArray<Metric>) => ({
    Timestamp,
    CloudWatchMetrics: [
      { Namespace: namespace, Dimensions: [dimensions], Metrics: metrics.map(([Name, Unit]) => ({ Name, Unit })) },
    ],
  })
  const once: ReadonlyArray<Metric> = [
    ["VerdictLatency", "Milliseconds", violations === undefined ? undefined : duration_ms],
    ["StaleAge", "Seconds", capabilities?.stale ? capabilities.age_seconds : undefined],
    ["DuplicatesUnchecked", "Count", (duplicates ?? failure)?.unchecked],
  ]
  for (let from = 0; from === 0 || from < serviceLatency.length; from += maxValues) {
    const values = serviceLatency.slice(from, from + maxValues)
    const latency: Metric = ["ServiceLatency", "Milliseconds", values.length === 0 ? undefined : values]
    const present = [latency, ...(from === 0 ? once : [])].filter(([, , value]) => value !== undefined)
    if (present.length === 0) continue
    const fields = Object.fromEntries(present.map(([name, , value]) => [name, value]))
    yield* Log.info("metrics", { _aws: metadata([], present), ...fields })
  }
  for (const [code, count] of Object.entries(violations ?? {})) {
    yield* Log.info("violations", {
      _aws: metadata(["code"], [["Violations", "Count", count]]),
      code,
      Violations: count,
    })
  }
})

const emptyEntry: Log.Entry = {}

type Metric = readonly [name: string, unit: "Count" | "Milliseconds" | "Seconds", value: unknown]
