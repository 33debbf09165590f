import * as TransferPager from "@transferkit/domain/TransferPager"
import { type Controls, FakeServer, startFakeServer } from "@transferkit/fake/FakeServer"
import type { Fault } from "@transferkit/fake/Fault"
import type { Rule } from "@transferkit/fake/FaultRule"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Ref from "effect/Ref"
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"
import { describe, expect, test, vi } from "vitest"
import * as FetchTransport from "../src/FetchTransport.ts"
import * as HttpTransferPager from "../src/HttpTransferPager.ts"
import * as NodeTransport from "../src/NodeTransport.ts"

// A fake that stops gives connections five seconds to end.
vi.setConfig({ testTimeout: 20_000 })

const total = 130
/** The time limit of each row: the deadline of one call and some room. */
const longest = 3000

// The transports differ below the pager, so one way of reading is enough for the second one.
const runs = [
  ["pages", "node", NodeTransport.layer],
  ["scan", "node", NodeTransport.layer],
  ["pages", "fetch", FetchTransport.layer()],
] as const

type How = "pages" | "scan"
type Transport = (typeof runs)[number][2]

/** Reads everything from a fake under fault rules. */
const read = (how: How, transport: Transport, rules: ReadonlyArray<Rule>, patience = 250) =>
  Effect.gen(function* () {
    const fake = yield* FakeServer
    const existing = yield* pagerOf(fake, transport, patience, (pager) =>
      Stream.runCollect(Stream.map(pager.transfers({}), ({ id }): string => id)),
    )
    fake.addFaults(...rules)
    const report = yield* Ref.make(TransferPager.emptyReport)
    const began = yield* Clock.currentTimeMillis
    const ids: Array<string> = []
    const ended = yield* pagerOf(fake, transport, patience, (pager) =>
      Stream.runForEach(
        how === "pages"
          ? pager.pages({}, { report })
          : Stream.map(pager.scan({}, { report, concurrency: 4 }), ({ results }) => results),
        (transfers) => Effect.sync(() => ids.push(...transfers.map(({ id }) => id))),
      ),
    ).pipe(Effect.result)
    return {
      ids,
      existing,
      took: (yield* Clock.currentTimeMillis) - began,
      report: yield* Ref.get(report),
      error: Result.isFailure(ended) ? ended.failure : undefined,
    }
  }).pipe(Effect.provide(FakeServer.layer({ transfers: total })), Effect.runPromise)

const pagerOf = <A, E>(
  { url }: Controls,
  transport: Transport,
  patience: number,
  use: (pager: TransferPager.TransferPager["Service"]) => Effect.Effect<A, E>,
) =>
  TransferPager.TransferPager.use(use).pipe(
    Effect.provide(
      HttpTransferPager.layer({
        baseUrl: url,
        partnerId: "demo",
        secretKey: Redacted.make("demo-secret"),
        attemptTimeout: patience,
        deadline: patience * 6,
        retry: { baseDelay: 5, maxDelay: 20, maxRetryAfter: 50 },
      }).pipe(Layer.provide(transport)),
    ),
  )

const at = (request: number, ...faults: [Fault, ...Array<Fault>]): Rule => ({ when: { request }, faults })
const always = (...faults: [Fault, ...Array<Fault>]): Rule => ({ faults })
const laterPages = (...faults: [Fault, ...Array<Fault>]): Rule => ({ when: { cursor: true }, faults })

