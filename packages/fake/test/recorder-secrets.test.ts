/** A recording holds no secret, whatever the service echoes. */
import * as fs from "node:fs/promises"
import type * as http from "node:http"
import * as Exit from "effect/Exit"
import { expect, test } from "vitest"
import { basic, raw } from "../../../scripts/test/partner.ts"
import * as Recordings from "./Recordings.ts"

const { place, record } = Recordings.useFolder()
const { escapedKey, escapes } = Recordings

const key = "sk_live+4711/äöü"
const headers = {
  authorization: basic(`live:${key}`),
  cookie: "session=0123456789abcdef; theme=dark",
  "x-api-key": "another key of 1234",
}

test.each<[string, (request: http.IncomingMessage) => string]>([
  ["the headers", ({ headers }) => JSON.stringify(headers)],
  ["the headers as lines", ({ rawHeaders }) => rawHeaders.join("\n")],
  ["the decoded pair", ({ headers }) => Buffer.from(headers.authorization?.slice(6) ?? "", "base64").toString()],
  ["the key", () => `no such key: ${key}`],
  ["the key in a URL", () => `https://api.example/?k=${encodeURIComponent(key)}`],
  ["the key in hexadecimal", () => Buffer.from(key).toString("hex")],
  ["the key in Base64", () => Buffer.from(key).toString("base64url")],
  ["the query", ({ url }) => `you asked for ${url}`],
  [
    "keys of others",
    () => '{"Authorization":"Basic b3RoZXI6b3RoZXItc2VjcmV0","api_key=other-key-99":1,"secret_key":"other-secret"}',
  ],
])("not %s", async (_, echo) => {
  const exit = await record(
    (request, response) => {
      const text = echo(request)
      response.setHeader("www-authenticate", `Basic realm="${encodeURIComponent(key)}"`)
      response.setHeader("set-cookie", "id=fedcba9876543210; HttpOnly")
      response.end(`${text} fedcba9876543210`)
    },
    (url) => fetch(`${url}/v1/transfers/search?limit=3&api_key=from-the-query&external_id=o-1`, { headers }),
  )
  expect(exit).toEqual(Exit.succeed(expect.anything()))
  const recording = await fs.readFile(place.out, "utf8")
  for (const secret of [
    key,
    encodeURIComponent(key),
    Buffer.from(key).toString("hex"),
    Buffer.from(key).toString("base64url"),
    headers.authorization.slice(6),
    "0123456789abcdef",
    "fedcba9876543210",
    "another key of 1234",
    "from-the-query",
    "b3RoZXI6b3RoZXItc2VjcmV0",
    "other-key-99",
    "other-secret",
  ]) {
    expect(recording, secret).not.toContain(secret)
  }
  expect(recording).toContain('Basic realm=\\"<redacted>\\"')
  expect(recording).toContain("limit=3")
  expect(recording).toContain("external_id=o-1")
})

test.each(escapes)("a key in %s is not recorded", async (_, echo) => {
  const header = { headers: { authorization: basic(`live:${escapedKey}`) } }
  await record(
    (_, response) => response.end(`{"message":"[${echo}]"}`),
    (url) => fetch(`${url}/v1/capabilities`, header),
  )
  const [, line = ""] = (await fs.readFile(place.out, "utf8")).split("\n")
  expect(JSON.parse(line).body).toBe('{"message":"[<redacted>]"}')
})

test("a body that is not UTF-8 neither", async () => {
  await record(
    (_, response) => response.end(Buffer.concat([Buffer.from([255, 254]), Buffer.from("key plain-key-4711")])),
    (url) => fetch(`${url}/v1/capabilities`, { headers: { authorization: basic("live:plain-key-4711") } }),
  )
  const [, line = ""] = (await fs.readFile(place.out, "utf8")).split("\n")
  expect(Buffer.from(JSON.parse(line).body_base64, "base64").toString("latin1")).toBe("ÿþkey <redacted>")
})

