/**
 * Schemas of the documents around the rules: proposals as they are written, and the reports of a validation, an audit and
 * a summary. The rules do without them; JSON Schemas for editors and other languages are made of them.
 */
import * as S from "effect/Schema"
import * as Audit from "./Audit.ts"
import * as Money from "./Money.ts"
import * as Summary from "./Summary.ts"
import { moneyFields } from "./Transfer.ts"
import * as Validation from "./Validation.ts"

const describe = <A extends S.Top>(schema: A, description: string) => schema.annotate({ description })

/** A proposed transfer. */
export const Proposal = S.Struct({
  external_id: S.optionalKey(describe(S.NullOr(S.NonEmptyString), "Your own identifier, one for each transfer")),
  country_code: describe(S.String, "ISO 3166-1 alpha-2, such as US"),
  payment_method: describe(S.String, "A code of supported_payment_methods"),
  source: S.Struct({
    amount: describe(S.String, "Plain decimal digits as text, such as 100.00: never a number").check(
      S.isPattern(/^\d+(?:\.\d+)?$/u),
    ),
    currency_code: describe(S.String, "Such as fiat/USD"),
  }),
  destination_currency_code: describe(S.String, "Such as ethereum/USDC"),
}).annotate({ identifier: "Proposal" })

/** Proposals in a file or a request: one, a list, or the envelope. */
export const Proposals = S.Union([
  Proposal,
  S.Array(Proposal),
  S.Struct({ $schema: S.optionalKey(S.String), transfers: S.Array(Proposal) }),
]).annotate({
  title: "Proposals",
  description: "Proposed transfers, for transfers validate",
})

const finding = <const Codes extends ReadonlyArray<string>>(codes: Codes) => ({
  code: S.Literals(codes),
  path: describe(S.String, "JSON Pointer (RFC 6901) of the value"),
  message: describe(S.String, "For people: the value found and the values accepted"),
  actual: S.optionalKey(describe(S.Json, "The value found")),
  limit: S.optionalKey(describe(S.String, "The limit that it breaks")),
  nearest: S.optionalKey(describe(S.String, "The nearest valid value")),
})

/** The JSON that `transfers validate` prints. */
export const ValidationReport = S.Struct({
  valid: S.Boolean,
  results: S.Array(
    S.Struct({
      index: S.Int,
      external_id: S.optionalKey(S.String),
      valid: S.Boolean,
      violations: S.Array(S.Struct(finding(Validation.codes)).annotate({ identifier: "Violation" })),
    }),
  ),
}).annotate({ title: "Validation report", description: "The verdicts of transfers validate --output json" })

const times = describe(S.Array(S.Array(S.String)), "Creation times: for each range, the values of created_at")
const values = S.optionalKey(S.Array(S.String))

/** What a report says of the transfers it is about. */
export const Source = S.Struct({
  origin: describe(
    S.NullOr(S.Struct({ base_url: S.String, partner_id: S.String })),
    "Whose transfers they are; null if that is unknown",
  ),
  as_of: describe(S.NullOr(S.String), "Each transfer is as it was then, or later; null if that is unknown"),
  asked: describe(
    S.Struct({
      created_at: times,
      external_id: values,
      status: values,
      kind: values,
      currency: values,
      payment_method: values,
      not_status: describe(values, "It is about no transfer with one of these"),
    }),
    "What the report is about",
  ),
  missing: describe(times, "What the source lacks of it: empty unless --allow-incomplete was given"),
  stale: S.optionalKey(
    describe(
      S.Array(S.String),
      "Statuses that the source took as final, so later changes of their transfers are unknown: only with --allow-incomplete",
    ),
  ),
  narrowed: describe(
    S.Record(S.String, S.Array(S.String)),
    "Properties of which the source has only these values; of not_status none of these",
  ),
  version: describe(S.String, "Of the program"),
}).annotate({ identifier: "Source" })

/** A finding of an audit. */
export const Finding = S.Struct({
  id: describe(S.String, "Of the transfer"),
  external_id: S.optionalKey(S.String),
  ...finding(Audit.codes),
}).annotate({ identifier: "Finding" })

/** The JSON that `transfers audit` prints. */
export const AuditReport = S.Struct({
  settings: describe(
    S.Struct({
      time_zone: S.String,
      settled: describe(S.Array(S.String), "The statuses of transfers whose money has moved"),
      failed: describe(S.Array(S.String), "The statuses of transfers whose money will not move; all others are open"),
      capabilities: describe(S.String, "Their hash, as transfers capabilities prints it"),
      fees: describe(S.NullOr(S.String), "The file with the fee schedule"),
    }),
    "After defaults; source says of which transfers",
  ),
  transfers: S.Int,
  source: Source,
  findings: S.Array(Finding),
}).annotate({ title: "Audit report", description: "The findings of transfers audit --output json" })

const value = S.optionalKey(S.String)
const total = S.optionalKey(S.Array(Money.Wire))

/** The totals of a group of transfers. */
export const Group = S.Struct({
  key: describe(
    S.Struct({
      day: value,
      week: value,
      month: value,
      quarter: value,
      year: value,
      status: value,
      kind: value,
      payment_method: value,
      currency: value,
    } satisfies { readonly [D in Summary.Dimension]: typeof value }),
    "The value of each dimension of the summary; empty if a transfer has none",
  ),
  transfers: S.Int,
  totals: describe(
    S.Record(S.Literals(moneyFields), total),
    "Of each field the exact total in each currency; a field without an amount is absent",
  ),
}).annotate({ identifier: "Group" })

/** The JSON that `transfers summary` prints. */
export const SummaryReport = S.Struct({
  by: S.Array(S.Literals(Summary.dimensions)),
  transfers: describe(S.Int, "Grouped by currency, a transfer is in a group for each of its currencies"),
  groups: S.Array(Group),
  source: Source,
}).annotate({ title: "Summary report", description: "The JSON of transfers summary --output json" })
