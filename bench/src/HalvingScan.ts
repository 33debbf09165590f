/**
 * A scan that trusts the order of the listing, newest first: who has nothing to do takes the older half of what is left of
 * the range of which most pages were read. The other goes on with its cursor and stops at the first transfer of the half that it gave away, so that
 * no page is read twice. A transfer that is listed where the order does not have it is lost without a word.
 */
import * as Timestamp from "@transferkit/domain/Timestamp"
import type { Transfer } from "@transferkit/domain/Transfer"
import type { TransferApi } from "@transferkit/domain/TransferApi"
import type { TransferApiError } from "@transferkit/domain/TransferApiError"
import * as Effect from "effect/Effect"
import * as FiberSet from "effect/FiberSet"

/** The seconds from `from` to before `reached` are still to be read. */
interface Range {
  from: number
  reached: number
  pages: number
}

export interface Options {
  readonly concurrency: number
  /** Seconds since 1970. */
  readonly from: number
  readonly to: number
}

/** Reads the transfers from one second to before another, and hands on each page. */
export const read = (
  { search }: TransferApi["Service"],
  { concurrency, from, to }: Options,
  deliver: (transfers: ReadonlyArray<Transfer>) => void,
): Effect.Effect<void, TransferApiError> =>
  Effect.gen(function* () {
    const fibers = yield* FiberSet.make<void, TransferApiError>()
    const active = new Set<Range>()
    const readRange = Effect.fnUntraced(function* (range: Range): Effect.fn.Return<void, TransferApiError> {
      const created_at = [`gte:${textOf(range.from)}`, `lt:${textOf(range.reached)}`]
      let cursor: string | undefined
      do {
        const page = yield* search({ created_at, limit: 20, ...(cursor === undefined ? {} : { after_cursor: cursor }) })
        range.pages++
        deliver(page.results.filter((transfer) => secondOf(transfer) >= range.from))
        range.reached = page.results.reduce((least, transfer) => Math.min(least, secondOf(transfer)), range.reached)
        cursor = page.page_info.has_next_page ? page.page_info.end_cursor : undefined
        if (cursor !== undefined && range.reached >= range.from) yield* fill
      } while (cursor !== undefined && range.reached >= range.from)
      active.delete(range)
      yield* fill
    })
    const start = (range: Range): Effect.Effect<unknown> => {
      active.add(range)
      return FiberSet.run(fibers, readRange(range))
    }
    const fill: Effect.Effect<void> = Effect.suspend(() => {
      const [largest] = [...active].filter(isDivisible).sort((a, b) => b.pages - a.pages)
      if (largest === undefined || active.size >= concurrency) return Effect.void
      const older = { from: largest.from, reached: middleOf(largest), pages: 0 }
      largest.from = older.reached
      return Effect.andThen(start(older), fill)
    })
    yield* start({ from, reached: to, pages: 0 })
    yield* FiberSet.awaitEmpty(fibers)
  }).pipe(Effect.scoped)

const middleOf = ({ from, reached }: Range): number => Math.floor((from + reached) / 2)

const isDivisible = (range: Range): boolean => range.pages > 0 && middleOf(range) > range.from

const secondOf = ({ created_at }: Transfer): number => Timestamp.epochSeconds(created_at)

const textOf = (second: number): string => Timestamp.fromEpochSeconds(second).text