test("what cookies say beside a key stays in the recording", async () => {
  const body = {
    results: [{ id: "t", created_at: "2026-01-01T00:00:00Z", status: "complete", method: "card_3DSecure" }],
    amounts: ["31536000.00", "1764372000"],
    sessions: ["q8w7e6r5t4", "abcdefghijklmnopqrst"],
    words: ["HttpOnly", "Strict", "/v1/transfers"],
  }
  const cookies = [
    "sid=q8w7e6r5t4; Path=/v1/transfers; Max-Age=31536000; HttpOnly; Secure; SameSite=Strict",
    'other="abcdefghijklmnopqrst"; Expires=Thu, 01 Jan 2026 00:00:00 GMT; Domain=card_3DSecure',
    "state=complete",
    "seen=1764372000",
    "since=2026-01-01T00:00:00Z",
  ]
  let responses = 0
  const exit = await record(
    (_, response) => {
      // A recording from before the cookies stays, too.
      if (responses++ > 0) response.setHeader("set-cookie", cookies)
      response.end(JSON.stringify(responses > 1 ? body : { ...body, sessions: [] }))
    },
    async (url) => {
      await fetch(`${url}/v1/transfers/search`)
      await fetch(`${url}/v1/transfers/search`)
      await fetch(`${url}/v1/transfers/search`, { headers: { cookie: "state=complete; seen=1764372000" } })
    },
  )
  expect(exit).toEqual(Exit.void)
  const [, , second = "", third = ""] = (await fs.readFile(place.out, "utf8")).split("\n")
  const redacted = { ...body, sessions: ["<redacted>", "<redacted>"] }
  expect([second, third].map((line) => JSON.parse(JSON.parse(line).body))).toEqual([redacted, redacted])
})

test.each(["/../admin", "/%2e%2e/admin", "/v1/../../admin", "/..", "\\..\\admin"])(
  "does not leave the base path by %s",
  async (target) => {
    const asked: Array<string | undefined> = []
    await record(
      ({ url }, response) => {
        asked.push(url)
        response.end("{}")
      },
      async (url) => {
        const { text } = await raw(url, `GET ${target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`)
        expect(text).toMatch(/^HTTP\/1.1 400 /)
      },
      "/partners",
    )
    expect(asked).toEqual([])
  },
)

const pair = (bytes: string) => ({ authorization: `Basic ${Buffer.from(bytes, "latin1").toString("base64")}` })
const bytes = (text: string) => Buffer.from(text).toString("latin1")

test.each<[string, string, RequestInit]>([
  ["of a file with a line break", "key-of-a-file", { headers: pair("live:key-of-a-file\n") }],
  ["that ends with a line break", "key-of-a-file\n", { headers: pair("live:key-of-a-file\n") }],
  ["without a partner", "key-without-partner", { headers: pair(":key-without-partner") }],
  ["without a colon", "key-without-partner", { headers: pair("key-without-partner") }],
  ["in Latin-1", "pässword-4711", { headers: pair("live:p\u00e4ssword-4711") }],
  ["with a control character", "key\u0001of-4711", { headers: pair("live:key\u0001of-4711") }],
  ["of 5,000 characters", "key-4711".repeat(625), { headers: pair(`live:${"key-4711".repeat(625)}`) }],
  ["without padding", "a-key-of-4711", { headers: { authorization: "Basic bGl2ZTphLWtleS1vZi00NzEx" } }],
  ["in a header in UTF-8", "schlüssel-4711", { headers: { "x-api-key": bytes("schlüssel-4711") } }],
  ["of a bearer in UTF-8", "schlüssel-4711", { headers: { authorization: `Bearer ${bytes("schlüssel-4711")}` } }],
  ["of a cookie in UTF-8", "schlüssel-4711", { headers: { cookie: `a=b; sid=${bytes("schlüssel-4711")}` } }],
])("a key %s is not recorded", async (_, echo, request) => {
  for (const encoding of ["utf8", "latin1"] as const) {
    await fs.rm(place.out, { force: true })
    const exit = await record(
      (_, response) => response.end(Buffer.from(`{"message":${JSON.stringify(`[${echo}]`)}}`, encoding)),
      (url) => fetch(`${url}/v1/capabilities`, request),
    )
    expect(exit).toEqual(Exit.succeed(expect.anything()))
    const [, line = ""] = (await fs.readFile(place.out, "utf8")).split("\n")
    const { body = "", body_base64 = "" } = JSON.parse(line)
    expect(body || Buffer.from(body_base64, "base64").toString("latin1")).toBe('{"message":"[<redacted>]"}')
  }
})

