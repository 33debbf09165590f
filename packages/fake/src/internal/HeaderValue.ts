/** Text that a header can carry. */
import * as S from "effect/Schema"

export const HeaderValue = S.String.check(
  S.isPattern(/^[\t\x20-\x7e\x80-\xff]*$/, { expected: "text that a header can carry" }),
)
