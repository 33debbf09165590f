/** One run of the shipped `Scan` over a few rows, by a list of choices: which response comes next, and whether it happens. */
import * as Checkpoint from "@transferkit/domain/Checkpoint"
import * as CreatedAt from "@transferkit/domain/CreatedAt"
import * as Dialect from "@transferkit/domain/Dialect"
import * as Timestamp from "@transferkit/domain/Timestamp"
import * as Result from "effect/Result"
import { IdSet } from "../../../src/IdSet.ts"
import { type Outcome, Scan, type Window } from "../../../src/internal/scan/Scan.ts"
import { ScanRange } from "../../../src/internal/scan/ScanRange.ts"
import type { Choices } from "./Choices.ts"
import { nanosOf, type SmallRow, SmallService, start } from "./SmallService.ts"

/** From `from` up to, not including, `to`, in nanoseconds since the start of the history. */
export interface Wanted {
  readonly from: bigint
  readonly to: bigint
}

export interface Scope {
  readonly name: string
  readonly wanted: ReadonlyArray<Wanted>
  /** What may happen once, at any moment. */
  readonly event?: "rejects a cursor" | "repeats a cursor" | "empty page" | "dies" | "a row moves"
  readonly lteToken?: string
  /** The service takes `lt` as "less than or equal". */
  readonly isInclusive?: boolean
}

export interface SmallHistory {
  /** In the order of the listing. */
  readonly rows: ReadonlyArray<SmallRow>
  readonly limit: number
}

const origin = BigInt(start) * 1_000_000n

const filterOf = (wanted: ReadonlyArray<Wanted>): CreatedAt.CreatedAt =>
  wanted
    .map(({ from, to }) =>
      CreatedAt.between(Timestamp.fromEpochNanoseconds(origin + from), Timestamp.fromEpochNanoseconds(origin + to)),
    )
    .reduce(CreatedAt.or, CreatedAt.none)

type Remaining = Extract<Outcome, { readonly _tag: "Complete" }>["remaining"]

/** As a process that died reads it from its checkpoint. */
const resumed = (remaining: Remaining): CreatedAt.CreatedAt =>
  Checkpoint.remaining({
    version: 2,
    query: "",
    transfers: 0,
    remaining: remaining.map(({ first, end }) => ({
      ...(first === undefined ? {} : { gte: Timestamp.fromEpochNanoseconds(first) }),
      ...(end === undefined ? {} : { lt: Timestamp.fromEpochNanoseconds(end) }),
    })),
  })

const isIn = (row: SmallRow, remaining: Remaining): boolean => {
  const at = nanosOf(row)
  return remaining.some(({ first, end }) => (first === undefined || at >= first) && (end === undefined || at < end))
}

/** Pages that no run of so few rows needs. */
const mostPages = 80

/** What is wrong with the run, if anything is. */
export const run = (scope: Scope, { rows, limit }: SmallHistory, choices: Choices): string | undefined => {
  const service = new SmallService(rows, scope.isInclusive ?? false)
  const { event } = scope
  const created_at = filterOf(scope.wanted)
  const expected = rows.filter((row) => {
    const at = nanosOf(row) - origin
    return scope.wanted.some(({ from, to }) => at >= from && at < to)
  })
  const delivered = new Map<string, number>()
  const open = (wanted: CreatedAt.CreatedAt) =>
    new Scan({
      range: new ScanRange(wanted, { ...Dialect.standard, lteToken: scope.lteToken }),
      external_id: undefined,
      concurrency: 3,
      windowSize: 20,
      limit,
      strict: false,
      emptyPageBudget: 1,
      mostInSecond: 100,
      delivered: new IdSet(delivered.keys()),
      moved: "fail",
      isOwed: (transfer) => CreatedAt.matches(wanted, transfer.created_at),
      resume: undefined,
    })
  let remaining: Remaining | undefined
  let scan = open(created_at)
  let pending: Array<Window> = []
  let hasHappened = event === undefined
  const happens = (isPossible: boolean): boolean => {
    if (hasHappened || !isPossible || choices.choose(2) === 0) return false
    hasHappened = true
    return true
  }
  const fault = (): string | undefined => {
    const twice = [...delivered].find(([, times]) => times > 1)
    if (twice !== undefined) return `${twice[0]} was delivered twice`
    const other = [...delivered.keys()].find((id) => !expected.some((row) => row.id === id))
    if (other !== undefined) return `${other} was not asked for`
    const lost = expected.find((row) => !delivered.has(row.id) && remaining !== undefined && !isIn(row, remaining))
    return lost === undefined ? undefined : `${lost.id} is neither delivered nor in the checkpoint`
  }
  for (let pages = 0; ; pages++) {
    for (let window = scan.open(); window !== undefined; window = scan.open()) pending.push(window)
    if (pending.length === 0) break
    if (pages > mostPages) return `more than ${mostPages} pages`
    if (event === "a row moves" && happens(rows.length > 1)) service.moveToEnd(choices.choose(rows.length))
    if (event === "dies" && happens(true)) {
      scan = open(remaining === undefined ? created_at : CreatedAt.and(created_at, resumed(remaining)))
      pending = []
      continue
    }
    const [window] = pending.splice(choices.choose(pending.length), 1)
    if (window === undefined) break
    const request = scan.request(window)
    const isLater = request.after_cursor !== undefined
    if (event === "rejects a cursor" && happens(isLater)) {
      const expired = scan.expire(window, "rejected")
      if (Result.isFailure(expired)) return `an error after one rejected cursor: ${expired.failure.message}`
      continue
    }
    let oddity: "repeats a cursor" | "empty page" | undefined
    if (event === "repeats a cursor" || event === "empty page") {
      const hasMore = service.page(request).page_info.has_next_page
      if (happens(event === "empty page" || (isLater && hasMore))) oddity = event
    }
    const outcome = scan.admit(window, service.page(request, oddity))
    if (Result.isFailure(outcome)) {
      const isRight = oddity === "repeats a cursor" && outcome.failure._tag === "CursorCycle"
      return isRight ? fault() : `an error: ${outcome.failure.message}`
    }
    if (oddity === "repeats a cursor") return "a repeated cursor is no error"
    if (outcome.success._tag === "More") pending.push(window)
    if (outcome.success._tag !== "Complete") continue
    for (const { id } of outcome.success.transfers) delivered.set(id, (delivered.get(id) ?? 0) + 1)
    remaining = outcome.success.remaining
    const wrong = fault()
    if (wrong !== undefined) return wrong
  }
  if (!scan.isComplete) return "it stopped before it was complete"
  const lost = expected.find(({ id }) => !delivered.has(id))
  return lost === undefined ? fault() : `${lost.id} is lost`
}
