/** Drives a scan's state against a listing in virtual time: thousands of scans a second, without fibers or clocks. */
import * as CreatedAt from "@transferkit/domain/CreatedAt"
import * as Dialect from "@transferkit/domain/Dialect"
import * as Timestamp from "@transferkit/domain/Timestamp"
import type { TransferPagerError } from "@transferkit/domain/TransferPagerError"
import * as Result from "effect/Result"
import { IdSet } from "../../src/IdSet.ts"
import { Scan, type Window } from "../../src/internal/scan/Scan.ts"
import { ScanRange } from "../../src/internal/scan/ScanRange.ts"
import type { Chance } from "./History.ts"
import { now } from "./History.ts"
import type { Listing } from "./Listing.ts"

/** All that was created until the scan starts. */
export const everything = CreatedAt.lt(Timestamp.fromDate(new Date(now)))

export interface SimulationOptions {
  readonly wanted?: CreatedAt.CreatedAt
  readonly concurrency: number
  readonly limit?: number
  readonly windowSize?: number
  readonly mostInSecond?: number
  readonly dialect?: Dialect.Dialect
  /** Milliseconds that a request takes. */
  readonly latency?: () => number
  /** Called before each request. */
  readonly beforeRequest?: (request: number) => void
  /** Ends the process after so many batches. */
  readonly killAfter?: number
}

export interface Simulated {
  readonly ids: ReadonlyArray<string>
  /** What a resumed scan has to read: nothing if it is complete. */
  readonly remaining: CreatedAt.CreatedAt
  readonly error: TransferPagerError | undefined
  readonly scan: Scan
  /** Milliseconds. */
  readonly time: number
  readonly batches: number
  /** Transfers that were held at once. */
  readonly peak: number
  /** Transfers that were received until the first was delivered. */
  readonly untilFirst: number
  /** Transfers that were still expected, after each batch. */
  readonly expected: ReadonlyArray<number>
}

export const simulate = (listing: Listing, options: SimulationOptions): Simulated => {
  const { wanted = everything, concurrency, limit = 20, dialect = Dialect.standard, latency = () => 20 } = options
  const range = new ScanRange(wanted, dialect)
  const { windowSize = 480, mostInSecond = 100_000 } = options
  const scan = new Scan({
    range,
    external_id: undefined,
    concurrency,
    windowSize,
    limit,
    strict: true,
    emptyPageBudget: 0,
    mostInSecond,
    delivered: new IdSet(),
    moved: "fail",
    isOwed: () => true,
    resume: undefined,
  })
  const pending = new Pending()
  const ids: Array<string> = []
  const expected: Array<number> = []
  let remaining = wanted
  let batches = 0
  let time = 0
  let peak = 0
  let held = 0
  let received = 0
  let untilFirst = 0
  const send = (window: Window) => pending.push({ window, at: time + latency() })
  const result = (error?: TransferPagerError): Simulated => ({
    ids,
    remaining: CreatedAt.and(wanted, remaining),
    error,
    scan,
    time,
    batches,
    peak,
    untilFirst,
    expected,
  })
  for (;;) {
    for (let window = scan.open(); window !== undefined; window = scan.open()) send(window)
    const next = pending.pop()
    if (next === undefined) break
    const { window } = next
    time = next.at
    const before = window.transfers.size
    const request = scan.request(window)
    options.beforeRequest?.(listing.requests.length + 1)
    const page = listing.page(request)
    if (page === undefined) {
      const expired = scan.expire(window, "expired")
      if (Result.isFailure(expired)) return result(expired.failure)
      held -= before
      continue
    }
    let outcome = scan.admit(window, page)
    if (Result.isSuccess(outcome) && outcome.success._tag === "Unconfirmed") {
      const { question } = outcome.success
      const lost = question.givenUp.find(({ id }) => listing.has(id))
      if (lost !== undefined || question.strays.length > 0) throw new Error(`${lost?.id} was left out`)
      outcome = scan.confirm(window, question, { lost: [], overheard: { strays: [], givenUp: [] }, pages: 0 })
    }
    if (Result.isFailure(outcome)) return result(outcome.failure)
    held += window.transfers.size - before
    peak = Math.max(peak, held)
    received += page.results.length
    if (outcome.success._tag === "More") send(window)
    else held -= window.transfers.size
    if (outcome.success._tag !== "Complete") continue
    if (ids.length === 0) untilFirst = received
    for (const { id } of outcome.success.transfers) ids.push(id)
    expected.push(outcome.success.expected)
    const { remaining: intervals } = outcome.success
    remaining = intervals.map(filterOf).reduce(CreatedAt.or, CreatedAt.none)
    if (++batches === options.killAfter) return result()
  }
  if (!scan.isComplete) throw new Error("the scan stopped before it was complete")
  return result()
}

const filterOf = ({ first, end }: CreatedAt.Interval): CreatedAt.CreatedAt =>
  CreatedAt.between(timestampOf(first), timestampOf(end))

const timestampOf = (instant: bigint | undefined): Timestamp.Timestamp | undefined =>
  instant === undefined ? undefined : Timestamp.fromEpochNanoseconds(instant)

/** A latency with a long tail, in milliseconds. */
export const tail = (chance: Chance) => () => 12 - 8 * Math.log(1 - chance())

interface Sent {
  readonly window: Window
  readonly at: number
}

/** Requests under way, the next to be answered first; of those at the same time, the one that was sent first. */
class Pending {
  readonly #sent: Array<Sent> = []

  push(sent: Sent): void {
    const index = this.#sent.findLastIndex(({ at }) => at <= sent.at)
    this.#sent.splice(index + 1, 0, sent)
  }

  pop(): Sent | undefined {
    return this.#sent.shift()
  }
}
