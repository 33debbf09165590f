/** The two ends of a search: the URL of its query, and the reader of its page. */
import type { SearchRequest } from "@transferkit/domain/SearchRequest"
import * as SecretText from "@transferkit/domain/SecretText"
import { InvalidRequest, MalformedResponse } from "@transferkit/domain/TransferApiError"
import * as TransferPage from "@transferkit/domain/TransferPage"
import * as SearchQuery from "@transferkit/http-api/SearchQuery"
import * as Result from "effect/Result"
import type { Decode } from "./Call.ts"

/** A cursor is in the address of the next request, and in the messages about it, so it may not hold the credentials. */
export const readPage: Decode<TransferPage.TransferPage> = (text, scrub) =>
  Result.filterOrFail(
    TransferPage.fromJson(text),
    ({ page_info: { end_cursor = "" } }) =>
      end_cursor.length <= SecretText.mostSearched && scrub(end_cursor) === end_cursor,
    () => new MalformedResponse({ pointer: "", expected: "a page whose cursor holds no credentials", actual: "" }),
  )

/** Fails if a URL cannot carry the request. */
export const searchUrl = (path: string, request: SearchRequest): Result.Result<string, InvalidRequest> =>
  Result.mapBoth(SearchQuery.encode(request), {
    onSuccess: (query) => (query === "" ? path : `${path}?${query}`),
    onFailure: ({ message }) =>
      new InvalidRequest({ status: 400, errors: [{ code: "invalid_parameter", message: `Not sent: ${message}` }] }),
  })
