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
const margin = 1

/** The same for one that cannot be asked for otherwise: bounds may be compared by the minute, the hour or the day. */
const wideMargins = [60, 3600, 86_400]

/** Pages that are read for an answer beyond the first margin. Nearly always, what is asked for has vanished. */
const mostPages = 400

interface Reading {
  readonly hear?: (transfers: ReadonlyArray<Transfer>) => void
  /** Pages to read at the most. */
  readonly most?: number
}

export const ask = Effect.fnUntraced(function* (
  { search, settings }: Service,
  { strays, givenUp }: Question,
): Effect.fn.Return<Answer, TransferApiError | TransferPagerError> {
  let count = 0
  const overheard: Array<Transfer> = []
  const listed = Effect.fnUntraced(function* (
    query: TransferQuery,
    received: ReadonlyArray<Received>,
    { hear = () => {}, most = Infinity }: Reading = {},
  ) {
    const left = new Map(received.map(({ id, created_at }) => [id, created_at.epochNanoseconds]))
    const pages = new Pages({ ...settings, query })
    const heard: PageReading.Search = (request) =>
      Effect.tap(search(request), ({ results }) => Effect.sync(() => hear(results)))
    for (let read = 0; left.size > 0 && read < most; read++) {
      const page = yield* PageReading.next(pages, heard)
      if (page === undefined) break
      for (const { id, created_at } of page) if (left.get(id) === created_at.epochNanoseconds) left.delete(id)
    }
    count += pages.tally.pages
    return received.filter(({ id }) => !left.has(id))
  })
  const around = (second: number, seconds: number): TransferQuery => {
    const from = Math.max(second - seconds, Timestamp.epochSeconds(Timestamp.earliest))
    return { ...settings.query, created_at: RefreshPlan.createdAt({ from, to: second + 1 + seconds, pages: 1 }) }
  }
  const lost: Array<Received> = []
  for (const [second, shown] of bySecond(strays)) {
    const found = new Set(
      yield* listed(around(second, 0), shown, { hear: (transfers) => overheard.push(...transfers) }),
    )
    lost.push(...shown.filter((one) => !found.has(one)))
  }
  const end = count + mostPages
  for (const [external_id, shown] of Map.groupBy(givenUp, askableId)) {
    if (external_id !== undefined) lost.push(...(yield* listed({ external_id }, shown, { most: end - count })))
  }
  const isLeft = (one: Received) => !lost.includes(one)
  for (const [second, shown] of bySecond(givenUp.filter(isLeft))) {
    lost.push(...(yield* listed(around(second, margin), shown)))
  }
  for (const [second, shown] of bySecond(givenUp.filter((one) => askableId(one) === undefined))) {
    for (const wide of wideMargins) {
      lost.push(...(yield* listed(around(second, wide), shown.filter(isLeft), { most: end - count })))
    }
  }
  return { lost, overheard, pages: count }
})

const bySecond = (received: ReadonlyArray<Received>) =>
  Map.groupBy(received, ({ created_at }) => Timestamp.epochSeconds(created_at))

/** A service may accept no other. */
const askableId = ({ external_id }: Received): string | undefined =>
  external_id !== undefined && /^[\w.:-]{1,100}$/.test(external_id) ? external_id : undefined
