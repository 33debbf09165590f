/** Asks the service for transfers by the second in which it shows them. */
import * as Effect from "effect/Effect"
import * as RefreshPlan from "../../RefreshPlan.ts"
import * as Timestamp from "../../Timestamp.ts"
import type { TransferApiError } from "../../TransferApiError.ts"
import type { TransferPagerError } from "../../TransferPagerError.ts"
import * as PageReading from "./PageReading.ts"
import { Pages, type PagesSettings } from "./Pages.ts"
import type { Received } from "./Undelivered.ts"

export interface Service {
  readonly search: PageReading.Search
  readonly settings: PagesSettings
}

/** Those that the service does not list there, and the pages that it took. `margin` is asked for before and after, in seconds. */
export const missing = Effect.fnUntraced(function* (
  { search, settings }: Service,
  received: ReadonlyArray<Received>,
  margin = 0,
): Effect.fn.Return<
  { readonly missing: ReadonlyArray<Received>; readonly pages: number },
  TransferApiError | TransferPagerError
> {
  const missing = new Map(received.map((one) => [one.id, one]))
  let count = 0
  for (const [second, shown] of Map.groupBy(received, ({ created_at }) => Timestamp.epochSeconds(created_at))) {
    const from = Math.max(second - margin, Timestamp.epochSeconds(Timestamp.earliest))
    const interval = { from, to: second + 1 + margin, pages: 1 }
    const query = { ...settings.query, created_at: RefreshPlan.createdAt(interval) }
    const pages = new Pages({ ...settings, query })
    const isEachListed = () => !shown.some(({ id }) => missing.has(id))
    for (let page; !isEachListed() && (page = yield* PageReading.next(pages, search)) !== undefined;) {
      for (const { id } of page) missing.delete(id)
    }
    count += pages.tally.pages
  }
  return { missing: [...missing.values()], pages: count }
})
