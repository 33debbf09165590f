/** Events that are no plain request for verdicts, and what each must return, written by hand from the README. */
import { gzipSync } from "node:zlib"
import * as Redacted from "effect/Redacted"
import * as Continuation from "../../src/file/Continuation.ts"
import { proposal } from "./ProposalCases.ts"

/** `status` of a response, `error` by name, or `failed` messages that go back to the queue; or a part of the result. */
export interface Expected {
  readonly status?: number
  readonly code?: string
  readonly error?: string
  readonly failed?: ReadonlyArray<string>
  readonly result?: object
}

type Case = readonly [name: string, event: unknown, expected: Expected]

const continuation = {
  bucket: "proposals",
  key: "good.csv",
  etag: "other",
  tally: { rows: 0, invalid: 0, violations: {} },
}
const signed = { ...continuation, signature: Continuation.signature(Redacted.make("key"), continuation) }

const text = JSON.stringify(proposal())
const many = (count: number) => Array.from({ length: count }, () => proposal())
const http = (body: string, more: object = {}) => ({
  version: "2.0",
  requestContext: { http: { method: "POST" } },
  headers: { "content-type": "application/json" },
  body,
  ...more,
})
const method = (name: string) => http(text, { requestContext: { http: { method: name } } })
const typed = (type: string) => http(text, { headers: { "content-type": type } })
const encoded = (body: Buffer, encoding: string) =>
  http(body.toString("base64"), {
    headers: { "content-type": "application/json", "content-encoding": encoding },
    isBase64Encoded: true,
  })
const message = (messageId: string, body: unknown, group?: string) => ({
  messageId,
  eventSource: "aws:sqs",
  body: typeof body === "string" ? body : JSON.stringify(body),
  attributes: group === undefined ? {} : { MessageGroupId: group },
})
const queue = (...Records: ReadonlyArray<object>) => ({ Records })
const deep = `${"[".repeat(50_000)}${"]".repeat(50_000)}`
const malformed: Expected = { status: 400, code: "malformed_request" }
const day = { since: "2024-09-01T00:00:00Z", until: "2024-09-02T00:00:00Z" }
const file = (key: string) => ({ file: { bucket: "proposals", key } })

export const overHttp: ReadonlyArray<Case> = [
  ["no body", http(""), malformed],
  ["blanks", http(" \n"), malformed],
  ["a body cut off", http('{"transfers":['), malformed],
  ["a number", http("7"), malformed],
  ["null", http("null"), malformed],
  ["an empty list", http("[]"), malformed],
  ["an empty envelope", http('{"transfers":[]}'), malformed],
  ["an envelope of no list", http('{"transfers":{}}'), malformed],
  ["a value that is nested deeply", http(`[${deep}]`), malformed],
  ["a mark before the body", http(`\ufeff${text}`), { status: 200 }],
  ["a thousand proposals", http(JSON.stringify(many(1000))), { status: 200 }],
  ["one more", http(JSON.stringify(many(1001))), { status: 413, code: "too_large" }],
  ["more than 4 MiB", http(" ".repeat(4 * 1024 * 1024 + 1)), { status: 413, code: "too_large" }],
  ["a gzip bomb", encoded(gzipSync(" ".repeat(50_000_000)), "gzip"), { status: 413, code: "too_large" }],
  ["gzip that is none", encoded(Buffer.from(text), "gzip"), malformed],
  ["gzip cut off", encoded(gzipSync(text).subarray(0, 40), "gzip"), malformed],
  ["brotli", encoded(Buffer.from(text), "br"), { status: 415, code: "unsupported_media_type" }],
  ["a form", typed("application/x-www-form-urlencoded"), { status: 415, code: "unsupported_media_type" }],
  ["text", typed("text/plain"), { status: 415, code: "unsupported_media_type" }],
  ["Latin-1", encoded(Buffer.from(`{"external_id":"\u00fc"}`, "latin1"), "identity"), malformed],
  ["a charset", typed("application/json; charset=iso-8859-1"), { status: 415, code: "unsupported_media_type" }],
  ["JSON of a vendor", typed("application/vnd.a+json; charset=utf-8"), { status: 200 }],
  ["no headers", http(text, { headers: undefined }), { status: 200 }],
  ...["GET", "PUT", "DELETE", "OPTIONS", "HEAD", "x"].map((name): Case => [
    `the method ${name}`,
    method(name),
    { status: 405, code: "method_not_allowed" },
  ]),
  [
    "a result over the limit of a load balancer",
    {
      httpMethod: "POST",
      requestContext: { elb: {} },
      headers: {},
      body: JSON.stringify(many(1000).map((one, index) => ({ ...one, external_id: `${index}${"x".repeat(1100)}` }))),
    },
    { status: 413, code: "too_large" },
  ],
]

