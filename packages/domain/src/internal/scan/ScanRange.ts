/** What a scan reads, in whole seconds, and what each window of it asks the service for. */
import * as CreatedAt from "../../CreatedAt.ts"
import type { Dialect } from "../../Dialect.ts"
import * as Timestamp from "../../Timestamp.ts"
import * as RequestBounds from "../created-at/RequestBounds.ts"
import type { Interval } from "../time/Interval.ts"
import * as WholeSecond from "../time/WholeSecond.ts"
import type { Span } from "./Coverage.ts"

const firstSecond = Timestamp.epochSeconds(Timestamp.earliest)
const lastSecond = Timestamp.epochSeconds(Timestamp.latest)

interface Planned {
  readonly span: Span
  readonly interval: Interval
}

export class ScanRange {
  readonly wanted: CreatedAt.CreatedAt
  readonly #dialect: Dialect
  /** In order and disjoint, in seconds too. */
  readonly #planned: ReadonlyArray<Planned>

  constructor(wanted: CreatedAt.CreatedAt, dialect: Dialect) {
    this.wanted = wanted
    this.#dialect = dialect
    this.#planned = CreatedAt.plan(wanted, dialect)
      .requests.flatMap(({ window }) => CreatedAt.intervals(window))
      .map((interval) => ({ interval, span: spanOf(interval) }))
  }

  get spans(): ReadonlyArray<Span> {
    return this.#planned.map(({ span }) => span)
  }

  /** The instants of a part of one of its spans. */
  intervalOf({ from, to }: Span): Interval {
    const planned = this.#planned.find(({ span }) => span.from <= from && to <= span.to)
    if (planned === undefined) throw new Error(`[${from}, ${to}) is not within the range of the scan`)
    const { interval, span } = planned
    return {
      first: from === span.from ? interval.first : BigInt(from) * WholeSecond.nanosPerSecond,
      end: to === span.to ? interval.end : BigInt(to) * WholeSecond.nanosPerSecond,
    }
  }

  /** The values of `created_at` that ask for those instants. */
  valuesOf(interval: Interval): ReadonlyArray<string> {
    return RequestBounds.toValues(interval, this.#dialect)
  }
}

const spanOf = ({ first, end }: Interval): Span => ({
  from: first === undefined ? firstSecond : WholeSecond.of(WholeSecond.floor(first)),
  to: end === undefined ? lastSecond + 1 : WholeSecond.of(WholeSecond.ceil(end)),
})
