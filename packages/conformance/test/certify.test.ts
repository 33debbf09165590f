/** Certification within its limits: budget, rate, patience, silence, and what it leaves out of a certificate. */
import { gzipSync } from "node:zlib"
import * as Certificate from "@transferkit/conformance/certificate/Certificate"
import * as Certify from "@transferkit/conformance/certificate/Certify"
import * as RawRequests from "@transferkit/conformance/RawRequests"
import * as SecretText from "@transferkit/domain/SecretText"
import { startFakeServer } from "@transferkit/fake/FakeServer"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Redacted from "effect/Redacted"
import * as TestClock from "effect/testing/TestClock"
import { expect, test } from "vitest"
import * as Certified from "./Certified.ts"

const response = (status: number, headers: Readonly<Record<string, string>> = {}): RawRequests.RawResponse => ({
  status,
  header: (name) => headers[name],
  headers,
  body: '{"results":[],"page_info":{"has_next_page":false}}',
  isUtf8: true,
})

/** Certifies on a clock that is moved, and gives the seconds at which requests were sent. */
const onTestClock = (answer: (number: number) => RawRequests.RawResponse, options: Partial<Certify.Options> = {}) =>
  Effect.runPromise(
    Effect.gen(function* () {
      const sent: Array<number> = []
      const get = () =>
        Effect.map(Clock.currentTimeMillis, (now) => {
          sent.push(now / 1000)
          return answer(sent.length)
        })
      const fiber = yield* Effect.forkChild(
        Certify.certify({ origin: Certified.origin, version: "1.0.0", ...options }).pipe(
          Effect.provideService(RawRequests.RawRequests, { get }),
        ),
      )
      yield* TestClock.adjust("1 hour")
      return { certificate: yield* Fiber.join(fiber), sent }
    }).pipe(Effect.provide(TestClock.layer())),
  )

test("a sound service keeps every law that is decidable", async () => {
  const certificate = await Certified.ofFake({})
  expect(Certified.withVerdict(certificate, "broken")).toEqual([])
  expect(Certified.withVerdict(certificate, "not decidable")).toEqual(["retry-after", "change-while-paging"])
  expect(new Set(Certify.laws.map(({ id }) => id)).size).toBe(certificate.laws.length)
  expect(certificate.laws.length).toBeGreaterThan(45)
  expect(certificate.requests).toBeLessThan(100)
  expect(Certificate.fromJson(JSON.stringify(certificate))).toMatchObject({ success: certificate })
})

test("without transfers, laws about them are not decidable, and nothing is guessed", async () => {
  const certificate = await Certified.ofFake({ transfers: 0 })
  expect(Certified.withVerdict(certificate, "broken")).toEqual([])
  expect(Certified.withVerdict(certificate, "not decidable").length).toBeGreaterThan(14)
  for (const point of ["order", "lte_token", "default_limit", "bound_digits", "cursor_scope"]) {
    expect(certificate.behaviour).not.toHaveProperty(point)
  }
})

test("one transfer, and transfers of one instant, break no law", async () => {
  for (const created_at of [
    ["2024-09-01T00:00:00Z"],
    Array.from({ length: 30 }, () => "2024-09-01T00:00:00.123456Z"),
  ]) {
    const data = created_at.map((at, index) => ({
      id: `tr_${index}`,
      kind: "cash_in",
      status: "complete",
      created_at: at,
    }))
    expect(Certified.withVerdict(await Certified.ofFake({ transfers: 0, data }), "broken")).toEqual([])
  }
})

test("requests are spaced by the rate, from the first on", async () => {
  const { sent } = await onTestClock(() => response(200))
  expect(sent.length).toBeGreaterThan(20)
  for (const [index, second] of sent.entries()) expect(second).toBe(index / 2)
  const faster = await onTestClock(() => response(200), { rate: 8 })
  expect(faster.sent.at(-1)).toBe((faster.sent.length - 1) / 8)
})

