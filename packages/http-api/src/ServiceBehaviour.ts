/**
 * The behaviour of one deployment on the wire where the contract is silent: found by its certification, and imitated by a
 * fake. A part that was not found is absent.
 */
import * as S from "effect/Schema"

const describe = <A extends S.Top>(schema: A, description: string) => schema.annotate({ description })
const optional = <A extends S.Top>(schema: A, description: string) => S.optionalKey(describe(schema, description))

/** The value of a header, or of a text in a body, that differs from response to response. */
export const varying = "(varies)"

/** The requests that a deployment may answer in its own way: invalid ones, but for the unknown parameter. */
export const cases = [
  "limit_zero",
  "limit_above",
  "limit_text",
  "created_at_operator",
  "created_at_text",
  "after_cursor",
  "unknown_parameter",
  "no_credentials",
  "other_credentials",
  "unknown_path",
] as const

/** One of them. */
export type Case = (typeof cases)[number]

/** What Node sends: nothing that ends a header, nor a name that is not a token. */
const Headers = S.Record(
  S.String.check(S.isPattern(/^[!#$%&'*+.^_`|~a-z0-9-]+$/)),
  S.String.check(S.isPattern(/^[\t\x20-\x7e\x80-\xff]*$/), S.isMaxLength(1024)),
)

/** A response without what differs each time. */
export const CaseResponse = S.Struct({
  status: S.Int.check(S.isBetween({ minimum: 200, maximum: 999 })),
  headers: describe(Headers, "By lower-case name, without those of the connection"),
  body: optional(S.String.check(S.isMaxLength(16_384)), "Of a rejection"),
}).annotate({ identifier: "CaseResponse" })

/** A response without what differs each time. */
export type CaseResponse = typeof CaseResponse.Type

/** The orders of results that can be distinguished. */
export const orders = ["newest-first", "oldest-first", "by-id", "by-updated", "shuffled"] as const

/** The schema, as certificates hold it. */
export const Schema = S.Struct({
  order: optional(S.Literals(orders), "The order of results"),
  lte_token: optional(S.NullOr(S.String), "The operator of created_at for less than or equal; null if there is none"),
  default_limit: optional(S.Int, "The size of a page without a limit"),
  largest_page: optional(S.Int, "The size of a page with a limit of 20, if there is a next one"),
  limit_above: optional(S.Literals(["rejected", "capped", "served"]), "What happens to a limit of 21"),
  unknown_parameters: optional(S.Literals(["rejected", "ignored"]), "What happens to a parameter that does not exist"),
  bound_digits: optional(S.Literals([0, 3, 6, 9]), "The fraction digits of a bound that count"),
  time_digits: optional(S.Int, "The most fraction digits of a created_at"),
  cursor_scope: optional(S.Literals(["search", "any"]), "Whether a cursor is accepted with another filter, too"),
  encodings: optional(S.Array(S.String), "The content encodings that were seen"),
  unknown_fields: optional(
    S.Array(S.String.check(S.isMaxLength(128))).check(S.isMaxLength(50)),
    "Fields that the contract does not have, as JSON Pointers",
  ),
  headers: optional(Headers, "The headers of a page"),
  responses: optional(S.Record(S.Literals(cases), S.optionalKey(CaseResponse)), "The responses to special requests"),
  rate_limit: optional(
    S.Struct({ requests: S.Int, seconds: S.Int, response: CaseResponse }),
    "How many requests were served, in how many seconds, before the first response with 429",
  ),
}).annotate({ identifier: "ServiceBehaviour" })

/** The behaviour of one deployment. */
export type ServiceBehaviour = typeof Schema.Type
