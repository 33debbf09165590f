/** A service in memory that gives prepared pages and keeps the requests it was sent. */
import type { Origin } from "@transferkit/domain/Origin"
import type { SearchRequest } from "@transferkit/domain/SearchRequest"
import { TransferApi } from "@transferkit/domain/TransferApi"
import { type TransferApiError, UnexpectedStatus } from "@transferkit/domain/TransferApiError"
import * as TransferPage from "@transferkit/domain/TransferPage"
import * as TransferPager from "@transferkit/domain/TransferPager"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"

/** A page in short: transfers as `id` or `id@created_at`, and the cursor if another page follows. */
export interface Page {
  readonly ids: ReadonlyArray<string>
  readonly next?: string
  /** Says that another page follows, with this cursor or without one. */
  readonly more?: boolean
}

export const page = ({ ids, next, more }: Page): TransferPage.TransferPage => {
  const results = ids.map((text) => {
    const [id, created_at = "2024-09-01T00:00:00Z"] = text.split("@")
    return { id, kind: "cash_in", status: "complete", created_at }
  })
  const page_info = { ...(next === undefined ? {} : { end_cursor: next }), has_next_page: more ?? next !== undefined }
  return Result.getOrThrow(TransferPage.fromJson(JSON.stringify({ results, page_info }), Infinity))
}

/** The pager over a service that answers each request by `answer`, and the requests it was sent. */
export const pager = (
  answer: (request: SearchRequest, number: number) => Page | Effect.Effect<Page, TransferApiError>,
  origin?: Origin,
) => {
  const requests: Array<SearchRequest> = []
  const api = Layer.succeed(TransferApi, {
    origin: Effect.succeed(origin),
    capabilities: Effect.fail(new UnexpectedStatus({ status: 404, body: "" })),
    search: (request) => {
      requests.push(request)
      const answered = answer(request, requests.length)
      return Effect.isEffect(answered) ? Effect.map(answered, page) : Effect.succeed(page(answered))
    },
  })
  return { requests, layer: TransferPager.TransferPager.layer.pipe(Layer.provide(api)) }
}

/** Pages that follow one another by the cursors 1, 2 and so on, whatever else is asked. */
export const inOrder =
  (...pages: ReadonlyArray<ReadonlyArray<string>>) =>
  (request: SearchRequest): Page => {
    const number = Number(request.after_cursor ?? 0)
    const ids = pages[number] ?? []
    return number + 1 < pages.length ? { ids, next: String(number + 1) } : { ids }
  }
