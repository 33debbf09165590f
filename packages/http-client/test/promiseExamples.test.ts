/** The examples in the hover texts of the Promise client run: those of an error against a service that causes it. */
import { readFileSync } from "node:fs"
import { type RunningFakeServer, startFakeServer } from "@transferkit/fake/FakeServer"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import * as DocExamples from "../../../scripts/DocExamples.ts"
import * as module from "../src/promise.ts"

/** The documented members of a file: exports, and the functions of interfaces. */
const documented = /\/\*\*((?:(?!\*\/)[^])*)\*\/\s*(?:export (?:const|class|interface|type) |readonly )(\w+)/g

const examplesOf = (file: string): ReadonlyArray<DocExamples.Example> => {
  const text = readFileSync(new URL(`../src/${file}.ts`, import.meta.url), "utf8")
  return [...text.matchAll(documented)].flatMap(([, block = "", member = ""]) =>
    DocExamples.find(`/**${block}*/\nexport const ${member}`),
  )
}

/** The names that the module exports, those of types too. */
const exported = (): ReadonlyArray<string> => {
  const text = readFileSync(new URL("../src/promise.ts", import.meta.url), "utf8")
  const lists = [...text.matchAll(/^export (?:type )?\{([^}]*)\}/gm)].flatMap(([, names = ""]) => names.split(","))
  const names = lists.map((name) => name.trim().replace(/^type /, "")).filter((name) => name !== "")
  return [...new Set([...names, ...Object.keys(module)])]
}

const examples = [
  "promise",
  ...["Options", "TransferKitError", "TransferClient", "Values"].map((name) => `internal/promise/${name}`),
  "internal/call/ResponseInfo",
].flatMap(examplesOf)

const json = (body: unknown, status = 200, headers = {}) =>
  new Response(typeof body === "string" ? body : JSON.stringify(body), {
    status,
    headers: { "content-type": "application/json", ...headers },
  })

let cursors = 0
const transfer = { id: "t1", kind: "cash_in", status: "complete", created_at: "2024-09-01T00:00:00Z" }
const next = (end_cursor?: string) => ({ has_next_page: true, ...(end_cursor === undefined ? {} : { end_cursor }) })

/** What the service responds, by the error that it causes. The other examples have the fake. */
const responses: Readonly<Record<string, (url: string, init: RequestInit) => Response | Promise<Response>>> = {
  TransferKitError: () => json("", 503),
  Unauthorized: () => json("", 401),
  InvalidRequest: () => json({ errors: [{ code: "invalid_parameter", message: "no" }] }, 400),
  RateLimited: () => json("", 429, { "retry-after": "3" }),
  ServiceError: () => json({ errors: [{ code: "invalid_parameter", message: "no" }] }, 400),
  TransferError: () => json("", 429),
  isTransferError: () => json("", 429),
  ServiceUnavailable: () => json("", 503),
  UnexpectedStatus: () => json("a teapot", 418),
  ConnectionFailed: () => Promise.reject(Object.assign(new Error("refused"), { code: "ECONNREFUSED" })),
  TimedOut: () => new Promise<Response>(() => undefined),
  MalformedResponse: () => json({ results: 7 }),
  CursorCycle: () => json({ results: [], page_info: next("again") }),
  MissingCursor: () => json({ results: [], page_info: next() }),
  EmptyPages: () => json({ results: [], page_info: next(String(cursors++)) }),
  RepeatedPages: () => json({ results: [transfer], page_info: next(String(cursors++)) }),
  OutsideFilter: () => json({ results: [transfer], page_info: { has_next_page: false } }),
  MovedTransfer: () =>
    json({
      results: [transfer, { ...transfer, created_at: "2024-09-01T10:00:01Z" }],
      page_info: { has_next_page: false },
    }),
  CursorExpired: (url) =>
    url.includes("after_cursor")
      ? json({ errors: [{ code: "invalid_cursor", message: "no" }] }, 400)
      : json({ results: [transfer], page_info: next("gone") }),
}

let fake: RunningFakeServer

beforeAll(async () => {
  fake = await startFakeServer({ transfers: 45 })
})
afterAll(() => fake.close())

describe("the Promise client", () => {
  test.each(examples)("$member: $expression", async (example) => {
    const respond = responses[example.member]
    const fetch = respond && (async (url: string, init: RequestInit) => respond(url, init))
    const baseUrl = fake.url
    const config = { baseUrl, partnerId: "demo", secretKey: "demo-secret", retries: 0, ...(fetch && { fetch }) }
    const client = module.createTransferClient(config)
    const scope = { ...module, ...(example.setup.includes("const client =") ? {} : { client }), baseUrl }
    const { actual, expected } = await DocExamples.run(example, scope)
    expect(actual).toStrictEqual(expected)
  })

  test("has an example on each of its exports, types too, and on each call", () => {
    const members = new Set(examples.map(({ member }) => member))
    const calls = Object.keys(
      module.createTransferClient({ baseUrl: "https://a.example", partnerId: "p", secretKey: "s" }),
    )
    expect([...exported(), ...calls].filter((name) => !members.has(name))).toEqual([])
    expect(members.size).toBeGreaterThan(60)
  })
})
