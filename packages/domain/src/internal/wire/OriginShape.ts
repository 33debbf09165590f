/** The shape of an origin, without a schema: see ShapeCheck.ts. */
import { isNormal } from "./BaseUrl.ts"
import { fields, textThat } from "./ShapeCheck.ts"

/** What a base URL and a partner id should be. */
export const expected = {
  base_url: "a base URL in its normal form, such as https://api.example.com",
  partner_id: "a partner id",
}

export const origin = fields({
  base_url: textThat("text", (text) => (isNormal(text) ? undefined : expected.base_url)),
  partner_id: textThat("text", (text) => (text === "" ? expected.partner_id : undefined)),
})
