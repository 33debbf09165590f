/** The requests that cover a filter. */
import * as Dialect from "../../Dialect.ts"
import * as InstantSet from "../time/InstantSet.ts"
import * as Intervals from "../time/Interval.ts"
import { Filter, type Interval, intervals, print } from "./Filter.ts"
import * as RequestBounds from "./RequestBounds.ts"

/**
 * One request of a {@link Plan}: the values to send, the instants they request, and the filter still to apply, if any.
 */
export interface PlannedRequest {
  readonly created_at: ReadonlyArray<string>
  readonly window: Filter
  readonly residual?: Filter
}

/** Requests whose filtered results together are the transfers of a filter, each exactly once. */
export interface Plan {
  readonly filter: Filter
  readonly requests: ReadonlyArray<PlannedRequest>
}

/**
 * The requests that cover a filter. Their windows do not overlap, so no transfer is in two of them. If a window is
 * wider than the filter, its `residual` is the filter to apply to the results. An empty filter needs no request.
 *
 * @example
 * CreatedAt.plan(CreatedAt.none).requests // => []
 */
export const plan = (filter: Filter, dialect: Dialect.Dialect = Dialect.standard): Plan => {
  const windows: Array<{ window: Interval; readonly wanted: Array<Interval> }> = []
  for (const interval of intervals(filter)) {
    const widened = RequestBounds.widen(interval, dialect)
    const last = windows.at(-1)
    const joined = last && Intervals.join(last.window, widened)
    if (last === undefined || joined === undefined) windows.push({ window: widened, wanted: [interval] })
    else {
      last.window = joined
      last.wanted.push(interval)
    }
  }
  return {
    filter,
    requests: windows.map(({ window, wanted: [first, ...others] }) => ({
      created_at: RequestBounds.toValues(window, dialect),
      window: fromIntervals([window]),
      ...(first === undefined || (others.length === 0 && Intervals.equals(first, window))
        ? {}
        : { residual: fromIntervals([first, ...others]) }),
    })),
  }
}

const fromIntervals = (intervals: ReadonlyArray<Interval>): Filter => new Filter(InstantSet.fromIntervals(intervals))

/**
 * A plan as readable text: a line per request, with the filter still to be applied.
 *
 * @example
 * CreatedAt.explain(CreatedAt.plan(CreatedAt.none)) // => "no request: the filter holds nothing"
 */
export const explain = (self: Plan): string => {
  if (self.requests.length === 0) return "no request: the filter holds nothing"
  const lines = self.requests.map(({ created_at, residual }, index) => {
    const asked = created_at.length === 0 ? "no created_at" : created_at.map((value) => `created_at=${value}`).join(" ")
    return `  ${index + 1}. ${asked}${residual === undefined ? "" : `, then keep ${print(residual)}`}`
  })
  return [`${lines.length} ${lines.length === 1 ? "request" : "requests"}`, ...lines].join("\n")
}