test.each(["p%E4ssword-4711", "p%C3%A4ssword-4711", "p%c3%a4ssword-4711%0A"])(
  "a key in the query is not recorded: %s",
  async (escaped) => {
    await record(
      ({ url = "" }, response) => response.end(`${url} pässword-4711`),
      (url) => fetch(`${url}/v1/capabilities?limit=3&api_key=${escaped}`),
    )
    const recording = await fs.readFile(place.out, "utf8")
    expect(recording).toContain("limit=3&api_key=")
    expect(recording).not.toMatch(/ssword/)
  },
)

test("a cookie in UTF-8 that the service hands out is not recorded", async () => {
  await record(
    (_, response) =>
      response.setHeader("set-cookie", `sid=${bytes("schlüssel-4711")}`).end(Buffer.from("schlüssel-4711")),
    (url) => fetch(`${url}/v1/capabilities`),
  )
  expect(await fs.readFile(place.out, "utf8")).toContain('"body":"<redacted>"')
})

const utf16 = (text: string) => Buffer.from(text, "utf16le")

test.each<[string, Buffer]>([
  ["little-endian", utf16(escapedKey)],
  ["big-endian", utf16(escapedKey).swap16()],
  ["with a byte order mark", utf16(`\ufeff${escapedKey}`)],
  ["with escapes", Buffer.from(JSON.stringify(utf16(escapedKey).toString("latin1")))],
  ["in Base64", Buffer.from(utf16(escapedKey).toString("base64"))],
])("a key in UTF-16 is not recorded: %s", async (_, echo) => {
  const header = { headers: { authorization: basic(`live:${escapedKey}`) } }
  await record(
    (_, response) => response.end(echo),
    (url) => fetch(`${url}/v1/capabilities`, header),
  )
  const [, line = ""] = (await fs.readFile(place.out, "utf8")).split("\n")
  const { body = "", body_base64 = "" } = JSON.parse(line)
  expect(Buffer.from(body_base64, "base64").toString("latin1") + body).toContain("<redacted>")
  expect(line.replaceAll(String.raw`\u0000`, "")).not.toContain("4711")
})

const digest =
  'Digest username="live", realm="partners", uri="/v1/capabilities", nonce=ab12cd34ef56, response="6629fae49393a053"'

