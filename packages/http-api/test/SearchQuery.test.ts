import type { SearchRequest } from "@transferkit/domain/SearchRequest"
import * as SearchQuery from "@transferkit/http-api/SearchQuery"
import * as Result from "effect/Result"
import { describe, expect, test } from "vitest"

const strict = { lenient: false, lteToken: undefined }

/** Written by hand from partner-api.md, 4.2. */
const queries: ReadonlyArray<readonly [query: string, request: SearchRequest]> = [
  ["", {}],
  ["limit=7", { limit: 7 }],
  ["external_id=a%26b%3Dc%2Bd%2F%C3%A9", { external_id: "a&b=c+d/é" }],
  ["external_id=order%201%25", { external_id: "order 1%" }],
  ["created_at=gt:2024-09-01T00:00:00Z", { created_at: ["gt:2024-09-01T00:00:00Z"] }],
  [
    "created_at=gte:2024-09-01T00:00:00%2B02:00&created_at=lt:2024-10-01T00:00:00Z",
    { created_at: ["gte:2024-09-01T00:00:00+02:00", "lt:2024-10-01T00:00:00Z"] },
  ],
  ["after_cursor=Y3Vyc29y%3D%3D", { after_cursor: "Y3Vyc29y==" }],
  [
    "external_id=a&created_at=lt:2024-10-01T00:00:00Z&limit=20&after_cursor=c",
    { external_id: "a", created_at: ["lt:2024-10-01T00:00:00Z"], limit: 20, after_cursor: "c" },
  ],
]

test.each(queries)("encodes and decodes ?%s", (query, request) => {
  expect(SearchQuery.encode(request)).toEqual(Result.succeed(query))
  expect(SearchQuery.decode(query, strict)).toEqual(Result.succeed(request))
})

test.each([
  ["limit=7&external_id=a", { limit: 7, external_id: "a" }],
  ["&&limit=7&", { limit: 7 }],
  ["external_id=a+b%2Bc", { external_id: "a b+c" }],
  ["external_id=a=b", { external_id: "a=b" }],
  ["%6cimit=07", { limit: 7 }],
])("also decodes ?%s", (query, request) => {
  expect(SearchQuery.decode(query, strict)).toEqual(Result.succeed(request))
})

test("every parameter is sent and read by its one row", () => {
  expect(Object.keys(SearchQuery.parameters)).toEqual([...SearchQuery.names])
  const request = { ...examples, after_cursor: "c" }
  const query = Result.getOrThrow(SearchQuery.encode(request))
  expect(new Set(query.split("&").map((pair) => pair.split("=")[0]))).toEqual(new Set(SearchQuery.names))
  expect(SearchQuery.decode(query, strict)).toEqual(Result.succeed(request))
})

const examples: SearchRequest = Object.fromEntries(
  Object.entries(SearchQuery.parameters).flatMap(([name, { example }]) =>
    example === undefined ? [] : [[name, example]],
  ),
)

test.each(SearchQuery.names)("rejects a lone surrogate in %s instead of sending another text", (name) => {
  const request: Record<string, unknown> = { [name]: name === "created_at" ? ["\ud83d"] : "\ud83d" }
  expect(Result.flip(SearchQuery.encode(request))).toMatchObject({ success: { parameter: name } })
})

describe("decode", () => {
  const faultsOf = (query: string, options: SearchQuery.DecodeOptions = strict) =>
    Result.getOrThrow(Result.flip(SearchQuery.decode(query, options)))

  test("reports every fault by its parameter, unknown ones and those that are not UTF-8 first", () => {
    const query =
      "limit=21&colour=red&external_id=&created_at=gte:yesterday&created_at=eq:2024-09-01T00:00:00Z&after_cursor=%ff&%fe=1"
    const faults = faultsOf(query)
    expect(faults.map(({ code, message }) => `${code}: ${message.slice(0, 32)}`)).toEqual([
      'unknown_parameter: There is no parameter "colour". ',
      "invalid_parameter: after_cursor is not percent-enco",
      "invalid_parameter: The name of a parameter is not p",
      "invalid_parameter: external_id must not be empty",
      'invalid_parameter: created_at cannot be "gte:yester',
      'invalid_parameter: created_at cannot be "eq:2024-09',
      "invalid_parameter: limit must be a whole number fro",
    ])
  })

  test.each(["limit=1&limit=1", "external_id=a&external_id=b", "after_cursor=a&after_cursor=b"])(
    "rejects ?%s, which repeats a parameter",
    (query) => {
      expect(faultsOf(query)).toMatchObject([{ message: expect.stringMatching(/^\w+ is given more than once$/) }])
    },
  )

  test.each(["0", "21", "-1", "1.0", "1e1", "+7", "0x7", "٧", "9999999999"])("rejects limit=%s", (limit) => {
    expect(faultsOf(`limit=${limit.replace("+", "%2B")}`)).toHaveLength(1)
  })

  test("ignores unknown parameters if it is lenient", () => {
    expect(SearchQuery.decode("colour=%ff&limit=7", { ...strict, lenient: true })).toEqual(Result.succeed({ limit: 7 }))
  })

  test("accepts lte only if the deployment has it", () => {
    const query = "created_at=lte:2024-09-01T00:00:00Z"
    expect(faultsOf(query)).toHaveLength(1)
    expect(Result.isSuccess(SearchQuery.decode(query, { ...strict, lteToken: "lte" }))).toBe(true)
  })
})
