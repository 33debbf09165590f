/** Asks the service for strays by the second in which it shows them. */
import * as Effect from "effect/Effect"
import * as RefreshPlan from "../../RefreshPlan.ts"
import * as Timestamp from "../../Timestamp.ts"
import type { TransferApiError } from "../../TransferApiError.ts"
import { OutsideFilter, type TransferPagerError } from "../../TransferPagerError.ts"
import * as PageReading from "./PageReading.ts"
import { Pages, type PagesSettings } from "./Pages.ts"
import type { Stray } from "./Strays.ts"

/** Fails with the first that the service does not list there. Gives the pages that it took. */
export const confirm = Effect.fnUntraced(function* (
  strays: ReadonlyArray<Stray>,
  search: PageReading.Search,
  settings: PagesSettings,
): Effect.fn.Return<number, TransferApiError | TransferPagerError> {
  let count = 0
  for (const [from, shown] of Map.groupBy(strays, ({ created_at }) => Timestamp.epochSeconds(created_at))) {
    const second = RefreshPlan.createdAt({ from, to: from + 1, pages: 1 })
    const pages = new Pages({ ...settings, query: { ...settings.query, created_at: second } })
    const missing = new Map(shown.map((stray) => [stray.id, stray]))
    for (let page; missing.size > 0 && (page = yield* PageReading.next(pages, search)) !== undefined;) {
      for (const { id } of page) missing.delete(id)
    }
    count += pages.tally.pages
    for (const { id, created_at } of missing.values()) {
      const missingFrom = Timestamp.fromEpochSeconds(from).text
      return yield* new OutsideFilter({ id, reason: `it was created at ${created_at.text}`, missingFrom })
    }
  }
  return count
})
