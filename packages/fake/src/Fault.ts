/**
 * The vocabulary of fault rules: which fault, and when. It is the same in a file, over HTTP and in a program.
 */
import * as JsonDepth from "@transferkit/domain/JsonDepth"
import * as Data from "effect/Data"
import * as Predicate from "effect/Predicate"
import * as Result from "effect/Result"
import * as S from "effect/Schema"
import * as SchemaIssue from "effect/SchemaIssue"
import * as Latency from "./Latency.ts"

const fault = <const Name extends string, const Fields extends S.Struct.Fields>(name: Name, fields: Fields) =>
  S.Struct({ fault: S.Literal(name), ...fields })

const Count = S.Int.check(S.isBetween({ minimum: 1, maximum: 1_000_000 }))
const Rows = S.Int.check(S.isBetween({ minimum: 1, maximum: 10_000 }))
const Bytes = S.Int.check(S.isBetween({ minimum: 0, maximum: 64 * 1024 * 1024 }))
const Milliseconds = S.Finite.check(S.isBetween({ minimum: 0, maximum: 3_600_000 }))

/** A drifted value may appear in every row. */
const maxDriftValue = 64 * 1024

/** Text that a header can carry. */
const HeaderValue = S.String.check(
  S.isPattern(/^[\t\x20-\x7e\x80-\xff]*$/, { expected: "text that a header can carry" }),
)
/** Headers by name, except those about the length of the body and the end of the connection. */
const Headers = S.Record(S.String, HeaderValue).check(
  S.makeFilter((headers) => Object.keys(headers).every((name) => headerName.test(name)), {
    expected: "names of headers, without connection, content-length, trailer, transfer-encoding and upgrade",
  }),
)
const headerName = /^(?!(?:connection|content-length|trailer|transfer-encoding|upgrade)$)[!#$%&'*+.^_`|~0-9a-z-]+$/i

/** Another status, with any body and headers; without a body, an error body that names the status. */
const StatusFault = fault("status", {
  status: S.Int.check(S.isBetween({ minimum: 200, maximum: 599 })),
  body: S.optionalKey(S.String),
  headers: S.optionalKey(Headers),
}).check(
  S.makeFilter(({ status, body = "" }) => body === "" || (status !== 204 && status !== 304), {
    expected: "no body, because 204 and 304 have no body",
  }),
)
/** 429 with any form of Retry-After, or none. */
const RateLimitedFault = fault("rate_limited", { retry_after: S.optionalKey(HeaderValue) })
/** A redirect to any location. */
const RedirectFault = fault("redirect", {
  location: HeaderValue,
  status: S.optionalKey(S.Literals([301, 302, 303, 307, 308])),
})
/** The cursor is rejected as expired. Requests without a cursor are not affected. */
const ExpiredCursorFault = fault("expired_cursor", {})

/** The response is delayed: by milliseconds, or by a draw from a distribution such as `20ms..80ms`. */
const LatencyFault = fault("latency", {
  ms: S.optionalKey(Milliseconds),
  distribution: S.optionalKey(
    S.String.check(
      S.makeFilter((text) => Result.isSuccess(Latency.parse(text)), {
        expected: "a latency such as 20ms, 20ms..80ms or lognormal(50ms, 0.5)",
      }),
    ),
  ),
}).check(
  S.makeFilter(({ ms, distribution }) => (ms === undefined) !== (distribution === undefined), {
    expected: "either ms or distribution",
  }),
)
/** There is no response, and the connection stays open. */
const NoReplyFault = fault("no_reply", {})
/** The connection ends without a response. */
const EmptyReplyFault = fault("empty_reply", {})
/** Random bytes instead of a response, and the connection ends. @default 1024 of them */
const GarbageFault = fault("garbage", { bytes: S.optionalKey(Count) })
/** The connection is reset: before the response, within its headers, or within its body. */
const ResetFault = fault("reset", { at: S.Literals(["before", "headers", "body"]) })
/** The connection ends after this many bytes of the body, fewer than announced. @default half of them */
const TruncateFault = fault("truncate", { bytes: S.optionalKey(Bytes) })
/** The body is sent in pieces with pauses. */
const DripFault = fault("drip", { bytes: Count, every_ms: Milliseconds })
/** The body is chunked, and half of it is followed by a chunk without a valid size. */
const BadChunkFault = fault("bad_chunk", {})
/** The body is compressed, whatever the client accepts, and does not match its checksum. */
const BadGzipFault = fault("bad_gzip", {})
/** The Date header is wrong by this many seconds. */
const ClockSkewFault = fault("clock_skew", {
  seconds: S.Int.check(S.isBetween({ minimum: -3_000_000_000, maximum: 3_000_000_000 })),
})

/** Another content type, or none if it is null. */
const ContentTypeFault = fault("content_type", { value: S.NullOr(HeaderValue) })
/** The JSON ends in the middle, with a matching content length. */
const MalformedFault = fault("malformed", {})
/** The body starts with a byte order mark. */
const BomFault = fault("bom", {})
/** This many blanks after the JSON. */
const PaddingFault = fault("padding", { bytes: Bytes.check(S.isGreaterThan(0)) })
/** A top-level field `nested`, nested this deep. */
const NestingFault = fault("nesting", { depth: Count })
/**
 * Another value at a JSON Pointer into the body, `*` for every element; without a value, the place is removed. For
 * example a number for a string, a new enum value, null, a missing or an extra field.
 */
const DriftFault = fault("drift", {
  pointer: S.String.check(
    S.isPattern(/^\/(?:[^~]|~[01])*$/, { expected: "a JSON Pointer, such as /results/*/status" }),
    S.isPattern(/^(?!.*\/[0-9]{6,}(?:\/|$))/s, { expected: "a JSON Pointer with indexes of at most 99999" }),
  ),
  value: S.optionalKey(
    S.Json.check(
      S.makeFilter((value) => JSON.stringify(value).length <= maxDriftValue, {
        expected: `a value of at most ${maxDriftValue} characters as JSON`,
      }),
    ),
  ),
})

/** The page's cursor is the one that was sent. */
const RepeatedCursorFault = fault("repeated_cursor", {})
/** The page's cursor is the first one of this search. */
const CursorCycleFault = fault("cursor_cycle", {})
/** There is a next page, but no cursor. */
const MissingCursorFault = fault("missing_cursor", {})
/** A page without rows, followed by the requested one. */
const EmptyPageFault = fault("empty_page", {})
/** Rows that are on the page twice. The page keeps to its limit if possible. */
const DuplicateRowsFault = fault("duplicate_rows", { count: S.optionalKey(Rows) })
/** More rows than the limit. */
const ExtraRowsFault = fault("extra_rows", { count: S.optionalKey(Rows) })

/** Transfers are inserted after the response: those given, with missing fields generated, or `count` new ones. */
const InsertFault = fault("insert", {
  transfers: S.optionalKey(S.NonEmptyArray(S.Record(S.String, S.Json))),
  count: S.optionalKey(Rows),
})
/** Fields of a transfer change after the response: of the one with the id, or the last on the page. */
const ChangeFault = fault("change", { id: S.optionalKey(S.String), fields: S.Record(S.String, S.Json) })
/** A transfer is removed after the response: the one with the id, or the last on the page. */
const RemoveFault = fault("remove", { id: S.optionalKey(S.String) })

/**
 * One fault, as a schema.
 *
 * @example
 * await using fake = await startFakeServer({ faults: [{ faults: [{ fault: "rate_limited", retry_after: "3" }] }] })
 * (await fetch(`${fake.url}/v1/capabilities`, { headers })).headers.get("retry-after") // => "3"
 */
export const Fault = S.Union([
  StatusFault,
  RateLimitedFault,
  RedirectFault,
  ExpiredCursorFault,
  LatencyFault,
  NoReplyFault,
  EmptyReplyFault,
  GarbageFault,
  ResetFault,
  TruncateFault,
  DripFault,
  BadChunkFault,
  BadGzipFault,
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

/** One fault. */
export type Fault = typeof Fault.Type

/**
 * The requests that a rule applies to: all conditions must hold. `request` counts those that meet the others, from 1:
 * one number, several, every n-th, or from the n-th on.
 *
 * @example
 * const when = { partner: "demo", path: "/v1/transfers/search", request: { every: 3 } }
 * Result.isSuccess(Fault.parse({ when, faults: [{ fault: "empty_page" }] })) // => true
 */
export const When = S.Struct({
  partner: S.optionalKey(S.String),
  path: S.optionalKey(
    S.String.check(
      S.isPattern(/^\/(?!_fake\/)[^?]*$/, { expected: "a path of the service, which starts with / and has no query" }),
    ),
  ),
  cursor: S.optionalKey(S.Union([S.Boolean, S.String])),
  request: S.optionalKey(
    S.Union([Count, S.NonEmptyArray(Count), S.Struct({ every: Count }), S.Struct({ from: Count })]),
  ),
  probability: S.optionalKey(S.Finite.check(S.isBetween({ minimum: 0, maximum: 1 }))),
})

/**
 * Faults, and the requests that they apply to; without `when`, all below `/v1`.
 *
 * @example
 * const rule = { when: { cursor: true }, times: 1, faults: [{ fault: "expired_cursor" }] }
 * await using fake = await startFakeServer({ faults: [rule] })
 * (await fetch(`${fake.url}/v1/transfers/search?after_cursor=a`, { headers })).status // => 400
 */
export const Rule = S.Struct({
  when: S.optionalKey(When),
  /** The rule ends after this many requests. */
  times: S.optionalKey(Count),
  faults: S.NonEmptyArray(Fault).check(S.isMaxLength(100)),
}).annotate({ identifier: "FaultRule" })

/** Faults, and the requests that they apply to. */
export type Rule = typeof Rule.Type

/**
 * A fault rule that cannot do what it says. `reason` says why, and where in the rules.
 *
 * @example
 * const faults = [{ faults: [{ fault: "redirect" }] }]
 * (await startFakeServer({ faults }).catch((error) => error)).reason // => "missing key at /0/faults/0/location"
 */
export class InvalidRule extends Data.TaggedError("InvalidRule")<{ readonly reason: string }> {
  override get message(): string {
    return `Not a fault rule: ${this.reason}.`
  }
}

const decodeRule = S.decodeUnknownResult(Rule, { onExcessProperty: "error" })
const issuesOf = SchemaIssue.makeFormatterStandardSchemaV1()

/** The names of all faults. */
const names: ReadonlyArray<string> = Fault.members.map(({ fields }) => fields.fault.literal)

/** No rule nests deeper, in its values. */
const maxDepth = 64

/**
 * Reads one rule, a list of them, or `{"rules":[…]}`, which may name its `$schema`. Fails with the error and its
 * place.
 *
 * @example
 * Result.isSuccess(Fault.parse({ faults: [{ fault: "no_reply" }] })) // => true
 * Result.merge(Fault.parse({ rules: [{ faults: [] }] })) // => "expected at least one fault at /rules/0/faults"
 */
export const parse = (value: unknown): Result.Result<ReadonlyArray<Rule>, string> => {
  const deep = JsonDepth.findDeeper(value, maxDepth)
  if (deep !== undefined) return Result.fail(`expected at most ${maxDepth} levels of nesting at ${deep.slice(0, 100)}`)
  if (Array.isArray(value)) return parseAll(value, "")
  if (!Predicate.isReadonlyObject(value) || !("rules" in value))
    return Result.map(parseOne(value, ""), (rule) => [rule])
  const unknown = Object.keys(value).find((name) => name !== "rules" && name !== "$schema")
  if (unknown !== undefined) return Result.fail(`unknown key at /${unknown}: only rules and $schema are allowed here`)
  return Array.isArray(value["rules"])
    ? parseAll(value["rules"], "/rules")
    : Result.fail("expected an array of rules at /rules")
}

/**
 * The most rules at once: each request is compared with every rule, and each rule is checked against every other.
 *
 * @example
 * const rules = Array.from({ length: Fault.maxRules + 1 }, () => ({ faults: [{ fault: "bom" }] }))
 * Result.merge(Fault.parse(rules)) // => "expected at most 1000 rules, not 1001, at /"
 */
export const maxRules = 1000

const parseAll = (values: ReadonlyArray<unknown>, place: string): Result.Result<ReadonlyArray<Rule>, string> =>
  values.length > maxRules
    ? Result.fail(`expected at most ${maxRules} rules, not ${values.length}, at ${place || "/"}`)
    : Result.all(values.map((value, index) => parseOne(value, `${place}/${index}`)))

/**
 * The JSON Pointer of the rule at an index, in a value that {@link parse} reads.
 *
 * @example
 * Fault.placeOf({ rules: [{ faults: [] }] }, 0) // => "/rules/0"
 */
export const placeOf = (value: unknown, index: number): string =>
  Array.isArray(value) ? `/${index}` : Predicate.isReadonlyObject(value) && "rules" in value ? `/rules/${index}` : ""

const parseOne = (value: unknown, place: string): Result.Result<Rule, string> => {
  const faults: unknown = Predicate.isReadonlyObject(value) ? value["faults"] : undefined
  if (Array.isArray(faults)) {
    if (faults.length === 0) return Result.fail(`expected at least one fault at ${place}/faults`)
    const strange = faults.findIndex((each) => !Predicate.isReadonlyObject(each) || !isName(each["fault"]))
    if (strange !== -1) {
      return Result.fail(`expected fault to be one of ${names.join(", ")} at ${place}/faults/${strange}`)
    }
  }
  return Result.mapError(decodeRule(value), (error) =>
    issuesOf(error.issue)
      .issues.slice(0, 3)
      .map(({ message, path = [] }) => {
        const keys = path.map(String)
        return `${plain(message, value, keys)} at ${[place, ...keys].join("/") || "/"}`
      })
      .join("; "),
  )
}

const isName = (value: unknown): boolean => typeof value === "string" && names.includes(value)

const plain = (message: string, rule: unknown, path: ReadonlyArray<string>): string => {
  if (message.startsWith("Missing key")) return "missing key"
  if (message.startsWith("Expected no excess property")) {
    const known = keysBeside(rule, path)
    return known.length === 0 ? "unknown key" : `unknown key, not one of ${known.join(", ")},`
  }
  const given = JSON.stringify(valueAt(rule, path)) ?? "nothing"
  return `${message.replace(/^Expected/, "expected")}, not ${given.slice(0, 64)},`
}

/** The known keys beside an unknown one, if they are fixed. */
const keysBeside = (rule: unknown, path: ReadonlyArray<string>): ReadonlyArray<string> => {
  if (path.length === 1) return Object.keys(Rule.fields)
  if (path.length === 2 && path[0] === "when") return Object.keys(When.fields)
  if (path.length !== 3) return []
  const name = valueAt(rule, [...path.slice(0, 2), "fault"])
  return Object.keys(Fault.members.find(({ fields }) => fields.fault.literal === name)?.fields ?? {})
}

const valueAt = (value: unknown, path: ReadonlyArray<string>): unknown =>
  path.reduce<unknown>(
    (inside, key) => (typeof inside === "object" && inside !== null ? Reflect.get(inside, key) : undefined),
    value,
  )
