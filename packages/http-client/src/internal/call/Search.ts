/** The two ends of a search: the URL of its query, and the reader of its page. */
import type { SearchRequest } from "@transferkit/domain/SearchRequest"
import { InvalidRequest } from "@transferkit/domain/TransferApiError"
import * as TransferPage from "@transferkit/domain/TransferPage"
import * as SearchQuery from "@transferkit/http-api/SearchQuery"
import * as Result from "effect/Result"

export const readPage = TransferPage.fromJson

/** Fails if a URL cannot carry the request. */
export const searchUrl = (path: string, request: SearchRequest): Result.Result<string, InvalidRequest> =>
  Result.mapBoth(SearchQuery.encode(request), {
    onSuccess: (query) => (query === "" ? path : `${path}?${query}`),
    onFailure: ({ message }) =>
      new InvalidRequest({ status: 400, errors: [{ code: "invalid_parameter", message: `Not sent: ${message}` }] }),
  })
