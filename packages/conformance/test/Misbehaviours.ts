/** Services that misbehave in one point each: a sound fake with a fault, in the words of its rules. */
import type { Rule } from "@transferkit/fake/FaultRule"
import type { Fault as OtherFault } from "./OtherService.ts"

const search = { path: "/v1/transfers/search" }

const always = (...faults: Rule["faults"]): ReadonlyArray<Rule> => [{ when: search, faults }]

/** What is wrong, and the rules that make it so. */
export const misbehaviours: ReadonlyArray<readonly [what: string, rules: ReadonlyArray<Rule>]> = [
  [
    "sends HTML with status 200",
    always({ fault: "status", status: 200, body: "<html>", headers: { "content-type": "text/html" } }),
  ],
  ["fails with 500", always({ fault: "status", status: 500 })],
  ["sends 204 without a body", always({ fault: "status", status: 204, body: "" })],
  ["redirects", always({ fault: "redirect", location: "https://elsewhere.example/" })],
  [
    "limits requests without Retry-After",
    [{ when: { ...search, request: { from: 20 } }, faults: [{ fault: "rate_limited" }] }],
  ],
  [
    "limits requests with a Retry-After in words",
    [{ when: { ...search, request: { from: 20 } }, faults: [{ fault: "rate_limited", retry_after: "soon" }] }],
  ],
  [
    "limits three requests with Retry-After",
    [{ when: { ...search, request: [20, 22] }, faults: [{ fault: "rate_limited", retry_after: "0" }] }],
  ],
  ["sends text/plain", always({ fault: "content_type", value: "text/plain" })],
  ["sends no content type", always({ fault: "content_type", value: null })],
  ["sends Latin-1", always({ fault: "content_type", value: "application/json; charset=iso-8859-1" })],
  ["sends half of the JSON", always({ fault: "malformed" })],
  ["sends a byte order mark", always({ fault: "bom" })],
  ["sends blanks after the JSON", always({ fault: "padding", bytes: 5000 })],
  ["sends a body of 20 MB", always({ fault: "padding", bytes: 20 * 1024 * 1024 })],
  ["nests 1,000 levels", always({ fault: "nesting", depth: 1000 })],
  ["sends a number for an amount", always({ fault: "drift", pointer: "/results/*/source_total/amount", value: 1.5 })],
  ["sends no created_at", always({ fault: "drift", pointer: "/results/*/created_at" })],
  ["sends null for an id", always({ fault: "drift", pointer: "/results/0/id", value: null })],
  ["sends a status that is new", always({ fault: "drift", pointer: "/results/*/status", value: "on_hold" })],
  ["sends a field that is new", always({ fault: "drift", pointer: "/results/*/colour", value: "red" })],
  [
    "sends a number for an amount on later pages only",
    [
      {
        when: { ...search, cursor: true },
        faults: [{ fault: "drift", pointer: "/results/0/source_total/amount", value: 1 }],
      },
    ],
  ],
  ["repeats the cursor", always({ fault: "repeated_cursor" })],
  ["sends cursors in a cycle", always({ fault: "cursor_cycle" })],
  ["sends no cursor", always({ fault: "missing_cursor" })],
  ["sends empty pages", [{ when: { ...search, request: { every: 3 } }, faults: [{ fault: "empty_page" }] }]],
  ["sends a transfer twice", always({ fault: "duplicate_rows" })],
  ["sends more transfers than the limit", always({ fault: "extra_rows" })],
  [
    "rejects old cursors",
    [{ when: { ...search, cursor: true, request: { from: 10 } }, faults: [{ fault: "expired_cursor" }] }],
  ],
  ["has a clock that is an hour off", always({ fault: "clock_skew", seconds: 3600 })],
  ["compresses with a wrong checksum", always({ fault: "bad_gzip" })],
  ["sends a bad chunk", always({ fault: "bad_chunk" })],
  ["truncates bodies", always({ fault: "truncate" })],
  ["resets within the headers", always({ fault: "reset", at: "headers" })],
  ["truncates one response of many", [{ when: { ...search, request: 30 }, faults: [{ fault: "truncate" }] }]],
  ["sends no HTTP", always({ fault: "garbage" })],
  ["closes without a response", always({ fault: "empty_reply" })],
  ["never responds", always({ fault: "no_reply" })],
  ["drips slower than the time limit", always({ fault: "drip", bytes: 1, every_ms: 100 })],
  ["responds slowly, but in time", always({ fault: "latency", ms: 5 })],
  ["inserts transfers between pages", [{ when: { ...search, request: { every: 2 } }, faults: [{ fault: "insert" }] }]],
  [
    "has capabilities of another shape",
    [{ when: { path: "/v1/capabilities" }, faults: [{ fault: "drift", pointer: "/supported_currencies" }] }],
  ],
  [
    "has capabilities with status 404",
    [{ when: { path: "/v1/capabilities" }, faults: [{ fault: "status", status: 404 }] }],
  ],
]

