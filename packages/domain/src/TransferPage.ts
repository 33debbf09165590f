/** One page of a transfer search and where the next one starts (partner-api.md, 2.4 and 4.2). */
import type * as Result from "effect/Result"
import * as S from "effect/Schema"
import { wireText } from "./internal/wire/FromJsonText.ts"
import { readPage } from "./internal/wire/PageReader.ts"
import { schemaMisfit } from "./internal/wire/SchemaIssue.ts"
import * as Transfer from "./Transfer.ts"
import type { MalformedResponse } from "./TransferApiError.ts"

/** Where a page ends. `end_cursor` is the `after_cursor` of the next page. */
export interface PageInfo {
  readonly end_cursor?: string
  readonly has_next_page: boolean
}

/** The transfers of one page, in the order of the service. */
export interface TransferPage {
  readonly results: ReadonlyArray<Transfer.Transfer>
  readonly page_info: PageInfo
}

const PageInfoWire = S.Struct({
  end_cursor: S.optionalKey(S.NullOr(S.String)),
  has_next_page: S.Boolean,
}).annotate({ identifier: "PageInfo" })

/** The wire form of a page. */
export const Wire = S.Struct({ results: S.Array(Transfer.Wire), page_info: PageInfoWire }).annotate({
  identifier: "TransferPage",
})

/**
 * Reads a page from JSON text. Amounts and instants are checked here and computed when they are first asked for.
 *
 * @example
 * Result.map(TransferPage.fromJson('{"results":[],"page_info":{"has_next_page":false}}'), (page) => page.results.length) // => Result.succeed(0)
 * Result.mapError(TransferPage.fromJson('{"results":{},"page_info":{"has_next_page":false}}'), (error) => error.pointer) // => Result.fail("/results")
 */
export const fromJson: (text: string) => Result.Result<TransferPage, MalformedResponse> = wireText(
  schemaMisfit(Wire),
  readPage,
)
