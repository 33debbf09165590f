import * as BasicCredentials from "@transferkit/http-api/BasicCredentials"
import * as ErrorBody from "@transferkit/http-api/ErrorBody"
import { document } from "@transferkit/http-api/OpenApiDocument"
import * as Paths from "@transferkit/http-api/Paths"
import * as SearchQuery from "@transferkit/http-api/SearchQuery"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import { expect, test } from "vitest"

const credentials = (partner_id: string, secret: string) =>
  BasicCredentials.make({ partner_id, secret_key: Redacted.make(secret) })

test("credentials are sent as RFC 7617 says, in UTF-8", () => {
  const header = (id: string, secret: string) => BasicCredentials.toHeader(Result.getOrThrow(credentials(id, secret)))
  expect(header("Aladdin", "open sesame")).toBe("Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==")
  expect(header("test", "123£")).toBe("Basic dGVzdDoxMjPCow==")
  expect(header("a", "b:c")).toBe("Basic YTpiOmM=")
})

test.each([
  ["", "s"],
  ["p", ""],
  ["p:q", "s"],
  ["p\n", "s"],
  ["p", "s\u0000"],
])("credentials %j %j are refused, and the secret is not told", (id, secret) => {
  const made = credentials(id, secret)
  expect(Result.isFailure(made)).toBe(true)
  if (Result.isFailure(made) && secret.length > 1) expect(made.failure.message).not.toContain(secret)
})

test("an error body is read where it has the shape, and nowhere else", () => {
  const text = '{"errors":[{"code":"a","message":"b"}],"more":1}'
  expect(Option.getOrThrow(ErrorBody.fromText(text)).errors).toEqual([{ code: "a", message: "b" }])
  for (const other of ["", "null", "{}", '{"errors":"no"}', '{"errors":[{"code":1}]}', "<html>"]) {
    expect(Option.isNone(ErrorBody.fromText(other))).toBe(true)
  }
})

test("the OpenAPI document names just the contract's paths, parameters and security", () => {
  expect(document.openapi).toMatch(/^3\.1\./)
  expect(Object.keys(document.paths)).toEqual(Object.values(Paths))
  const operation = document.paths[Paths.search]?.get
  expect(operation?.parameters.map((parameter) => parameter.name)).toEqual(SearchQuery.parameters)
  expect(operation?.security).toEqual([{ basic: [] }])
  expect(Object.keys(operation?.responses ?? {})).toEqual(["200", "400", "401", "429"])
})
