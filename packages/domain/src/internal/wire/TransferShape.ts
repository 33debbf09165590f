/** The shapes of transfers and pages (partner-api.md, section 2), without a schema: see ShapeCheck.ts. */
import { fields, flag, list, nullable, optional, type ShapeCheck, text, textThat } from "./ShapeCheck.ts"
import { amount, currencyCode } from "./TextShape.ts"
import { timestamp } from "./TimestampShape.ts"
import { fields as contract } from "./TransferFields.ts"

const money = fields({ amount, currency_code: currencyCode }, "an object with amount and currency_code")

const types = {
  id: textThat("text", (id) => (id === "" ? "a value with a length of at least 1" : undefined)),
  kind: text,
  status: text,
  created: timestamp,
  text: optional(nullable(text)),
  instant: optional(nullable(timestamp)),
  money: optional(nullable(money)),
}

export const transfer: ShapeCheck = fields(
  Object.fromEntries(Object.entries(contract).map(([name, type]) => [name, types[type]])),
  "a transfer: an object",
)

export const page: ShapeCheck = fields(
  { results: list(transfer), page_info: fields({ end_cursor: optional(nullable(text)), has_next_page: flag }) },
  "a page of transfers: an object",
)
