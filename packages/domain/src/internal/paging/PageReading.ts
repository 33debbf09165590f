/** Reads the next page of a listing. */
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type { Transfer } from "../../Transfer.ts"
import type { TransferApi } from "../../TransferApi.ts"
import * as TransferApiError from "../../TransferApiError.ts"
import type { TransferPagerError } from "../../TransferPagerError.ts"
import type { Pages } from "./Pages.ts"

export type Search = TransferApi["Service"]["search"]

/** The transfers of the next page, if there is one; none if its cursor was rejected. */
export const next = Effect.fnUntraced(function* (
  pages: Pages,
  search: Search,
): Effect.fn.Return<ReadonlyArray<Transfer> | undefined, TransferApiError.TransferApiError | TransferPagerError> {
  const { request } = pages
  if (request === undefined) return undefined
  const response = yield* Effect.result(search(request))
  if (Result.isSuccess(response)) return yield* Effect.fromResult(pages.admit(response.success))
  if (pages.isAtStart || !TransferApiError.isRejection(response.failure)) return yield* response.failure
  yield* Effect.fromResult(pages.expire(response.failure.message))
  return []
})
