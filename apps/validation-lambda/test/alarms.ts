/** CloudWatch in small: metrics from log lines, and the state of the template's alarms over them, period by period. */
import type { Template } from "../scripts/TemplateCheck.ts"

/** An entry of the log, and when it was written, in seconds. */
export interface LogLine {
  readonly at: number
  readonly entry: { readonly [field: string]: unknown }
}

/** A value of a metric at a time, in seconds. */
export interface Datum {
  readonly metric: string
  readonly at: number
  readonly value: number
}

/** The metrics in the log: in embedded metric format, and those that the template's filters count. */
export const metricsOf = (template: Template, lines: ReadonlyArray<LogLine>): ReadonlyArray<Datum> => [
  ...lines.flatMap(({ at, entry }) =>
    Object(entry["_aws"] ?? { CloudWatchMetrics: [] }).CloudWatchMetrics.flatMap(
      ({ Metrics }: { readonly Metrics: ReadonlyArray<{ readonly Name: string }> }) =>
        Metrics.flatMap(({ Name }) =>
          [entry[Name]].flat().map((value) => ({ metric: Name, at, value: Number(value) })),
        ),
    ),
  ),
  ...Object.values(template.Resources)
    .filter(({ Type }) => Type === "AWS::Logs::MetricFilter")
    .flatMap(({ Properties }) => {
      const [{ MetricName, MetricValue, DefaultValue }] = Object(Properties["MetricTransformations"])
      const matches = filterOf(String(Properties["FilterPattern"]))
      return lines.map(({ at, entry }) => ({
        metric: String(MetricName),
        at,
        value: Number(matches(entry) ? MetricValue : DefaultValue),
      }))
    }),
]

/** A pattern such as `{ $.level = "ERROR" && $.event != "Http" }`; an asterisk stands for any text. */
const filterOf = (pattern: string) => {
  const terms = pattern.replaceAll(/^\{|\}$/g, "").split("&&")
  const tests = terms.map((term) => {
    const [, field = "", operator, text = ""] = /^\s*\$\.(\w+) (!?=) "([^"]*)"\s*$/.exec(term) ?? []
    if (operator === undefined) throw new Error(`${term} is not read here`)
    return { field, isEqual: operator === "=", text }
  })
  return (entry: LogLine["entry"]): boolean =>
    tests.every(({ field, isEqual, text }) => {
      const value = entry[field]
      const isSame = text === "*" ? value !== undefined : value === text
      return isSame === isEqual
    })
}

/** Whether an alarm is in state ALARM at the end of each of so many periods. */
export const statesOf = (
  template: Template,
  { alarm, data, periods }: { readonly alarm: string; readonly data: ReadonlyArray<Datum>; readonly periods: number },
): ReadonlyArray<"ALARM" | "OK"> => {
  const properties = Object(template.Resources[alarm]?.Properties)
  const { EvaluationPeriods, Threshold, ComparisonOperator, TreatMissingData } = properties
  const breaches = Array.from({ length: periods }, (_, period) => {
    const value = valueOf(properties, data, period)
    if (value === undefined) return TreatMissingData === "breaching"
    if (ComparisonOperator === "GreaterThanThreshold") return value > Threshold
    if (ComparisonOperator === "GreaterThanOrEqualToThreshold") return value >= Threshold
    throw new Error(`${ComparisonOperator} is not evaluated here`)
  })
  return breaches.map((_, period) =>
    period + 1 >= EvaluationPeriods && breaches.slice(period + 1 - EvaluationPeriods, period + 1).every(Boolean)
      ? "ALARM"
      : "OK",
  )
}

type Fields = ReturnType<typeof Object>

/** The value of a metric, or of an expression over several, in a period; `undefined` without data. */
const valueOf = (properties: Fields, data: ReadonlyArray<Datum>, period: number): number | undefined => {
  const { Metrics, MetricName, Statistic, Period } = properties
  if (Metrics === undefined)
    return statisticOf(data, { name: MetricName, statistic: Statistic, period, length: Period })
  const values = new Map<string, number | undefined>()
  for (const { Id, MetricStat } of Metrics) {
    if (MetricStat === undefined) continue
    const { Metric, Stat, Period: length } = MetricStat
    values.set(Id, statisticOf(data, { name: Metric.MetricName, statistic: Stat, period, length }))
  }
  const { Expression } = Metrics.find(({ ReturnData }: Fields) => ReturnData !== false)
  const terms = String(Expression).split(/ ([+-]) /)
  return terms.reduce<number | undefined>((sum, term, index) => {
    if (index % 2 === 1) return sum
    const [, filled, fallback] = /^FILL\((\w+), (\d+)\)$/.exec(term) ?? []
    const value = values.get(filled ?? term) ?? (fallback === undefined ? undefined : Number(fallback))
    if (value === undefined || sum === undefined) return undefined
    return terms[index - 1] === "-" ? sum - value : sum + value
  }, 0)
}

interface Statistic {
  readonly name: string
  readonly statistic: "Maximum" | "Sum"
  readonly period: number
  /** Of a period, in seconds. */
  readonly length: number
}

const statisticOf = (
  data: ReadonlyArray<Datum>,
  { name, statistic, period, length }: Statistic,
): number | undefined => {
  const values = data
    .filter(({ metric, at }) => metric === name && Math.floor(at / length) === period)
    .map(({ value }) => value)
  if (values.length === 0) return undefined
  return statistic === "Sum" ? values.reduce((sum, value) => sum + value, 0) : Math.max(...values)
}
