/** One page of a transfer search, and the cursor of the next (partner-api.md, 2.4 and 4.2). */
import type * as Result from "effect/Result"
import * as S from "effect/Schema"
import { fromJsonText } from "./internal/wire/FromJsonText.ts"
import { readPage, type TransferPage } from "./internal/wire/PageReader.ts"
import { schemaIssue } from "./internal/wire/SchemaIssue.ts"
import * as JsonDepth from "./JsonDepth.ts"
import * as Transfer from "./Transfer.ts"
import type { MalformedResponse } from "./TransferApiError.ts"

export type { PageInfo, TransferPage } from "./internal/wire/PageReader.ts"

const PageInfoWire = S.Struct({
  end_cursor: S.optionalKey(S.NullOr(S.String)),
  has_next_page: S.Boolean,
}).annotate({ identifier: "PageInfo" })

/** The wire form of a page. */
export const Wire = S.Struct({ results: S.Array(Transfer.Wire), page_info: PageInfoWire }).annotate({
  identifier: "TransferPage",
})

/**
 * Reads a page from JSON text. Amounts and instants are checked here and computed on first use.
 *
 * @example
 * Result.map(TransferPage.fromJson('{"results":[],"page_info":{"has_next_page":false}}'), (page) => page.results.length) // => Result.succeed(0)
 * Result.mapError(TransferPage.fromJson('{"results":{},"page_info":{"has_next_page":false}}'), (error) => error.pointer) // => Result.fail("/results")
 */
export const fromJson: (text: string) => Result.Result<TransferPage, MalformedResponse> = fromJsonText(
  schemaIssue(Wire),
  readPage,
  // A field is three levels down: /results/0/field.
  JsonDepth.maxDepth + 3,
)
