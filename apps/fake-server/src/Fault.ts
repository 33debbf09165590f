/**
 * What can be made to go wrong, and when: the vocabulary of fault rules, the same in a file, over HTTP and in a program.
 */
import * as Result from "effect/Result"
import * as S from "effect/Schema"
import * as SchemaIssue from "effect/SchemaIssue"

const fault = <const Name extends string, const Fields extends S.Struct.Fields>(name: Name, fields: Fields) =>
  S.Struct({ fault: S.Literal(name), ...fields })

const Count = S.Int.check(S.isBetween({ minimum: 1, maximum: 1_000_000 }))
const Milliseconds = S.Finite.check(S.isBetween({ minimum: 0, maximum: 3_600_000 }))

/** Another status, with a body and headers of choice; without a body, an error body that names the status. */
const StatusFault = fault("status", {
  status: S.Int.check(S.isBetween({ minimum: 200, maximum: 599 })),
  body: S.optionalKey(S.String),
  headers: S.optionalKey(S.Record(S.String, S.String)),
})
/** 429 with any form of Retry-After, or none. */
const RateLimitedFault = fault("rate_limited", { retry_after: S.optionalKey(S.String) })
/** A redirect to wherever. */
const RedirectFault = fault("redirect", {
  location: S.String,
  status: S.optionalKey(S.Literals([301, 302, 303, 307, 308])),
})
/** The cursor is refused as expired; requests without one are answered. */
const ExpiredCursorFault = fault("expired_cursor", {})

/** The answer comes later. */
const LatencyFault = fault("latency", { ms: Milliseconds })
/** The connection is reset: before the answer, within its headers, or within its body. */
const ResetFault = fault("reset", { at: S.Literals(["before", "headers", "body"]) })
/** The connection ends after so many bytes of the body, fewer than announced. Without a number: half of them. */
const TruncateFault = fault("truncate", { bytes: S.optionalKey(S.Int) })
/** The body comes in pieces with pauses between them. */
const DripFault = fault("drip", { bytes: Count, every_ms: Milliseconds })
/** The Date header is wrong by so many seconds. */
const ClockSkewFault = fault("clock_skew", { seconds: S.Int })

/** Another content type, or none where it is null. */
const ContentTypeFault = fault("content_type", { value: S.NullOr(S.String) })
/** The JSON ends in the middle, and the length says that this is all. */
const MalformedFault = fault("malformed", {})
/** The body starts with a byte order mark. */
const BomFault = fault("bom", {})
/** So many blanks after the JSON. */
const PaddingFault = fault("padding", { bytes: S.Int.check(S.isBetween({ minimum: 1, maximum: 256 * 1024 * 1024 })) })
/** A field `nested` at the top that goes that deep. */
const NestingFault = fault("nesting", { depth: Count })
/**
 * Another value at a JSON Pointer into the body, `*` for every element; without a value, none. So a number for a
 * string, a new enum value, null, a missing or an extra field.
 */
const DriftFault = fault("drift", { pointer: S.String.check(S.isPattern(/^\//)), value: S.optionalKey(S.Json) })

/** The page's cursor is the one that was asked for. */
const RepeatedCursorFault = fault("repeated_cursor", {})
/** The page's cursor is the first that this search was given. */
const CursorCycleFault = fault("cursor_cycle", {})
/** There is a next page, but no cursor to it. */
const MissingCursorFault = fault("missing_cursor", {})
/** A page without rows before the one that was asked for, which comes next. */
const EmptyPageFault = fault("empty_page", {})
/** Rows that are on the page twice. The page keeps to its limit where that can be. */
const DuplicateRowsFault = fault("duplicate_rows", { count: S.optionalKey(Count) })
/** More rows than the limit. */
const ExtraRowsFault = fault("extra_rows", { count: S.optionalKey(Count) })

/** After the answer, transfers are inserted: those given, what they lack made up, or so many new ones. */
const InsertFault = fault("insert", {
  transfers: S.optionalKey(S.Array(S.Record(S.String, S.Json))),
  count: S.optionalKey(Count),
})
/** After the answer, fields of a transfer change: of the one with the id, or the last on the page. */
const ChangeFault = fault("change", { id: S.optionalKey(S.String), fields: S.Record(S.String, S.Json) })
/** After the answer, a transfer is taken out: the one with the id, or the last on the page. */
const RemoveFault = fault("remove", { id: S.optionalKey(S.String) })

/** One thing that goes wrong. */
export const Fault = S.Union([
  StatusFault,
  RateLimitedFault,
  RedirectFault,
  ExpiredCursorFault,
  LatencyFault,
  ResetFault,
  TruncateFault,
  DripFault,
  ClockSkewFault,
  ContentTypeFault,
  MalformedFault,
  BomFault,
  PaddingFault,
  NestingFault,
  DriftFault,
  RepeatedCursorFault,
  CursorCycleFault,
  MissingCursorFault,
  EmptyPageFault,
  DuplicateRowsFault,
  ExtraRowsFault,
  InsertFault,
  ChangeFault,
  RemoveFault,
])

/** One thing that goes wrong. */
export type Fault = typeof Fault.Type

/**
 * The requests that a rule is about. All that is given must hold. `request` counts those that meet the rest, from 1:
 * one number, several, or every n-th.
 */
export const When = S.Struct({
  partner: S.optionalKey(S.String),
  path: S.optionalKey(S.String),
  cursor: S.optionalKey(S.Union([S.Boolean, S.String])),
  request: S.optionalKey(S.Union([Count, S.Array(Count), S.Struct({ every: Count }), S.Struct({ from: Count })])),
  probability: S.optionalKey(S.Finite.check(S.isBetween({ minimum: 0, maximum: 1 }))),
})

/** Faults, and the requests that they happen to; without `when`, to all below `/v1`. */
export const Rule = S.Struct({
  when: S.optionalKey(When),
  /** After so many requests the rule is done. */
  times: S.optionalKey(Count),
  faults: S.NonEmptyArray(Fault),
}).annotate({ identifier: "FaultRule" })

/** Faults, and the requests that they happen to. */
export type Rule = typeof Rule.Type

const Rules = S.Union([S.Array(Rule), S.Struct({ rules: S.Array(Rule) }), Rule])
const decode = S.decodeUnknownResult(Rules, { onExcessProperty: "error" })
const issuesOf = SchemaIssue.makeFormatterStandardSchemaV1()

/** Reads one rule, a list of them, or `{"rules":[…]}`. Fails with what is wrong and where. */
export const parse = (value: unknown): Result.Result<ReadonlyArray<Rule>, string> =>
  Result.mapBoth(decode(value), {
    onSuccess: (rules) => ("faults" in rules ? [rules] : "rules" in rules ? rules.rules : rules),
    onFailure: (error) =>
      issuesOf(error.issue)
        .issues.slice(0, 3)
        .map(({ message, path = [] }) => `${message} at /${path.map(String).join("/")}`)
        .join("; "),
  })
