/**
 * The metrics of an invocation as log entries in CloudWatch's embedded metric format: CloudWatch takes them from the
 * log, and the function calls nothing. It is loaded only if the metrics have a namespace.
 */
import type * as Log from "./Log.ts"

/** What an invocation measured. */
export interface Measurements {
  /** The fields of its last entry, as far as it got. */
  readonly entry: Pick<Log.Entry, "capabilities" | "duplicates" | "violations">
  readonly duration_ms: number
  /** Milliseconds of each call of the service. */
  readonly serviceLatency: ReadonlyArray<number>
  /** Its end, in milliseconds since the epoch. */
  readonly endedAt: number
}

/** The most values of a metric in an entry. */
const maxValues = 100

/** The entries with the metrics, in a namespace of CloudWatch. */
export const toEntries = (namespace: string, measurements: Measurements): ReadonlyArray<Log.Entry> => {
  const { entry, duration_ms, serviceLatency, endedAt } = measurements
  const { capabilities, duplicates, violations } = entry
  const once: ReadonlyArray<Metric> = [
    ["VerdictLatency", "Milliseconds", violations === undefined ? undefined : duration_ms],
    ["StaleAge", "Seconds", capabilities?.stale ? capabilities.age_seconds : undefined],
    ["DuplicatesUnchecked", "Count", duplicates?.unchecked],
  ]
  const batches: Array<ReadonlyArray<Metric>> = []
  for (let from = 0; from === 0 || from < serviceLatency.length; from += maxValues) {
    const values = serviceLatency.slice(from, from + maxValues)
    const latency: Metric = ["ServiceLatency", "Milliseconds", values.length === 0 ? undefined : values]
    batches.push([latency, ...(from === 0 ? once : [])].filter(([, , value]) => value !== undefined))
  }
  const make = (metrics: ReadonlyArray<Metric>, dimensions: { readonly [name: string]: string } = {}) => ({
    _aws: {
      Timestamp: endedAt,
      CloudWatchMetrics: [
        {
          Namespace: namespace,
          Dimensions: [Object.keys(dimensions)],
          Metrics: metrics.map(([Name, Unit]) => ({ Name, Unit })),
        },
      ],
    },
    ...dimensions,
    ...Object.fromEntries(metrics.map(([name, , value]) => [name, value])),
  })
  return [
    ...batches.flatMap((metrics) => (metrics.length === 0 ? [] : [make(metrics)])),
    ...Object.entries(violations ?? {}).map(([code, count]) => make([["Violations", "Count", count]], { code })),
  ]
}

type Metric = readonly [name: string, unit: "Count" | "Milliseconds" | "Seconds", value: unknown]
