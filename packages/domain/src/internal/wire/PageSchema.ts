/** The schema of a page. Separate, so that programs that only read pages load no schema. */
import * as S from "effect/Schema"
import * as Transfer from "./TransferSchema.ts"

const PageInfo = S.Struct({
  end_cursor: S.optionalKey(S.NullOr(S.String)),
  has_next_page: S.Boolean,
}).annotate({ identifier: "PageInfo" })

/** The wire form of a page. */
export const Wire = S.Struct({ results: S.Array(Transfer.Wire), page_info: PageInfo }).annotate({
  identifier: "TransferPage",
})