test.each<[string, Readonly<Record<string, string>>, ReadonlyArray<string>]>([
  ["a cookie with %3A", { cookie: "theme=dark; sid=s%3AJ5kHs9.sIgNature" }, ["s:J5kHs9.sIgNature"]],
  [
    "a cookie with %3a and %2F",
    { cookie: "sid=s%3aJ5kHs9%2FsIgNature" },
    ["s:J5kHs9/sIgNature", "s:J5kHs9\\/sIgNature"],
  ],
  ["a cookie with %7C", { cookie: 'sid="12345%7Cabcdef99"' }, ["12345|abcdef99"]],
  ["a cookie with %20", { cookie: "sid=correct%20horse-4711" }, ["correct horse-4711", "correct\\u0020horse-4711"]],
  ["a cookie in UTF-8", { cookie: "sid=schl%C3%BCssel%254711" }, ["schlüssel%4711", "schl\\u00fcssel%4711"]],
  ["the key of Basic with %7C", { authorization: basic("live:k%7C1-4711") }, ["k|1-4711", "k%7c1-4711"]],
  ["the key of Basic as a form", { authorization: basic("live:horse+%3A4711") }, ["horse :4711", "horse+:4711"]],
  ["the response of Digest", { authorization: digest }, ["6629fae49393a053", "ab12cd34ef56"]],
  ["a passphrase", { "cb-access-passphrase": "horse battery-4711" }, ["horse battery-4711"]],
  ["a token of JSON", { "x-jwt": "eyJhbGciOi.4711" }, ["eyJhbGciOi.4711"]],
])("%s is not recorded once the service has read it", async (_, headers, echoes) => {
  for (const echo of echoes) {
    await fs.rm(place.out, { force: true })
    await record(
      (_, response) => response.end(`{"message":"[${echo}]"}`),
      (url) => fetch(`${url}/v1/capabilities`, { headers }),
    )
    const [, line = ""] = (await fs.readFile(place.out, "utf8")).split("\n")
    expect(JSON.parse(line), echo).toMatchObject({ body: '{"message":"[<redacted>]"}' })
    expect(line).toContain("/v1/capabilities")
  }
})

test("a key that a service hands out with an escape, and reads, is not recorded", async () => {
  await record(
    (_, response) => response.setHeader("set-cookie", "sid=s%3AhandedOut.4711; Path=/").end("s:handedOut.4711"),
    (url) => fetch(`${url}/v1/capabilities`),
  )
  expect(await fs.readFile(place.out, "utf8")).toContain('"body":"<redacted>"')
})

test("what a cookie keeps beside keys stays in the recording, also if it is escaped", async () => {
  const cookies = [
    "currency=fiat%2FUSD",
    "zone=Europe%2FBerlin",
    "since=2026-01-01T00%3A00%3A00Z",
    "empty=%7B%7D",
    "quoted=%22fiat%2FEUR%22",
    "php=%22fiat%5C%2FGBP%22",
    "word=%22complete%22",
    "twice=fiat%252FCHF",
    "quoted_twice=%2522executing%2522",
  ]
  const body = JSON.stringify([
    "fiat/USD",
    "Europe/Berlin",
    "2026-01-01T00:00:00Z",
    {},
    "fiat/EUR",
    "fiat/GBP",
    "complete",
    "fiat/CHF",
    "executing",
  ])
  const exit = await record(
    (_, response) => response.setHeader("set-cookie", cookies).end(body),
    async (url) => {
      await fetch(`${url}/v1/capabilities`)
      await fetch(`${url}/v1/capabilities`, { headers: { cookie: cookies.join("; ") } })
    },
  )
  expect(exit).toEqual(Exit.void)
  const [, ...lines] = (await fs.readFile(place.out, "utf8")).trimEnd().split("\n")
  expect(lines.map((line) => JSON.parse(line).body)).toEqual([body, body])
})

test.each(["%22q8w7e6r5t4%22", "%2522q8w7e6r5t4%2522", "%5C%22q8w7e6r5t4%5C%22", '"q8w7e6r5t4"'])(
  "a key that a cookie quotes is not recorded, and JSON with it stays JSON: %s",
  async (value) => {
    const body = JSON.stringify({ session: "q8w7e6r5t4", said: '"q8w7e6r5t4"', sent: value })
    const exit = await record(
      (_, response) => response.setHeader("set-cookie", `sid=${value}; Path=/`).end(body),
      (url) => fetch(`${url}/v1/capabilities`, { headers: { cookie: `sid=${value}` } }),
    )
    expect(exit).toEqual(Exit.succeed(expect.anything()))
    const [, line = ""] = (await fs.readFile(place.out, "utf8")).split("\n")
    expect(line).not.toContain("q8w7e6r5t4")
    expect(JSON.parse(JSON.parse(line).body)).toMatchObject({ session: "<redacted>" })
  },
)