describe.each(runs)("%s over %s", (how, _, transport) => {
  test.each<readonly [what: string, rules: ReadonlyArray<Rule>]>([
    ["an empty middle page", [at(3, { fault: "empty_page" })]],
    ["duplicate rows", [always({ fault: "duplicate_rows", count: 3 })]],
    ["more rows than the limit", [at(2, { fault: "extra_rows", count: 5 })]],
    [
      "a cursor that expires half-way",
      [{ ...laterPages({ fault: "expired_cursor" }), when: { cursor: true, request: 3 } }],
    ],
    ["429 with seconds", [at(3, { fault: "rate_limited", retry_after: "0" })]],
    ["429 with a date in the past", [at(3, { fault: "rate_limited", retry_after: "Sun, 01 Sep 2024 12:00:00 GMT" })]],
    ["429 with an absurd date", [at(3, { fault: "rate_limited", retry_after: "Fri, 31 Dec 9999 23:59:59 GMT" })]],
    ["429 with an absurd number", [at(3, { fault: "rate_limited", retry_after: "99999999999999999999" })]],
    ["429 with nonsense", [at(3, { fault: "rate_limited", retry_after: "soon" })]],
    ["429 without Retry-After", [at(3, { fault: "rate_limited" })]],
    [
      "a clock that is days ahead",
      [at(3, { fault: "rate_limited", retry_after: "1" }, { fault: "clock_skew", seconds: 300_000 })],
    ],
    ["a burst of 500, 502 and 503", [500, 502, 503].map((status, index) => at(3 + index, { fault: "status", status }))],
    ["a reset before the response", [at(3, { fault: "reset", at: "before" })]],
    ["a reset within the headers", [at(3, { fault: "reset", at: "headers" })]],
    ["a reset within the body", [at(3, { fault: "reset", at: "body" })]],
    ["a body that ends early", [at(3, { fault: "truncate" })]],
    ["JSON that ends in the middle, though its length is right", [at(3, { fault: "malformed" })]],
    ["a response that comes too late", [at(3, { fault: "latency", ms: 600 })]],
    ["a slow drip", [at(3, { fault: "drip", bytes: 16, every_ms: 50 })]],
    ["a byte order mark", [always({ fault: "bom" })]],
    ["deep nesting", [always({ fault: "nesting", depth: 100_000 })]],
    ["blanks around the JSON", [always({ fault: "padding", bytes: 1_000_000 })]],
    ["an unknown status", [always({ fault: "drift", pointer: "/results/*/status", value: "on_the_moon" })]],
    ["fields that are null", [always({ fault: "drift", pointer: "/results/*/source_total", value: null })]],
    ["fields that are missing", [always({ fault: "drift", pointer: "/results/*/wallet_address" })]],
    ["fields that are new", [always({ fault: "drift", pointer: "/results/*/colour", value: { red: 1 } })]],
  ])("loses and doubles no transfer under %s", async (_, rules) => {
    const { ids, existing, error, took, report } = await read(how, transport, rules)
    expect(error).toBeUndefined()
    expect(existing.length).toBe(total)
    expect([...ids].sort()).toEqual([...existing].sort())
    expect(report.completeness).toEqual({ _tag: "Complete" })
    expect(took).toBeLessThan(longest)
  })

  test("loses no transfer if cursors expire at every third page, or says that they expire too soon", async () => {
    const rule: Rule = { when: { cursor: true, request: { every: 3 } }, faults: [{ fault: "expired_cursor" }] }
    const { ids, existing, error } = await read(how, transport, [rule])
    expect(new Set(ids).size).toBe(ids.length)
    if (how === "scan") expect([error, ids.toSorted()]).toEqual([undefined, existing.toSorted()])
    else expect(error?._tag).toBe("CursorExpired")
  })

  test.each<readonly [what: string, rules: ReadonlyArray<Rule>, error: object]>([
    ["a repeated cursor", [laterPages({ fault: "repeated_cursor" })], { _tag: "CursorCycle" }],
    ["a cursor cycle", [laterPages({ fault: "cursor_cycle" })], { _tag: "CursorCycle" }],
    ["a next page without a cursor", [at(2, { fault: "missing_cursor" })], { _tag: "MissingCursor" }],
    ["endless 429", [always({ fault: "rate_limited", retry_after: "1" })], { _tag: "RateLimited" }],
    ["endless 503", [always({ fault: "status", status: 503 })], { _tag: "ServiceUnavailable", status: 503 }],
    ["endless resets", [always({ fault: "reset", at: "body" })], { _tag: "ConnectionFailed" }],
    ["responses that never come in time", [always({ fault: "latency", ms: 400 })], { _tag: "TimedOut" }],
    ["an endless drip", [always({ fault: "drip", bytes: 1, every_ms: 40 })], { _tag: "TimedOut" }],
    [
      "JSON that is always truncated",
      [always({ fault: "malformed" })],
      { _tag: "MalformedResponse", expected: "JSON" },
    ],
    [
      "HTML",
      [at(2, { fault: "status", status: 200, body: "<html>", headers: { "content-type": "text/html" } })],
      { _tag: "MalformedResponse", actual: "of the type text/html" },
    ],
    [
      "another content type",
      [at(2, { fault: "content_type", value: "text/plain" })],
      { _tag: "MalformedResponse", actual: "of the type text/plain" },
    ],
    [
      "no content type",
      [at(2, { fault: "content_type", value: null })],
      { _tag: "MalformedResponse", actual: "without a content type" },
    ],
    [
      "a number for an amount",
      [at(2, { fault: "drift", pointer: "/results/*/service_fee/amount", value: 1.5 })],
      { _tag: "MalformedResponse", pointer: "/results/0/service_fee/amount" },
    ],
    [
      "a transfer without an id",
      [at(2, { fault: "drift", pointer: "/results/*/id" })],
      { _tag: "MalformedResponse", pointer: "/results/0/id", actual: "missing" },
    ],
    [
      "a time that is not a timestamp",
      [at(2, { fault: "drift", pointer: "/results/*/created_at", value: "yesterday" })],
      { _tag: "MalformedResponse", pointer: "/results/0/created_at" },
    ],
    [
      "a redirect to another host",
      [at(2, { fault: "redirect", location: "http://127.0.0.1:9/v1" })],
      { _tag: "UnexpectedStatus", location: "http://127.0.0.1:9/v1" },
    ],
    ["204", [at(2, { fault: "status", status: 204, body: "" })], { _tag: "UnexpectedStatus", status: 204 }],
    ["401 in the middle", [at(2, { fault: "status", status: 401 })], { _tag: "Unauthorized" }],
  ])("ends with one typed error in bounded time, and delivers nothing twice, under %s", async (_, rules, expected) => {
    const { ids, error, took, report } = await read(how, transport, rules)
    expect(error).toMatchObject(expected)
    expect(new Set(ids).size).toBe(ids.length)
    expect(report.completeness).toMatchObject({ _tag: "Cut", by: error?._tag })
    expect(took).toBeLessThan(longest)
  })

  // So each row above is also about compressed bodies: whole, truncated, dripping, and with other bytes in them.
  test("the fake compresses for clients that accept gzip", async () => {
    await using fake = await startFakeServer({ transfers: total })
    const headers = { authorization: `Basic ${btoa("demo:demo-secret")}`, "accept-encoding": "gzip, br, deflate" }
    const response = await fetch(`${fake.url}/v1/transfers/search`, { headers })
    expect(response.headers.get("content-encoding")).toBe("gzip")
    expect(await response.json()).toHaveProperty("results.length", 20)
  })

  test("rejects a body of 50 MB by its length", async () => {
    const { error } = await read(how, transport, [at(2, { fault: "padding", bytes: 50 << 20 })], 4000)
    expect(error).toMatchObject({ _tag: "MalformedResponse", expected: "at most 16777216 bytes" })
  })

  test("transfers inserted, changed and removed between pages affect no others", async () => {
    const { ids, existing, error } = await read(how, transport, [
      { when: { request: 2 }, faults: [{ fault: "insert", count: 7 }] },
      { when: { request: 3 }, faults: [{ fault: "remove" }] },
      { when: { request: 4 }, faults: [{ fault: "change", fields: { status: "declined" } }] },
    ])
    expect(error).toBeUndefined()
    expect(new Set(ids).size).toBe(ids.length)
    const found = new Set(ids)
    expect(existing.filter((id) => !found.has(id)).length).toBeLessThanOrEqual(1)
  })
})
