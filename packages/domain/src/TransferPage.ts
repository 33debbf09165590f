/** One page of a transfer search, and the cursor of the next (partner-api.md, 2.4 and 4.2). */
import * as Result from "effect/Result"
import * as Excess from "./internal/wire/Excess.ts"
import { fromJsonText } from "./internal/wire/FromJsonText.ts"
import { readPage, type TransferPage } from "./internal/wire/PageReader.ts"
import { page as pageShape } from "./internal/wire/TransferShape.ts"
import * as JsonDepth from "./JsonDepth.ts"
import type { MalformedResponse } from "./TransferApiError.ts"

export type { PageInfo, TransferPage } from "./internal/wire/PageReader.ts"
export { Wire } from "./internal/wire/PageSchema.ts"

/**
 * Reads a page from JSON text, of at most {@link JsonBounds.most} commas, lists and objects each, or as many as `most` says. Amounts and instants are checked here and computed on first use.
 *
 * @example
 * Result.map(TransferPage.fromJson('{"results":[],"page_info":{"has_next_page":false}}'), (page) => page.results.length) // => Result.succeed(0)
 * Result.mapError(TransferPage.fromJson('{"results":{},"page_info":{"has_next_page":false}}'), (error) => error.pointer) // => Result.fail("/results")
 */
export const fromJson = (text: string, most?: number): Result.Result<TransferPage, MalformedResponse> =>
  Result.map(read(text, most), (page) => Excess.noted(page, text))

// A field is three levels down: /results/0/field.
const read = fromJsonText(pageShape, readPage, JsonDepth.maxDepth + 3)