export const direct: ReadonlyArray<Case> = [
  ...[
    null,
    7,
    "text",
    true,
    {},
    { hello: 1 },
    { Records: [] },
    { Records: [{ eventSource: "aws:s3" }] },
    { Records: [7] },
  ].map((event): Case => [`the event ${JSON.stringify(event)}`, event, { error: "UnknownEvent" }]),
  [
    "another event of EventBridge",
    { "detail-type": "Other", source: "aws.ec2", detail: {} },
    { error: "UnknownEvent" },
  ],
  ["a context without a method", { requestContext: {} }, { error: "UnknownEvent" }],
  ["an empty list", [], { error: "MalformedProposals" }],
  ["an empty envelope", { transfers: [] }, { error: "MalformedProposals" }],
  ["an envelope of no list", { transfers: 7 }, { error: "MalformedProposals" }],
  ["too many", { transfers: many(1001) }, { error: "TooLarge" }],
  [
    "a result over 6 MB",
    { transfers: many(1000).map((one, index) => ({ ...one, external_id: `${index}${"x".repeat(6500)}` })) },
    { error: "TooLarge" },
  ],
  ["unknown capabilities", { capabilities: "sha256:0" }, { error: "UnknownCapabilities" }],
]

export const messages: ReadonlyArray<Case> = [
  ["a message", queue(message("a", proposal("1"))), { failed: [] }],
  ["an invalid one", queue(message("a", {})), { failed: [] }],
  ["poison", queue(message("a", "{"), message("b", proposal("1"))), { failed: ["a"] }],
  ["an empty message", queue(message("a", "")), { failed: ["a"] }],
  ["a message without a proposal", queue(message("a", []), message("b", { transfers: [] })), { failed: ["a", "b"] }],
  ["a message that is nested deeply", queue(message("a", deep)), { failed: ["a"] }],
  ["a thousand and one in a message", queue(message("a", many(1001)), message("b", proposal())), { failed: ["a"] }],
  ["two messages with an external_id", queue(message("a", proposal("1")), message("b", proposal("1"))), { failed: [] }],
  ["a message twice", queue(message("a", proposal("1")), message("a", proposal("1"))), { failed: [] }],
  [
    "a group behind poison",
    queue(message("a", "{", "g"), message("b", proposal("1"), "g"), message("c", proposal("2"), "h")),
    { failed: ["a", "b"] },
  ],
  ["poison behind a group", queue(message("a", proposal("1"), "g"), message("b", "{", "g")), { failed: ["b"] }],
  [
    "ten of one group",
    queue(...Array.from({ length: 10 }, (_, index) => message(`m${index}`, proposal(`${index}`), "g"))),
    { failed: [] },
  ],
]

export const audits: ReadonlyArray<Case> = [
  ...[
    {},
    7,
    { since: "x", until: "y" },
    { since: day.until, until: day.since },
    { ...day, split: 0 },
    { ...day, split: 41 },
    { ...day, checkpoint: {} },
    { ...day, tally: 7 },
    { merge: [] },
  ].map((audit): Case => [`the audit ${JSON.stringify(audit)}`, { audit }, { error: "MalformedAudit" }]),
  ["a window", { audit: day }, { result: { done: true } }],
  ["a window in parts", { audit: { ...day, split: 3 } }, { result: { parts: { length: 3 } } }],
  [
    "a schedule",
    { "detail-type": "Scheduled Event", source: "aws.events", time: "2024-09-01T12:00:00Z" },
    { result: { done: true } },
  ],
  [
    "a schedule at no time",
    { "detail-type": "Scheduled Event", source: "aws.events", time: "noon" },
    { error: "MalformedAudit" },
  ],
]

export const files: ReadonlyArray<Case> = [
  ["a table", file("good.csv"), { result: { done: true, tally: { rows: 2, invalid: 1 } } }],
  ["lines", file("good.ndjson"), { result: { done: true, tally: { rows: 2, invalid: 1 } } }],
  [
    "the event of its creation",
    {
      "detail-type": "Object Created",
      source: "aws.s3",
      detail: { bucket: { name: "proposals" }, object: { key: "good.csv" } },
    },
    { result: { done: true } },
  ],
  ["a file that is missing", file("other.csv"), { error: "FileMissing" }],
  ["a file of another kind", file("good.txt"), { error: "MalformedFile" }],
  ["verdicts", file("good.csv.verdicts/x/part-0000000.jsonl"), { error: "MalformedFile" }],
  ["no file", { file: 7 }, { error: "MalformedFile" }],
  ["an empty file", file("empty.csv"), { error: "MalformedProposals" }],
  ["a file of other columns", file("columns.csv"), { error: "MalformedProposals" }],
  ["a quote that is never closed", file("quote.csv"), { error: "MalformedProposals" }],
  ["a file that was replaced", { file: signed }, { error: "FileMissing" }],
  ["a continuation that was not returned", { file: continuation }, { error: "MalformedFile" }],
]

/** What the service does, and what over HTTP and directly comes of it. */
export const services: ReadonlyArray<
  readonly [status: number, headers: Readonly<Record<string, string>>, http: number, error: string]
> = [
  [429, { "retry-after": "60" }, 503, "RateLimited"],
  [401, {}, 502, "Unauthorized"],
  [403, {}, 502, "Unauthorized"],
  [418, {}, 502, "UnexpectedStatus"],
  [302, { location: "https://elsewhere.example" }, 502, "UnexpectedStatus"],
  [204, {}, 502, "UnexpectedStatus"],
]
