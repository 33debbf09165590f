/** The schema of {@link file://../../Origin.ts}. Separate, so that programs that only compare origins load no schema. */
import * as S from "effect/Schema"
import { isNormal } from "./BaseUrl.ts"
import { expected } from "./OriginShape.ts"

/** The wire form of an origin. */
export const Schema = S.Struct({
  base_url: S.String.check(S.makeFilter(isNormal, { expected: expected.base_url })),
  partner_id: S.String.check(S.makeFilter((text) => text !== "", { expected: expected.partner_id })),
}).annotate({ identifier: "Origin" })
