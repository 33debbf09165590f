/**
 * Pagers with the two losses of the first scan, put back: both trust an order that every row so far has kept. They read
 * all other histories correctly.
 */
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as Checkpoint from "../../packages/domain/src/Checkpoint.ts"
import * as CreatedAt from "../../packages/domain/src/CreatedAt.ts"
import * as Timestamp from "../../packages/domain/src/Timestamp.ts"
import type { Transfer } from "../../packages/domain/src/Transfer.ts"
import * as TransferPager from "../../packages/domain/src/TransferPager.ts"
import type { TransferQuery } from "../../packages/domain/src/TransferQuery.ts"
import type { Pager } from "../simulate/Simulation.ts"

type Service = TransferPager.TransferPager["Service"]
type Page = ReadonlyArray<Transfer>

/** Notices whether rows have come newest first, as far as they have come. */
const watchOrder = () => {
  let last: bigint | undefined
  let isSorted = true
  return (page: Page): boolean => {
    for (const { created_at } of page) {
      isSorted &&= last === undefined || created_at.epochNanoseconds <= last
      last = created_at.epochNanoseconds
    }
    return isSorted
  }
}

const remainingOf = (query: TransferQuery, resume: Checkpoint.Checkpoint | undefined): CreatedAt.CreatedAt =>
  CreatedAt.and(query.created_at ?? CreatedAt.all, resume === undefined ? CreatedAt.all : Checkpoint.remaining(resume))

const batchOf = (
  query: TransferQuery,
  results: Page,
  received: number,
  remaining: CreatedAt.CreatedAt,
  before: CreatedAt.CreatedAt,
): TransferPager.Batch => ({
  results,
  window: CreatedAt.difference(before, remaining),
  expected: 0,
  excess: 0,
  checkpoint: {
    version: 2,
    query: Checkpoint.fingerprint(query),
    transfers: received,
    remaining: CreatedAt.intervals(remaining).map(({ first, end }) => ({
      ...(first === undefined ? {} : { gte: Timestamp.fromEpochNanoseconds(first) }),
      ...(end === undefined ? {} : { lt: Timestamp.fromEpochNanoseconds(end) }),
    })),
  },
})

const withScan = (scanWith: (pages: Service["pages"]) => Service["scan"]): Pager =>
  Effect.map(TransferPager.make, (pager) => ({ ...pager, scan: scanWith(pager.pages) }))

/** Reads two halves, and ends the newer one at its first row that is in the older one. */
export const stopsAtTheLowerBound: Pager = withScan((pages) => (query, { limit = 20, resume } = {}) => {
  const wanted = remainingOf(query, resume)
  const middle = Timestamp.parseUnsafe("2024-12-15T00:00:00Z")
  const newer = (row: Transfer) => Timestamp.compare(row.created_at, middle) >= 0
  return Stream.suspend(() => {
    const isSorted = watchOrder()
    const first = pages({ created_at: wanted }, { limit }).pipe(
      Stream.takeUntil((page) => isSorted(page) && !page.every(newer)),
      Stream.map((page) => page.filter(newer)),
    )
    const second = pages({ created_at: CreatedAt.and(wanted, CreatedAt.lt(middle)) }, { limit })
    return Stream.fromEffect(
      Effect.map(Stream.runCollect(Stream.concat(first, second)), (read) => {
        const rows = read.flat()
        return batchOf(query, rows, (resume?.transfers ?? 0) + rows.length, CreatedAt.none, wanted)
      }),
    )
  })
})

/** Delivers page by page, and resumes from the oldest row it has delivered. */
export const resumesFromTheFrontier: Pager = withScan((pages) => (query, { limit = 20, resume } = {}) => {
  const wanted = remainingOf(query, resume)
  return Stream.suspend(() => {
    const isSorted = watchOrder()
    let held: Array<Transfer> = []
    let received = resume?.transfers ?? 0
    let rest = wanted
    const deliver = (rows: Page, remaining: CreatedAt.CreatedAt) => {
      received += rows.length
      const batch = batchOf(query, rows, received, remaining, rest)
      rest = remaining
      return batch
    }
    return pages({ created_at: wanted }, { limit }).pipe(
      Stream.map((page) => {
        held.push(...page)
        const frontier = held.at(-1)?.created_at
        if (frontier === undefined || !isSorted(page)) return deliver([], rest)
        // Others may have been created at the same instant: they wait for the next page.
        const isBefore = (row: Transfer) => Timestamp.compare(row.created_at, frontier) > 0
        const ready = held.filter(isBefore)
        held = held.filter((row) => !isBefore(row))
        return deliver(ready, CreatedAt.and(wanted, CreatedAt.lte(frontier)))
      }),
      Stream.concat(Stream.suspend(() => Stream.succeed(deliver(held, CreatedAt.none)))),
    )
  })
})