test("the budget ends the requests, and what is left is not decidable", async () => {
  const { certificate, sent } = await onTestClock(() => response(200), { requests: 7 })
  expect(sent.length).toBe(7)
  expect(certificate.requests).toBe(7)
  expect(
    certificate.laws.filter(({ found }) => found === "the budget of 7 requests is used up").length,
  ).toBeGreaterThan(5)
})

test("after a 429 it waits as long as Retry-After says, then halves its rate, and provokes three at most", async () => {
  const once = await onTestClock((number) => (number === 5 ? response(429, { "retry-after": "30" }) : response(200)))
  expect(once.sent.slice(3, 8)).toEqual([1.5, 2, 32, 33, 34])
  expect(once.certificate.behaviour.rate_limit).toMatchObject({ requests: 4, seconds: 2, response: { status: 429 } })
  const always = await onTestClock((number) => (number >= 5 ? response(429, { "retry-after": "30" }) : response(200)))
  expect(always.sent.length).toBe(7)
  const date = "Thu, 01 Jan 1970 00:01:00 GMT"
  const dated = await onTestClock((number) => (number === 5 ? response(429, { "retry-after": date }) : response(200)))
  expect(dated.sent[5]).toBe(60)
  const long = await onTestClock((number) => (number === 5 ? response(503, { "retry-after": "99999" }) : response(200)))
  expect(long.sent[5]).toBe(62)
})

test("a service that stops answering ends it after three requests", async () => {
  const raw = { get: () => Effect.fail<RawRequests.NoResponse>({ _tag: "NoResponse", reason: "reset" }) }
  const certificate = await Effect.runPromise(
    Certify.certify({ origin: Certified.origin, version: "1.0.0", rate: 1000 }).pipe(
      Effect.provideService(RawRequests.RawRequests, raw),
    ),
  )
  expect(certificate.requests).toBe(3)
  expect(Certified.withVerdict(certificate, "broken")).toEqual(["answers"])
})

test("a service that sends the credentials back does not get them into a certificate", async () => {
  await using fake = await startFakeServer({ transfers: 5 })
  fake.addFaults({
    faults: [
      {
        fault: "status",
        status: 200,
        headers: { "x-echo": "Basic ZGVtbzpkZW1vLXNlY3JldA==", "set-cookie": "session=12345" },
        body: '{"you":"demo:demo-secret"}',
      },
    ],
  })
  const text = JSON.stringify(await Certified.ofUrl(fake.url))
  expect(text).toContain("x-echo")
  expect(text).not.toMatch(/demo-secret|ZGVtbzpkZW1vLXNlY3JldA|session=/)
})

const key = "sk/live+a&b<c"
const escaped = String.raw`sk\/live\u002Ba\u0026b\u003cc`

test.each([
  ["name", `{"${escaped}":1}`],
  ["value of an error", `{"errors":[{"code":"x","message":"no such key: ${escaped}"}]}`],
  ["name of a field in a page", `{"results":[{"id":"1","${escaped}":1}],"page_info":{"has_next_page":false}}`],
])("a key that JSON escapes as a %s does not get into a certificate", async (_, body) => {
  const texts: Array<string> = []
  for (const status of [200, 400]) {
    const raw = RawRequests.make(
      {
        get: () =>
          Effect.succeed({
            status,
            header: (name: string) => (name === "content-type" ? "application/json" : undefined),
            headerNames: () => ["content-type"],
            body: new TextEncoder().encode(body),
          }),
      },
      { baseUrl: Certified.origin, partnerId: "demo", secretKey: Redacted.make(key) },
    )
    texts.push(JSON.stringify(await certificateOf(raw)))
  }
  const text = texts.join("")
  expect(text).toContain("<redacted>")
  expect(text).not.toMatch(/live|a&b/)
})

const gzip = gzipSync(gzipSync(`no such key: ${key}`)).toString("base64")
const utf16 = Buffer.from(key, "utf16le").toString("latin1")

