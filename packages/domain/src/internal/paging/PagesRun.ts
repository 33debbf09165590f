/** Streams page after page. */
import * as Effect from "effect/Effect"
import { identity } from "effect/Function"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"
import type { Dialect } from "../../Dialect.ts"
import type { Transfer } from "../../Transfer.ts"
import type { TransferApi } from "../../TransferApi.ts"
import type { TransferQuery } from "../../TransferQuery.ts"
import * as Inquiry from "./Inquiry.ts"
import * as PageReading from "./PageReading.ts"
import * as PagerOptions from "./PagerOptions.ts"
import * as PagerRun from "./PagerRun.ts"
import { Pages } from "./Pages.ts"

export interface PagesRun {
  readonly search: TransferApi["Service"]["search"]
  readonly dialect: Dialect
  readonly query: TransferQuery
  readonly options: PagerOptions.PagesOptions
}

export const stream = ({
  search,
  dialect,
  query,
  options,
}: PagesRun): PagerRun.TransferStream<ReadonlyArray<Transfer>> =>
  Stream.suspend(() => {
    const checked = PagerOptions.check(options)
    if (Result.isFailure(checked)) return Stream.fail(checked.failure)
    const { limit, emptyPageBudget, prefetch } = checked.success
    const settings = { query, dialect, limit, emptyPageBudget, strict: options.strict ?? false }
    const pages = new Pages(settings)
    return PagerRun.reporting(options, pages, (progress) => {
      const next = Effect.fnUntraced(function* () {
        const page = yield* PageReading.next(pages, search)
        yield* progress
        const { unconfirmed } = pages
        if (unconfirmed.length > 0) {
          const answer = yield* Inquiry.ask({ search, settings }, { strays: unconfirmed, givenUp: [] })
          const confirmed = pages.confirm(answer)
          yield* progress
          yield* Effect.fromResult(confirmed)
        }
        const delivered = page === undefined ? [] : [page]
        return [delivered, pages.request === undefined ? Option.none<void>() : Option.some<void>(undefined)] as const
      })
      return Stream.paginate(undefined, next).pipe(
        prefetch > 0 ? Stream.bufferArray({ capacity: prefetch - 1 }) : identity,
      )
    })
  })
