/** The transfers that laws are checked on: the first pages in the service's own order, and a window that fits in a page. */
import * as Timestamp from "@transferkit/domain/Timestamp"
import type { Transfer } from "@transferkit/domain/Transfer"
import * as TransferPage from "@transferkit/domain/TransferPage"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import type { NoResponse, RawResponse } from "../RawRequests.ts"
import { type Exchange, NotDecidable, type Trial } from "./Trial.ts"

export type Query = ReadonlyArray<readonly [name: string, value: string]>

/** The path of a search, which the contract fixes. */
export const searchPath = "/v1/transfers/search"

/** A page with its exchange. */
export interface SeenPage {
  readonly exchange: Exchange
  readonly response: RawResponse
  readonly page: TransferPage.TransferPage
}

/** All transfers of an interval with both bounds, at most a page of them; the upper bound is excluded. */
export interface Window {
  readonly from: Timestamp.Timestamp
  readonly to: Timestamp.Timestamp
  readonly transfers: ReadonlyArray<Transfer>
}

/** What laws are checked on. */
export interface ServiceSample {
  /** The first response, whatever it is. */
  readonly first: Exchange | undefined
  readonly pages: ReadonlyArray<SeenPage>
  /** A response in place of a later page that is not one. */
  readonly odd?: Exchange | undefined
  /** The transfers of these pages, each once. */
  readonly transfers: ReadonlyArray<Transfer>
  /** A window, or why there is none. */
  readonly window: Result.Result<Window, string>
  /** The clock's milliseconds in the middle of the first exchange. */
  readonly at: number
}

/** Sends a search. The result has no page if the response is not one. */
export const search = Effect.fnUntraced(function* (trial: Trial, query: Query) {
  const response = yield* trial.get({ path: searchPath, query })
  return { exchange: { request: { path: searchPath, query }, response }, response, page: pageOf(response) }
})

/** The page of a response with status 200. */
export const pageOf = ({ status, body }: RawResponse): TransferPage.TransferPage | undefined =>
  status === 200 ? Result.getOrUndefined(TransferPage.fromJson(body)) : undefined

/** Sends a search whose response has to be a page: another law says if it is not. */
export const searched = Effect.fnUntraced(function* (trial: Trial, query: Query) {
  const { exchange, response, page } = yield* search(trial, query)
  if (page === undefined) return yield* new NotDecidable({ reason: "a response that it needs is not a page" })
  const seen: SeenPage = { exchange, response, page }
  return seen
})

const mostPages = 5

/** The first pages, each the next of the one before, as far as the service sends them. */
export const readPages = Effect.fnUntraced(function* (trial: Trial) {
  const pages: Array<SeenPage> = []
  let cursor: string | undefined
  while (pages.length < mostPages) {
    const query: Query = [["limit", "20"], ...(cursor === undefined ? [] : [["after_cursor", cursor] as const])]
    const seen = yield* Effect.option(search(trial, query))
    if (Option.isNone(seen)) break
    const { exchange, response, page } = seen.value
    if (page === undefined) return { pages, odd: exchange }
    pages.push({ exchange, response, page })
    cursor = page.page_info.end_cursor
    if (!page.page_info.has_next_page || cursor === undefined) break
  }
  return { pages, odd: undefined }
})

/** The transfers of some pages, each once. */
export const transfersOf = (pages: ReadonlyArray<SeenPage>): ReadonlyArray<Transfer> => [
  ...new Map(pages.flatMap(({ page }) => page.results.map((transfer) => [transfer.id, transfer] as const))).values(),
]

const second = Duration.toNanosUnsafe(Duration.seconds(1))
const mostSteps = 10

/** The largest window around the median whose transfers fit in a page, from a second on. */
export const findWindow = (
  trial: Trial,
  transfers: ReadonlyArray<Transfer>,
): Effect.Effect<Result.Result<Window, string>, NotDecidable | NoResponse> =>
  Effect.gen(function* () {
    const instants = transfers.map(({ created_at }) => created_at).toSorted(Timestamp.Order)
    const middle = instants[instants.length >> 1]
    if (middle === undefined) return Result.fail("there are no transfers")
    const start = middle.epochNanoseconds - (middle.epochNanoseconds % second)
    let [best, width]: [Window | undefined, bigint] = [undefined, 0n]
    for (let step = 0; step < mostSteps; step++) {
      const [lower, upper] = [start - width, start + second + width]
      if (lower < Timestamp.earliest.epochNanoseconds || upper > Timestamp.latest.epochNanoseconds) break
      const [from, to] = [Timestamp.fromEpochNanoseconds(lower), Timestamp.fromEpochNanoseconds(upper)]
      const { page } = yield* search(trial, between(from, to))
      if (page === undefined || page.page_info.has_next_page) break
      best = { from, to, transfers: page.results }
      // As large as all that there is: further ones would only repeat it.
      if (transfers.length < 100 && page.results.length === transfers.length) break
      width = width === 0n ? 4n * second : width * 8n
    }
    return best === undefined ? Result.fail("no window of one second fits in a page") : Result.succeed(best)
  })

/** The query of the transfers from one instant until before another. */
export const between = (from: Timestamp.Timestamp, to: Timestamp.Timestamp): Query => [
  ["created_at", `gte:${from.text}`],
  ["created_at", `lt:${to.text}`],
  ["limit", "20"],
]

/** The transfer in the middle of the window, with the window: bounds are tried at it. */
export const edgeOf = Effect.fnUntraced(function* ({ window }: ServiceSample) {
  if (Result.isFailure(window)) return yield* new NotDecidable({ reason: window.failure })
  const sorted = window.success.transfers.toSorted((left, right) =>
    Timestamp.compare(left.created_at, right.created_at),
  )
  const [first] = sorted
  // One that is not right before the next millisecond or microsecond, where another precision would not show.
  const inside = sorted.filter(({ created_at: { epochNanoseconds: at } }) => at % second < 999_000_000n)
  const edge = inside[inside.length >> 1] ?? sorted[sorted.length >> 1]
  if (first === undefined || edge === undefined) return yield* new NotDecidable({ reason: "the window is empty" })
  return { window: window.success, edge }
})

/** The transfers of a window that were created in a range of instants: from the first until before the second. */
export const within = (
  { transfers }: Window,
  from: bigint,
  to: bigint = Timestamp.latest.epochNanoseconds,
): ReadonlyArray<Transfer> => transfers.filter(({ created_at: { epochNanoseconds: at } }) => at >= from && at < to)