test.each([
  ["in gzip in Base64", gzip, "<redacted>"],
  ["in UTF-16 with escapes", JSON.stringify(utf16).slice(1, -1), "<redacted>"],
])("a key %s does not get into a certificate", async (_, echo, shown) => {
  const texts = { "content-type": "application/json", "x-echo": Buffer.from(key, "utf16le").toString("base64") }
  const headers: Readonly<Record<string, string>> = texts
  const answer = {
    status: 400,
    header: (name: string) => headers[name],
    headerNames: () => Object.keys(headers),
    body: new TextEncoder().encode(`{"errors":[{"code":"x","message":"${echo}"}]}`),
  }
  const raw = RawRequests.make(
    { get: () => Effect.succeed(answer) },
    { baseUrl: Certified.origin, partnerId: "demo", secretKey: Redacted.make(key) },
  )
  const text = JSON.stringify(await certificateOf(raw))
  expect(text).toContain(shown)
  expect(text).not.toContain(echo.slice(0, 20))
  expect(text).not.toContain(texts["x-echo"].slice(4, 16))
})

test("the finished certificate is redacted once more", async () => {
  const answer = {
    ...response(400, { "x-echo": key, [`x-${key}`]: "1" }),
    body: `{"errors":[{"code":"x","message":"${key}"}]}`,
  }
  const text = JSON.stringify(
    await certificateOf({ get: () => Effect.succeed(answer), redact: SecretText.redacting([key]) }),
  )
  expect(text).toContain('"x-echo":"<redacted>"')
  expect(text).not.toContain(key)
})

const certificateOf = (raw: RawRequests.RawRequests["Service"]) =>
  Effect.runPromise(
    Certify.certify({ origin: Certified.origin, version: "1.0.0", rate: 10_000 }).pipe(
      Effect.provideService(RawRequests.RawRequests, raw),
    ),
  )

test("evidence shows no wallets, references or amounts of a page", async () => {
  const certificate = await Certified.ofFake({ faults: [{ faults: [{ fault: "extra_rows" }] }] })
  const evidence = certificate.laws.flatMap((law) => law.evidence ?? [])
  expect(evidence.length).toBeGreaterThan(2)
  expect(JSON.stringify(evidence)).not.toMatch(/wallet_address|external_id|source_total/)
})

test("evidence shows no values of a page whose shape is broken, and no external_id of a request", async () => {
  const pointer = "/results/0/kind"
  const certificate = await Certified.ofFake({
    faults: [{ when: {}, faults: [{ fault: "drift", pointer, value: 5 }] }],
  })
  const evidence = certificate.laws.flatMap((law) => law.evidence ?? [])
  expect(evidence.find(({ response }) => response?.body.includes("results: [{id: string"))).toBeDefined()
  expect(JSON.stringify(evidence)).not.toMatch(/order-|tr_\d|\d\d\.\d/)
  const query = [["external_id", "order-7"]] as const
  const { request } = Certify.evidenceOf(Certified.origin, { request: { path: "/", query }, response: undefined })
  expect(request).toContain("external_id=EXTERNAL_ID'")
})

test("no more than 1 MiB of a response is read", async () => {
  const asked: Array<number> = []
  const fail = { _tag: "BodyTooLarge" } as const
  const raw = RawRequests.make(
    { get: ({ maxBodyBytes }) => Effect.suspend(() => (asked.push(maxBodyBytes), Effect.fail(fail))) },
    { baseUrl: Certified.origin, partnerId: "demo", secretKey: Redacted.make("demo-secret") },
  )
  const { reason } = await Effect.runPromise(Effect.flip(raw.get({ path: "/" })))
  expect({ asked, reason }).toEqual({
    asked: [1024 * 1024],
    reason: "the response is too large: it has more than 1 MiB",
  })
})

test("a transport's own text of a failure does not hold the secret key", async () => {
  const raw = RawRequests.make(
    { get: () => Effect.fail({ _tag: "TransportFailed" as const, reason: "cannot send demo-secret" }) },
    { baseUrl: "http://localhost/", partnerId: "demo", secretKey: Redacted.make("demo-secret") },
  )
  const outcome = await Effect.runPromise(Effect.flip(raw.get({ path: "/v1/capabilities" })))
  expect(outcome.reason).toBe("cannot send <redacted>")
})