const rejections = [
  "limit-zero",
  "limit-above",
  "limit-text",
  "created-at-operator",
  "created-at-text",
  "cursor-invented",
  "credentials-none",
  "credentials-other",
  "credentials-scheme",
]
const accepted = [...rejections, "rejection-type"]

/** The laws that each of them breaks, in words of their ids: no more and no fewer. */
export const breaches: Readonly<Record<string, ReadonlyArray<string>>> = {
  "sends HTML with status 200": ["content-type", "page-shape", ...accepted],
  "fails with 500": ["search-status", ...rejections, "unknown-parameter"],
  "sends 204 without a body": ["search-status", ...rejections, "unknown-parameter", "rejection-type"],
  redirects: ["search-status", ...rejections, "unknown-parameter", "rejection-type"],
  "limits requests without Retry-After": ["retry-after"],
  "limits requests with a Retry-After in words": ["retry-after"],
  "limits three requests with Retry-After": [],
  "sends text/plain": ["content-type"],
  "sends no content type": ["content-type"],
  "sends Latin-1": ["content-type"],
  "sends half of the JSON": ["page-shape", "rejection-type"],
  "sends a byte order mark": ["utf-8", "page-shape", "rejection-type"],
  "sends blanks after the JSON": [],
  "sends a body of 20 MB": ["answers"],
  "nests 1,000 levels": ["rejection-type"],
  "sends a number for an amount": ["page-shape"],
  "sends no created_at": ["page-shape"],
  "sends null for an id": ["page-shape"],
  "sends a status that is new": [],
  "sends a field that is new": [],
  "sends a number for an amount on later pages only": ["page-shape", "cursor-repeat", "cursor-life"],
  "repeats the cursor": ["cursor-advances", "pages-unique", "pages-whole"],
  "sends cursors in a cycle": ["cursor-advances", "pages-unique"],
  "sends no cursor": ["cursor-present"],
  "sends empty pages": ["cursor-present", "cursor-repeat", "bound-gte", "bound-lte", "one-second", "external-id"],
  "sends a transfer twice": ["limit-1", "pages-unique", "pages-whole", "bound-lte", "one-second"],
  "sends more transfers than the limit": ["limit-1", "limit-7", "limit-20", "limit-default"],
  "rejects old cursors": ["cursor-life"],
  "has a clock that is an hour off": ["date"],
  "compresses with a wrong checksum": ["answers"],
  "sends a bad chunk": ["answers"],
  "truncates bodies": ["answers"],
  "resets within the headers": ["answers"],
  "truncates one response of many": ["answers"],
  "sends no HTTP": ["answers"],
  "closes without a response": ["answers"],
  "never responds": ["answers"],
  "drips slower than the time limit": ["answers"],
  "responds slowly, but in time": [],
  "inserts transfers between pages": [],
  "has capabilities of another shape": ["capabilities"],
  "has capabilities with status 404": ["capabilities"],
}

/** The same of services of another maker, all of which cap a limit that is too high. */
export const otherBreaches: Readonly<Record<OtherFault, ReadonlyArray<string>>> = {
  "loses a transfer of each page": ["pages-whole", "window", "bound-gte", "bound-gt", "bound-offset"],
  "gives all responses one request id": ["request-id"],
  "sends a header now and then": ["page-headers"],
  "compresses for those who cannot read it": ["content-encoding"],
  "lists in another order later": ["order-stable", "cursor-repeat"],
  "forgets the filter behind a cursor": ["cursor-elsewhere", "pages-whole"],
  "swaps bounds that exclude each other": ["bound-contradiction"],
  "ignores external_id": ["external-id", "external-id-unknown"],
}
