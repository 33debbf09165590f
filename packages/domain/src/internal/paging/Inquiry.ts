/** Asks the service for transfers that came and were not delivered, by what they show. */
import * as Effect from "effect/Effect"
import * as RefreshPlan from "../../RefreshPlan.ts"
import * as Timestamp from "../../Timestamp.ts"
import type { Transfer } from "../../Transfer.ts"
import type { TransferApiError } from "../../TransferApiError.ts"
import type { TransferPagerError } from "../../TransferPagerError.ts"
import type { TransferQuery } from "../../TransferQuery.ts"
import * as PageReading from "./PageReading.ts"
import { Pages, type PagesSettings } from "./Pages.ts"
import type { Answer, Question, Received } from "./Undelivered.ts"

export interface Service {
  readonly search: PageReading.Search
  readonly settings: PagesSettings
}

/** Seconds around that of a transfer, because a service that leaves out where an interval begins or ends would do it again. */
const narrowMargin = 1

/** The same for one that cannot be asked for otherwise: bounds may be compared by the minute, the hour or the day. */
const wideMargins = [60, 3600, 86_400]

/** Pages that are read for an answer beyond the first margin. Nearly always, what is asked for has vanished. */
const mostPages = 400

export const ask = Effect.fnUntraced(function* (
  { search, settings }: Service,
  { strays, givenUp }: Question,
): Effect.fn.Return<Answer, TransferApiError | TransferPagerError> {
  let count = 0
  const overheard = { strays: new Map<string, Transfer>(), givenUp: new Map<string, Transfer>() }
  const { external_id: wanted } = settings.query
  const isOfQuery = ({ external_id }: Transfer) => wanted === undefined || external_id === wanted
  const listed = Effect.fnUntraced(function* (
    query: TransferQuery,
    received: ReadonlyArray<Received>,
    { heard, most = Infinity }: { readonly heard: Map<string, Transfer>; readonly most?: number },
  ) {
    const left = new Map(received.map(({ id, created_at }) => [id, created_at.epochNanoseconds]))
    const pages = new Pages({ ...settings, query })
    const hearing: PageReading.Search = (request) =>
      Effect.tap(search(request), ({ results }) =>
        Effect.sync(() => {
          count++
          for (const transfer of results.filter(isOfQuery)) heard.set(transfer.id, transfer)
        }),
      )
    for (let read = 0; left.size > 0 && read < most; read++) {
      const page = yield* PageReading.next(pages, hearing)
      if (page === undefined) break
      for (const { id, created_at } of page) if (left.get(id) === created_at.epochNanoseconds) left.delete(id)
    }
    return received.filter(({ id }) => !left.has(id))
  })
  const around = (span: Span): TransferQuery => ({
    ...settings.query,
    created_at: RefreshPlan.createdAt({ ...span, from: Math.max(span.from, earliest), pages: 1 }),
  })
  const lost: Array<Received> = []
  for (const { shown, ...span } of spansOf(strays, 0)) {
    const found = new Set(yield* listed(around(span), shown, { heard: overheard.strays }))
    lost.push(...shown.filter((one) => !found.has(one)))
  }
  const end = count + mostPages
  const stillListed = (query: TransferQuery, shown: ReadonlyArray<Received>, most: number) =>
    listed(query, shown, { heard: overheard.givenUp, most }).pipe(
      // A listing whose cursors expire before its end does not tell, and would not the next time.
      Effect.catchTag("CursorExpired", () => Effect.succeed([])),
    )
  for (const [external_id, shown] of Map.groupBy(givenUp, askableId)) {
    if (external_id !== undefined) lost.push(...(yield* stillListed({ external_id }, shown, end - count)))
  }
  for (const margin of [narrowMargin, ...wideMargins]) {
    const isWide = margin !== narrowMargin
    const left = givenUp.filter((one) => !lost.includes(one) && !(isWide && askableId(one) !== undefined))
    for (const { shown, ...span } of spansOf(left, margin)) {
      lost.push(...(yield* stillListed(around(span), shown, isWide ? end - count : Infinity)))
    }
  }
  return {
    lost,
    overheard: { strays: [...overheard.strays.values()], givenUp: [...overheard.givenUp.values()] },
    pages: count,
  }
})

interface Span {
  readonly from: number
  readonly to: number
}

const earliest = Timestamp.epochSeconds(Timestamp.earliest)

/** The seconds at which transfers show that they were created. With a margin, those that touch are one span. */
const spansOf = (received: ReadonlyArray<Received>, margin: number) => {
  const spans: Array<{ readonly from: number; to: number; readonly shown: Array<Received> }> = []
  const bySecond = Map.groupBy(received, ({ created_at }) => Timestamp.epochSeconds(created_at))
  for (const [second, shown] of [...bySecond].sort(([a], [b]) => a - b)) {
    const [from, to] = [second - margin, second + 1 + margin]
    const last = spans.at(-1)
    if (last === undefined || last.to < from || margin === 0) spans.push({ from, to, shown: [...shown] })
    else {
      last.to = to
      last.shown.push(...shown)
    }
  }
  return spans
}

/** A service may accept no other. */
const askableId = ({ external_id }: Received): string | undefined =>
  external_id !== undefined && /^[\w.:-]{1,100}$/.test(external_id) ? external_id : undefined
