/** The faults of a fake. FaultRule.ts says to which requests they apply. */
import * as Result from "effect/Result"
import * as S from "effect/Schema"
import { HeaderValue } from "./internal/HeaderValue.ts"
import * as Latency from "./Latency.ts"

const fault = <const Name extends string, const Fields extends S.Struct.Fields>(name: Name, fields: Fields) =>
  S.Struct({ fault: S.Literal(name), ...fields })

const Count = S.Int.check(S.isBetween({ minimum: 1, maximum: 1_000_000 }))
const Rows = S.Int.check(S.isBetween({ minimum: 1, maximum: 10_000 }))
const Bytes = S.Int.check(S.isBetween({ minimum: 0, maximum: 64 * 1024 * 1024 }))
const Milliseconds = S.Finite.check(S.isBetween({ minimum: 0, maximum: 3_600_000 }))

/** A drifted value may appear in every row. */
const maxDriftValue = 64 * 1024

/** The most headers of a fault: each fault after it copies them. */
const maxHeaders = 100
/** Headers by name, except those about the length of the body and the end of the connection. */
const Headers = S.Record(S.String, HeaderValue).check(
  S.makeFilter((headers) => Object.keys(headers).every((name) => headerName.test(name)), {
    expected: "names of headers, without connection, content-length, trailer, transfer-encoding and upgrade",
  }),
  S.makeFilter((headers) => Object.keys(headers).length <= maxHeaders, { expected: `at most ${maxHeaders} headers` }),
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
    S.isMaxLength(10_000),
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
